// Cases that take turns, in rounds: whatever slows the machine for a while slows all of them.

const NS_PER_MS = 1e6;

/** How many results a loop keeps, so that none can be left out. */
const KEPT = 16;

/**
 * A loop of its own around each case: of one that they share V8 would learn what all of them do,
 * and optimise for none. So its text has the number too, as V8 knows functions by their text.
 */
function looped({ make }, index) {
  const text = `return (count) => { for (let n = 0; n < count; n += 1) kept[n & ${KEPT - 1}] = make(); }; // ${index}`;
  return new Function('make', 'kept', text)(make, new Array(KEPT).fill(null));
}

function timed(loop, count) {
  const begun = process.hrtime.bigint();
  loop(count);
  return Number(process.hrtime.bigint() - begun);
}

/** How often a case must run to take about so long; it is compiled and warm then. */
function calibrated(loop, ms) {
  // A generator's first ID may wait for the next tick, up to a second.
  loop(1);
  for (let count = 1; ; count *= 2) {
    // The faster of two: a sample that other work delayed means nothing.
    const ns = Math.min(timed(loop, count), timed(loop, count));
    if (ns >= ms * NS_PER_MS) return Math.max(1, Math.round((count * ms * NS_PER_MS) / ns));
  }
}

/**
 * What an ID of each case took in each round, in nanoseconds; odd rounds go the other way round.
 */
export function measured(cases, rounds, ms) {
  const entries = cases.map((one, index) => ({ loop: looped(one, index), per: one.per ?? 1, ns: [] }));
  for (const entry of entries) entry.count = calibrated(entry.loop, ms);
  const reversed = [...entries].reverse();
  for (let round = 0; round < rounds; round += 1) {
    for (const { loop, count, per, ns } of round % 2 ? reversed : entries) ns.push(timed(loop, count) / (count * per));
  }
  return entries.map(({ ns }) => ns);
}
