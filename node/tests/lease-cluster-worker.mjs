// A worker process of lease-cluster.test.mjs: acquires a lease, makes IDs and sends them until it
// is killed, or told to release.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Lease, Snowflake } from 'saiban';

const lease = await Lease.acquire(process.env.SAIBAN_STORE, { namespace: 'cluster', create: true, nodes: 2, ttlS: 60 });
const ids = new Snowflake({ lease });
const { nodes } = lease;
const send = promisify(process.send.bind(process));

let isOver = false;
process.once('message', () => (isOver = true));
while (!isOver) {
  const many = [];
  for (let count = 0; count < 200; count += 1) many.push(await ids.generateAsync());
  await send({ nodes, ids: many });
  // Leave some CPU time to the primary, which keeps all IDs.
  await sleep(5);
}
await lease.release();
await send({ state: lease.status().state });
process.disconnect();
