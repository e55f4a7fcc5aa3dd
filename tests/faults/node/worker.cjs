// A worker thread that loads the package again and makes IDs from a given instant on.
"use strict";

const { parentPort, workerData } = require("node:worker_threads");

const makers = {
  saiban: () => {
    const { Snowflake } = require("saiban");
    const generator = new Snowflake({ node: 7, maxWaitMs: 2000 });
    return () => generator.generate();
  },
  "@sapphire/snowflake": () => {
    const { TwitterSnowflake } = require("@sapphire/snowflake");
    return () => TwitterSnowflake.generate();
  },
  ulid: () => require("ulid").ulid,
  "ulid, monotonicFactory": () => require("ulid").monotonicFactory(),
};

const make = makers[workerData.maker]();
while (Date.now() < workerData.startMs) {
  // Wait until the instant at which all threads start.
}
parentPort.postMessage(Array.from({ length: workerData.ids }, () => make()));
