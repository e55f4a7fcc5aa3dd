// saiban's package for Node. The Rust harness tests all schemes; this one tests worker threads,
// each of which loads the package.
//
// Usage: node saibans.cjs PLAN       what tests/faults/run does; prints a JSON line for each cell
"use strict";

const { ManualClock, SaibanError, Snowflake } = require("saiban");
const { cell, notApplicable, readPlan, threads } = require("./harness.cjs");

const NODE = 7;

// Makes up to `count` IDs, until the generator refuses.
const take = (generator, count, made) => {
  const ids = [];
  try {
    while (ids.length < count) ids.push(generator.generate());
  } catch (error) {
    if (!(error instanceof SaibanError)) throw error;
    made.refused++;
  }
  return ids;
};

const follow = ({ before = [], after }) => {
  const clock = new ManualClock([...before, ...after][0][0]);
  const generator = new Snowflake({ node: NODE, clock });
  const made = { before: [], after: [], refused: 0 };
  for (const [readings, part] of [[before, made.before], [after, made.after]]) {
    for (const [ms, count] of readings) {
      clock.set(ms);
      part.push(...take(generator, count, made));
    }
  }
  return made;
};

async function main(path) {
  const plan = readPlan(path);
  const library = { library: "saiban Snowflake (Node)", version: "this repository" };
  for (const fault of ["step_1s", "step_2ms", "oscillating"]) {
    cell(library, fault, follow(plan[fault]), "one node, a ManualClock");
  }
  cell(library, "burst", follow({ after: plan.burst.readings }), "one node, a ManualClock");
  notApplicable(library, "restart", "the Rust and Python rows start new processes");
  notApplicable(library, "fork", "Node programs cannot fork; child_process.fork starts a new process");
  const made = await threads(plan.threads, require.resolve("./worker.cjs"), { maker: "saiban" });
  cell(library, "threads", made, "worker_threads, each with a generator of its own for the same node");
}

main(process.argv[2]);
