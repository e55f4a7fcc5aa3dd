// A worker process of cluster.test.mjs: makes IDs and sends them until it is killed.
import cluster from 'node:cluster';
import { promisify } from 'node:util';
import { Randflake, Snowflake } from 'saiban';

const node = Number(process.env.SAIBAN_NODE ?? cluster.worker.id);
const ids = { snowflake: () => new Snowflake({ node }), randflake: () => new Randflake({ node, secret: Buffer.alloc(16, 7) }) }[
  process.argv[2]
]();
const send = promisify(process.send.bind(process));

for (;;) {
  const many = [];
  for (let count = 0; count < 200; count += 1) many.push(await ids.generateAsync());
  await send({ node, ids: many });
}
