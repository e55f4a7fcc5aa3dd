// Clock steps back: the policies, and layouts with rollback bits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Layout, ManualClock, Randflake, Snowflake, Tsid, UlidFlake } from 'saiban';

const NOW = 1_763_700_000_000;
const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
const BITS = Layout.TWITTER.withRollbackBits(2);
/** A layout with two rollback values, and four IDs for each in a millisecond. */
const SMALL = new Layout([['unused', 18], ['timestamp', 41], ['node', 2], ['rollback', 1], ['sequence', 2]], {
  epochMs: NOW - 10_000,
});
const schemes = {
  Snowflake: (options) => new Snowflake({ node: 7, ...options }),
  Randflake: (options) => new Randflake({ node: 7, secret, ...options }),
  UlidFlake: (options) => new UlidFlake(options),
  Tsid: (options) => new Tsid({ node: 7, ...options }),
};

for (const [name, make] of Object.entries(schemes)) {
  test(`${name}: the policy error refuses a stepped-back clock at once and continues when it returns`, async () => {
    const clock = new ManualClock(NOW);
    const ids = make({ rollback: 'error', clock });
    const before = ids.generate();
    clock.advance(-5000);
    for (const call of [() => ids.generate(), () => ids.tryGenerate(), () => ids.generateMany(2), () => ids.fill(new BigInt64Array(2))]) {
      assert.throws(call, { code: 'CLOCK_BACKWARD', message: /is 5000 ms behind the last ID/ });
    }
    await assert.rejects(ids.generateAsync(), { code: 'CLOCK_BACKWARD' });
    clock.set(NOW + 1);
    assert.ok(ids.generate() !== before);
  });
}

for (const rollback of ['hold', undefined]) {
  test(`the policy hold continues in the reached tick, and then refuses (${rollback ?? 'by default'})`, () => {
    const clock = new ManualClock(NOW);
    const ids = new Snowflake({ node: 7, rollback, clock });
    const made = [ids.generate()];
    clock.advance(-5000);
    made.push(...ids.generateMany(4095));
    assert.ok(made.every((id) => ids.inspect(id).timestampMs === NOW));
    assert.equal(new Set(made).size, 4096);
    assert.throws(() => ids.generate(), { code: 'CLOCK_BACKWARD' });
    clock.set(NOW + 1);
    assert.equal(ids.inspect(ids.generate()).timestampMs, NOW + 1);
  });
}

for (const rollback of ['bits', undefined]) {
  test(`rollback bits distinguish IDs before and after a step back (${rollback ?? 'by default'})`, () => {
    const clock = new ManualClock(NOW - 5000);
    const ids = new Snowflake({ node: 7, layout: BITS, rollback, clock });
    const made = [ids.generate()];
    for (const time of [NOW, NOW - 5000]) {
      clock.set(time);
      made.push(ids.generate());
    }
    assert.equal(new Set(made).size, 3);
    const parts = made.map((id) => ids.inspect(id));
    assert.deepEqual(parts.map(({ rollback }) => rollback), [0, 0, 1]);
    // The generator continues at the clock's time, not in the last tick.
    assert.deepEqual(parts.map(({ timestampMs }) => timestampMs), [NOW - 5000, NOW, NOW - 5000]);
    assert.deepEqual(parts.map(({ node }) => node), [7, 7, 7]);
    assert.equal(ids.stats().rollbacks, 1);
  });
}

test('past its last value a rollback field holds instead of repeating', () => {
  const clock = new ManualClock(NOW);
  const ids = new Snowflake({ node: 1, layout: SMALL, clock });
  const made = ids.generateMany(4);
  clock.advance(-1000);
  made.push(...ids.generateMany(4));
  assert.deepEqual(made.map((id) => ids.inspect(id).rollback), [0, 0, 0, 0, 1, 1, 1, 1]);
  // Both rollback values have used the earlier ticks. One bit covers 2^1 - 1 steps back; this is
  // one more.
  clock.advance(-1000);
  assert.throws(() => ids.generate(), { code: 'CLOCK_BACKWARD' });
  clock.set(NOW - 999);
  made.push(...ids.generateMany(4));
  assert.equal(new Set(made).size, 12);
});

test('no trace of the clock repeats an ID of a rollback layout', () => {
  const clock = new ManualClock(NOW);
  const ids = new Snowflake({ nodes: [0, 2], layout: SMALL, clock });
  const made = [];
  for (let turn = 0, highest = NOW; turn < 30_000; turn += 1) {
    highest += Math.floor(Math.random() * 3);
    clock.set(highest - Math.floor(Math.random() * 6));
    try {
      made.push(ids.generate());
    } catch (error) {
      assert.ok(['WOULD_WAIT', 'CLOCK_BACKWARD'].includes(error.code), error);
    }
  }
  assert.ok(made.length > 5000, String(made.length));
  assert.equal(new Set(made).size, made.length);
  assert.deepEqual(new Set(made.map((id) => ids.inspect(id).rollback)), new Set([0, 1]));
});

test('a rollback layout splits IDs as it joins them', () => {
  const ids = new Snowflake({ node: 0, layout: BITS, clock: new ManualClock(NOW) });
  const own = { timestampMs: NOW, node: 200, sequence: 9 };
  for (const rollback of [0, 1, 2, 3n]) {
    const parts = ids.inspect(ids.compose({ ...own, rollback }));
    assert.deepEqual(
      [parts.timestampMs, parts.node, parts.sequence, parts.rollback],
      [NOW, 200, 9, Number(rollback)],
    );
    assert.deepEqual(ids.inspect(ids.toText(parts.id)), parts);
  }
  const plain = ids.compose(own);
  assert.equal(plain, ids.compose({ ...own, rollback: 0 }));
  // The two rollback bits are the lowest bits of Twitter's node.
  assert.equal(new Snowflake({ node: 0, clock: new ManualClock(NOW) }).inspect(plain).node, 800);
});

test('a layout gives up node bits for the rollback field', () => {
  assert.deepEqual(BITS.fields, [['unused', 1], ['timestamp', 41], ['node', 8], ['rollback', 2], ['sequence', 12]]);
  assert.deepEqual([BITS.maxNode, BITS.maxRollback, BITS.name], [255, 3, null]);
  assert.deepEqual([BITS.epochMs, BITS.tickUs], [Layout.TWITTER.epochMs, 1000]);
  assert.deepEqual([Layout.TWITTER.maxNode, Layout.TWITTER.maxRollback], [1023, 0]);
  assert.ok(BITS instanceof Layout && Object.isFrozen(BITS));
  assert.deepEqual(new Layout(BITS.fields, { epochMs: BITS.epochMs }), BITS);
});

test('IDs of layouts without rollback bits have no rollback value', () => {
  for (const make of Object.values(schemes)) {
    const ids = make({ clock: new ManualClock(NOW) });
    const { rollback, secretIndex } = ids.inspect(ids.generate());
    assert.deepEqual([rollback, secretIndex], [null, null]);
  }
});
