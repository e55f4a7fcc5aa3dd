// A worker process of cluster.test.mjs: makes IDs and sends them until it is killed. It waits until
// the primary has received them, which on a busy machine would otherwise fall behind for minutes.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { Randflake, Snowflake } from 'saiban';

const node = Number(process.env.SAIBAN_NODE ?? cluster.worker.id);
const ids = { snowflake: () => new Snowflake({ node }), randflake: () => new Randflake({ node, secret: Buffer.alloc(16, 7) }) }[
  process.argv[2]
]();

for (;;) {
  const many = [];
  for (let count = 0; count < 200; count += 1) many.push(await ids.generateAsync());
  const isReceived = once(process, 'message');
  process.send({ node, ids: many });
  await isReceived;
}
