// Snowflake: compares IDs and parsed parts with the package @sapphire/snowflake.
//
// Usage: node compare.cjs LINES      a file that `saiban-vectors --parity` printed
"use strict";

const { DiscordSnowflake, TwitterSnowflake } = require("@sapphire/snowflake");
const { run } = require("./report.cjs");

// The package splits the node into worker (the high five bits) and process. Its IDs are unsigned.
const parts = ([timestamp, node, sequence]) => ({
  timestamp: BigInt(timestamp),
  workerId: BigInt(node) >> 5n,
  processId: BigInt(node) & 31n,
  increment: BigInt(sequence),
});

const makes = (format) => (row) => BigInt.asIntN(64, format.generate(parts(row))) === BigInt(row[3]);

const reads = (format) => (row) => {
  const read = format.deconstruct(BigInt.asUintN(64, BigInt(row[3])));
  return Object.entries(parts(row)).every(([name, value]) => read[name] === value);
};

const tests = [
  ["twitter", "TwitterSnowflake makes the same IDs", makes(TwitterSnowflake)],
  ["twitter", "TwitterSnowflake reads the same parts", reads(TwitterSnowflake)],
  ["discord", "DiscordSnowflake makes the same IDs", makes(DiscordSnowflake)],
  ["discord", "DiscordSnowflake reads the same parts", reads(DiscordSnowflake)],
];

run(tests, process.argv[2], "parts");
