// Text with a prefix: TypeID's published cases (vectors/typeid.json), and every scheme both ways.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  ByteGenerator,
  Flake,
  Layout,
  Lease,
  ManualClock,
  ObjectId,
  Randflake,
  Snowflake,
  TickId,
  Tsid,
  Ulid,
  UlidFlake,
  Uuid,
  Xid,
  encode,
  inspect,
} from 'saiban';

const { valid, invalid } = JSON.parse(readFileSync(new URL('../../vectors/typeid.json', import.meta.url), 'utf8'));
const NOW = 1_763_700_000_000;
const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';
const TYPE_ID = 'order_01h455vb4pex5vsknk084sn02q';

/** One generator of each scheme with these options. */
const everyone = (given) => ({
  snowflake: new Snowflake({ node: 7, ...given }),
  randflake: new Randflake({ node: 7, secret: new Uint8Array(16).fill(7), ...given }),
  'ulid-flake': new UlidFlake(given),
  tsid: new Tsid({ node: 7, ...given }),
  flake: new Flake({ layout: Layout.fromText('timestamp:38@10ms,epoch=2020-02-02 node:2 sequence:8'), node: 1, ...given }),
  'wide flake': new Flake({ layout: Layout.fromText('timestamp:48 random:80'), ...given }),
  ulid: new Ulid(given),
  'uuid-v1': new Uuid({ version: 1, ...given }),
  'uuid-v4': new Uuid({ version: 4, ...given }),
  'uuid-v7': new Uuid(given),
  objectid: new ObjectId(given),
  xid: new Xid(given),
  'tick-id': new TickId(given),
  'tick-id descending': new TickId({ order: 'descending', ...given }),
});

for (const { typeid, prefix, uuid } of valid) {
  test(`the TypeID ${typeid} is read and written`, () => {
    const ids = new Uuid({ prefix });
    assert.equal(ids.fromText(typeid), uuid);
    assert.equal(ids.toText(uuid), typeid);
    assert.equal(ids.toText(typeid, 'hyphenated'), uuid);
    assert.equal(ids.fromBytes(ids.toBytes(uuid)), uuid);
  });
}

for (const { typeid, prefix } of invalid) {
  test(`an invalid TypeID is refused: ${JSON.stringify(typeid)}`, () => {
    assert.throws(() => new Uuid({ prefix }).fromText(typeid), ({ code }) => code === 'INVALID_ARGUMENT' || code.startsWith('TEXT_'));
  });
}

for (const [name, ids] of Object.entries(everyone({ prefix: 'sales_order' }))) {
  test(`${name}: an ID's text has the prefix, and is read again`, async () => {
    const made = [ids.generate(), await ids.generateAsync(), ids.tryGenerate() ?? ids.generate(), ...ids.generateMany(3)];
    const isUuid = ids instanceof Uuid;
    const isText = ids instanceof TickId || (ids instanceof ByteGenerator && !isUuid);
    if (ids instanceof TickId) {
      const list = new Array(2);
      assert.equal(ids.fill(list), 2);
      made.push(...list);
    }
    if (ids instanceof ByteGenerator) made.push(ids.fromBytes(ids.generateBytes()));
    made.push(ids.fromText(ids.generateText()));
    assert.equal(new Set(made).size, made.length);
    for (const id of made) {
      const text = ids.toText(id);
      assert.match(text, /^sales_order_[0-9a-z]+$/);
      assert.equal(ids.fromText(text), id);
      if (isText) assert.equal(id, text);
      if (isUuid) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      const parts = ids.inspect(id);
      assert.deepEqual([parts.id, parts.text], [id, text]);
      assert.deepEqual(ids.inspect(text), parts);
      // With an encoding, the text is only the number.
      const number = BigInt(`0x${Buffer.from(parts.idBytes).toString('hex')}`);
      assert.equal(BigInt(`0x${ids.toText(id, 'hex')}`), number);
      const digits = encode(parts.bits === 64 ? BigInt.asIntN(64, number) : number, 'crockford', { bits: parts.bits });
      assert.equal(text, `sales_order_${digits.toLowerCase()}`);
      if (ids instanceof ByteGenerator) assert.equal(ids.fromBytes(ids.toBytes(id)), id);
    }
    assert.match(ids.generateText(), /^sales_order_/);
    assert.match(ids.generateText('hex'), /^[0-9a-f]+$/);
  });
}

test('IDs composed, and those of an interval, are text with the prefix where IDs are text', () => {
  const ids = new Ulid({ prefix: 'order' });
  const bare = new Ulid();
  const withPrefix = (ulid) => `order_${ulid.toLowerCase()}`;
  assert.equal(ids.compose({ timestampMs: NOW, random: 3 }), withPrefix(bare.compose({ timestampMs: NOW, random: 3 })));
  assert.deepEqual(ids.range(NOW, NOW + 1), bare.range(NOW, NOW + 1).map(withPrefix));
  assert.deepEqual(new Uuid({ prefix: 'order' }).range(NOW, NOW + 1), new Uuid().range(NOW, NOW + 1));
  const uuid = ids.toUuid(ids.compose({ timestampMs: NOW, random: 3 }));
  assert.equal(uuid, bare.toUuid(bare.compose({ timestampMs: NOW, random: 3 })));
  assert.equal(ids.fromUuid(uuid), ids.compose({ timestampMs: NOW, random: 3 }));
  const sorted = ids.generateMany(1000);
  assert.deepEqual([...sorted].sort(), sorted);
});

test('the IDs are those of a generator without a prefix', () => {
  const made = (prefix) => new Snowflake({ node: 7, clock: new ManualClock(NOW), prefix }).generateMany(10);
  assert.deepEqual(made('order'), made(undefined));
});

test('text with another prefix, and text without one, is refused', () => {
  const ids = new Uuid({ prefix: 'order' });
  for (const text of [TYPE_ID.replace('order', 'user'), TYPE_ID.slice(6), TYPE_ID.replace('_', ''), UUID]) {
    for (const lenient of [false, true]) assert.throws(() => ids.fromText(text, { lenient }), { code: 'TEXT_CHARACTER' }, text);
  }
  assert.throws(() => ids.fromText(`${TYPE_ID.slice(0, -1)}Q`), { code: 'TEXT_CHARACTER', position: 31 });
  assert.equal(ids.fromText('order_O1H455VB4PEX5VSKNKO84SNO2Q', { lenient: true }), UUID);
  assert.throws(() => ids.toText(TYPE_ID.replace('order', 'user')), { code: 'TEXT_CHARACTER', message: /order/ });
  for (const call of ['toText', 'toBytes', 'inspect', 'fromText']) {
    const ulids = new Ulid({ prefix: 'order' });
    assert.throws(() => ulids[call]('01ARZ3NDEKTSV4RRFFQ69G5FAV'), { code: 'TEXT_CHARACTER' }, call);
  }
  assert.throws(() => new Uuid().toText(TYPE_ID), ({ code }) => code.startsWith('TEXT_'));
  // Without a prefix, only UUIDs of the generator's version are valid.
  assert.throws(() => new Uuid({ version: 4 }).toText(UUID), { code: 'ID_OUT_OF_RANGE' });
  assert.throws(() => new Uuid({ version: 4 }).fromBytes(new Uuid().toBytes(UUID)), { code: 'ID_OUT_OF_RANGE' });
  assert.equal(new Uuid({ version: 4, prefix: 'order' }).toText(UUID), TYPE_ID);
});

test('an impossible prefix is refused', () => {
  for (const prefix of ['Order', 'order_', '_order', 'order2', 'bestellung-ä', ' order', 'a'.repeat(64)]) {
    assert.throws(() => new Uuid({ prefix }), { code: 'INVALID_ARGUMENT', message: /prefix/ }, prefix);
  }
  assert.throws(() => new Uuid({ prefix: 7 }), { code: 'WRONG_TYPE', message: /prefix/ });
  assert.equal(new Uuid({ prefix: 'a'.repeat(63) }).generateText().length, 63 + 1 + 26);
});

test('a generator with a lease has a prefix too', async () => {
  const lease = await Lease.acquire('memory:prefix', { nodes: 1 });
  const ids = new Snowflake({ lease, prefix: 'order' });
  assert.match(ids.toText(await ids.generateAsync()), /^order_/);
  await lease.release();
});

test('inspection finds an ID in text with a prefix', () => {
  const [likeliest] = inspect(TYPE_ID);
  assert.deepEqual([likeliest.scheme, likeliest.id, likeliest.timestampMs], ['uuid-v7', UUID, 1_688_096_058_518]);
});
