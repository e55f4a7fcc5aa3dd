// The faults of docs/faults.md for the packages @sapphire/snowflake and ulid.
//
// Usage: node main.cjs PLAN       what tests/faults/run does; prints a JSON line for each cell
"use strict";

const { Snowflake, TwitterSnowflake } = require("@sapphire/snowflake");
const { monotonicFactory, ulid } = require("ulid");
const { cell, follow, notApplicable, odds, readPlan, restart, restartInThePast, threads, versionOf } = require("./harness.cjs");

const FAULTS = ["step_1s", "step_2ms", "oscillating"];
const TOLD = "Date.now is replaced by a clock that the test sets";
const CANNOT_FORK = "Node programs cannot fork; child_process.fork starts a new process";
const TWITTER_EPOCH_MS = 1288834974657n;
const ULID_BITS = 80;

const worker = require.resolve("./worker.cjs");
const tight = (ids, make) => ({ after: Array.from({ length: ids }, () => make()) });

async function sapphire(plan) {
  const library = { library: "@sapphire/snowflake (npm)", version: versionOf("@sapphire/snowflake") };
  for (const fault of FAULTS) {
    const generator = new Snowflake(TWITTER_EPOCH_MS);
    cell(library, fault, follow(plan[fault], () => generator.generate()), TOLD);
  }
  const start = () => {
    const generator = new Snowflake(TWITTER_EPOCH_MS);
    return () => generator.generate();
  };
  cell(library, "restart", restart(plan.restart, start), `a new Snowflake, as in a new process; ${TOLD}`);
  const past = "as restart in one tick, with the clock set back between the two generators";
  cell(library, "restart_2ms", restartInThePast(plan.restart_2ms, start), past);
  cell(library, "burst", tight(plan.burst.ids, () => TwitterSnowflake.generate()), "TwitterSnowflake, the system's clock");
  notApplicable(library, "fork", CANNOT_FORK);
  const made = await threads(plan.slow_threads, worker, { maker: "@sapphire/snowflake" });
  cell(library, "threads", made, "worker_threads with the package's TwitterSnowflake and its default workerId each");
}

async function ulids(plan, name, start) {
  const library = { library: `${name} (npm)`, version: versionOf("ulid") };
  const monotonic = name !== "ulid";
  // The IDs of one monotonic factory grow, so they cannot repeat by chance.
  const within = (groups) => (monotonic ? undefined : odds(groups, ULID_BITS));
  for (const fault of FAULTS) {
    const { before, after } = plan[fault];
    // After a step back the clock shows a millisecond again, which then contains the IDs of both
    // parts.
    const groups = [...before, ...after].map((reading) => 2 * reading[1]);
    cell(library, fault, follow(plan[fault], start()), TOLD, within(groups));
  }
  const { ticks, ids } = plan.restart;
  const note = monotonic ? `a new factory in the same millisecond, as a new process has it; ${TOLD}` : TOLD;
  cell(library, "restart", restart(plan.restart, start), note, odds(Array(ticks).fill(2 * ids), ULID_BITS));
  const past = "as restart in one tick, with the clock set back between the two generators";
  const readings = plan.restart_2ms.flatMap(({ after }) => after.map((reading) => 2 * reading[1]));
  cell(library, "restart_2ms", restartInThePast(plan.restart_2ms, start), past, odds(readings, ULID_BITS));
  const few = plan.burst.ids / 10;
  cell(library, "burst", tight(few, start()), "the system's clock", within([few]));
  notApplicable(library, "fork", CANNOT_FORK);
  notApplicable(library, "processes", "it has no nodes: only its 80 random bits keep processes apart");
  const size = plan.slow_threads;
  const all = odds([size.threads * size.ids], ULID_BITS);
  cell(library, "threads", await threads(size, worker, { maker: name }), "worker_threads; odds as if in one millisecond", all);
}

async function main(path) {
  const plan = readPlan(path);
  await sapphire(plan);
  await ulids(plan, "ulid", () => () => ulid());
  await ulids(plan, "ulid, monotonicFactory", () => {
    const make = monotonicFactory();
    return () => make();
  });
}

main(process.argv[2]);
