// Integers of any size: no digit is lost, and errors contain the number as given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Flake,
  Layout,
  ManualClock,
  Snowflake,
  TickId,
  Ulid,
  UlidFlake,
  Uuid,
  candidates,
  decode,
  encode,
  inspect,
} from 'saiban';

const NOW = 1_763_700_000_000;
const clock = () => new ManualClock(NOW);
const snowflake = (options) => new Snowflake({ node: 7, clock: clock(), ...options });
const compose = (parts) => snowflake().compose({ timestampMs: NOW, node: 7, sequence: 0, ...parts });
const flake = (parts) => {
  const layout = Layout.fromText('timestamp:48 node.rack:4 node.host:4 sequence:16 random:16');
  return new Flake({ layout, node: 0 }).compose({ timestampMs: NOW, ...parts });
};

const refused = {
  sequence: (number) => compose({ sequence: number }),
  'sequence of a flake': (number) => flake({ sequence: number }),
  'random of a flake': (number) => flake({ random: number }),
  rollback: (number) => flake({ rollback: number }),
  'part of a node': (number) => flake({ node: { rack: 1, host: number } }),
  'random of a ULID': (number) => new Ulid().compose({ timestampMs: NOW, random: number }),
  'clock sequence': (number) => new Uuid({ version: 1 }).compose({ timestampMs: NOW, clockSequence: number, node: 1 }),
  'random digits': (number) => new TickId().compose({ timestampMs: NOW, random: number }),
  time: (number) => compose({ timestampMs: number }),
  node: (number) => compose({ node: number }),
  'node of a generator': (number) => snowflake({ node: number }),
  'node of a flake': (number) => new Flake({ layout: Layout.TWITTER, node: number }),
  'nodes, first': (number) => new Snowflake({ nodes: [number, 9] }),
  'nodes, end': (number) => new Snowflake({ nodes: [9, number] }),
  'window, start': (number) => snowflake({ window: [number, NOW] }),
  'window, end': (number) => snowflake({ window: [NOW, number] }),
  shards: (number) => snowflake({ shards: number }),
  scalability: (number) => new UlidFlake({ scalability: number }),
  'entropy size': (number) => new UlidFlake({ entropySize: number }),
  clock: (number) => new ManualClock(number),
  width: (number) => encode(1n, 'hex', { width: number }),
  bits: (number) => encode(1n, 'hex', { bits: number }),
  'bits to read': (number) => decode('1', 'hex', { bits: number }),
  'bits to inspect': (number) => inspect(1n, { bits: number }),
};

for (const [name, call] of Object.entries(refused)) {
  test(`a refused number is shown as it was given: ${name}`, () => {
    for (const number of [-5n, -(2n ** 70n), 2n ** 100n, 2n ** 130n, 2n ** 200n, -(2n ** 200n), 2n ** 100_000n]) {
      const digits = number < 2n ** 1024n ? String(number) : `0x${number.toString(16)}`;
      const shown = digits.length <= 40 ? digits : `${digits.slice(0, 24)}… (${digits.length} characters)`;
      assert.throws(
        () => call(number),
        ({ message }) => {
          const [before, after] = [message.indexOf(shown) - 1, message.indexOf(shown) + shown.length];
          assert.ok(before >= -1 && !/[-\d]/.test(message[before] ?? '') && !/\d/.test(message[after] ?? ''), message);
          return message.length < 400;
        },
      );
    }
  });
}

test('the error of a call shows no number of an earlier call', () => {
  const ids = snowflake();
  ids.range(NOW, 2n ** 90n);
  assert.throws(() => ids.range(NOW, NOW - 1), { message: new RegExp(`to ${NOW - 1} ms`) });
});

test('values that a JavaScript number cannot hold are bigints', () => {
  const layout = Layout.fromText('timestamp:50@s node.high:60 node.low:3 sequence:6');
  assert.deepEqual([layout.maxNode, layout.lastMs], [2n ** 63n - 1n, (2n ** 50n - 1n) * 1000n]);
  assert.equal(layout.lifetimeMs, 2n ** 50n * 1000n);
  assert.deepEqual([Layout.TWITTER.maxNode, Layout.TWITTER.lastMs], [1023, 3_487_858_230_208]);
  for (const node of [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]) {
    const ids = new Flake({ layout, node, clock: clock(), notBefore: 0 });
    const range = new Flake({ layout, nodes: [node - 1n, node], clock: clock(), notBefore: 0 });
    assert.equal(BigInt(range.inspect(range.generate()).node), node - 1n);
    const parts = ids.inspect(ids.generate());
    assert.equal(BigInt(parts.node), node);
    assert.equal(typeof parts.node, node < 2n ** 53n ? 'number' : 'bigint');
    assert.equal((BigInt(parts.nodeParts.high) << 3n) | BigInt(parts.nodeParts.low), node);
    assert.deepEqual(structuredClone(parts), { ...parts });
    const [likeliest] = candidates(parts.id, { bits: layout.sizeBits, layouts: [layout] });
    assert.deepEqual(likeliest.parts, parts);
    assert.equal(ids.compose({ timestampMs: parts.timestampMs, node: parts.node, sequence: parts.sequence }), parts.id);
  }
  const counted = new Flake({ layout: Layout.fromText('timestamp:48 sequence:60'), clock: clock() });
  assert.equal(counted.inspect(counted.compose({ timestampMs: NOW, sequence: 2n ** 59n + 1n })).sequence, 2n ** 59n + 1n);
});

test('bytes are IDs of 64, 96 and 128 bits, the highest first', () => {
  const number = 1_741_610_183_685_074_945n;
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(number);
  assert.deepEqual(inspect(bytes), inspect(number));
  assert.deepEqual(inspect(new Uint8Array(8).fill(255)), inspect(-1n));
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  shared.set(bytes);
  assert.deepEqual(inspect(shared), inspect(number));
  assert.equal(inspect(Buffer.from('507f1f77bcf86cd799439011', 'hex'), { scheme: 'objectid' })[0].id, '507f1f77bcf86cd799439011');
  const seven = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
  assert.deepEqual(candidates(Buffer.from(seven.replaceAll('-', ''), 'hex'))[0].parts.id, seven);
  for (const length of [0, 1, 7, 9, 11, 15, 17]) {
    const message = new RegExp(` ${length} bytes: give 8 .* 12 .* 16`);
    assert.throws(() => inspect(new Uint8Array(length)), { code: 'INVALID_ARGUMENT', message });
  }
  assert.throws(() => inspect([1]), { code: 'WRONG_TYPE', message: /give a bigint, text, or a Buffer or Uint8Array/ });
});

test('only a number takes a number of bits, within limits', () => {
  for (const id of ['1741610183685074945', new Uint8Array(8)]) {
    for (const bits of [64, 128]) {
      for (const inspectAs of [inspect, candidates]) {
        assert.throws(() => inspectAs(id, { bits }), { code: 'INVALID_ARGUMENT', message: /bits is the width of a number: leave it out/ });
      }
    }
  }
  assert.throws(() => inspect(2n ** 16n, { bits: 16 }), { code: 'ID_OUT_OF_RANGE', message: /17 bits.* below 2\^16/ });
});

test('a UUID of another version is reported by its version', () => {
  for (const reads of [1, 4, 7]) {
    const ids = new Uuid({ version: reads });
    for (const version of [1, 4, 7].filter((other) => other !== reads)) {
      const message = new RegExp(`of version ${version}, and this generator reads version ${reads}: ask inspect`);
      const id = new Uuid({ version }).generate();
      for (const read of [() => ids.inspect(id), () => ids.fromText(id), () => ids.toBytes(id)]) {
        assert.throws(read, { code: 'ID_OUT_OF_RANGE', message });
      }
    }
  }
});

test('layouts are equal when all of their properties are, and their text survives structuredClone', () => {
  const [one, same, other] = ['2024-01-01', '2024-01-01', '2025-01-01'].map((epoch) =>
    Layout.fromText(`timestamp:42,epoch=${epoch} node:10 sequence:12`),
  );
  assert.deepEqual(one, same);
  assert.notDeepEqual(one, other);
  assert.deepEqual(Layout.fromText(structuredClone(other).text), other);
  assert.deepEqual(structuredClone(one.capacity), { ...one.capacity });
  assert.deepEqual(one.idsPerSecond, same.idsPerSecond);
});
