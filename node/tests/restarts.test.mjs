// A restarted program repeats no ID: where a new generator begins.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ManualClock, Randflake, Snowflake, UlidFlake } from 'saiban';

const NOW = 1_763_700_000_000;
const secret = new Uint8Array(16).fill(7);
const second = () => Math.floor(Date.now() / 1000);
let node = 600;

/** Returns a Randflake generator and the result of a call on it, both within its first second. */
function inOneSecond(call, options = {}) {
  for (;;) {
    node += 1;
    const begun = second();
    const ids = new Randflake({ node, secret, scope: 'process', ...options });
    const answer = call(ids);
    if (second() === begun) return { ids, answer, begun };
  }
}

test('on the system clock a generator of one process begins after the tick in which it was made', () => {
  const now = Date.now();
  const ids = new Snowflake({ node: 600, scope: 'process' });
  assert.ok(ids.inspect(ids.generate()).timestampMs > now);
  const { ids: hidden, answer, begun } = inOneSecond((ids) => ids.tryGenerate());
  assert.equal(answer, null);
  assert.ok(hidden.inspect(hidden.generate()).timestampMs > begun * 1000);
  assert.ok(hidden.stats().waits >= 1);
});

test('generateAsync waits for the first tick, and the event loop goes on meanwhile', async () => {
  const order = [];
  const { ids, answer, begun } = inOneSecond((ids) => ids.generateAsync());
  await Promise.all([
    answer.then((id) => order.push(ids.inspect(id).timestampMs > begun * 1000)),
    Promise.resolve().then(() => order.push('meanwhile')),
  ]);
  assert.deepEqual(order, ['meanwhile', true]);
  assert.equal(ids.stats().waits, 0);
});

test('a first call that may not wait fails with the reason', () => {
  const call = (ids) => {
    try {
      return ids.generate();
    } catch (error) {
      return error.code;
    }
  };
  assert.equal(inOneSecond(call, { maxWaitMs: 5 }).answer, 'WOULD_WAIT');
});

test('another generator of the process, for the same node, need not wait', () => {
  const first = new Randflake({ node: 599, secret });
  first.generate();
  const again = new Randflake({ node: 599, secret });
  again.generate();
  assert.equal(again.stats().waits, 0);
});

const runs = [['snowflake', 6], ['randflake', 3]].flatMap((run) => ['machine', 'process'].map((scope) => [...run, scope]));
for (const [scheme, times, scope] of runs) {
  test(`${scheme}: consecutive processes repeat nothing (scope ${scope})`, () => {
    const made = [];
    for (let run = 0; run < times; run += 1) {
      const child = spawnSync(process.execPath, [fileURLToPath(new URL('life.mjs', import.meta.url)), scheme], {
        encoding: 'utf8',
        env: { ...process.env, SAIBAN_SCOPE: scope },
      });
      assert.equal(child.status, 0, child.stderr);
      made.push(...child.stdout.trim().split('\n'));
    }
    assert.equal(made.length, times * 100);
    assert.equal(new Set(made).size, made.length);
  });
}

const notBefore = {
  Snowflake: (clock) => new Snowflake({ node: 7, notBefore: NOW + 1999, clock }),
  Randflake: (clock) => new Randflake({ node: 7, secret, notBefore: BigInt(NOW / 1000 + 1), clock }),
  UlidFlake: (clock) => new UlidFlake({ notBefore: NOW + 1999, clock }),
};
for (const [name, make] of Object.entries(notBefore)) {
  test(`${name}: notBefore is the last time that was used`, () => {
    const clock = new ManualClock(NOW);
    const ids = make(clock);
    clock.set(NOW + 1999);
    assert.equal(ids.tryGenerate(), null);
    clock.set(NOW + 2000);
    assert.equal(ids.inspect(ids.generate()).timestampMs, NOW + 2000);
  });
}

test('notBefore leaves nothing to wait for once its time is over', () => {
  assert.equal(typeof new Randflake({ node: 598, secret, scope: 'process', notBefore: second() - 1 }).tryGenerate(), 'bigint');
});

test("a custom clock is not waited for", () => {
  const clock = new ManualClock(NOW);
  for (const ids of [new Snowflake({ node: 7, clock }), new Randflake({ node: 7, secret, clock }), new UlidFlake({ clock })]) {
    assert.equal(Math.floor(ids.inspect(ids.tryGenerate()).timestampMs), NOW);
  }
});
