// XIDs: the examples of rs/xid, and the single form of their text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, ObjectId, Xid, XidGenerator, candidates, decode, encode, inspect } from 'saiban';

const NOW = 1_763_700_000_000;

test('the published examples come out exactly', () => {
  // github.com/rs/xid, id_test.go: seconds, machine and process, counter; bytes; text.
  for (const [seconds, node, sequence, hex, text] of [
    [1_300_816_219, 0x60f486e428, 4_271_561, '4d88e15b60f486e428412dc9', '9m4e2mr0ui3e8a215n4g'],
    [0, 0, 0, '00'.repeat(12), '0'.repeat(20)],
    [0, 0, 1, `${'00'.repeat(11)}01`, '0000000000000000000g'],
    [2 ** 32 - 1, 2 ** 40 - 1, 2 ** 24 - 1, 'ff'.repeat(12), 'vvvvvvvvvvvvvvvvvvvg'],
  ]) {
    const ids = new Xid();
    const timestampMs = seconds * 1000;
    assert.equal(ids.compose({ timestampMs, node, sequence }), text);
    assert.equal(Buffer.from(ids.toBytes(text)).toString('hex'), hex);
    assert.equal(ids.fromBytes(Buffer.from(hex, 'hex')), text);
    assert.equal(decode(text, 'xid', { bits: 96 }), BigInt(`0x${hex}`));
    const parts = ids.inspect(text);
    assert.deepEqual([parts.scheme, parts.timestampMs, parts.node, parts.sequence], ['xid', timestampMs, node, sequence]);
    assert.equal(new ObjectId().compose({ timestampMs, node, sequence }), hex, "the bits are an ObjectId's");
  }
});

test('text has one form, and upper case is read leniently only', () => {
  const ids = new XidGenerator();
  for (const [text, code] of [
    // The last character contains one bit of the ID. This text is an example of rs/xid.
    ['c6e52g2mrqcjl44hf179', 'TEXT_NOT_CANONICAL'],
    ['9m4e2mr0ui3e8a215n4', 'TEXT_LENGTH'],
    ['9m4e2mr0ui3e8a215n4g0', 'TEXT_LENGTH'],
    ['9m4e2mr0ui3e8a215n4x', 'TEXT_CHARACTER'],
    ['', 'TEXT_LENGTH'],
  ]) {
    for (const lenient of [false, true]) assert.throws(() => ids.fromText(text, { lenient }), { code }, text);
  }
  assert.equal(ids.fromText('9M4E2MR0UI3E8A215N4G', { lenient: true }), '9m4e2mr0ui3e8a215n4g');
  assert.throws(() => ids.fromText('9M4E2MR0UI3E8A215N4G'), { code: 'TEXT_NOT_CANONICAL' });
  assert.equal(encode(1n, 'xid', { bits: 96 }), '0000000000000000000g');
});

test('the counter continues within a second', () => {
  const ids = new Xid({ clock: new ManualClock(NOW) });
  const parts = ids.generateMany(100).map((id) => ids.inspect(id));
  assert.deepEqual(new Set(parts.map(({ timestampMs }) => timestampMs)), new Set([NOW]));
  assert.equal(new Set(parts.map(({ node }) => node)).size, 1);
  assert.ok(parts.every(({ sequence }, index) => sequence === (parts[0].sequence + index) % 2 ** 24));
  assert.throws(() => new Xid({ node: 1 }), { code: 'INVALID_ARGUMENT' });
});

test('inspection finds an XID', () => {
  assert.equal(inspect('9m4e2mr0ui3e8a215n4g', { scheme: 'xid' })[0].text, '9m4e2mr0ui3e8a215n4g');
  assert.equal(candidates('9m4e2mr0ui3e8a215n4g')[0].parts.scheme, 'xid');
});
