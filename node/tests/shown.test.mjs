// What `console.log` shows of the objects of this package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect as picture } from 'node:util';
import { Counter, DailyCounter, Flake, Layout, Lease, ManualClock, ObjectId, Randflake, SharedCounter, Snowflake, TickId, Tsid, Ulid, UlidFlake, Uuid } from 'saiban';

const NOW = 1_740_000_000_000;
const clock = new ManualClock(NOW);
const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
const TWITTER = `Layout { name: 'twitter', text: '${Layout.TWITTER.text}' }`;
const CLOCK = `ManualClock { nowMs: ${NOW} }`;

/** What is shown, in one line. */
const shown = (value) => picture(value, { breakLength: Infinity, compact: 10 });

const EXPECTED = [
  [new Snowflake({ node: 7 }), `Snowflake { scheme: 'snowflake', node: 7, layout: ${TWITTER} }`],
  [
    new Snowflake({ nodes: [0, 64n], shards: 2, rollback: 'error', clock, prefix: 'user', maxWaitMs: undefined, state: null }),
    `Snowflake { scheme: 'snowflake', nodes: [ 0, 64n ], shards: 2, rollback: 'error', clock: ${CLOCK}, prefix: 'user', layout: ${TWITTER} }`,
  ],
  [
    new Tsid({ node: 7, clock }),
    `Tsid { scheme: 'tsid', node: 7, clock: ${CLOCK}, layout: Layout { text: '${Layout.preset('tsid-1024').text}' } }`,
  ],
  [new Randflake({ node: 7, secret, clock }), `Randflake { scheme: 'randflake', node: 7, clock: ${CLOCK}, secret: <hidden> }`],
  [new UlidFlake({ entropySize: 2, clock }), `UlidFlake { scheme: 'ulid-flake', entropySize: 2, clock: ${CLOCK} }`],
  [new Flake({ layout: Layout.MASTODON }), `Flake { scheme: 'flake', layout: Layout { name: 'mastodon', text: '${Layout.MASTODON.text}' } }`],
  [new Ulid({ prefix: 'item' }), "Ulid { scheme: 'ulid', prefix: 'item' }"],
  [new Uuid(), "Uuid { scheme: 'uuid-v7' }"],
  [new Uuid({ version: 4 }), "Uuid { scheme: 'uuid-v4', version: 4 }"],
  [new ObjectId(), "ObjectId { scheme: 'objectid' }"],
  [new TickId({ order: 'descending' }), "TickId { scheme: 'tick-id', order: 'descending' }"],
  [Layout.TWITTER, TWITTER],
  [Layout.fromText('timestamp:44 random:20'), "Layout { text: 'timestamp:44 random:20' }"],
  [clock, CLOCK],
  [new Counter(), 'Counter {}'],
  [new Counter({ start: 2, step: 5n }), 'Counter { start: 2, step: 5n }'],
  [new SharedCounter('memory:shown', { name: 'orders', start: 2 }), "SharedCounter { name: 'orders', start: 2 }"],
  [new DailyCounter('memory:shown', { zone: 'Asia/Tokyo' }), "DailyCounter { zone: 'Asia/Tokyo' }"],
];
for (const [value, text] of EXPECTED) test(`shows ${text}`, () => assert.equal(shown(value), text));

test('shows nodes and state of the lease, without the store', async () => {
  const lease = await Lease.acquire('memory:shown', { namespace: 'orders', nodes: 2 });
  const text = `Lease { namespace: 'orders', nodes: [ ${lease.nodes.join(', ')} ], state: 'active' }`;
  const ids = new Snowflake({ lease });
  assert.equal(shown(lease), text);
  assert.equal(shown(ids), `Snowflake { scheme: 'snowflake', lease: ${text}, layout: ${TWITTER} }`);
  await lease.release();
  assert.equal(shown(ids), `Snowflake { scheme: 'snowflake', lease: Lease { namespace: 'orders', nodes: null, state: 'idle' }, layout: ${TWITTER} }`);
  const own = await Tsid.open({ store: 'memory:shown', namespace: 'parcels' });
  assert.match(shown(own), /^Tsid { scheme: 'tsid', lease: Lease { namespace: 'parcels', nodes: \[ .* \], state: 'active' }, layout: /);
  await own.lease.release();
});

test('shows a subclass by its own name', () => {
  class OrderIds extends Ulid {}
  assert.equal(shown(new OrderIds()), "OrderIds { scheme: 'ulid' }");
});

test('shows neither secret nor password', () => {
  const values = [new Randflake({ node: 7, secret, clock }), new SharedCounter('redis://user:hunter2@127.0.0.1:1/0', { name: 'orders' })];
  for (const value of values) {
    for (const text of [shown(value), format('%o %O %s', value, value, value), picture(value, { showHidden: true, depth: 9, customInspect: false })]) {
      assert.doesNotMatch(text, /dffd|df fd|223, 253|hunter2/);
    }
  }
});

test('shows no more than the requested depth', () => {
  assert.equal(picture({ ids: { of: [new Ulid()] } }), '{ ids: { of: [ [Ulid] ] } }');
  assert.equal(picture([Layout.TWITTER], { depth: 0 }), '[ [Layout] ]');
});
