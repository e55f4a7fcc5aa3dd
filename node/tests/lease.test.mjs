// Leases: distinct nodes from real stores, and generators that use them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { Flake, Layout, Lease, Randflake, Snowflake, Ulid, Tsid, UlidFlake, Uuid } from 'saiban';
import { folder, memory, refused, refuses, secret, sqlite, until } from './lease-tools.mjs';
import { KINDS, withServer } from './servers.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const width = ({ nodes: [first, end] }) => end - first;
const overlap = (one, other) => one.nodes[0] < other.nodes[1] && other.nodes[0] < one.nodes[1];

/** Checks that no ID repeats, and that all have nodes of the lease. */
function belong(ids, reader, [first, end]) {
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) {
    const { node } = reader.inspect(id);
    assert.ok(node >= first && node < end, `${node} is not in ${first} to ${end}`);
  }
}

/** Every way to make an ID. */
const WAYS = [
  (ids) => ids.generate(),
  (ids) => ids.tryGenerate(),
  (ids) => ids.generateAsync(),
  (ids) => ids.generateMany(2),
  (ids) => ids.generateText(),
  (ids) => ids.fill(new BigInt64Array(2)),
];

/** The test of every store, with three leases. */
async function round(url) {
  await refuses('NAMESPACE_UNKNOWN', /orders/, Lease.acquire(url, { namespace: 'orders', create: false }));
  const one = await Lease.acquire(url, { namespace: 'orders', nodes: 2, ttlS: 60, create: true, holder: 'node test' });
  const other = await Lease.acquire(url, { namespace: 'orders', nodes: 3 });
  assert.deepEqual([width(one), width(other)], [2, 3]);
  assert.ok(!overlap(one, other));
  assert.ok(Object.isFrozen(one.nodes) && typeof one.nodes[0] === 'number');

  const before = one.status();
  const { endMs, ...rest } = before;
  assert.deepEqual(rest, { state: 'active', nodes: one.nodes, grants: 1, renewals: 0, why: null });
  assert.ok(endMs > Date.now() && Object.isFrozen(before));

  const [ids, others] = [new Snowflake({ lease: one }), new Snowflake({ lease: other })];
  const made = [await ids.generateAsync(), ...ids.generateMany(1000)];
  const madeToo = [await others.generateAsync(), ...others.generateMany(1000)];
  belong(made, ids, one.nodes);
  belong(madeToo, others, other.nodes);
  assert.equal(ids.stats().guarantee, 'unique');
  assert.ok(ids.stats().timeLeftMs <= 60_000);

  one.renew();
  await until(() => one.status().renewals > 0 && one.status().state === 'active');
  assert.ok(one.status().endMs >= endMs);
  assert.equal(one.status().grants, 1);
  // Generators continue through a renewal, and a second generator has the same nodes.
  belong([...made, ...(await new Snowflake({ lease: one }).generateMany(10)), ids.generate()], ids, one.nodes);

  await refuses('NAMESPACE_MISMATCH', /orders/, Lease.acquire(url, { namespace: 'orders', scheme: 'ulid-flake' }));
  await refuses('NAMESPACE_MISMATCH', /orders/, Lease.acquire(url, { namespace: 'orders', layout: Layout.DISCORD }));

  const nodes = one.nodes;
  await one.release();
  for (const way of WAYS) await refuses('LEASE_LOST', /released.*acquire a new one/, () => way(ids));
  await refuses('LEASE_LOST', /released/, () => one.nodes);
  await refuses('LEASE_LOST', /released/, () => new Snowflake({ lease: one }));
  assert.deepEqual(one.status(), { state: 'idle', nodes: null, endMs: 0, grants: 1, renewals: one.status().renewals, why: null });
  await one.release();
  // Functions that need no lease work, and so do generators with other leases.
  assert.equal(ids.fromText(ids.toText(made[0])), made[0]);
  assert.equal(ids.compose({ timestampMs: 1704067200000, node: 7, sequence: 0 }), 1741610183685074944n);
  belong([...madeToo, ...others.generateMany(10)], others, other.nodes);

  // The nodes are free at once, and their next holder repeats no ID.
  const rest2 = await Promise.all(Array.from({ length: 4 }, () => Lease.acquire(url, { namespace: 'orders', nodes: 2 })));
  const all = [...made, ...madeToo];
  for (const lease of rest2) {
    assert.ok(!overlap(lease, other));
    const next = new Snowflake({ lease });
    all.push(await next.generateAsync(), ...next.generateMany(100));
  }
  assert.equal(new Set(all).size, all.length);
  assert.ok(nodes[0] >= 0 && nodes[1] <= 1024);
  await Promise.all([other, ...rest2].map((lease) => lease.release()));
}

test('leases of sqlite: different nodes, IDs in them, renewed, released', () => round(sqlite()));
test('leases of memory: different nodes, IDs in them, renewed, released', () => round(memory()));
for (const kind of KINDS) {
  test(`leases of ${kind}: different nodes, IDs in them, renewed, released`, { timeout: 180_000 }, () =>
    withServer(kind, async ({ url }) => {
      await round(url);
      await ends(url);
    }),
  );
}

// Generators of every scheme
const WIDE = Layout.fromText('timestamp:48,epoch=2024-01-01 node:16 sequence:16 random:32');
const SCHEMES = {
  snowflake: [{}, (lease) => new Snowflake({ lease })],
  'snowflake of a layout': [{ layout: Layout.SONYFLAKE }, (lease) => new Snowflake({ lease, layout: Layout.SONYFLAKE })],
  'snowflake of many nodes': [{ nodes: 8 }, (lease) => new Snowflake({ lease, shards: 2 })],
  randflake: [{ scheme: 'randflake', secret, nodes: 2 }, (lease) => new Randflake({ lease, secret })],
  'ulid-flake': [{ scheme: 'ulid-flake' }, (lease) => new UlidFlake({ lease })],
  flake: [{ scheme: 'flake', layout: Layout.DISCORD }, (lease) => new Flake({ lease, layout: Layout.DISCORD })],
  tsid: [{ scheme: 'tsid' }, (lease) => new Tsid({ lease })],
  'wide flake': [{ scheme: 'flake', layout: WIDE }, (lease) => new Flake({ lease, layout: WIDE })],
};
for (const [name, [options, make]] of Object.entries(SCHEMES)) {
  test(`a generator of ${name} makes IDs of its lease's nodes, and none after the lease`, async () => {
    const url = memory();
    const [one, other] = [await Lease.acquire(url, options), await Lease.acquire(url, options)];
    const [ids, others] = [make(one), make(other)];
    const made = [];
    while (made.length < 500) made.push(await ids.generateAsync());
    belong(made, ids, one.nodes);
    const more = [await others.generateAsync(), ids.generateText(), ids.tryGenerate()];
    assert.equal(typeof others.fromText(others.toText(more[0])), 'bigint');
    await one.release();
    await refuses('LEASE_LOST', /released/, ids.generateAsync());
    await refuses('LEASE_LOST', /released/, () => ids.fill(name === 'wide flake' ? new Uint8Array(14 * 10) : new BigInt64Array(10)));
    belong([await others.generateAsync(), more[0]], others, other.nodes);
    await other.release();
  });
}

test('a generator of another scheme, layout or secret than the lease is for is refused', async () => {
  const lease = await Lease.acquire(memory());
  const randflake = await Lease.acquire(memory(), { scheme: 'randflake', secret });
  await refuses('NAMESPACE_MISMATCH', /another|others/, () => new Randflake({ lease, secret }));
  await refuses('NAMESPACE_MISMATCH', /another|others/, () => new UlidFlake({ lease }));
  await refuses('NAMESPACE_MISMATCH', /another|others/, () => new Snowflake({ lease, layout: Layout.DISCORD }));
  await refuses('NAMESPACE_MISMATCH', /another|others/, () => new Randflake({ lease: randflake, secret: Buffer.alloc(16) }));
});

test('a lease takes the place of nodes and times: both are refused', async () => {
  const lease = await Lease.acquire(memory());
  const state = join(folder, 'state');
  const times = [{ window: [0, 2 ** 41] }, { notBefore: 0 }, { state }];
  for (const own of [{ node: 7 }, { node: 2n ** 70n }, { nodes: [0, 1] }, ...times]) {
    await refuses('INVALID_ARGUMENT', /lease/, () => new Snowflake({ lease, ...own }));
  }
  const scalable = await Lease.acquire(memory(), { scheme: 'ulid-flake' });
  await refuses('INVALID_ARGUMENT', /lease gives the scalability id/, () => new UlidFlake({ lease: scalable, scalability: 1 }));
  await refuses('INVALID_ARGUMENT', /lease/, () => new UlidFlake({ lease: scalable, allowCollisions: true }));
});

test('only what Lease.acquire made is a lease, and only generators with nodes take one', async () => {
  const lease = await Lease.acquire(memory());
  for (const not of [{}, 'memory:', 7, lease.status(), Object.create(null), new Snowflake({ lease })]) {
    assert.throws(() => new Snowflake({ lease: not }), { code: 'WRONG_TYPE', message: /lease.*Lease/ });
  }
  for (const make of [() => new Ulid({ lease }), () => new Uuid({ lease })]) {
    assert.throws(make, { code: 'WRONG_TYPE', message: /lease/ });
  }
  for (const native of [undefined, {}, lease]) {
    assert.throws(() => new Lease(native), { code: 'WRONG_TYPE', message: /Lease.acquire/ });
  }
});

test('absent options have their defaults', async () => {
  const names = ['namespace', 'nodes', 'ttlS', 'scheme', 'layout', 'secret', 'create', 'maxTtlS', 'maxClockSkewS', 'holder', 'waitS'];
  const absent = Object.fromEntries(names.map((name) => [name, null]));
  const lease = await Lease.acquire(memory(), absent);
  assert.equal(width(lease), 1);
  const leftMs = lease.status().endMs - Date.now();
  assert.ok(leftMs > 60_000 && leftMs <= 601_000, String(leftMs));
  assert.equal(typeof new Snowflake({ lease, node: undefined, nodes: null }).generateMany(1)[0], 'bigint');
});

test('a namespace is full when all nodes are leased, and free when one is released', async () => {
  const [url, layout] = [memory(), Layout.fromText('timestamp:41 node:2 sequence:12')];
  const options = { scheme: 'flake', layout };
  const leases = await Promise.all(Array.from({ length: 4 }, () => Lease.acquire(url, options)));
  assert.deepEqual(leases.map(({ nodes: [first] }) => first).sort(), [0, 1, 2, 3]);
  await refuses('NAMESPACE_FULL', /default/, Lease.acquire(url, options));
  await leases[2].release();
  await Lease.acquire(url, options);
});

test('a block with `await using` releases at its end', async () => {
  const url = memory();
  const lease = await Lease.acquire(url);
  // `await using` calls this method. Node parses that syntax since version 24, and compilers emit
  // it for older versions.
  assert.equal(await lease[Symbol.asyncDispose](), undefined);
  assert.equal(lease.status().state, 'idle');
});

test('an unreferenced lease is released, but not while a generator has it', { timeout: 120_000 }, async () => {
  const code = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { Flake, Layout, Lease } from ${JSON.stringify(here('../dist/index.mjs'))};
    const options = { scheme: 'flake', layout: Layout.fromText('timestamp:41 node:1 sequence:12'), nodes: 2 };
    let ids = new Flake({ lease: await Lease.acquire('memory:', options), layout: options.layout });
    const attempt = () => Lease.acquire('memory:', options).then(() => 'granted', ({ code }) => code);
    const collect = async () => { for (let round = 0; round < 3; round += 1) { gc(); await sleep(10); } };
    await collect();
    const outcomes = [await attempt(), typeof (await ids.generateAsync())];
    ids = undefined;
    for (let answer; answer !== 'granted'; ) { await collect(); answer = await attempt(); }
    console.log([...outcomes, 'granted'].join());`;
  const program = ['--expose-gc', '--input-type=module', '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, 'NAMESPACE_FULL,bigint,granted\n');
});

// Leases that are lost
/** Runs a statement in SQLite's file, as saiban never would. */
function sql(url, statement) {
  const program = 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=30); c.execute(sys.argv[2]); c.commit()';
  const { status, stderr } = spawnSync('python3', ['-c', program, url.slice('sqlite://'.length), statement], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

test('a lost lease reports why, and another follows it after a quarantine; no ID repeats', { timeout: 120_000 }, async () => {
  const url = sqlite();
  const lease = await Lease.acquire(url, { nodes: 2, ttlS: 3, maxTtlS: 3 });
  const ids = new Snowflake({ lease });
  const made = [await ids.generateAsync(), ...ids.generateMany(1000)];
  sql(url, 'UPDATE saiban_slots SET fence = 0, token = token + 1');
  lease.renew();
  const saysWhy = ({ code, message }) => /^LEASE_/.test(code) && /quarantine|lost/.test(message);
  await until(() => ids.generateAsync().then((id) => !made.push(id), saysWhy));
  await until(() => lease.status().grants === 2);
  await until(() => ids.generateAsync().then((id) => made.push(id), ({ code }) => assert.match(code, /^LEASE_/)));
  made.push(...ids.generateMany(1000));
  assert.equal(new Set(made).size, made.length);
  belong(made.slice(-1000), ids, lease.nodes);
  await lease.release();
});

test('a lease whose namespace is gone is reported as such in every error', { timeout: 120_000 }, async () => {
  const url = sqlite();
  await (await Lease.acquire(url)).release();
  const lease = await Lease.acquire(url, { create: false });
  const ids = new Snowflake({ lease });
  await ids.generateAsync();
  sql(url, 'DELETE FROM saiban_slots');
  sql(url, 'DELETE FROM saiban_namespaces');
  lease.renew();
  await until(() => lease.status().nodes === null && lease.status().why !== null);
  for (const way of WAYS) await refuses('LEASE_LOST', /default/, () => way(ids));
  assert.match(lease.status().why, /default/);
  await lease.release();
});

/** Generators stop when the lease ends while the store is away, and continue when it is back. */
test('while the store is unavailable IDs are made until the lease ends, then none, then again', { timeout: 180_000 }, () =>
  withServer('redis', async ({ url, order }) => {
    const lease = await Lease.acquire(url, { create: true, ttlS: 2, maxTtlS: 2, nodes: 2 });
    const ids = new Snowflake({ lease });
    const made = [await ids.generateAsync()];
    await order('stop');
    let error;
    await until(() => ids.generateAsync().then((id) => !made.push(id), (caught) => (error = caught)));
    assert.match(error.code, /^LEASE_(EXPIRED|LOST)$/, error.message);
    await until(() => lease.status().why !== null);
    // The expiry may be reported before the generators are closed.
    error = await refused(ids.generateAsync());
    assert.match(error.code, /^LEASE_(EXPIRED|LOST)$/, error.message);
    assert.match(error.message, /no lease at the moment.*saiban retries/s);
    await order('start');
    await until(() => ids.generateAsync().then((id) => made.push(id), () => false));
    made.push(...ids.generateMany(100));
    assert.equal(new Set(made).size, made.length);
    assert.ok(lease.status().grants >= 2);
    await lease.release();
  }),
);

test('a lease is renewed while the event loop is held up', { timeout: 120_000 }, async () => {
  const lease = await Lease.acquire(memory(), { ttlS: 3 });
  const ids = new Snowflake({ lease });
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (lease.status().renewals < 2) Atomics.wait(cell, 0, 0, 20);
  assert.equal(typeof (await ids.generateAsync()), 'bigint');
});

// The end of programs and threads
/** Runs a program with a lease, which must end by itself. */
async function ends(url) {
  const code = `
    import { Lease, Snowflake } from ${JSON.stringify(here('../dist/index.mjs'))};
    const lease = await Lease.acquire(process.env.STORE, { namespace: 'ends', create: true });
    console.log(typeof (await new Snowflake({ lease }).generateAsync()));`;
  const options = { encoding: 'utf8', env: { ...process.env, STORE: url }, timeout: 60_000 };
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], options);
  assert.deepEqual([status, signal, stdout], [0, null, 'bigint\n'], stderr);
}

test('a lease keeps no program running', () => ends(sqlite()));

test('a program may end while it acquires or releases', async () => {
  const code = `
    import { Lease } from ${JSON.stringify(here('../dist/index.mjs'))};
    const lease = await Lease.acquire(process.env.STORE);
    if (process.argv[1] === 'acquire') void Lease.acquire('postgres://127.0.0.1:1/db');
    else void lease.release();
    process.exit(7);`;
  const options = { encoding: 'utf8', env: { ...process.env, STORE: sqlite() }, timeout: 60_000 };
  for (const what of ['acquire', 'release']) {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code, what], options);
    assert.equal(status, 7, stderr);
  }
});

test('a SIGTERM handler of a program releases its nodes, which are free at once', { timeout: 60_000 }, async () => {
  const [url, layout] = [sqlite(), Layout.fromText('timestamp:41 node:1 sequence:12')];
  const code = `
    import { Layout, Lease } from ${JSON.stringify(here('../dist/index.mjs'))};
    const layout = Layout.fromText('timestamp:41 node:1 sequence:12');
    const lease = await Lease.acquire(process.env.STORE, { scheme: 'flake', layout, nodes: 2 });
    process.once('SIGTERM', async () => { await lease.release(); process.exit(); });
    process.kill(process.pid, 'SIGTERM');
    setInterval(() => {}, 1000);`;
  const options = { encoding: 'utf8', env: { ...process.env, STORE: url } };
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], options);
  assert.equal(status, 0, stderr);
  const lease = await Lease.acquire(url, { scheme: 'flake', layout, nodes: 2 });
  await lease.release();
});

for (const url of [memory(), sqlite()]) {
  test(`worker threads with different leases never repeat each other: ${url.split(':')[0]}`, { timeout: 120_000 }, async () => {
    const count = 20_000;
    const workers = Array.from({ length: 2 }, () => new Worker(here('lease-worker.mjs'), { workerData: { url, count } }));
    const answers = await Promise.all(workers.map((worker) => once(worker, 'message').then(([message]) => message)));
    const reader = new Snowflake({ node: 1 });
    for (const { nodes, ids } of answers) belong([...ids], reader, nodes);
    assert.ok(!overlap(...answers));
    assert.equal(new Set(answers.flatMap(({ ids }) => [...ids])).size, 2 * count);
    for (const worker of workers) worker.postMessage('release');
    await Promise.all(workers.map((worker) => once(worker, 'exit').then(([code]) => assert.equal(code, 0))));
  });
}

test('a worker thread may be terminated while it acquires', { timeout: 120_000 }, async () => {
  const worker = new Worker(here('lease-worker.mjs'), { workerData: { url: 'postgres://127.0.0.1:1/db', waitS: 2 } });
  await once(worker, 'online');
  await once(worker, 'message');
  assert.equal(await worker.terminate(), 1);
  // This thread and the process continue.
  await (await Lease.acquire(memory())).release();
});

test('a lease cannot be sent to another thread, or copied', async () => {
  const lease = await Lease.acquire(memory());
  for (const copy of [structuredClone, serialize]) assert.throws(() => copy(lease), /a lease cannot be copied/);
});
