// One of several processes with one node: see tests/faults/processes.py.
//
// Usage: node serve.cjs LIBRARY
"use strict";

const { createInterface } = require("node:readline");

const NODE = 7;
const PIECE = 10_000;
const FLAKE = "unused:1 timestamp:41@ms,epoch=2025-01-01 node:10 sequence:12";

// How to build a generator of each scheme.
const saibans = {
  snowflake: ({ Snowflake }) => new Snowflake({ node: NODE }),
  randflake: ({ Randflake }) => new Randflake({ node: NODE, secret: Buffer.from("dffd6021bb2bd5b0af676290809ec3a5", "hex") }),
  "ulid-flake": ({ UlidFlake }) => new UlidFlake(),
  "ulid-flake-scalable": ({ UlidFlake }) => new UlidFlake({ scalability: NODE }),
  flake: ({ Flake, Layout }) => new Flake({ layout: Layout.fromText(FLAKE), node: 0 }),
};

const makerOf = (library) => {
  if (library === "@sapphire/snowflake") {
    const { TwitterSnowflake } = require("@sapphire/snowflake");
    return { make: (count) => Array.from({ length: count }, () => TwitterSnowflake.generate()), refusal: undefined };
  }
  const saiban = require("saiban");
  const generator = saibans[library](saiban);
  return { make: (count) => generator.generateMany(count), refusal: saiban.SaibanError };
};

const { make, refusal } = makerOf(process.argv[2]);
createInterface({ input: process.stdin }).on("line", (line) => {
  const [count, patienceMs] = line.split(" ").map(Number);
  const ids = [];
  let refused = 0;
  const end = performance.now() + patienceMs;
  while (ids.length < count && (refused === 0 || performance.now() < end)) {
    try {
      for (const id of make(Math.min(count - ids.length, PIECE))) ids.push(id);
    } catch (error) {
      if (refusal === undefined || !(error instanceof refusal)) throw error;
      refused++;
    }
  }
  process.stdout.write(Buffer.from(BigInt64Array.from([BigInt(ids.length), BigInt(refused)].concat(ids)).buffer));
});
