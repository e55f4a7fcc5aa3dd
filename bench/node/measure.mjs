// Measures cases in rounds, so that whatever slows the machine for a while slows all cases.

const NS_PER_MS = 1e6;

/** The number of results that a loop keeps, so that V8 cannot remove any. */
const KEPT = 16;

/**
 * Returns a loop for each case alone. V8 would optimise one shared loop for no case, because its
 * type feedback would mix all of them. The text contains the index, because V8 identifies functions
 * by their text.
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

/** Returns the number of repetitions that take about this long, after V8 has warmed up. */
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
 * Returns nanoseconds an ID of each case in each round. Every second round runs in reverse order.
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
