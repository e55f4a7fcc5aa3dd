// The properties of generators, beyond the vectors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Flake,
  Generator,
  Layout,
  ManualClock,
  ObjectId,
  Randflake,
  Snowflake,
  TickId,
  Tsid,
  UlidFlake,
  Uuid,
  decode,
  encode,
  inspect,
} from 'saiban';

const NOW = 1_763_700_000_000;
const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
const clock = () => new ManualClock(NOW);

test('the published examples come out exactly', () => {
  const examples = [
    ['dffd6021bb2bd5b0af676290809ec3a5', 1733706297, 42, 1, 4594531474933654033n, '3vgoe12ccb8gh'],
    ['00000000000000000000000000000000', 1730000001, 0, 0, 2111581968557607991n, '1qjeojjevu31n'],
    ['000102030405060708090a0b0c0d0e0f', 1730000123, 1, 1, -232447010193727000n, 'fphhelk04q8f8'],
  ];
  for (const [hex, seconds, node, sequence, id, text] of examples) {
    const ids = new Randflake({ node: 0, secret: Buffer.from(hex, 'hex'), clock: clock() });
    assert.equal(ids.compose({ timestampMs: seconds * 1000, node, sequence }), id);
    assert.equal(ids.toText(id), text);
    assert.equal(ids.fromText(text), id);
    const parts = ids.inspect(text);
    assert.deepEqual([parts.timestampMs, parts.node, parts.sequence], [seconds * 1000, node, sequence]);
  }
  const flake = new UlidFlake({ clock: clock() });
  assert.equal(flake.fromText('00CMXB6TAK4SA'), 14246757444195114n);
  assert.equal(flake.inspect('00CMXB6TAK4SA').time.toISOString(), '2024-06-06T06:06:06.666Z');
  assert.equal(flake.inspect('00CMXB6TAK4SA').random, 627498n);
  assert.equal(new UlidFlake({ epochMs: 0, clock: clock() }).fromText('1J1SMJD9CE74J'), 1803467983138790546n);
});

test('every method makes new IDs', async () => {
  const generators = [
    new Snowflake({ node: 510 }),
    new Randflake({ node: 42, secret }),
    new UlidFlake(),
    new UlidFlake({ scalability: 3, entropySize: 2 }),
    new Tsid({ node: 510 }),
  ];
  for (const ids of generators) {
    // IDs with whole seconds use the kernel's coarse clock, which lags by up to 10 ms.
    const started = Math.floor((Date.now() - 10) / 1000) * 1000;
    assert.ok(ids instanceof Generator);
    const block = new BigInt64Array(3);
    assert.equal(ids.fill(block), 3);
    const made = [ids.generate(), await ids.generateAsync(), ...ids.generateMany(5), ...block];
    made.push(ids.fromText(ids.generateText()), decode(ids.generateText('base62'), 'base62'));
    assert.equal(new Set(made).size, 12);
    for (const id of made) {
      assert.equal(typeof id, 'bigint');
      assert.ok(ids.inspect(id).timestampMs >= started);
      assert.deepEqual(ids.inspect(ids.toText(id)), ids.inspect(id));
    }
  }
});

test('generateMany returns an ordinary array, also for 0 IDs', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  assert.deepEqual(ids.generateMany(0), []);
  assert.deepEqual(ids.generateMany(2n).map((id) => ids.inspect(id).sequence), [0, 1]);
});

test('generateMany returns all IDs or throws, whatever the number: a few, a block, more', () => {
  for (const count of [1, 1023, 1024, 1025, 4096]) {
    const ids = new Snowflake({ node: 7, clock: clock() });
    const made = ids.generateMany(count);
    assert.deepEqual(made.map((id) => ids.inspect(id).sequence), Array.from({ length: count }, (_, index) => index));
    // The next batch does not change the previous one.
    const [copy, left] = [[...made], 4096 - count];
    if (left > 0) assert.equal(ids.generateMany(Math.min(left, 1024)).length, Math.min(left, 1024));
    assert.deepEqual(made, copy);
    assert.throws(() => ids.generateMany(4096), { code: 'WOULD_WAIT' });
  }
  const ids = new Snowflake({ node: 7, clock: clock() });
  ids.fill(new BigInt64Array(4000));
  assert.throws(() => ids.generateMany(100), { code: 'WOULD_WAIT' });
  assert.equal(ids.tryGenerate(), null);
  assert.throws(() => ids.generate(), { code: 'WOULD_WAIT' });
});

test('each generator returns its own IDs, and none changes afterwards', () => {
  const [first, second] = [7, 8].map((node) => new Snowflake({ node, clock: clock() }));
  const made = Array.from({ length: 100 }, () => [first.generate(), second.generate()]);
  for (const [index, pair] of made.entries()) {
    assert.deepEqual(pair.map((id) => [first.inspect(id).node, first.inspect(id).sequence]), [[7, index], [8, index]]);
  }
});

test('fill writes from the front and returns how many', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  assert.equal(ids.fill(new BigInt64Array(0)), 0);
  const memory = new BigInt64Array(5000).fill(-5n);
  const view = memory.subarray(100, 4900);
  assert.equal(ids.fill(view), 4096);
  assert.ok(memory.subarray(0, 100).every((id) => id === -5n));
  assert.ok(memory.subarray(4196).every((id) => id === -5n));
  assert.equal(new Set(view.subarray(0, 4096)).size, 4096);
});

test('fill takes an array that other threads share', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  const shared = new BigInt64Array(new SharedArrayBuffer(5000 * 8));
  assert.equal(ids.fill(shared), 4096);
  assert.equal(new Set(shared.subarray(0, 4096)).size, 4096);
  assert.ok(shared.subarray(4096).every((id) => id === 0n));
});

test('fill leaves a detached array alone', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  const array = new BigInt64Array(8);
  structuredClone(array, { transfer: [array.buffer] });
  assert.equal(ids.fill(array), 0);
});

test('safe numbers are IDs too', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  assert.equal(ids.toText(4096), '4096');
  assert.deepEqual(ids.inspect(4096), ids.inspect(4096n));
  assert.equal(encode(-1, 'hex'), 'ffffffffffffffff');
  assert.equal(encode(-0, 'hex'), '0');
});

test('numbers and bigints are options alike', () => {
  const made = [7, 7n].map((node) => new Snowflake({ node, window: [BigInt(NOW), NOW + 1], clock: clock() }).generate());
  assert.equal(made[0], made[1]);
  assert.equal(new Snowflake({ nodes: [7, 9], clock: clock() }).generate(), made[0]);
});

test('parts are plain, frozen and can be cloned', () => {
  const parts = new Snowflake({ node: 7, layout: Layout.DISCORD, clock: clock() }).inspect(0n);
  assert.deepEqual({ ...parts }, {
    scheme: 'snowflake',
    layout: 'discord',
    id: 0n,
    text: '0',
    idBytes: new Uint8Array(8),
    bits: 64,
    timestampMs: 1420070400000,
    submillisecondNs: null,
    time: new Date(1420070400000),
    node: 0,
    nodeParts: {},
    sequence: 0,
    random: null,
    rollback: null,
    secretIndex: null,
  });
  assert.ok(Object.isFrozen(parts));
  assert.deepEqual(structuredClone(parts), parts);
  assert.equal(Object.getPrototypeOf(parts), Object.prototype);
});

test('parts are written as JSON, with every digit', () => {
  const ids = new Flake({ layout: Layout.fromText('timestamp:56@us node.dc:4 node.rack:4 random:64'), node: 0x21 });
  const parts = ids.inspect(ids.compose({ timestampMs: 1704067200000, submillisecondNs: 123_999, node: 0x21, random: 2n ** 64n - 1n }));
  assert.deepEqual(JSON.parse(JSON.stringify(parts)), {
    scheme: 'flake',
    layout: null,
    id: String(parts.id),
    text: parts.text,
    idBytes: Buffer.from(parts.idBytes).toString('hex'),
    bits: 128,
    timestampMs: 1704067200000,
    submillisecondNs: 123_000,
    time: '2024-01-01T00:00:00.000Z',
    node: 0x21,
    nodeParts: { dc: 2, rack: 1 },
    sequence: null,
    random: '18446744073709551615',
    rollback: null,
    secretIndex: null,
  });
  assert.equal(BigInt(`0x${JSON.parse(JSON.stringify(parts)).idBytes}`), parts.id);
  assert.equal(JSON.parse(JSON.stringify({ deep: [parts] })).deep[0].id, String(parts.id));
});

test('every ID has its bytes and bits', () => {
  const wanted = [
    [new Snowflake({ node: 7 }).inspect(1741610183685074945n), 64, '182b713c0fc07001'],
    [new Snowflake({ node: 7, layout: Layout.INSTAGRAM }).inspect(-1n), 64, 'ffffffffffffffff'],
    [new ObjectId().inspect('507f1f77bcf86cd799439011'), 96, '507f1f77bcf86cd799439011'],
    [new Flake({ layout: Layout.fromText('timestamp:40@s sequence:13') }).inspect(5n), 53, '00000000000005'],
  ];
  for (const [parts, bits, hex] of wanted) {
    assert.equal(parts.bits, bits);
    assert.equal(Buffer.from(parts.idBytes).toString('hex'), hex);
  }
});

test('IDs of 100 ns are composed again from their parts', () => {
  const v1 = new Uuid({ version: 1, clock: clock() });
  for (const id of v1.generateMany(20)) {
    const { timestampMs, submillisecondNs, sequence, node } = v1.inspect(id);
    assert.equal(v1.compose({ timestampMs, submillisecondNs, clockSequence: sequence, node }), id);
  }
  const ticks = new TickId({ order: 'descending', clock: clock() });
  for (const id of ticks.generateMany(20)) {
    const { time, submillisecondNs, random } = ticks.inspect(id);
    assert.equal(ticks.compose({ time, submillisecondNs, random }), id);
  }
  for (const submillisecondNs of [-1, 1_000_000, 2n ** 80n]) {
    assert.throws(() => ticks.compose({ timestampMs: 1, submillisecondNs, random: 1 }), { code: 'INVALID_ARGUMENT' });
  }
  assert.throws(() => ticks.compose({ timestampMs: 1, submillisecondNs: 1.5, random: 1 }), TypeError);
});

test('layouts describe themselves and are frozen', () => {
  assert.deepEqual(Layout.SONYFLAKE.fields, [['unused', 1], ['timestamp', 39], ['sequence', 8], ['node', 16]]);
  assert.deepEqual([Layout.TWITTER.name, Layout.TWITTER.epochMs, Layout.TWITTER.tickUs], ['twitter', 1288834974657, 1000]);
  assert.equal(Layout.SONYFLAKE_V2.tickUs, 10000);
  const own = new Layout([['timestamp', 42], ['node', 10], ['sequence', 12]], { epochMs: -5n, tickUs: 250 });
  assert.deepEqual([own.name, own.epochMs, own.tickUs], [null, -5, 250]);
  assert.ok(Object.isFrozen(own) && Object.isFrozen(own.fields) && Object.isFrozen(own.fields[0]));
  // A layout with the bits of a preset is that preset.
  const again = new Layout(Layout.DISCORD.fields, { epochMs: Layout.DISCORD.epochMs });
  assert.equal(again.name, 'discord');
});

test('inspect finds what an ID can be, the most plausible first', () => {
  const ids = new Randflake({ node: 42, secret, clock: clock() });
  const text = ids.generateText();
  assert.ok(inspect(text).every((parts) => parts.scheme !== 'randflake'));
  const [randflake] = inspect(text, { secret, scheme: 'randflake' });
  assert.deepEqual(randflake, ids.inspect(text));
  const snowflakes = inspect(1741610183685074944n, { scheme: 'snowflake' });
  assert.equal(snowflakes[0].layout, 'twitter');
  assert.ok(snowflakes.length > 1 && snowflakes.every((parts) => Object.isFrozen(parts)));
  const kinds = (found) => found.map(({ scheme, layout, timestampMs }) => `${scheme} ${layout} ${timestampMs}`).sort();
  const ofText = kinds(inspect('1741610183685074944'));
  assert.ok(kinds(inspect(1741610183685074944n)).every((kind) => ofText.includes(kind)));
});

test('tryGenerate returns null where the next ID needs a wait', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  const made = Array.from({ length: 4096 }, () => ids.tryGenerate());
  assert.equal(new Set(made).size, 4096);
  assert.equal(ids.tryGenerate(), null);
});

test('a generator sees every change of its clock', () => {
  const time = clock();
  const ids = new Snowflake({ node: 7, clock: time });
  assert.equal(time.nowMs, NOW);
  time.advance(5);
  assert.equal(ids.inspect(ids.generate()).timestampMs, NOW + 5);
  time.set(NOW + 9);
  assert.equal(ids.inspect(ids.generate()).timestampMs, NOW + 9);
});

test('two generators on the system clock with the same node never repeat each other', () => {
  const [a, b] = [new Snowflake({ node: 500 }), new Snowflake({ node: 500 })];
  const made = Array.from({ length: 10_000 }, (_, index) => (index % 2 ? a : b).generate());
  assert.equal(new Set(made).size, made.length);
});

test('generate does not wait for a window that begins later than it may wait', () => {
  const ids = new Snowflake({ node: 501, window: [NOW + 700, NOW + 3_600_000], clock: new ManualClock(NOW) });
  assert.throws(() => ids.generate(), { code: 'LEASE_NOT_BEGUN' });
});

test('generateAsync waits for a window to begin, and the event loop goes on meanwhile', async () => {
  const start = Date.now() + 700;
  const ids = new Snowflake({ node: 501, window: [start, start + 3_600_000] });
  const order = [];
  await Promise.all([
    ids.generateAsync().then((id) => order.push(ids.inspect(id).timestampMs >= start)),
    sleep(1).then(() => order.push('timer')),
  ]);
  assert.deepEqual(order, ['timer', true]);
});

test('generateAsync waits for a real timer under the mock timers of node:test', async (context) => {
  const last = Date.now() + 50;
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });
  const ids = new Snowflake({ node: 511, scope: 'process', notBefore: last });
  assert.ok(ids.inspect(await ids.generateAsync()).timestampMs > last);
});

test('generateAsync serves more calls at once than one tick can', async () => {
  const ids = new Snowflake({ node: 502 });
  const made = await Promise.all(Array.from({ length: 20_000 }, () => ids.generateAsync()));
  assert.equal(new Set(made).size, made.length);
});

test('generateAsync waits for the next second of a used-up Randflake node', async () => {
  const ids = new Randflake({ node: 503, secret });
  let last = ids.generate();
  for (let id = last; id !== null; id = ids.tryGenerate()) last = id;
  assert.ok(ids.inspect(await ids.generateAsync()).timestampMs > ids.inspect(last).timestampMs);
});
