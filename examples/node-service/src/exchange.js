// IDs between languages: `emit` makes one of each scheme, `read FILE` says what everybody's hold.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Randflake, Snowflake, UlidFlake } from 'saiban';

const LANGUAGE = 'node';
const NODE = 2;

const { SAIBAN_SECRET } = process.env;
if (!SAIBAN_SECRET) {
  console.error('SAIBAN_SECRET must hold 32 hexadecimal digits');
  process.exit(2);
}
const generators = {
  snowflake: new Snowflake({ node: NODE }),
  randflake: new Randflake({ node: NODE, secret: Buffer.from(SAIBAN_SECRET, 'hex') }),
  'ulid-flake': new UlidFlake(),
  'ulid-flake-scalable': new UlidFlake({ scalability: NODE }),
};

const print = (...columns) => console.log(columns.join('\t'));

function emit() {
  for (const [scheme, ids] of Object.entries(generators)) {
    const id = ids.generate();
    print(LANGUAGE, scheme, id, ids.toText(id));
  }
}

function read(file) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  for (const line of lines) {
    const [language, scheme, id, text] = line.split('\t');
    const ids = generators[scheme];
    assert.equal(ids.fromText(text), BigInt(id), line);
    const { timestampMs, node, sequence, random } = ids.inspect(text);
    print(LANGUAGE, language, scheme, id, timestampMs, node ?? '-', sequence ?? '-', random ?? '-');
  }
}

const [command, file] = process.argv.slice(2);
if (command === 'emit') emit();
else if (command === 'read' && file) read(file);
else process.exitCode = 2;
