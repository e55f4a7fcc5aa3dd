// Real processes of a cluster, each with its own node; some of them are killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Randflake, Snowflake } from 'saiban';

const WORKERS = 4;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const secret = Buffer.alloc(16, 7);

/** Starts a process of cluster-worker.mjs, whose messages go to `made`. */
function fork(scheme, environment, made) {
  // bigints need another serialization than JSON.
  cluster.setupPrimary({ exec: here('cluster-worker.mjs'), args: [scheme], serialization: 'advanced' });
  const worker = cluster.fork(environment);
  worker.on('message', ({ node, ids }) => {
    made.push({ worker: worker.id, node, ids });
    // A worker that was killed in the meantime receives nothing.
    worker.send('received', () => {});
  });
  return worker;
}

/** Waits until the condition holds; without an end, the runner's time limit applies. */
async function until(condition) {
  while (!condition()) await sleep(5);
}

async function stop(workers) {
  const ends = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.process.kill('SIGKILL');
  await Promise.all(ends);
}

/** Asserts that no ID repeats, and that each has the node of its maker. */
function check(made, reader) {
  const ids = made.flatMap(({ ids }) => [...ids]);
  assert.equal(new Set(ids).size, ids.length);
  for (const { node, ids } of made) assert.ok(ids.every((id) => reader.inspect(id).node === node));
}

test('workers of a cluster whose node is their id never repeat each other', { timeout: 120_000 }, async () => {
  const made = [];
  const workers = Array.from({ length: WORKERS }, () => fork('snowflake', {}, made));
  await until(() => workers.every(({ id }) => made.filter(({ worker }) => worker === id).length >= 10));
  await stop(workers);
  assert.ok(made.every(({ worker, node }) => worker === node));
  check(made, new Snowflake({ node: 1023 }));
});

test('a worker that takes over the node of a killed one repeats none of its IDs', { timeout: 120_000 }, async () => {
  const made = [];
  const start = (node) => fork('randflake', { SAIBAN_NODE: node }, made);
  const workers = Array.from({ length: WORKERS }, (_, node) => start(node));
  const answered = ({ id }) => made.some(({ worker }) => worker === id);
  // Randflake's ticks are seconds, so a worker can be killed and replaced within one.
  for (const node of [0, 0, 3]) {
    await until(() => workers.every(answered));
    await stop([workers[node]]);
    workers[node] = start(node);
  }
  await until(() => workers.every(answered));
  await stop(workers);
  assert.deepEqual([...new Set(made.map(({ node }) => node))].sort(), [0, 1, 2, 3]);
  assert.equal(new Set(made.map(({ worker }) => worker)).size, WORKERS + 3);
  check(made, new Randflake({ node: 131071, secret }));
});

/** Runs first in each process of the README's server, and prints the worker's id and node. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import cluster from 'node:cluster';
  if (cluster.isWorker) console.log(process.pid, process.env.SAIBAN_NODE);
`)}`;

/** Returns the body of GET / on this Unix socket, or null on an error. */
function get(socketPath) {
  return new Promise((resolve) => {
    const asked = request({ socketPath, agent: false }, async (response) => {
      try {
        resolve((await response.toArray()).join(''));
      } catch {
        resolve(null);
      }
    });
    asked.on('error', () => resolve(null)).end();
  });
}

test("the README's server gives each worker a node, and a new worker the dead one's", { timeout: 120_000 }, async () => {
  const [, program] = readFileSync(here('../README.md'), 'utf8').match(/```js\n(\/\/ server\.mjs\n.*?)```/s);
  const folder = mkdtempSync(join(tmpdir(), 'saiban-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(here('..'), join(folder, 'node_modules/saiban'));
  writeFileSync(join(folder, 'server.mjs'), program);
  const socket = join(folder, 'http');
  const server = spawn(process.execPath, ['--import', TELL, 'server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: socket },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const processes = new Map();
  createInterface(server.stdout).on('line', (line) => {
    const [pid, node] = line.split(' ').map(Number);
    processes.set(node, pid);
  });
  try {
    const reader = new Snowflake({ node: 1023 });
    const made = [];
    /** Sends eight requests at a time until every node has replied often. */
    const ask = async () => {
      const counts = new Array(WORKERS).fill(0);
      while (Math.min(...counts) < 20) {
        for (const text of await Promise.all(Array.from({ length: 8 }, () => get(socket)))) {
          if (text === null) continue;
          made.push(text);
          counts[reader.inspect(text).node] += 1;
        }
      }
    };
    await ask();
    for (const node of [2, 0]) {
      const killed = processes.get(node);
      process.kill(killed, 'SIGKILL');
      await until(() => processes.get(node) !== killed);
      await ask();
    }
    assert.equal(new Set(made).size, made.length);
    assert.equal(processes.size, WORKERS);
  } finally {
    server.kill('SIGKILL');
    // The workers end with the server and close its output.
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  }
});
