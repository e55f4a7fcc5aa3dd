// What the generators promise, beyond the vectors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Generator, Layout, ManualClock, Randflake, Snowflake, UlidFlake, decode, encode, inspect } from 'saiban';

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

test('every way of making IDs makes new ones', async () => {
  const generators = [
    new Snowflake({ node: 510 }),
    new Randflake({ node: 42, secret }),
    new UlidFlake(),
    new UlidFlake({ scalability: 3, entropySize: 2 }),
  ];
  for (const ids of generators) {
    const started = Math.floor(Date.now() / 1000) * 1000;
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

test('generateMany answers an ordinary array, also of nothing', () => {
  const ids = new Snowflake({ node: 7, clock: clock() });
  assert.deepEqual(ids.generateMany(0), []);
  assert.deepEqual(ids.generateMany(2n).map((id) => ids.inspect(id).sequence), [0, 1]);
});

test('fill writes from the front and answers how many', () => {
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
    idBytes: null,
    timestampMs: 1420070400000,
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
  assert.throws(() => JSON.stringify(parts), TypeError);
});

test('layouts describe themselves and are frozen', () => {
  assert.deepEqual(Layout.SONYFLAKE.fields, [['unused', 1], ['timestamp', 39], ['sequence', 8], ['node', 16]]);
  assert.deepEqual([Layout.TWITTER.name, Layout.TWITTER.epochMs, Layout.TWITTER.tickUs], ['twitter', 1288834974657, 1000]);
  assert.equal(Layout.SONYFLAKE_V2.tickUs, 10000);
  const own = new Layout([['timestamp', 42], ['node', 10], ['sequence', 12]], { epochMs: -5n, tickUs: 250 });
  assert.deepEqual([own.name, own.epochMs, own.tickUs], [null, -5, 250]);
  assert.ok(Object.isFrozen(own) && Object.isFrozen(own.fields) && Object.isFrozen(own.fields[0]));
  // The same bits as a preset are that preset.
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

test('tryGenerate answers null where the next ID needs a wait', () => {
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

test('generateAsync serves a crowd that one tick cannot', async () => {
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
