// The properties of generators of wide IDs and of custom layouts, beyond the vectors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ByteGenerator,
  Flake,
  Generator,
  Layout,
  ManualClock,
  ObjectId,
  Randflake,
  SaibanError,
  SaibanTypeError,
  Snowflake,
  TickId,
  Ulid,
  UlidFlake,
  Uuid,
  Xid,
  candidates,
  decode,
  encode,
  inspect,
  uuidFromGuidBytes,
  uuidToGuidBytes,
} from 'saiban';

const NOW = 1_763_700_000_000;
const clock = () => new ManualClock(NOW);
const secret = new Uint8Array(16).fill(7);
const wide = Layout.fromText('timestamp:48 node.region:4 node.host:12 sequence:16 random:48');

/** One generator of each scheme, on the system's clock. */
const everyone = () => ({
  ulid: new Ulid(),
  'uuid-v1': new Uuid({ version: 1 }),
  'uuid-v4': new Uuid({ version: 4 }),
  'uuid-v7': new Uuid(),
  objectid: new ObjectId(),
  xid: new Xid(),
  'tick-id': new TickId(),
  'tick-id descending': new TickId({ order: 'descending' }),
  flake: new Flake({ layout: Layout.fromText('unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12'), node: 600 }),
  'flake of 48 bits': new Flake({ layout: Layout.fromText('timestamp:38@10ms,epoch=2020-02-02 node:2 sequence:8'), node: 1 }),
  'wide flake': new Flake({ layout: wide, node: 0x2001 }),
  'random flake': new Flake({ layout: Layout.fromText('timestamp:48 random:80') }),
});

/** Returns an array for this many IDs of a generator. */
function room(ids, count) {
  if (ids instanceof TickId) return new Array(count);
  if (ids instanceof ByteGenerator) return new Uint8Array(count * (ids instanceof ObjectId || ids instanceof Xid ? 12 : 16));
  return ids.layout.sizeBits > 64 ? new Uint8Array(count * 16) : new BigInt64Array(count);
}

/** Returns the IDs in an array. */
function held(ids, array) {
  if (!(array instanceof Uint8Array)) return [...array];
  const size = ids instanceof ObjectId || ids instanceof Xid ? 12 : 16;
  const each = Array.from({ length: array.length / size }, (_, index) => array.subarray(index * size, (index + 1) * size));
  return each.map((bytes) => (ids instanceof ByteGenerator ? ids.fromBytes(bytes) : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)));
}

for (const [name, ids] of Object.entries(everyone())) {
  test(`${name}: every method makes new IDs, which are read as they were made`, async () => {
    assert.ok(ids instanceof Generator);
    const array = room(ids, 5);
    assert.equal(ids.fill(array), 5);
    const made = [await ids.generateAsync(), ids.generate(), ids.tryGenerate(), ...ids.generateMany(4), ...held(ids, array)];
    made.push(ids.fromText(ids.generateText()));
    assert.equal(new Set(made).size, 13);
    for (const id of made) {
      assert.equal(typeof id, ids instanceof Flake ? 'bigint' : 'string');
      const text = ids.toText(id);
      assert.equal(ids.fromText(text), id);
      const parts = ids.inspect(id);
      assert.deepEqual(ids.inspect(text), parts);
      assert.deepEqual([parts.id, parts.text], [id, text]);
      assert.ok(name.startsWith(parts.scheme) || parts.scheme === 'flake');
      // All encodings of the ID mean the same number.
      const bits = ids instanceof Flake ? ids.layout.sizeBits : { objectid: 96, xid: 96, 'tick-id': 77 }[parts.scheme] ?? 128;
      if (bits >= 64) assert.equal(decode(ids.toText(id, 'base62'), 'base62', { bits }), decode(ids.toText(id, 'hex'), 'hex', { bits, lenient: true }));
    }
    assert.ok(ids.stats().issued >= 13);
  });
}

test('IDs of a generator ascend in text, whatever the clock does', () => {
  for (const make of [(time) => new Ulid({ clock: time }), (time) => new Uuid({ clock: time })]) {
    const time = clock();
    const ids = make(time);
    const made = [];
    for (const step of [0, 5, -1000, 0, 3, 2000, -1]) {
      time.advance(step);
      made.push(...ids.generateMany(50));
    }
    assert.deepEqual(made, [...made].sort());
    assert.equal(new Set(made).size, made.length);
  }
  for (const [order, sign] of [['ascending', 1], ['descending', -1]]) {
    const made = new TickId({ order, maxWaitMs: 1000 }).generateMany(1000);
    assert.ok(made.every((id, index) => index === 0 || (made[index - 1] < id ? 1 : -1) === sign));
  }
});

test('the published examples come out exactly', () => {
  // RFC 9562, appendices A.1, A.3 and A.6.
  const v1 = new Uuid({ version: 1 });
  const first = 'c232ab00-9414-11ec-b3c8-9f6bdeced846';
  assert.equal(v1.inspect(first).time.toISOString(), '2022-02-22T19:22:22.000Z');
  assert.equal(v1.compose({ timestampMs: 1645557742000, clockSequence: 0x33c8, node: 0x9f6bdeced846n }), first);
  assert.deepEqual([v1.inspect(first).sequence, v1.inspect(first).node], [0x33c8, 0x9f6bdeced846]);
  const v4 = new Uuid({ version: 4 });
  const fourth = '919108f7-52d1-4320-9bac-f847db4148a8';
  assert.equal(v4.compose({ random: v4.inspect(fourth).random }), fourth);
  assert.deepEqual([v4.inspect(fourth).timestampMs, v4.inspect(fourth).time], [null, null]);
  const v7 = new Uuid();
  const seventh = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
  assert.equal(v7.inspect(seventh).timestampMs, 1645557742000);
  assert.equal(v7.compose({ time: new Date(1645557742000), random: v7.inspect(seventh).random }), seventh);
  // The examples of the ULID specification and of MongoDB's manual.
  const ulid = new Ulid();
  assert.equal(ulid.inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV').timestampMs, 1469922850259);
  assert.equal(ulid.fromText('01arz3ndektsv4rrffq69g5fav'), '01ARZ3NDEKTSV4RRFFQ69G5FAV');
  assert.equal(ulid.inspect('7ZZZZZZZZZZZZZZZZZZZZZZZZZ').random, 2n ** 80n - 1n);
  assert.throws(() => ulid.fromText('80000000000000000000000000'), { code: 'TEXT_OVERFLOW' });
  assert.equal(new ObjectId().inspect('507f1f77bcf86cd799439011').time.toISOString(), '2012-10-17T21:13:27.000Z');
});

test('bytes and text are the same ID', () => {
  for (const ids of [new Ulid(), new Uuid(), new Uuid({ version: 4 }), new Uuid({ version: 1 }), new ObjectId(), new Xid()]) {
    const bytes = ids.generateBytes();
    const id = ids.fromBytes(bytes);
    assert.notDeepEqual(ids.generateBytes(), bytes);
    assert.deepEqual(ids.toBytes(id), bytes, 'the next ID has an array of its own');
    assert.equal(bytes.buffer.byteLength, bytes.length);
    assert.equal(ids.fromBytes(Buffer.from(bytes)), id);
    assert.deepEqual(ids.inspect(id).idBytes, bytes);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    assert.equal(ids.fromBytes(shared), id);
    assert.equal(ids.fill(new Uint8Array(new SharedArrayBuffer(3 * bytes.length))), 3);
    for (const length of [0, bytes.length - 1, bytes.length + 1]) {
      assert.throws(() => ids.fromBytes(new Uint8Array(length)), { code: 'INVALID_ARGUMENT' });
    }
    assert.throws(() => ids.fill(new Uint8Array(bytes.length + 1)), { code: 'INVALID_ARGUMENT', message: /whole number/ });
    assert.throws(() => ids.fill(new BigInt64Array(2)), { code: 'WRONG_TYPE' });
    assert.throws(() => ids.fromBytes('00'), { code: 'WRONG_TYPE' });
    assert.throws(() => ids.toBytes(1n), { code: 'WRONG_TYPE' });
  }
  // A UUID generator accepts only its own version.
  assert.throws(() => new Uuid().fromBytes(new Uint8Array(16)), { code: 'ID_OUT_OF_RANGE' });
  assert.throws(() => new Uuid().inspect('919108f7-52d1-4320-9bac-f847db4148a8'), { code: 'ID_OUT_OF_RANGE' });
});

test('fill writes whole blocks of bytes from the front, and stops where no more IDs are available', () => {
  const ids = new Flake({ layout: Layout.fromText('timestamp:48 node:16 sequence:10 random:54'), node: 7, clock: clock() });
  const memory = new Uint8Array(16 * 2000).fill(255);
  assert.equal(ids.fill(memory.subarray(32, 16 * 1900)), 1024);
  assert.ok(memory.subarray(0, 32).every((byte) => byte === 255));
  assert.ok(memory.subarray(32 + 1024 * 16).every((byte) => byte === 255));
  const made = held(ids, memory.subarray(32, 32 + 1024 * 16));
  assert.deepEqual(made.map((id) => ids.inspect(id).sequence), Array.from({ length: 1024 }, (_, index) => index));
  assert.throws(() => ids.fill(memory), { code: 'WOULD_WAIT' });
  assert.equal(ids.fill(new Uint8Array(0)), 0);
  // An ID of 96 bits takes 12 bytes, in every language.
  const narrower = new Flake({ layout: Layout.fromText('timestamp:48 node:16 sequence:32'), node: 7, clock: clock() });
  for (const block of [new Uint8Array(36), new Uint8Array(new SharedArrayBuffer(36))]) {
    assert.equal(narrower.fill(block), 3);
    const ids = [0, 12, 24].map((at) => BigInt(`0x${Buffer.from(block).toString('hex', at, at + 12)}`));
    assert.deepEqual(ids.map((id) => narrower.inspect(id).node), [7, 7, 7]);
    assert.deepEqual(ids.map((id) => id - ids[0]), [0n, 1n, 2n]);
  }
  assert.throws(() => narrower.fill(new Uint8Array(16)), { code: 'INVALID_ARGUMENT', message: /whole number/ });
  const ticks = new TickId({ clock: clock() });
  const array = new Array(20_000).fill('');
  const written = ticks.fill(array);
  assert.ok(written > 0 && written < 20_000);
  assert.ok(array.slice(0, written).every((id) => id.length === 24) && array.slice(written).every((id) => id === ''));
});

test('a UUID has four forms, and the bytes of a GUID', () => {
  const ids = new Uuid();
  const uuid = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
  const forms = {
    hyphenated: uuid,
    simple: '017f22e279b07cc398c4dc0c0c07398f',
    braced: '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
    urn: 'urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  };
  for (const [form, text] of Object.entries(forms)) {
    assert.equal(ids.toText(uuid, form), text);
    assert.equal(ids.fromText(text, { lenient: true }), uuid);
    assert.equal(ids.fromText(text.toUpperCase(), { lenient: true }), uuid);
    assert.equal(decode(text, form, { bits: 128 }), 0x017f22e279b07cc398c4dc0c0c07398fn);
    assert.equal(encode(0x017f22e279b07cc398c4dc0c0c07398fn, form, { bits: 128 }), text);
    if (form !== 'hyphenated') assert.throws(() => ids.fromText(text), SaibanError);
  }
  const guid = uuidToGuidBytes('00112233-4455-6677-8899-aabbccddeeff');
  assert.equal(Buffer.from(guid).toString('hex'), '33221100554477668899aabbccddeeff');
  assert.equal(uuidFromGuidBytes(guid), '00112233-4455-6677-8899-aabbccddeeff');
  assert.throws(() => uuidFromGuidBytes(new Uint8Array(15)), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => uuidToGuidBytes('00112233'), { code: 'TEXT_LENGTH' });
});

test('a ULID and the UUID of its bits convert into each other', () => {
  const ids = new Ulid();
  const id = ids.generate();
  const uuid = ids.toUuid(id);
  assert.equal(uuid.length, 36);
  assert.equal(ids.fromUuid(uuid), id);
  assert.equal(ids.fromUuid(`{${uuid.toUpperCase()}}`, { lenient: true }), id);
  assert.throws(() => ids.fromUuid(uuid.toUpperCase().replace(/\d/g, 'A')), { code: 'TEXT_NOT_CANONICAL' });
});

test('a layout is read from text, from JSON and from fields alike', () => {
  const text = 'unused:1 constant:2,value=3 timestamp:45@10ms,epoch=2020-02-02 node.dc:5 node.rack:5 sequence:12,start=random';
  const layout = Layout.fromText(text);
  assert.equal(layout.sizeBits, 70);
  const fields = [
    ['unused', 1],
    ['constant', 2, { value: 3n }],
    ['timestamp', 45],
    ['node', 5, { name: 'dc' }],
    ['node', 5, { name: 'rack' }],
    ['sequence', 12, { start: 'random' }],
  ];
  assert.deepEqual(layout.fields, fields);
  const again = [
    new Layout(fields, { epochMs: Date.UTC(2020, 1, 2), tickUs: 10_000 }),
    new Layout(layout.fields, { epochMs: layout.epochMs, tickUs: layout.tickUs }),
    Layout.fromJson(layout.toJson()),
    Layout.fromJson(JSON.stringify(layout)),
    Layout.fromText(`${layout}`),
  ];
  for (const other of again) assert.equal(other.toText(), text);
  assert.deepEqual(layout.places[1], { kind: 'constant', name: null, bits: 2, shift: 67, max: 3n, value: 3n, step: null, start: null });
  assert.equal(layout.places.at(-1).start, 'random');
  assert.equal(Layout.fromText('timestamp:48 random:80,step=255').places[1].step, 255n);
  assert.ok(Object.isFrozen(layout) && Object.isFrozen(layout.places) && Object.isFrozen(layout.fields[1][2]));
  const { epochMs, firstMs, lastMs, lifetimeMs } = layout;
  assert.deepEqual([firstMs, lastMs - firstMs], [epochMs, lifetimeMs - 10]);
  assert.deepEqual([layout.isUnique, layout.isTimeOrdered, layout.guarantee], [true, true, 'unique']);
});

test('the presets are those of their platforms', () => {
  for (const name of ['twitter', 'discord', 'instagram', 'sonyflake', 'sonyflake_v2', 'mastodon', 'baidu']) {
    const layout = Layout[name.toUpperCase()];
    assert.equal(layout.name, name);
    assert.equal(Layout.fromText(name).toText(), layout.toText());
  }
  assert.equal(Layout.BWMARRIN.name, 'twitter');
  assert.equal(Layout.preset('bwmarrin').name, 'twitter');
  assert.equal(Layout.preset('ulid-flake').name, null);
  assert.equal(`${Layout.fromText('ulid-flake-scalable')}`, 'unused:1 timestamp:43,epoch=2024-01-01 random:15,step=255 node:5');
  assert.equal(`${Layout.MASTODON.withRollbackBits(2)}`, 'timestamp:48 rollback:2 sequence:14');
  // The range of Baidu's layout ended in 2024.
  assert.throws(() => new Flake({ layout: Layout.BAIDU, node: 1 }).generate(), { code: 'TIMESTAMP_OVERFLOW' });
  const mastodon = new Flake({ layout: Layout.MASTODON, clock: clock() });
  assert.equal(mastodon.inspect(106_217_508_914_462_208n).time.toISOString(), new Date(Number(106_217_508_914_462_208n >> 16n)).toISOString());
});

test('an error of a layout names the part, and where it stands', () => {
  const bad = [
    [() => Layout.fromText('timestamp:41 nodes:10'), /nodes/, 13],
    [() => Layout.fromText('timestamp:41@fortnight'), /fortnight/, 13],
    [() => Layout.fromText('timestamp:41 node.worker:5 sequence:12 node.rack:5'), /node\.rack/],
    [() => Layout.fromText('timestamp:41 constant:2,value=4 sequence:12'), /constant of 2 bits cannot be 4/],
    [() => new Layout([['timestamp', 64]]), /timestamp.*1 to 63/],
    [() => new Layout([['timestamp', 41], ['node', 10, { name: 'Worker' }]]), /Worker/],
    [() => new Layout([['timestamp', 41], ['node', 10, { value: 3 }]]), /node.*value/],
    [() => new Layout([['timestamp', 41], ['constant', 2, { value: -1 }]]), /"constant" cannot have the value -1: give 0 or more/],
    [() => new Layout([['timestamp', 41], ['constant', 2, { value: 2n ** 200n }]]), /constant of 2 bits cannot be/],
    [() => new Layout([['timestamp', 41], ['random', 20, { step: 0 }]]), /step of 0/],
    [() => new Layout([['timestamp', 41], ['random', 20, { step: -1 }]]), /"random" cannot have the step -1: give 1 or more/],
    [() => new Layout([['timestamp', 41], ['random', 4, { step: 16 }]]), /4 bits cannot grow by a step of 16: give 1 to 15/],
    [() => new Layout([['timestamp', 41], ['random', 80, { step: 2n ** 64n }]]), /step of 18446744073709551616: give 1 to/],
    [() => new Layout([['timestamp', 41], ['node', -1]]), /"node" has -1 bits: give 1 to 63/],
    [() => new Layout([['timestamp', 41], ['node', 99]]), /"node" has 99 bits: give 1 to 63/],
    [() => new Layout([['timestamp', 41], ['sequence', 9, { start: 'anywhere' }]]), /start with "anywhere": give 0 or random/],
    [() => new Layout([['timestamp', 41], ['sequence', 9, { start: 7 }]]), /start with "7": give 0 or random/],
    [() => new Layout([['timestamp', 41], ['node', 9, { start: 0 }]]), /"node" cannot have a random start/],
    [() => new Layout([['timestamp', 41], ['sequence', 5], ['random', 20, { step: 1 }]]), /sequence and a random part/],
    [() => Layout.fromJson('{"fields":[{"kind":"timestamp"}]}'), /fields\[0\] \(timestamp\): "bits" is missing/],
    [() => Layout.fromJson('[]'), /is a list: give an object/],
    [() => Layout.fromJson('{"fields":['), /line 1/],
  ];
  for (const [make, message, position] of bad) {
    assert.throws(make, (error) => {
      assert.ok(error instanceof SaibanError, String(error));
      assert.equal(error.code, 'INVALID_LAYOUT');
      assert.match(error.message, message);
      assert.equal(error.position, position);
      return true;
    });
  }
  assert.throws(() => Layout.fromText('friendica'), { code: 'UNKNOWN_NAME' });
  for (const [given, message] of [
    [['node', 5, { nmae: 'a' }], /fields\[1\]\[2\] has no option "nmae": give name, value, start, step/],
    [['random', 5, { step: '9' }], /fields\[1\]\[2\]\.step is a string: give an integer/],
    [['sequence', 5, { start: true }], /fields\[1\]\[2\]\.start is a boolean: give 0 or 'random'/],
  ]) {
    assert.throws(() => new Layout([['timestamp', 41], given]), { code: 'WRONG_TYPE', message });
  }
  for (const field of [['node'], ['node', 5, 'worker'], ['node', 5, { names: 'a' }], ['node', 5, { name: 1 }], ['node', 5, {}, 1]]) {
    assert.throws(() => new Layout([['timestamp', 41], field]), SaibanTypeError);
  }
  for (const text of [undefined, 1, Layout.TWITTER]) assert.throws(() => Layout.fromText(text), { code: 'WRONG_TYPE' });
  assert.throws(() => Layout.TWITTER.collisionOdds('1', 1), { code: 'WRONG_TYPE' });
  const random = Layout.fromText('timestamp:48 random:80');
  assert.equal(random.collisionOdds(Infinity, 1), 1);
  for (const [rate, seconds] of [[NaN, 1], [1, NaN], [-1, 1], [1, -1]]) {
    for (const layout of [random, Layout.TWITTER]) {
      assert.throws(() => layout.collisionOdds(rate, seconds), { code: 'INVALID_ARGUMENT', message: /negative or no number/ });
    }
  }
});

test('a node of named parts is given and shown by them', () => {
  const ids = new Flake({ layout: wide, node: 0, clock: clock() });
  const id = ids.compose({ timestampMs: NOW, node: { region: 2, host: 1n }, sequence: 5, random: 2n ** 48n - 1n });
  assert.equal(id, (BigInt(NOW) << 80n) | (0x2001n << 64n) | (5n << 48n) | (2n ** 48n - 1n));
  const parts = ids.inspect(id);
  assert.deepEqual([parts.node, parts.nodeParts, parts.sequence, parts.random], [0x2001, { region: 2, host: 1 }, 5, 2n ** 48n - 1n]);
  assert.ok(Object.isFrozen(parts.nodeParts));
  assert.deepEqual(structuredClone(parts), parts);
  assert.equal(ids.compose({ time: new Date(NOW), node: 0x2001 }), (BigInt(NOW) << 80n) | (0x2001n << 64n));
  const compose = (node) => () => ids.compose({ timestampMs: NOW, node });
  assert.throws(compose({ region: 2 }), { code: 'INVALID_ARGUMENT', message: /host/ });
  assert.throws(compose({ region: 2, host: 1, rack: 3 }), { code: 'UNKNOWN_NAME', message: /rack/ });
  assert.throws(compose({ region: 16, host: 1 }), { code: 'NODE_OUT_OF_RANGE', message: /16.*region.*15/ });
  assert.throws(compose({ region: '2', host: 1 }), { code: 'WRONG_TYPE', message: /node\.region/ });
  assert.throws(compose([2, 1]), { code: 'WRONG_TYPE' });
  const snowflake = new Snowflake({ layout: Layout.fromText('timestamp:42 node.dc:5 node.worker:5 sequence:12'), node: 0, clock: clock() });
  assert.deepEqual(snowflake.inspect(snowflake.compose({ timestampMs: 1, node: { dc: 3, worker: 4 }, sequence: 0 })).nodeParts, { dc: 3, worker: 4 });
});

test('a layout makes a node of its parts, and parts of its node', () => {
  assert.equal(wide.nodeOfParts({ host: 1n, region: 2 }), 0x2001);
  assert.deepEqual(wide.nodeParts(0x2001), { region: 2, host: 1 });
  assert.ok(Object.isFrozen(wide.nodeParts(0x2001n)));
  assert.deepEqual(Layout.TWITTER.nodeParts(1023), {});
  const large = Layout.fromText('timestamp:20 node.a:2 node.b:60 sequence:12');
  assert.equal(large.nodeOfParts({ a: 3, b: 5 }), (3n << 60n) | 5n);
  assert.deepEqual(large.nodeParts((3n << 60n) | (2n ** 60n - 1n)), { a: 3, b: 2n ** 60n - 1n });
  assert.throws(() => wide.nodeOfParts({ region: 2 }), { code: 'INVALID_ARGUMENT', message: /host/ });
  assert.throws(() => wide.nodeOfParts({ region: 2, host: 1, rack: 3 }), { code: 'UNKNOWN_NAME', message: /rack/ });
  assert.throws(() => wide.nodeOfParts({ region: 2n ** 70n, host: 1 }), { code: 'NODE_OUT_OF_RANGE', message: /region.*0 to 15/ });
  assert.throws(() => wide.nodeOfParts({ region: '2', host: 1 }), { code: 'WRONG_TYPE', message: /parts\.region/ });
  for (const parts of [5, [2, 1], null, undefined]) assert.throws(() => wide.nodeOfParts(parts), { code: 'WRONG_TYPE', message: /^parts is/ });
  const six = Layout.fromText('timestamp:44 node.a:3 node.b:3 sequence:14');
  for (const node of [64, -1, 2n ** 70n]) {
    assert.throws(() => six.nodeParts(node), { code: 'NODE_OUT_OF_RANGE', message: new RegExp(`node ${node} .*0 to 63`) });
  }
  assert.throws(() => Layout.TWITTER.nodeParts(1024), { code: 'NODE_OUT_OF_RANGE', message: /0 to 1023/ });
  assert.throws(() => six.nodeParts('5'), { code: 'WRONG_TYPE' });
});

test('a generator shows its options', () => {
  const options = { clock: clock() };
  const made = {
    snowflake: new Snowflake({ node: 1, ...options }),
    randflake: new Randflake({ node: 1, secret: new Uint8Array(16), ...options }),
    'ulid-flake': new UlidFlake(options),
    flake: new Flake({ layout: wide, node: 1, ...options }),
    ulid: new Ulid(options),
    'uuid-v1': new Uuid({ version: 1, ...options }),
    'uuid-v4': new Uuid({ version: 4n }),
    'uuid-v7': new Uuid(),
    objectid: new ObjectId(options),
    'tick-id': new TickId(options),
  };
  for (const [scheme, ids] of Object.entries(made)) assert.deepEqual([ids.scheme, ids.inspect(ids.generate()).scheme], [scheme, scheme]);
  assert.deepEqual([1, 4, 7].map((version) => made[`uuid-v${version}`].version), [1, 4, 7]);
  assert.deepEqual([made['tick-id'].order, new TickId({ order: 'descending' }).order], ['ascending', 'descending']);
  assert.equal(made.snowflake.layout, Layout.TWITTER);
  assert.equal(new Snowflake({ node: 1, layout: Layout.DISCORD, ...options }).layout, Layout.DISCORD);
  assert.equal(made.flake.layout, wide);
});

test('a candidate with a time that no number holds does not affect the others', () => {
  const layouts = [Layout.fromText('timestamp:63@ms node:63 constant:2,value=0')];
  const uuid = '01941f29-7c00-7000-8000-000000000000';
  assert.deepEqual(inspect(uuid, { layouts }), inspect(uuid));
  assert.deepEqual(candidates(uuid, { layouts }).map(({ parts }) => parts.scheme), ['uuid-v7', 'ulid']);
});

test('IDs of more than 64 bits are unsigned, narrower ones never negative', () => {
  const ids = new Flake({ layout: Layout.fromText('timestamp:48 node:16 random:64'), node: 0, clock: clock() });
  const largest = 2n ** 128n - 1n;
  assert.equal(ids.toText(ids.fromText(String(largest))), String(largest));
  assert.equal(ids.inspect(largest).random, 2n ** 64n - 1n);
  for (const id of [-1n, 2n ** 128n, 2n ** 200n]) assert.throws(() => ids.inspect(id), { code: 'ID_OUT_OF_RANGE' });
  assert.equal(ids.inspect(7).random, 7n);
  const small = new Flake({ layout: Layout.fromText('timestamp:16@h,epoch=2020-02-02 sequence:8'), clock: clock() });
  assert.equal(small.generate(), BigInt(Math.floor((NOW - Date.UTC(2020, 1, 2)) / 3_600_000)) << 8n);
  for (const id of [-1n, 2n ** 24n]) assert.throws(() => small.inspect(id), { code: 'ID_OUT_OF_RANGE' });
});

test('a generator has a long and a short name', async () => {
  const all = await import('saiban');
  const long = Object.keys(all).filter((name) => /.Generator$/.test(name) && !/^(?:Byte|Remote)/.test(name));
  assert.ok(long.length >= 8, String(long));
  for (const name of long) assert.equal(all[name], all[name.replace('Generator', '')], name);
});

test('the parts of an ID to be composed are checked', () => {
  const flake = new Flake({ layout: Layout.fromText('timestamp:48 random:80,step=1') });
  const refused = [
    [() => flake.compose({ timestampMs: 0, random: 2n ** 80n }), 'RANDOM_OUT_OF_RANGE'],
    [() => flake.compose({ timestampMs: 0, random: -1n }), 'RANDOM_OUT_OF_RANGE'],
    [() => flake.compose({ timestampMs: 0, sequence: 1 }), 'SEQUENCE_OUT_OF_RANGE'],
    [() => flake.compose({ timestampMs: 0, node: 1 }), 'NODE_OUT_OF_RANGE'],
    [() => flake.compose({ timestampMs: 0, rollback: 1 }), 'ROLLBACK_OUT_OF_RANGE'],
    [() => flake.compose({ time: new Date(-1) }), 'TIMESTAMP_BEFORE_EPOCH'],
    [() => flake.compose({ timestampMs: 2n ** 62n }), 'TIMESTAMP_OVERFLOW'],
    [() => flake.compose({ timestampMs: 0, time: new Date(0) }), 'INVALID_ARGUMENT'],
    [() => flake.compose({}), 'INVALID_ARGUMENT'],
    [() => flake.compose({ time: 0 }), 'WRONG_TYPE'],
    [() => flake.compose({ time: new Date(Number.NaN) }), 'WRONG_TYPE'],
    [() => new Ulid().compose({ timestampMs: 0, random: 2n ** 80n }), 'RANDOM_OUT_OF_RANGE'],
    [() => new Ulid().compose({ timestampMs: 0 }), 'WRONG_TYPE'],
    [() => new Uuid().compose({ timestampMs: 0 }), 'INVALID_ARGUMENT'],
    [() => new Uuid().compose({ timestampMs: 0, random: 2n ** 74n }), 'RANDOM_OUT_OF_RANGE'],
    [() => new Uuid({ version: 4 }).compose({ timestampMs: 0, random: 0 }), 'INVALID_ARGUMENT'],
    [() => new Uuid({ version: 1 }).compose({ timestampMs: 0, clockSequence: 2 ** 14, node: 0 }), 'SEQUENCE_OUT_OF_RANGE'],
    [() => new Uuid({ version: 1 }).compose({ timestampMs: 0, clockSequence: 0, node: 2 ** 48 }), 'NODE_OUT_OF_RANGE'],
    [() => new ObjectId().compose({ timestampMs: 0, node: 0, sequence: 2 ** 24 }), 'SEQUENCE_OUT_OF_RANGE'],
    [() => new TickId().compose({ timestampMs: 0, random: 10_000 }), 'RANDOM_OUT_OF_RANGE'],
    [() => new TickId({ order: 'descending' }).compose({ timestampMs: 0, random: 1000 }), 'RANDOM_OUT_OF_RANGE'],
  ];
  for (const [compose, code] of refused) assert.throws(compose, { code }, String(compose));
});

test('schemes without nodes report that they have none', () => {
  for (const make of [(given) => new Ulid(given), (given) => new Uuid(given), (given) => new ObjectId(given), (given) => new TickId(given)]) {
    for (const given of [{ node: 1 }, { nodes: [0, 4] }, { shards: 2 }, { state: '/tmp/none' }]) {
      assert.throws(() => make(given), { code: 'INVALID_ARGUMENT' });
    }
    assert.throws(() => make({ rollback: 'bits' }), { code: 'INVALID_LAYOUT' });
    assert.throws(() => make({ nod: 1 }), { code: 'WRONG_TYPE' });
    assert.throws(() => make(7), { code: 'WRONG_TYPE' });
  }
  for (const version of [0, 2, 3, 5, 6, 8, -1, 2n ** 70n]) assert.throws(() => new Uuid({ version }), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => new Uuid({ version: '7' }), { code: 'WRONG_TYPE' });
  assert.throws(() => new Uuid({ version: 4, maxWaitMs: 1 }), { code: 'INVALID_ARGUMENT', message: /v4/ });
  // The clock is the only option of version 4, which does not read it.
  assert.match(new Uuid({ version: 4, clock: clock() }).generate(), /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.throws(() => new Snowflake({ node: 1, layout: Layout.MASTODON }), { message: /^the layout is not a Snowflake's/ });
  assert.throws(() => new TickId({ order: 'up' }), { message: /ascending or descending/ });
  assert.throws(() => new Flake({ layout: Layout.MASTODON, node: 1 }), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => new Flake({ layout: wide }), { code: 'NODE_REQUIRED' });
  for (const layout of [undefined, null, 'twitter', {}]) assert.throws(() => new Flake({ layout, node: 1 }), { code: 'WRONG_TYPE' });
  assert.throws(() => new Flake(), { code: 'WRONG_TYPE' });
});

test('a range holds the IDs of its interval and no others', () => {
  const day = 86_400_000;
  for (const make of [
    (time) => new Snowflake({ node: 7, clock: time }),
    (time) => new UlidFlake({ clock: time }),
    (time) => new Flake({ layout: wide, node: 7, clock: time }),
    (time) => new Ulid({ clock: time }),
    (time) => new Uuid({ clock: time }),
    (time) => new ObjectId({ clock: time }),
    (time) => new TickId({ clock: time }),
    (time) => new TickId({ order: 'descending', clock: time }),
  ]) {
    const made = [-1000, 0, day - 1000, day].map((ms) => make(new ManualClock(NOW + ms)).generate());
    const ids = make(clock());
    const [first, last] = ids.range(NOW, new Date(NOW + day));
    assert.deepEqual(made.map((id) => first <= id && id <= last), [false, true, true, false]);
    assert.deepEqual([first, last].map((id) => ids.fromText(ids.toText(id))), [first, last]);
    assert.throws(() => ids.range(NOW, NOW), { code: 'INVALID_WINDOW' });
    assert.throws(() => ids.range('2024-01-01', NOW), { code: 'WRONG_TYPE' });
    assert.throws(() => ids.range(new Date(Number.NaN), NOW), { code: 'WRONG_TYPE' });
  }
  const disordered = [
    new Randflake({ node: 1, secret, clock: clock() }),
    new Uuid({ version: 4 }),
    new Uuid({ version: 1 }),
    new Flake({ layout: Layout.fromText('node:4 timestamp:48 sequence:12'), node: 1 }),
  ];
  for (const ids of disordered) assert.throws(() => ids.range(NOW, NOW + 1), { code: 'NOT_TIME_ORDERED', number: 35 });
});

test('inspect names the scheme of an ID first, and candidates says why', () => {
  const { ulid, objectid, ...others } = everyone();
  for (const ids of [ulid, objectid, ...['uuid-v1', 'uuid-v4', 'uuid-v7', 'tick-id', 'tick-id descending'].map((name) => others[name])]) {
    const id = ids.generate();
    const found = candidates(id);
    assert.deepEqual(found[0].parts, ids.inspect(id));
    assert.deepEqual([found[0].isPlausible, found[0].layoutIndex], [true, null]);
    assert.ok(found[0].reasons.some(({ name, text }) => name === 'canonical_text' && text === 'canonical text'));
    assert.ok(found.every(({ score }) => score <= found[0].score));
    assert.ok(found.every((each) => Object.isFrozen(each) && Object.isFrozen(each.parts) && Object.isFrozen(each.reasons)));
    assert.deepEqual(inspect(id), found.map(({ parts }) => parts));
    assert.deepEqual(structuredClone(found), found);
  }
  const [uuid] = inspect('{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}');
  assert.deepEqual([uuid.scheme, uuid.id], ['uuid-v7', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f']);
  assert.equal(inspect('1ec9414c-232a-6b00-b3c8-9f6bdeced846')[0].layout, 'v6');
  assert.equal(inspect(0x017f22e279b07cc398c4dc0c0c07398fn, { bits: 128 })[0].scheme, 'uuid-v7');
});

test('inspect looks for the layouts given, and counts from the epoch given', () => {
  const ids = new Flake({ layout: wide, node: 0x2001 });
  const id = ids.generate();
  const layouts = [Layout.fromText('timestamp:40@s random:24'), wide];
  for (const subject of [[id, { layouts, bits: 128 }], [String(id), { layouts }]]) {
    const [{ parts, layoutIndex, reasons }] = candidates(...subject);
    assert.deepEqual([parts.scheme, parts.id, layoutIndex, parts.nodeParts], ['flake', id, 1, { region: 2, host: 1 }]);
    assert.ok(reasons.some(({ name }) => name === 'given_layout'));
  }
  for (const epochMs of [0, 0n]) assert.equal(inspect('1J1SMJD9CE74J', { epochMs })[0].timestampMs, 1_719_921_095_980);
  assert.throws(() => inspect(1n, { layouts: new Array(5).fill(wide) }), { code: 'INVALID_ARGUMENT', message: /at most 4/ });
  assert.throws(() => inspect(1n, { layouts: wide }), { code: 'WRONG_TYPE' });
  assert.throws(() => candidates(1n, { layouts: ['twitter'] }), { code: 'WRONG_TYPE', message: /layouts\[0\]/ });
  assert.throws(() => inspect(1n, { epochMs: new Date(0) }), { code: 'WRONG_TYPE' });
  assert.throws(() => inspect(1n, { epochMs: 2n ** 63n }), { code: 'INVALID_LAYOUT' });
  assert.throws(() => inspect(1n, { bits: 129 }), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => inspect(2n ** 128n, { bits: 128 }), { code: 'ID_OUT_OF_RANGE' });
});

test('texts of a given number of bits are read as they are written', () => {
  for (const bits of [16, 63, 65, 77, 96, 127, 128]) {
    const largest = 2n ** BigInt(bits) - 1n;
    for (const encoding of ['decimal', 'hex', 'binary', 'crockford', 'base32hex', 'base36', 'base58', 'base62', 'base64url']) {
      for (const value of [0n, 1n, largest]) assert.equal(decode(encode(value, encoding, { bits }), encoding, { bits }), value);
      assert.throws(() => encode(largest + 1n, encoding, { bits }), { code: 'ID_OUT_OF_RANGE' });
    }
    assert.throws(() => encode(-1n, 'hex', { bits }), { code: 'ID_OUT_OF_RANGE' });
  }
  assert.equal(encode(-1n, 'hex', { bits: 64 }), 'ffffffffffffffff');
  for (const bits of [0, 15, 129, -64, 2n ** 70n]) {
    assert.throws(() => encode(1n, 'hex', { bits }), { code: 'INVALID_ARGUMENT', message: /16 to 128/ });
    assert.throws(() => decode('1', 'hex', { bits }), { code: 'INVALID_ARGUMENT', message: /16 to 128/ });
  }
  assert.throws(() => encode(1n, 'hex', { bits: '128' }), { code: 'WRONG_TYPE' });
});

test('generateAsync serves many calls at once, and IDs are text throughout', async () => {
  const ids = new Uuid({ version: 1 });
  const made = await Promise.all(Array.from({ length: 20_000 }, () => ids.generateAsync()));
  assert.equal(new Set(made).size, made.length);
  assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
});

test('the guarantee of the IDs is reported', () => {
  const guarantees = Object.fromEntries(Object.entries(everyone()).map(([name, ids]) => [name, ids.stats().guarantee]));
  const unique = Object.keys(guarantees).filter((name) => guarantees[name] === 'unique');
  assert.deepEqual(unique, ['flake', 'flake of 48 bits', 'wide flake']);
  assert.equal(new Flake({ layout: Layout.MASTODON }).stats().guarantee, 'unique_in_process');
  assert.equal(new Flake({ layout: Layout.fromText('timestamp:48 random:80') }).stats().guarantee, 'probable');
});
