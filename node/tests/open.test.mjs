// Generators with their own lease: `open` with a store's URL.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect as picture } from 'node:util';
import { Flake, Generator, Layout, Lease, ObjectId, Randflake, Snowflake, TickId, Tsid, Ulid, UlidFlake, Uuid, Xid } from 'saiban';
import { folder, memory, refuses, secret, sqlite, until } from './lease-tools.mjs';

const INDEX = JSON.stringify(fileURLToPath(new URL('../dist/index.mjs', import.meta.url)));
const WIDE = Layout.fromText('timestamp:48,epoch=2024-01-01 node:16 sequence:16 random:32');
const TWO_NODES = Layout.fromText('timestamp:41 node:1 sequence:12');

/** Each class that can have a lease, with its required options. */
const CLASSES = {
  Snowflake: [Snowflake, {}],
  'Snowflake of a layout': [Snowflake, { layout: Layout.SONYFLAKE }],
  Randflake: [Randflake, { secret }],
  UlidFlake: [UlidFlake, {}],
  'UlidFlake of an epoch': [UlidFlake, { epochMs: 1_577_836_800_000, entropySize: 2 }],
  Flake: [Flake, { layout: Layout.DISCORD }],
  'wide Flake': [Flake, { layout: WIDE }],
  Tsid: [Tsid, {}],
  'Tsid of a layout': [Tsid, { layout: Layout.preset('tsid-4096') }],
};

for (const [name, [Class, given]] of Object.entries(CLASSES)) {
  for (const [kind, url] of Object.entries({ memory: memory(), sqlite: sqlite() })) {
    test(`${name}: generators of one ${kind} store have different nodes, until their leases are released`, async () => {
      const options = { ...given, store: url, namespace: 'orders' };
      const generators = await Promise.all([Class.open(options), Class.open(options)]);
      const nodes = generators.map(({ lease }) => lease.nodes[0]);
      assert.notEqual(nodes[0], nodes[1]);
      for (const [index, ids] of generators.entries()) {
        assert.ok(ids instanceof Class && ids.lease instanceof Lease);
        const { state, nodes: [first, end], endMs } = ids.lease.status();
        assert.deepEqual([state, end - first], ['active', 1]);
        const leftMs = endMs - Date.now();
        assert.ok(leftMs > 60_000 && leftMs <= 601_000, String(leftMs));
        const made = [await ids.generateAsync(), await ids.generateAsync(), ids.fromText(ids.generateText())];
        assert.equal(new Set(made).size, 3);
        for (const id of made) assert.equal(ids.inspect(id).node, nodes[index]);
        if (given.layout) assert.equal(ids.layout, given.layout);
      }
      const [one, other] = generators;
      await one.lease.release();
      assert.equal(one.lease.status().state, 'idle');
      await refuses('LEASE_LOST', /released/, one.generateAsync());
      assert.equal(other.inspect(await other.generateAsync()).node, nodes[1]);
      await other.lease.release();
    });
  }
}

test('the options of the constructor are those of the generator too', async () => {
  const url = memory();
  const snowflake = await Snowflake.open({ store: url, prefix: 'order', maxWaitMs: 50, rollback: 'error', shards: 1, scope: 'process' });
  assert.match(snowflake.toText(await snowflake.generateAsync()), /^order_/);
  assert.equal(snowflake.stats().scope, 'process');
  const randflake = await Randflake.open({ secret, store: url, namespace: 'coupons' });
  const id = await randflake.generateAsync();
  assert.equal(new Randflake({ node: 7, secret }).inspect(id).node, randflake.lease.nodes[0]);
});

test('absent options have their defaults, and the namespace is "default"', async () => {
  const url = memory();
  const absent = ['namespace', 'node', 'nodes', 'window', 'notBefore', 'state', 'lease', 'layout', 'prefix', 'clock'];
  const given = { ...Object.fromEntries(absent.map((name) => [name, null])), shards: undefined, store: url };
  const ids = await Snowflake.open(given);
  assert.match(picture(ids.lease), /^Lease \{ namespace: 'default', nodes: \[ \d+, \d+ \], state: 'active' \}$/);
  assert.equal(ids.layout.name, 'twitter');
  await refuses('NAMESPACE_MISMATCH', /default/, Lease.acquire(url, { scheme: 'tsid' }));
  assert.match(picture((await Snowflake.open({ store: url, namespace: 'orders' })).lease), /namespace: 'orders'/);
});

test('changes of the options while open waits have no effect', async () => {
  const given = { store: memory(), namespace: 'orders', prefix: 'order' };
  const opening = Snowflake.open(given);
  Object.assign(given, { store: 7, namespace: 7, prefix: 7, node: 7 });
  const ids = await opening;
  assert.match(ids.toText(await ids.generateAsync()), /^order_/);
});

test('options may be inherited, as those of a constructor may', async () => {
  const ids = await Randflake.open(Object.create({ secret, store: memory(), prefix: 'coupon' }));
  assert.match(ids.toText(await ids.generateAsync()), /^coupon_/);
});

test('a generator has the lease that it was given, and without one null', async () => {
  const lease = await Lease.acquire(memory());
  const ids = new Snowflake({ lease });
  assert.equal(ids.lease, lease);
  const scalable = await Lease.acquire(memory(), { scheme: 'ulid-flake' });
  assert.equal(new UlidFlake({ lease: scalable }).lease, scalable);
  const without = [new Snowflake({ node: 7 }), new Randflake({ node: 7, secret }), new UlidFlake(), new Tsid({ node: 7, lease: null })];
  without.push(new Flake({ layout: Layout.MASTODON }), new Ulid(), new Uuid(), new ObjectId(), new Xid(), new TickId());
  for (const generator of without) {
    assert.ok(generator instanceof Generator);
    assert.equal(generator.lease, null);
  }
  assert.throws(() => { 'use strict'; ids.lease = null; }, TypeError);
  await ids.lease.release();
  await refuses('LEASE_LOST', /released/, () => ids.generate());
});

// What is refused
for (const [name, [Class, given]] of Object.entries(CLASSES)) {
  test(`${name}: a constructor waits for no store, and its error names open`, async () => {
    const open = new RegExp(`await ${Class.name.replace('Generator', '')}\\.open\\(`);
    for (const store of [{ store: memory() }, { namespace: 'orders' }, { node: 7, store: memory(), namespace: 'orders' }]) {
      await refuses('INVALID_ARGUMENT', open, () => new Class({ ...given, ...store }));
    }
  });
}

test('nodes, times and another lease beside a store are refused', async () => {
  const url = memory();
  const lease = await Lease.acquire(url);
  await refuses('INVALID_ARGUMENT', /both a lease and a store/, Snowflake.open({ store: url, lease }));
  const own = [{ node: 7 }, { node: 2n ** 70n }, { nodes: [0, 1] }, { window: [0, 2 ** 41] }, { notBefore: 0 }, { state: join(folder, 'state') }];
  for (const given of own) await refuses('INVALID_ARGUMENT', /lease/, Snowflake.open({ store: url, ...given }));
  for (const given of [{ scalability: 1 }, { allowCollisions: true }, { node: 7 }]) {
    await refuses('INVALID_ARGUMENT', /lease|node/, UlidFlake.open({ store: url, namespace: 'events', ...given }));
  }
});

test('open without a store is refused', async () => {
  const lease = await Lease.acquire(memory());
  await refuses('INVALID_ARGUMENT', /namespace.*URL/, Snowflake.open({ namespace: 'orders' }));
  for (const given of [{}, { node: 7 }, { lease }, { store: null }]) await refuses('INVALID_ARGUMENT', /URL of a store/, Snowflake.open(given));
});

test('a namespace is for one scheme, layout and secret', async () => {
  const store = memory();
  await Randflake.open({ secret, store, namespace: 'orders' });
  await refuses('NAMESPACE_MISMATCH', /orders/, Snowflake.open({ store, namespace: 'orders' }));
  await refuses('NAMESPACE_MISMATCH', /orders/, Randflake.open({ secret: Buffer.alloc(16), store, namespace: 'orders' }));
  await Snowflake.open({ store, namespace: 'items' });
  await refuses('NAMESPACE_MISMATCH', /items/, Snowflake.open({ store, namespace: 'items', layout: Layout.DISCORD }));
});

test('impossible options are refused as Lease.acquire refuses them', async () => {
  await refuses('INVALID_ARGUMENT', /URL/, Snowflake.open({ store: 'ids.db' }));
  await refuses('INVALID_ARGUMENT', /name/, Snowflake.open({ store: memory(), namespace: 'our orders' }));
  await refuses('INVALID_ARGUMENT', /node/, Flake.open({ layout: Layout.MASTODON, store: memory() }));
  await refuses('INVALID_SECRET', /15 bytes/, Randflake.open({ secret: secret.subarray(1), store: memory() }));
  const epoch = UlidFlake.open({ store: memory(), epochMs: 2n ** 70n });
  await refuses('INVALID_LAYOUT', /epoch/, epoch);
});

test('a value of the wrong type rejects, and classes whose IDs have no nodes take no store', async () => {
  const store = memory();
  for (const [Class, given] of [
    [Snowflake, undefined],
    [Snowflake, 'memory:'],
    [Snowflake, { store: 7 }],
    [Snowflake, { store, namespace: 7 }],
    [Snowflake, { store, lease: {} }],
    [Snowflake, { store, ttlS: 60 }],
    [Snowflake, { store, shards: '1' }],
    [Randflake, { store }],
    [Flake, { store }],
  ]) {
    await assert.rejects(Class.open(given), { code: 'WRONG_TYPE' }, picture(given));
  }
  await assert.rejects(Snowflake.open({ store, ttlS: 60 }), { message: /^Snowflake\.open has no option "ttlS": give .*store, namespace/ });
  for (const Class of [Ulid, Uuid, ObjectId, Xid, TickId]) {
    assert.equal(Class.open, undefined);
    assert.throws(() => new Class({ store }), { code: 'WRONG_TYPE', message: /store/ });
  }
});

test('options with which no generator can be made release the node at once', async () => {
  const given = { layout: TWO_NODES, store: memory() };
  for (let count = 0; count < 3; count += 1) await refuses('UNKNOWN_NAME', /jump/, Flake.open({ ...given, rollback: 'jump' }));
  const generators = [await Flake.open(given), await Flake.open(given)];
  await refuses('NAMESPACE_FULL', /default/, Flake.open(given));
  assert.deepEqual(generators.map(({ lease }) => lease.nodes[0]).sort(), [0, 1]);
});

// The end of generators and programs
/** Returns the output of a program that imports the package. It must end by itself. */
function prints(code) {
  const program = ['--expose-gc', '--input-type=module', '--eval', `import { Flake, Layout, Lease, Snowflake } from ${INDEX};${code}`];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8', timeout: 60_000 });
  assert.deepEqual([status, signal], [0, null], stderr);
  return stdout;
}

test('an unreferenced generator releases its node, but not while its lease is referenced', { timeout: 120_000 }, () => {
  const printed = prints(`
    import { setTimeout as sleep } from 'node:timers/promises';
    const options = { layout: Layout.fromText('timestamp:41 node:1 sequence:12'), store: 'memory:' };
    const attempt = () => Flake.open(options).then((ids) => ids.lease.release()).then(() => 'granted', ({ code }) => code);
    const collect = async () => { for (let round = 0; round < 3; round += 1) { gc(); await sleep(10); } };
    let kept = await Flake.open(options);
    let { lease } = await Flake.open(options);
    await collect();
    const outcomes = [await attempt(), typeof (await kept.generateAsync()), lease.status().state];
    lease = undefined;
    for (let answer; answer !== 'granted'; ) { await collect(); answer = await attempt(); }
    console.log([...outcomes, 'granted', typeof (await kept.generateAsync())].join());`);
  assert.equal(printed, 'NAMESPACE_FULL,bigint,active,granted,bigint\n');
});

test('a generator that opened its lease keeps no program running', () => {
  const store = JSON.stringify(sqlite());
  assert.equal(prints(`console.log(typeof (await (await Snowflake.open({ store: ${store} })).generateAsync()));`), 'bigint\n');
});

test('the lease of an opened generator is renewed', async () => {
  const ids = await Snowflake.open({ store: sqlite() });
  ids.lease.renew();
  await until(() => ids.lease.status().renewals > 0 && ids.lease.status().state === 'active');
  assert.equal(typeof (await ids.generateAsync()), 'bigint');
  await ids.lease.release();
});
