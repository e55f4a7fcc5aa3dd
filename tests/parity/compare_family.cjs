// UUID, TypeID, ULID and ObjectId: compares IDs and parsed parts with the npm packages uuid,
// typeid-js, ulid and bson. Also writes IDs of these packages, which saiban then reads.
//
// Usage: node compare_family.cjs LINES THEIRS COUNT
//        LINES is a file that `saiban-vectors --parity-family` printed; THEIRS is written, with COUNT IDs a generator,
//        for `saiban-vectors --parity-read`
"use strict";

const { getRandomValues } = require("node:crypto");
const { closeSync, openSync, writeSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const { ObjectId, UUID } = require("bson");
const { run } = require("./report.cjs");
const { TypeID, typeid } = require("typeid-js");
const ulid = require("ulid");

const LOW_62 = (1n << 62n) - 1n;
const TICKS_BEFORE_1970 = 0x01b21dd213814000n;

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const number = (bytes) => BigInt(`0x${hex(bytes)}`);
const bytes = (value, length) => Buffer.from(BigInt(value).toString(16).padStart(2 * length, "0"), "hex");
const same = (row, expected) => row.length === expected.length && row.every((field, index) => field === expected[index]);

// BigInt division rounds toward 0; this one rounds down.
const floorDiv = (value, by) => (value - (((value % by) + by) % by)) / by;

// The bytes of a GUID: the first three groups reversed. No package offers this form.
const guid = (b) => hex([b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6], ...b.slice(8)]);

// Lines of the packages' IDs, in saiban's format.

const ulidLine = (text) => {
  const asUuid = ulid.ulidToUUID(text).toLowerCase();
  const bits = BigInt(`0x${asUuid.replaceAll("-", "")}`);
  return [text, String(bits), asUuid, String(ulid.decodeTime(text)), String(bits & ((1n << 80n) - 1n))];
};

const uuidParts = {
  1: (b) => {
    const ticks = (number(b.slice(6, 8)) & 0xfffn) << 48n | number(b.slice(4, 6)) << 32n | number(b.slice(0, 4));
    return [floorDiv(ticks - TICKS_BEFORE_1970, 10_000n), number(b.slice(8, 10)) & 0x3fffn, number(b.slice(10))];
  },
  4: (b) => [number(b.slice(0, 6)) << 74n | (number(b.slice(6, 8)) & 0xfffn) << 62n | number(b.slice(8)) & LOW_62],
  7: (b) => [number(b.slice(0, 6)), (number(b.slice(6, 8)) & 0xfffn) << 62n | number(b.slice(8)) & LOW_62],
};

const uuidLine = (uuid, text) => {
  const b = uuid.parse(text);
  return [text, hex(b), `{${text}}`, `urn:uuid:${text}`, guid(b), ...uuidParts[uuid.version(text)](b).map(String)];
};

const objectIdLine = (id) =>
  [id.toHexString(), id.getTimestamp().getTime(), number(id.id.slice(4, 9)), number(id.id.slice(9))].map(String);

const typeIdLine = (id) => {
  const uuid = id.toUUID();
  const parts = uuidParts[7](bytes(`0x${uuid.replaceAll("-", "")}`, 16));
  return [id.toString(), uuid, ...parts.map(String)];
};

// The packages read saiban's IDs.

const ulidReads = (row) =>
  ulid.isValid(row[0]) && same(row, ulidLine(row[0])) && ulid.uuidToULID(row[2]) === row[0] &&
  ulid.decodeTime(row[0].toLowerCase()) === Number(row[3]);

const uuidReads = (uuid, version) => (row) =>
  uuid.validate(row[0]) && uuid.version(row[0]) === version && same(row, uuidLine(uuid, row[0])) &&
  uuid.stringify(bytes(`0x${row[1]}`, 16)) === row[0];

const bsonUuidReads = (row) =>
  new UUID(row[0]).toHexString(false) === row[1] && new UUID(row[1]).toHexString() === row[0] &&
  new UUID(bytes(`0x${row[1]}`, 16)).toHexString() === row[0];

const typeIdReads = (row) => same(row, typeIdLine(TypeID.fromString(row[0], "sales_order")));

const objectIdReads = (row) =>
  ObjectId.isValid(row[0]) && same(row, objectIdLine(new ObjectId(row[0]))) &&
  new ObjectId(Buffer.from(row[0], "hex")).equals(row[0]);

// The packages make IDs from saiban's parts, which they take as arguments or from a stub of the
// clock.

const clock = Date.now;

const ulidMakes = (row) => {
  let rest = BigInt(row[4]);
  // The package draws one digit after the other, the last one first.
  const drawn = () => {
    const digit = Number(rest & 31n);
    rest >>= 5n;
    return digit / 32;
  };
  // The package ignores an argument of 0, so the time comes from the clock.
  Date.now = () => Number(row[3]);
  const made = ulid.ulid(undefined, drawn);
  Date.now = clock;
  return made === row[0];
};

const uuidMakes = {
  1: (uuid) => (row) => {
    const [msecs, clockseq] = row.slice(5, 7).map(Number);
    return uuid.v1({ msecs, nsecs: 0, clockseq, node: bytes(row[7], 6) }) === row[0];
  },
  4: (uuid) => (row) => {
    const drawn = BigInt(row[5]);
    const random = drawn >> 74n << 80n | (drawn >> 62n & 0xfffn) << 64n | drawn & LOW_62;
    return uuid.v4({ random: bytes(random, 16) }) === row[0];
  },
  7: (uuid) => (row) => {
    // The package draws a sequence of 32 bits, and 42 more bits in the last six bytes.
    const [msecs, drawn] = [Number(row[5]), BigInt(row[6])];
    const random = bytes(drawn & ((1n << 42n) - 1n), 16);
    return uuid.v7({ msecs, seq: Number(drawn >> 42n), random }) === row[0];
  },
};

const typeIdMakes = (row) => TypeID.fromUUID("sales_order", row[1]).toString() === row[0];

const objectIdMakes = (row) => {
  const [time, counter] = [Number(row[1]), Number(row[3])];
  ObjectId.PROCESS_UNIQUE = bytes(row[2], 5);
  ObjectId.index = counter - 1;
  const generated = hex(ObjectId.generate(time / 1000)) === row[0];
  Date.now = () => time;
  ObjectId.index = counter - 1;
  const made = new ObjectId().toHexString();
  Date.now = clock;
  return generated && made === row[0];
};

const reading = (subject, name, test) => [
  [subject, `${name} reads what saiban composes, ${subject}`, test],
  [`made-${subject}`, `${name} reads what saiban's generators make, ${subject}`, test],
];

const tests = (uuid) => [
  ...reading("ulid", "npm's ulid", ulidReads),
  ["ulid", "npm's ulid makes the same ULIDs", ulidMakes],
  ...[1, 4, 7].flatMap((version) => [
    ...reading(`uuid-v${version}`, "npm's uuid", uuidReads(uuid, version)),
    ...reading(`uuid-v${version}`, "npm's bson", bsonUuidReads),
    [`uuid-v${version}`, `npm's uuid makes the same UUIDs v${version}`, uuidMakes[version](uuid)],
  ]),
  ...reading("typeid", "npm's typeid-js", typeIdReads),
  ["typeid", "npm's typeid-js makes the same TypeIDs", typeIdMakes],
  ...reading("objectid", "npm's bson", objectIdReads),
  ["objectid", "npm's bson makes the same ObjectIds", objectIdMakes],
];

// The packages' own IDs, which saiban reads, with random times and parts.

const random = (bits) => Number(number(getRandomValues(new Uint8Array(8))) >> BigInt(64 - bits));

const generators = (uuid) => [
  ["npm's ulid", "ulid", () => ulidLine(ulid.ulid(random(48)))],
  ["npm's ulid, monotonic", "ulid", ((next) => () => ulidLine(next(1_600_000_000_000)))(ulid.monotonicFactory())],
  ["npm's uuid, v1", "uuid-v1", () => uuidLine(uuid, uuid.v1({ msecs: random(46), nsecs: random(13) }))],
  ["npm's uuid, v4", "uuid-v4", () => uuidLine(uuid, uuid.v4())],
  ["npm's uuid, v7", "uuid-v7", () => uuidLine(uuid, uuid.v7({ msecs: random(48) }))],
  ["npm's bson, v4", "uuid-v4", () => uuidLine(uuid, new UUID().toHexString())],
  ["npm's bson", "objectid", () => objectIdLine(new ObjectId(ObjectId.generate(random(32))))],
  ["npm's typeid-js", "typeid", () => typeIdLine(typeid("sales_order"))],
];

const writeTheirs = (uuid, path, count) => {
  const out = openSync(path, "w");
  for (const [name, subject, make] of generators(uuid)) {
    writeSync(out, Array.from({ length: count }, () => `${[name, subject, ...make()].join("\t")}\n`).join(""));
  }
  closeSync(out);
};

const main = async ([lines, theirs, count]) => {
  // In some releases of Node 20, `require` cannot load this module, and `import` ignores NODE_PATH.
  const uuid = await import(pathToFileURL(require.resolve("uuid")));
  writeTheirs(uuid, theirs, Number(count));
  run(tests(uuid), lines, "IDs");
};

main(process.argv.slice(2));
