// The service as a program: four processes on one port, without configured numbers.
//
//   SAIBAN_STORE    the store of the leases; by default an SQLite file in this folder
//   SAIBAN_NODE     instead of leases: one node, 0 to 31, for the workers of this machine alone
//   SAIBAN_CREATE   `yes`: initialises the namespaces on a server's first start
//   SAIBAN_SECRET   32 hexadecimal digits (made by: saiban secret), shared by all users of Randflake
//   PORT            by default a free port

import cluster from 'node:cluster';
import { once } from 'node:events';
import { acquireIds, idsOfNode } from './ids.js';
import { createService } from './service.js';

const WORKERS = 4;
const { SAIBAN_STORE: store = 'sqlite:ids.sqlite3', SAIBAN_NODE, SAIBAN_CREATE, SAIBAN_SECRET, PORT = '0' } = process.env;

/** Calls `stop` when the service is to stop. */
function onStop(stop) {
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
}

function primary() {
  let isOver = false;
  let listening = 0;
  const start = () => {
    if (isOver) return;
    const worker = cluster.fork();
    let hasBegun = false;
    worker.once('listening', ({ port }) => {
      hasBegun = true;
      listening += 1;
      if (listening === WORKERS) console.log(`listening on http://127.0.0.1:${port}/ids`);
    });
    worker.once('exit', (code, signal) => {
      if (isOver) return;
      console.error(`worker ${worker.process.pid} ended (${signal ?? code}): another takes its place`);
      // Waits before restarting a worker that could not start, for example without its store.
      setTimeout(start, hasBegun ? 0 : 1000);
    });
  };
  for (let count = 0; count < WORKERS; count += 1) start();
  onStop(() => {
    if (isOver) return;
    isOver = true;
    for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
  });
}

async function worker(secret) {
  let service;
  let isOver = false;
  const acquiring = SAIBAN_NODE
    ? Promise.resolve(idsOfNode({ node: Number(SAIBAN_NODE), secret }))
    : acquireIds({ store, secret, create: SAIBAN_CREATE === 'yes' ? true : undefined });
  onStop(async () => {
    if (isOver) return;
    isOver = true;
    if (service) {
      const closed = once(service, 'close');
      service.close();
      // Requests in progress get their responses; idle connections are closed after a while.
      setTimeout(() => service.closeAllConnections(), 500).unref();
      await closed;
    }
    // Frees the nodes for others at once, instead of after a minute.
    await acquiring.then(({ release }) => release(), () => {});
    process.exit();
  });
  try {
    const { generators } = await acquiring;
    if (isOver) return;
    service = createService({ generators, secret }).listen(Number(PORT), '127.0.0.1');
  } catch (error) {
    console.error(`no lease: ${error.message}`);
    process.exit(1);
  }
}

if (!/^[0-9a-f]{32}$/i.test(SAIBAN_SECRET ?? '')) {
  console.error('give SAIBAN_SECRET (made by: saiban secret)');
  process.exit(2);
}
if (cluster.isPrimary) primary();
else await worker(Buffer.from(SAIBAN_SECRET, 'hex'));
