// Exchanges IDs between languages: `emit` makes one ID of each scheme, as a decimal number and as
// text; `read FILE` prints the parts of all IDs in the file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Flake, Layout, ObjectId, Randflake, Snowflake, Ulid, UlidFlake, Uuid } from 'saiban';

const LANGUAGE = 'node';
const NODE = 2;

const { SAIBAN_SECRET, SAIBAN_LAYOUT } = process.env;
if (!SAIBAN_SECRET || !SAIBAN_LAYOUT) {
  console.error('SAIBAN_SECRET must hold 32 hexadecimal digits, and SAIBAN_LAYOUT the layout of "flake"');
  process.exit(2);
}
const generators = {
  snowflake: new Snowflake({ node: NODE }),
  randflake: new Randflake({ node: NODE, secret: Buffer.from(SAIBAN_SECRET, 'hex') }),
  'ulid-flake': new UlidFlake(),
  'ulid-flake-scalable': new UlidFlake({ scalability: NODE }),
  flake: new Flake({ layout: Layout.fromText(SAIBAN_LAYOUT), node: NODE }),
  'uuid-v7': new Uuid({ version: 7 }),
  ulid: new Ulid(),
  objectid: new ObjectId(),
};

const print = (...columns) => console.log(columns.join('\t'));

function emit() {
  for (const [scheme, ids] of Object.entries(generators)) {
    const id = ids.generate();
    print(LANGUAGE, scheme, ids.toText(id, 'decimal'), ids.toText(id));
  }
}

function read(file) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  for (const line of lines) {
    const [language, scheme, number, text] = line.split('\t');
    const ids = generators[scheme];
    assert.equal(ids.toText(ids.fromText(text), 'decimal'), number, line);
    const { timestampMs, node, sequence, random } = ids.inspect(text);
    print(LANGUAGE, language, scheme, number, timestampMs, node ?? '-', sequence ?? '-', random ?? '-');
  }
}

const [command, file] = process.argv.slice(2);
if (command === 'emit') emit();
else if (command === 'read' && file) read(file);
else process.exitCode = 2;
