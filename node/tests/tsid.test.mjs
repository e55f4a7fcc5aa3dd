// TSIDs: tsid-creator's examples, and the three layouts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Layout, Lease, ManualClock, Snowflake, Tsid, TsidGenerator, candidates, inspect } from 'saiban';

const NOW = 1_763_700_000_000;
const EPOCH = Date.UTC(2020, 0, 1);
const clock = () => new ManualClock(NOW);

test('the published examples come out exactly', () => {
  // github.com/f4b6a3/tsid-creator, TsidTest.java and TsidFormatTest.java.
  const ids = new Tsid({ node: 0, clock: clock() });
  assert.equal(ids.toText(-1n), 'FZZZZZZZZZZZZ');
  assert.equal(ids.toText(10n), '000000000000A');
  for (const text of ['0123456789abc', '0123456789AbC']) assert.equal(ids.fromText(text), ids.fromText('0123456789ABC'));
  assert.equal(ids.inspect(0n).timestampMs, EPOCH);
  assert.equal(ids.inspect('FZZZZZZZZZZZZ').timestampMs, EPOCH + 2 ** 42 - 1);
});

test('invalid text is refused, and aliases are read leniently only', () => {
  const ids = new Tsid({ node: 0, clock: clock() });
  for (const [text, code] of [
    ['G000000000000', 'TEXT_OVERFLOW'],
    ['0123456789AB', 'TEXT_LENGTH'],
    ['0123456789ABCC', 'TEXT_LENGTH'],
    ['0123456789ABu', 'TEXT_CHARACTER'],
  ]) {
    for (const lenient of [false, true]) assert.throws(() => ids.fromText(text, { lenient }), { code });
  }
  assert.equal(ids.fromText('o123456789ABI', { lenient: true }), ids.fromText('0123456789AB1'));
  assert.throws(() => ids.fromText('o123456789ABI'), { code: 'TEXT_CHARACTER', position: 0 });
});

for (const [name, nodes, aTick] of [['tsid-256', 256, 16_384], ['tsid-1024', 1_024, 4_096], ['tsid-4096', 4_096, 1_024]]) {
  test(`${name} has its nodes and its IDs a millisecond`, () => {
    const layout = Layout.preset(name);
    assert.deepEqual([layout.maxNode, layout.name], [nodes - 1, null]);
    const ids = new Tsid({ node: nodes - 1, layout, clock: clock() });
    const made = ids.generateMany(aTick);
    assert.equal(made.at(-1) - made[0], BigInt(aTick - 1));
    assert.equal(ids.tryGenerate(), null);
    const { scheme, timestampMs, node, sequence } = ids.inspect(made.at(-1));
    assert.deepEqual([scheme, timestampMs, node, sequence], ['tsid', NOW, nodes - 1, aTick - 1]);
    assert.equal(ids.compose({ timestampMs, node, sequence }), made.at(-1));
    assert.throws(() => new Tsid({ node: nodes, layout, clock: clock() }), { code: 'NODE_OUT_OF_RANGE' });
  });
}

test('the default layout is that of 1024 nodes', () => {
  const ids = new TsidGenerator({ node: 7, clock: clock() });
  assert.equal(ids.layout.text, 'timestamp:42,epoch=2020-01-01 node:10 sequence:12');
  const snowflake = new Snowflake({ node: 7, layout: ids.layout, clock: clock() });
  assert.deepEqual(ids.generateMany(4096), snowflake.generateMany(4096));
  assert.deepEqual(ids.range(NOW, NOW + 1), snowflake.range(NOW, NOW + 1));
  assert.throws(() => ids.compose({ timestampMs: NOW, node: 1024, sequence: 0 }), { code: 'NODE_OUT_OF_RANGE' });
});

test('a layout without node or sequence is refused, and one with rollback bits counts steps back', () => {
  for (const layout of [Layout.MASTODON, Layout.preset('ulid-flake')]) {
    assert.throws(() => new Tsid({ node: 0, layout, clock: clock() }), { code: 'INVALID_LAYOUT' });
  }
  const time = clock();
  const ids = new Tsid({ node: 7, layout: Layout.preset('tsid-1024').withRollbackBits(2), clock: time });
  const first = ids.generate();
  time.advance(-5);
  assert.deepEqual([first, ids.generate()].map((id) => ids.inspect(id).rollback), [0, 1]);
  assert.throws(() => new Tsid({ node: 1, shard: 2 }), { code: 'WRONG_TYPE' });
  assert.throws(() => new Tsid(), { code: 'NODE_REQUIRED' });
});

test('inspection finds a TSID', () => {
  const found = inspect('0EP7TRC000W01', { scheme: 'tsid' });
  assert.ok(found.every(({ id }) => id === 529448671641628673n));
  assert.deepEqual(found.map(({ layout }) => layout), ['tsid-1024', 'tsid-256', 'tsid-4096']);
  assert.deepEqual(candidates('0EP7TRC000W01')[0].parts, found[0]);
});

test("a lease of another layout's TSIDs is refused", async () => {
  const layout = Layout.preset('tsid-256');
  const lease = await Lease.acquire('memory:tsid', { scheme: 'tsid', layout, nodes: 4 });
  const ids = new Tsid({ lease, layout, shards: 4 });
  const [begin, end] = lease.nodes;
  const { node } = ids.inspect(await ids.generateAsync());
  assert.ok(node >= begin && node < end);
  assert.throws(() => new Tsid({ lease }), { code: 'NAMESPACE_MISMATCH' });
  assert.throws(() => new Snowflake({ lease, layout }), { code: 'NAMESPACE_MISMATCH' });
  await lease.release();
});
