// Functions that make IDs, passed on without their generator.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Counter, DailyCounter, Flake, Layout, ManualClock, ObjectId, Randflake, SharedCounter, Snowflake, TickId, Tsid, Ulid, UlidFlake, Uuid, Xid } from 'saiban';

const clock = new ManualClock(1_740_000_000_000);
const secret = new Uint8Array(16).fill(7);
const GENERATORS = {
  Snowflake: new Snowflake({ node: 7, clock }),
  Tsid: new Tsid({ node: 7, clock }),
  Randflake: new Randflake({ node: 7, secret, clock }),
  UlidFlake: new UlidFlake({ clock }),
  Flake: new Flake({ layout: Layout.fromText('timestamp:48 node:16 sequence:16 random:48'), node: 7, clock }),
  Ulid: new Ulid({ clock }),
  Uuid: new Uuid({ clock }),
  ObjectId: new ObjectId({ clock }),
  Xid: new Xid({ clock }),
  TickId: new TickId({ clock }),
};

for (const [name, ids] of Object.entries(GENERATORS)) {
  test(`the functions of ${name} make IDs without their generator`, async () => {
    const { generate, tryGenerate, generateAsync, generateText } = ids;
    const made = [...Array.from({ length: 3 }, generate), tryGenerate(), await generateAsync(), ids.fromText(generateText())];
    assert.equal(new Set([...made, ids.generate()]).size, 7);
    for (const id of made) assert.equal(typeof id, typeof ids.generate());
    // Array.from passes the value and the index.
    for (const text of Array.from({ length: 3 }, generateText)) assert.equal(ids.toText(ids.fromText(text)), text);
    if (ids.generateBytes !== undefined) {
      const { generateBytes } = ids;
      assert.equal(ids.fromBytes(generateBytes()).length, ids.generate().length);
    }
  });
}

test('an argument of generateText is an encoding, and nothing else', () => {
  const { generateText } = GENERATORS.Snowflake;
  assert.equal(generateText('crockford').length, 13);
  for (const wrong of [0, 1n, {}, GENERATORS.Snowflake, []]) {
    assert.throws(() => generateText(wrong), { code: 'WRONG_TYPE', message: /^encoding is .*: give a string$/ });
  }
  assert.throws(() => ['a'].map(generateText), { code: 'UNKNOWN_NAME', message: /"a"/ });
});

test('a subclass overrides a function, and can call that of its base', () => {
  class Positive extends Randflake {
    generate() {
      for (;;) {
        const id = super.generate();
        if (id > 0n) return id;
      }
    }
  }
  const ids = new Positive({ node: 7, secret, clock });
  const { generate } = ids;
  for (const id of [...Array.from({ length: 64 }, generate), ids.generate()]) assert.ok(id > 0n);
  assert.equal(new Set(Array.from({ length: 64 }, generate)).size, 64);

  class Counting extends Ulid {
    count = 0;

    generateBytes() {
      this.count += 1;
      return super.generateBytes();
    }
  }
  const counting = new Counting({ clock });
  const { generateBytes } = counting;
  assert.deepEqual([generateBytes().length, counting.generateBytes().length, counting.count], [16, 16, 2]);

  class Constant extends Snowflake {
    generate = () => 7n;
  }
  assert.equal(new Constant({ node: 7, clock }).generate(), 7n);
});

test('a test can replace a function of a generator', () => {
  const ids = new Snowflake({ node: 7, clock });
  const replaced = mock.method(ids, 'generate', () => 7n);
  assert.equal(ids.generate(), 7n);
  replaced.mock.restore();
  assert.notEqual(ids.generate(), 7n);
});

test('the functions of a generator are not among its enumerable properties', () => {
  assert.deepEqual(Object.keys(new Snowflake({ node: 7, clock })), ['copy', 'layout']);
  assert.deepEqual(Object.keys(new Counter()), []);
});

test('the functions of counters return numbers without their counter', async () => {
  const { generate } = new Counter();
  assert.deepEqual(Array.from({ length: 3 }, generate), [1n, 2n, 3n]);
  const shared = new SharedCounter('memory:unbound');
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 2 }, shared.generate))), new Set([1n, 2n]));
  const daily = new DailyCounter('memory:unbound', { name: 'daily' });
  const [{ number }] = await Promise.all(Array.from({ length: 1 }, daily.generate));
  assert.equal(number, 1n);
  for (const { tryGenerate } of [shared, daily]) assert.ok(['bigint', 'object', 'undefined'].includes(typeof tryGenerate()));
});
