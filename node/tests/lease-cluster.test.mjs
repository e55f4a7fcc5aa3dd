// Real processes of a cluster, each with the nodes of its lease; some of them are killed.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Lease, Snowflake } from 'saiban';
import { sqlite, until } from './lease-tools.mjs';
import { withServer } from './servers.mjs';

const WORKERS = 4;
const PROGRAM = fileURLToPath(new URL('lease-cluster-worker.mjs', import.meta.url));

/**
 * Four workers, two of which are killed and replaced by the primary. No two IDs are equal, and all
 * processes have nodes of their own.
 */
async function fleet(store) {
  const [batches, released, counts] = [[], [], new Map()];
  // bigints need another serialization than JSON.
  cluster.setupPrimary({ exec: PROGRAM, serialization: 'advanced' });
  const running = new Set();
  let isOver = false;
  const start = () => {
    const worker = cluster.fork({ SAIBAN_STORE: store });
    running.add(worker);
    worker.on('message', ({ nodes, ids, state }) => {
      if (!ids) return void released.push(state);
      batches.push({ worker: worker.id, nodes, ids });
      counts.set(worker.id, (counts.get(worker.id) ?? 0) + 1);
    });
    worker.once('exit', () => {
      running.delete(worker);
      if (!isOver) start();
    });
    return worker;
  };
  const works = ({ id }) => counts.get(id) >= 5;
  for (let count = 0; count < WORKERS; count += 1) start();
  await until(() => [...running].every(works));
  for (let kill = 0; kill < 2; kill += 1) {
    const [killed] = running;
    const gone = once(killed, 'exit');
    killed.process.kill('SIGKILL');
    await gone;
    await until(() => running.size === WORKERS && [...running].every(works));
  }
  isOver = true;
  const ends = [...running].map((worker) => once(worker, 'exit'));
  for (const worker of running) worker.send('release');
  assert.deepEqual((await Promise.all(ends)).map(([code]) => code), [0, 0, 0, 0]);
  assert.deepEqual(released, ['idle', 'idle', 'idle', 'idle']);

  const ids = batches.flatMap(({ ids }) => ids);
  assert.ok(ids.length >= (WORKERS + 2) * 5 * 200, String(ids.length));
  assert.equal(new Set(ids).size, ids.length);
  const reader = new Snowflake({ node: 1 });
  const ranges = new Map();
  for (const { worker, nodes, ids } of batches) {
    ranges.set(worker, nodes);
    for (const id of ids) {
      const { node } = reader.inspect(id);
      assert.ok(node >= nodes[0] && node < nodes[1]);
    }
  }
  // A killed worker's lease lasts for a minute, so no other worker got its nodes.
  const firsts = [...ranges.values()].map(([first]) => first);
  assert.equal(new Set(firsts).size, WORKERS + 2);
}

test('workers of a cluster on SQLite, two of them killed, never repeat each other', { timeout: 180_000 }, () =>
  fleet(sqlite()),
);

test('workers of a cluster on PostgreSQL, two of them killed, never repeat each other', { timeout: 180_000 }, () =>
  withServer('postgres', ({ url }) => fleet(url)),
);

test('a program that fork starts again inherits no lease', { timeout: 120_000 }, async () => {
  const store = sqlite();
  const ours = await Lease.acquire(store, { namespace: 'cluster', nodes: 2 });
  const child = fork(PROGRAM, { env: { ...process.env, SAIBAN_STORE: store }, serialization: 'advanced' });
  const [{ nodes, ids }] = await once(child, 'message');
  assert.notEqual(nodes[0], ours.nodes[0]);
  const own = new Snowflake({ lease: ours });
  const made = [await own.generateAsync(), ...own.generateMany(200), ...ids];
  assert.equal(new Set(made).size, made.length);
  child.send('release');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  await ours.release();
});
