// The text of the IDs of every scheme, which the integrations read and write.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Flake, Layout, ManualClock, Randflake, Snowflake, TickId, Tsid, Ulid, UlidFlake, Uuid, Xid, ObjectId, encode } from 'saiban';
import { IdTexts, idReplacer } from 'saiban/texts';

const clock = new ManualClock(1_740_000_000_000);
const secret = new Uint8Array(16).fill(7);
const GENERATORS = {
  snowflake: (options) => new Snowflake({ node: 7, clock, ...options }),
  randflake: (options) => new Randflake({ node: 7, secret, clock, ...options }),
  'ulid-flake': (options) => new UlidFlake({ clock, ...options }),
  flake: (options) => new Flake({ layout: Layout.SONYFLAKE, node: 7, clock, ...options }),
  tsid: (options) => new Tsid({ node: 7, clock, ...options }),
  ulid: (options) => new Ulid({ clock, ...options }),
  'uuid-v1': (options) => new Uuid({ version: 1, clock, ...options }),
  'uuid-v4': (options) => new Uuid({ version: 4, ...options }),
  'uuid-v7': (options) => new Uuid({ version: 7, clock, ...options }),
  uuid: (options) => new Uuid({ version: 1, clock, ...options }),
  objectid: (options) => new ObjectId({ clock, ...options }),
  xid: (options) => new Xid({ clock, ...options }),
  'tick-id': (options) => new TickId({ clock, ...options }),
};

for (const [scheme, open] of Object.entries(GENERATORS)) {
  describe(`the texts of ${scheme}`, () => {
    test('are those of its generators, with and without a prefix', () => {
      for (const options of [{}, { prefix: 'order' }]) {
        const ids = open(options);
        for (const texts of [new IdTexts({ scheme, ...options }), new IdTexts(ids)]) {
          const id = ids.generate();
          const text = ids.toText(id);
          assert.equal(texts.write(id), text);
          assert.equal(texts.read(text), id);
          assert.equal(texts.areText, typeof id === 'string');
          if (!texts.areText) assert.equal(texts.read(id), id);
        }
      }
    });

    test('are refused with the messages of its generators', () => {
      const texts = new IdTexts(scheme);
      for (const text of ['', '7!', 'ü', 'x'.repeat(200)]) {
        let expected;
        try {
          open({}).fromText(text);
        } catch (error) {
          expected = error;
        }
        assert.throws(() => texts.read(text), { code: expected.code, message: expected.message });
      }
    });
  });
}

describe('the texts of a format', () => {
  test('are numbers in an encoding', () => {
    const texts = new IdTexts({ scheme: 'snowflake', encoding: 'base62' });
    assert.equal(texts.write(2125041057055170560n), '2Wyi3Ucx9Hs');
    assert.equal(texts.read('2Wyi3Ucx9Hs'), 2125041057055170560n);
    const uuids = new IdTexts({ scheme: 'uuid-v7', encoding: 'base62' });
    const uuid = new Uuid().generate();
    assert.equal(uuids.write(uuid), encode(BigInt(`0x${uuid.replaceAll('-', '')}`), 'base62', { bits: 128 }));
    assert.equal(uuids.read(uuids.write(uuid)), uuid);
  });

  test('are of every layout and every version of a scheme', () => {
    assert.equal(new IdTexts('snowflake').write(-1n), '-1');
    const discord = new Snowflake({ node: 0, layout: Layout.DISCORD, clock }).generate();
    assert.equal(new IdTexts('snowflake').read(String(discord)), discord);
    const texts = new IdTexts('uuid-v7');
    for (const version of [1, 4, 7]) {
      const uuid = new Uuid({ version }).generate();
      assert.equal(texts.read(texts.write(uuid)), uuid);
    }
  });

  test('of a generator are those of its layout', () => {
    const wide = new Flake({ layout: Layout.fromText('timestamp:48 node:16 sequence:16 random:48'), node: 7, clock });
    const texts = new IdTexts(wide);
    const id = wide.generate();
    assert.ok(id > 2n ** 64n);
    assert.equal(texts.read(texts.write(id)), id);
    assert.throws(() => new IdTexts(new Snowflake({ node: 7, clock })).read('-1'), { code: 'ID_OUT_OF_RANGE' });
  });

  test('are refused for values of another type, and for numbers that have lost digits', () => {
    const texts = new IdTexts('snowflake');
    assert.equal(texts.read(7), 7n);
    for (const value of [2 ** 60, 1.5, NaN, null, undefined, true, {}, [1n], new Date()]) {
      assert.throws(() => texts.read(value), { code: 'WRONG_TYPE' });
      assert.throws(() => texts.write(value), { code: 'WRONG_TYPE' });
    }
    assert.throws(() => texts.read(2 ** 60), { message: /beyond Number.MAX_SAFE_INTEGER .* give a bigint, or the ID's text/ });
    assert.throws(() => new IdTexts('ulid').read(7n), { code: 'WRONG_TYPE' });
    assert.throws(() => new IdTexts('uuid-v7').read(7n), { code: 'WRONG_TYPE' });
    assert.throws(() => texts.read(2n ** 63n), { code: 'ID_OUT_OF_RANGE' });
    assert.throws(() => new IdTexts({ scheme: 'ulid-flake', encoding: 'decimal' }).read('-1'), { code: 'ID_OUT_OF_RANGE' });
  });

  test('need a known format', () => {
    for (const [format, code, message] of [
      ['snowflakes', 'UNKNOWN_NAME', /snowflakes/],
      ['toString', 'UNKNOWN_NAME', /toString/],
      ['uuid-v9', 'UNKNOWN_NAME', /uuid-v9/],
      [{ scheme: 'snowflake', encoding: 'base85' }, 'UNKNOWN_NAME', /base85/],
      [{ scheme: 'uuid-v7', encoding: 'base85' }, 'UNKNOWN_NAME', /base85/],
      [{ scheme: 'snowflake', prefix: 'Order' }, 'INVALID_ARGUMENT', /prefix/],
      [{ scheme: 'snowflake', prefix: 'order', encoding: 'hex' }, 'INVALID_ARGUMENT', /encoding is "hex" and prefix "order": give one of them/],
      [{ scheme: 'ulid', encoding: 'hex' }, 'INVALID_ARGUMENT', /encoding is "hex", but IDs of ulid are text: leave it out/],
      [{ scheme: 'snowflake', prefixes: 'order' }, 'WRONG_TYPE', /no option "prefixes": give scheme, encoding, prefix/],
      [{}, 'WRONG_TYPE', /scheme is undefined/],
      [7, 'WRONG_TYPE', /format/],
      [null, 'WRONG_TYPE', /format/],
    ]) {
      assert.throws(() => new IdTexts(format), { code, message });
    }
  });
});

test('a replacer writes bigints as text, and nothing else', () => {
  const value = { id: 2125041057055170561n, list: [1n, null], text: '7', number: 7, at: new Date(0) };
  assert.equal(
    JSON.stringify(value, idReplacer('snowflake')),
    '{"id":"2125041057055170561","list":["1",null],"text":"7","number":7,"at":"1970-01-01T00:00:00.000Z"}',
  );
  assert.throws(() => JSON.stringify({ id: 2n ** 63n }, idReplacer('snowflake')), { code: 'ID_OUT_OF_RANGE' });
});
