// The statistics of a generator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Layout, ManualClock, Randflake, Snowflake, UlidFlake } from 'saiban';

const NOW = 1_763_700_000_000;
const secret = new Uint8Array(16).fill(7);

test('stats count what was issued, whichever way', async () => {
  for (const make of [
    (clock) => new Snowflake({ nodes: [0, 2], clock }),
    (clock) => new Randflake({ node: 7, secret, clock }),
  ]) {
    const clock = new ManualClock(NOW);
    const ids = make(clock);
    assert.equal(ids.stats().issued, 0);
    ids.generate();
    ids.tryGenerate();
    await ids.generateAsync();
    ids.generateMany(8);
    ids.fill(new BigInt64Array(20));
    clock.advance(1000);
    ids.generateText();
    assert.equal(ids.stats().issued, 32);
    // Statistics, inspection and composition issue no ID.
    ids.inspect(ids.toText(1n));
    ids.compose({ timestampMs: NOW, node: 0, sequence: 0 });
    assert.deepEqual(ids.stats(), ids.stats());
    assert.equal(ids.stats().issued, 32);
  }
});

test('stats count random IDs too', () => {
  const clock = new ManualClock(NOW);
  const ids = new UlidFlake({ clock });
  for (let count = 1; count < 10; count += 1) {
    clock.advance(1);
    ids.generate();
    assert.equal(ids.stats().issued, count);
  }
});

test('generators that share a cursor count the same IDs', () => {
  const [first, second] = [new Snowflake({ node: 850 }), new Snowflake({ node: 850 })];
  first.generateMany(10);
  second.generateMany(10);
  assert.deepEqual([first.stats().issued, second.stats().issued], [20, 20]);
});

test('stats count steps back, and each once', () => {
  const clock = new ManualClock(NOW);
  const ids = new Snowflake({ node: 7, clock });
  for (let count = 1; count < 4; count += 1) {
    ids.generate();
    clock.advance(-10);
    ids.generateMany(5);
    assert.equal(ids.stats().rollbacks, count);
    clock.advance(20);
    ids.generate();
  }
});

test('stats count the waits that block', () => {
  // A tick of Sonyflake has only 256 IDs in 10 ms.
  const ids = new Snowflake({ node: 851, layout: Layout.SONYFLAKE, maxWaitMs: 60_000 });
  assert.equal(ids.stats().waits, 0);
  ids.generateMany(1024);
  assert.ok(ids.stats().waits >= 1);
  assert.equal(ids.stats().issued, 1024);
});

const ends = {
  Snowflake: [3_487_858_230_209, (window, clock) => new Snowflake({ node: 7, window, clock })],
  Randflake: [
    2_803_741_824_000,
    (window, clock) => new Randflake({ node: 7, secret, window: window?.map((time) => time / 1000), clock }),
  ],
  UlidFlake: [1_704_067_200_000 + 2 ** 43, (window, clock) => new UlidFlake({ window, clock })],
};
for (const [name, [end, make]] of Object.entries(ends)) {
  test(`${name}: the time left is the window's, or the format's`, () => {
    const clock = new ManualClock(NOW);
    assert.equal(make(undefined, clock).stats().timeLeftMs, end - NOW);
    const ids = make([NOW - 5000, NOW + 9000], clock);
    assert.equal(ids.stats().timeLeftMs, 9000);
    clock.advance(10_000);
    assert.equal(ids.stats().timeLeftMs, 0);
    assert.throws(() => ids.generate(), { code: 'LEASE_EXPIRED' });
  });
}

test('generators report the guarantee of their IDs', () => {
  const clock = new ManualClock(NOW);
  const promises = [
    ['unique', new Snowflake({ node: 7, clock })],
    ['unique', new Randflake({ node: 7, secret, clock })],
    ['unique', new UlidFlake({ scalability: 7, clock })],
    ['unique_in_process', new UlidFlake({ clock })],
    ['probable', new UlidFlake({ clock, allowCollisions: true })],
  ];
  for (const [guarantee, ids] of promises) assert.equal(ids.stats().guarantee, guarantee);
});

test('stats are plain, frozen, and go through JSON and to other threads', () => {
  const stats = new Snowflake({ node: 7, clock: new ManualClock(NOW) }).stats();
  assert.deepEqual(Object.keys(stats), ['issued', 'waits', 'rollbacks', 'timeLeftMs', 'guarantee', 'scope']);
  assert.ok(Object.isFrozen(stats));
  assert.deepEqual(JSON.parse(JSON.stringify(stats)), stats);
  assert.deepEqual(structuredClone(stats), stats);
});

test('the time left of a format that outlasts all clocks ends with the clocks', () => {
  const layout = new Layout([['timestamp', 49], ['node', 10], ['sequence', 5]], { tickUs: 10_000_000 });
  const ids = new Snowflake({ node: 1, layout, clock: new ManualClock(NOW) });
  assert.equal(ids.stats().timeLeftMs, 18_446_744_073_709 - NOW);
});
