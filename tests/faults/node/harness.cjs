// The common parts of all packages' faults: exact counts, a settable clock, worker threads, JSON
// lines.
"use strict";

const { readFileSync } = require("node:fs");
const { Worker } = require("node:worker_threads");

const readPlan = (path) => JSON.parse(readFileSync(path, "utf8"));

// The version of an installed package. Not every package exports its package.json.
const versionOf = (name) => {
  const [folder] = require.resolve.paths(name).filter((path) => {
    try {
      return readFileSync(`${path}/${name}/package.json`).length > 0;
    } catch {
      return false;
    }
  });
  return JSON.parse(readFileSync(`${folder}/${name}/package.json`, "utf8")).version;
};

const print = (library, cell) => console.log(JSON.stringify({ ...library, ...cell }));

// `before` counts only as earlier IDs. `expected` is for schemes that can repeat by chance.
const cell = (library, fault, { before = [], after, refused = 0 }, note, expected) => {
  const earlier = new Set(before);
  const duplicates = after.length - (new Set([...before, ...after]).size - earlier.size);
  print(library, { fault, made: after.length, duplicates, refused, expected, note });
};

const notApplicable = (library, fault, note) => print(library, { fault, note });

// Runs `work` while Date.now() returns the last time that `tell` set.
const onToldClock = (work) => {
  const real = Date.now;
  let nowMs = 0;
  Date.now = () => nowMs;
  try {
    return work((ms) => {
      nowMs = ms;
    });
  } finally {
    Date.now = real;
  }
};

const follow = (trace, make) =>
  onToldClock((tell) => {
    const part = (readings) =>
      readings.flatMap(([ms, count]) => {
        tell(ms);
        return Array.from({ length: count }, make);
      });
    return { before: part(trace.before), after: part(trace.after) };
  });

// Uses one generator before each fault and another after it.
const restartInThePast = (traces, start) => {
  const made = { before: [], after: [] };
  for (const { before, after } of traces) {
    made.before.push(...follow({ before, after: [] }, start()).before);
    made.after.push(...follow({ before: [], after }, start()).after);
  }
  return made;
};

// Makes IDs in each tick, restarts, and makes as many again. `start` returns a generating function.
const restart = ({ start_ms: startMs, ticks, ids }, start) =>
  onToldClock((tell) => {
    const made = { before: [], after: [] };
    for (let tick = 0; tick < ticks; tick++) {
      tell(startMs + tick);
      for (const part of [made.before, made.after]) {
        const make = start();
        for (let count = 0; count < ids; count++) part.push(make());
      }
    }
    return made;
  });

// Each worker runs `file`, which posts its IDs. All workers start at one instant.
const threads = async (size, file, workerData = {}) => {
  const startMs = Date.now() + 1000;
  const run = (number) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(file, { workerData: { ...workerData, ids: size.ids, startMs, number } });
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  const made = await Promise.all(Array.from({ length: size.threads }, (_, number) => run(number)));
  return { after: made.flat() };
};

// The expected duplicates among IDs with this many random bits, for each group in one millisecond.
const odds = (groups, bits) => groups.reduce((sum, ids) => sum + ids ** 2 / 2 / 2 ** bits, 0);

module.exports = { cell, follow, notApplicable, odds, readPlan, restart, restartInThePast, threads, versionOf };
