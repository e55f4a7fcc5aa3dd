// Snowflake: what the package @sapphire/snowflake makes of the same parts, and reads in the same IDs.
//
// Usage: node compare.cjs LINES      a file that `saiban-vectors --parity` printed
"use strict";

const { readFileSync } = require("node:fs");
const { DiscordSnowflake, TwitterSnowflake } = require("@sapphire/snowflake");

// The package splits the node into worker (the high five bits) and process, and has unsigned IDs.
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

const lines = readFileSync(process.argv[2], "ascii").trim().split("\n").map((line) => line.split("\t"));
let failed = 0;
for (const [subject, name, test] of tests) {
  const rows = lines.filter((line) => line[0] === subject).map((line) => line.slice(1));
  const wrong = rows.filter((row) => !test(row));
  const right = rows.length > 0 && wrong.length === 0;
  failed += right ? 0 : 1;
  console.log(`${right ? "ok" : "FAILED"} ${name}: ${rows.length - wrong.length} of ${rows.length} parts`);
  wrong.slice(0, 3).forEach((row) => console.log(`   ${row.join(" ")}`));
}
console.log(`${tests.length - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed > 0 ? 1 : 0;
