// A worker thread of lease.test.mjs: acquires a lease of its own, and posts IDs with its nodes.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Lease, Snowflake } from 'saiban';

const { url, waitS, count } = workerData;
const acquiring = Lease.acquire(url, { nodes: 2, waitS });
if (!count) parentPort.postMessage('acquiring');
const lease = await acquiring;
const ids = new Snowflake({ lease });
const made = new BigInt64Array(count);
for (let written = 0; written < count; written += 1) made[written] = await ids.generateAsync();
parentPort.postMessage({ nodes: lease.nodes, ids: made });
// Hold the lease until then, so that no other thread gets its nodes.
await once(parentPort, 'message');
await lease.release();
