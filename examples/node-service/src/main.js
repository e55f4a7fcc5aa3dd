// The service as a program: four processes on one port, and nobody numbers them.
//
//   SAIBAN_STORE    where nodes are leased; by default a SQLite file in this folder
//   SAIBAN_NODE     in place of leases: one node, 0 to 31, that all workers have, and no process of another machine
//   SAIBAN_CREATE   `yes`: makes the namespaces on a server's first start
//   SAIBAN_SECRET   32 hexadecimal digits (made by: saiban secret), the same for all who make or read Randflake IDs
//   PORT            by default a free one

import cluster from 'node:cluster';
import { once } from 'node:events';
import { acquireIds, idsOfNode } from './ids.js';
import { createService } from './service.js';

const WORKERS = 4;
const { SAIBAN_STORE: store = 'sqlite:ids.sqlite3', SAIBAN_NODE, SAIBAN_CREATE, SAIBAN_SECRET, PORT = '0' } = process.env;

/** Does this once, when the service is to stop. */
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
      // What cannot even begin, for example without its store, is not tried at full speed.
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
      // Who is being answered is answered; who only holds a connection is not waited for.
      setTimeout(() => service.closeAllConnections(), 500).unref();
      await closed;
    }
    // Others may have these nodes now; without this, a minute later.
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
