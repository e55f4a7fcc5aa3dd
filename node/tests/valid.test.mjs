// `isValid`: whether `fromText` reads a text.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Flake, Layout, ManualClock, ObjectId, Randflake, Snowflake, TickId, Tsid, Ulid, UlidFlake, Uuid, Xid } from 'saiban';
import { IdTexts } from 'saiban/texts';

const clock = new ManualClock(1_740_000_000_000);
const secret = new Uint8Array(16).fill(7);
const GENERATORS = {
  snowflake: (options) => new Snowflake({ node: 7, clock, ...options }),
  tsid: (options) => new Tsid({ node: 7, clock, ...options }),
  randflake: (options) => new Randflake({ node: 7, secret, clock, ...options }),
  'ulid-flake': (options) => new UlidFlake({ clock, ...options }),
  flake: (options) => new Flake({ layout: Layout.SONYFLAKE, node: 7, clock, ...options }),
  ulid: (options) => new Ulid({ clock, ...options }),
  'uuid-v7': (options) => new Uuid({ clock, ...options }),
  'uuid-v4': (options) => new Uuid({ version: 4, ...options }),
  objectid: (options) => new ObjectId({ clock, ...options }),
  xid: (options) => new Xid({ clock, ...options }),
  'tick-id': (options) => new TickId({ clock, ...options }),
};
/** Values that are not text. */
const OTHERS = [undefined, null, 0, 7, 2 ** 60, NaN, 7n, true, {}, [], ['7'], new String('7'), Buffer.from('7'), Symbol('7'), () => '7'];

/** Returns whether a call does not throw. */
function succeeds(call) {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}

for (const [scheme, open] of Object.entries(GENERATORS)) {
  describe(`isValid of ${scheme}`, () => {
    for (const options of [{}, { prefix: 'order' }]) {
      test(`is whether fromText reads the text: ${JSON.stringify(options)}`, () => {
        const ids = open(options);
        const text = ids.generateText();
        const variants = [text, text.toUpperCase(), text.toLowerCase(), `0${text}`, text.slice(1), `${text} `, text.replace('_', '-')];
        variants.push('', '7', '-1', '7!', 'ü', '\ud800', '7'.repeat(10_000), '9'.repeat(19), '7ZZZZZZZZZZZZ', '8ZZZZZZZZZZZZ', '00000000-0000-0000-0000-000000000000');
        const texts = new IdTexts(ids);
        for (const variant of variants) {
          for (const lenient of [false, true]) {
            const reads = succeeds(() => ids.fromText(variant, { lenient }));
            assert.equal(ids.isValid(variant, { lenient }), reads, variant);
          }
          assert.equal(ids.isValid(variant), succeeds(() => ids.fromText(variant)), variant);
          assert.equal(texts.isValid(variant), ids.isValid(variant), variant);
          assert.equal(new IdTexts({ scheme, ...options }).isValid(variant), succeeds(() => new IdTexts({ scheme, ...options }).read(variant)));
        }
        assert.ok(ids.isValid(text) && !ids.isValid(''));
      });
    }

    test('is false for every value that is not text', () => {
      for (const value of OTHERS) assert.ok(!open({}).isValid(value) && !open({}).isValid(value, { lenient: true }) && !new IdTexts(scheme).isValid(value));
    });
  });
}

test('isValid is strict unless it is lenient', () => {
  const ids = new Randflake({ node: 7, secret, clock });
  assert.deepEqual([ids.isValid('3vgoe12ccb8gh'), ids.isValid('3VGOE12CCB8GH')], [true, false]);
  assert.ok(ids.isValid('3VGOE12CCB8GH', { lenient: true }));
});

test('isValid checks the layout and the encoding', () => {
  assert.deepEqual(['7', '-1', '9223372036854775808'].map((text) => new Snowflake({ node: 7, clock }).isValid(text)), [true, false, false]);
  const texts = new IdTexts({ scheme: 'snowflake', encoding: 'base62' });
  assert.deepEqual(['2Wyi3Ucx9Hs', '2Wyi3Ucx9H_', ''].map((text) => texts.isValid(text)), [true, false, false]);
});

test('isValid asks fromText of a subclass', () => {
  class Even extends Snowflake {
    fromText(text, options) {
      const id = super.fromText(text, options);
      if (id % 2n === 0n) return id;
      throw new RangeError('an odd ID');
    }
  }
  const ids = new Even({ node: 7, clock });
  assert.deepEqual([ids.isValid('8'), ids.isValid('8x')], [true, false]);
  // Only saiban's own errors say that a text is invalid.
  assert.throws(() => ids.isValid('7'), RangeError);
});

test('unknown options are an error, whatever the value', () => {
  const ids = new Ulid({ clock });
  for (const value of ['', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 7]) {
    assert.throws(() => ids.isValid(value, { strict: true }), { code: 'WRONG_TYPE', message: /^isValid has no option "strict": give lenient$/ });
    assert.throws(() => ids.isValid(value, { lenient: 1 }), { code: 'WRONG_TYPE', message: /^lenient is an integer: give true or false$/ });
    assert.throws(() => [value].filter(ids.isValid, ids), { code: 'WRONG_TYPE', message: /options object of isValid is an integer/ });
  }
});
