// Waiting for a store that accepts and never replies blocks no other work, and no exit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The beginning of a program: a server that never replies, its URL, and a function that acquires a
 * lease for longer than the test runs.
 */
const HEAD = `
  import { lookup } from 'node:dns/promises';
  import { once } from 'node:events';
  import { readFile } from 'node:fs/promises';
  import { createServer } from 'node:net';
  import { Worker } from 'node:worker_threads';
  import { Lease, Snowflake } from ${JSON.stringify(here('../dist/index.mjs'))};
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = 'postgres://127.0.0.1:' + server.address().port + '/db';
  const hang = () => void Lease.acquire(url, { waitS: 600 });`;
const PROGRAMS = {
  'files are read and names looked up while more acquires wait than the pool has threads': `
    for (let count = 0; count < 8; count += 1) hang();
    await once(server, 'connection');
    await readFile(${JSON.stringify(here('lease-worker.mjs'))});
    await lookup('localhost');
    process.exit(7);`,
  'a program may end at once while it acquires': `
    hang();
    await once(server, 'connection');
    process.exit(7);`,
  'while a generator acquires its own lease the event loop goes on, and the program may end': `
    let isOpen = false;
    const opening = Snowflake.open({ store: url }).finally(() => { isOpen = true; });
    opening.catch(() => {});
    await once(server, 'connection');
    await readFile(${JSON.stringify(here('lease-worker.mjs'))});
    process.exit(isOpen ? 1 : 7);`,
  'a handler of SIGTERM may end a program at once while it acquires': `
    process.once('SIGTERM', () => process.exit(7));
    hang();
    await once(server, 'connection');
    process.kill(process.pid, 'SIGTERM');`,
  'a worker thread that acquires may be terminated at once, and the program ends': `
    const worker = new Worker(${JSON.stringify(here('lease-worker.mjs'))}, { execArgv: [], workerData: { url, waitS: 600 } });
    await Promise.all([once(worker, 'message'), once(server, 'connection')]);
    process.exitCode = (await worker.terminate()) + 6;
    server.unref();`,
};
for (const [name, program] of Object.entries(PROGRAMS)) {
  test(name, () => {
    const options = { encoding: 'utf8', timeout: 60_000 };
    const { status, signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', HEAD + program], options);
    assert.deepEqual([status, signal], [7, null], stderr);
  });
}
