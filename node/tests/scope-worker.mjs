// A process of scope.test.mjs. On a message, it makes IDs with nodes that other processes use too,
// sends them and ends; or it holds nodes until it is killed.
import { Layout, Randflake, Snowflake, UlidFlake } from 'saiban';

const [, , name, count] = process.argv;
const waiting = { maxWaitMs: 60_000 };
const make = {
  snowflake: () => new Snowflake({ node: 7, ...waiting }),
  'snowflake of many nodes': () => new Snowflake({ nodes: [8, 16], shards: 4, ...waiting }),
  randflake: () => new Randflake({ node: 7, secret: Buffer.alloc(16, 7), ...waiting }),
  'ulid-flake': () => new UlidFlake(waiting),
  'ulid-flake scalable': () => new UlidFlake({ scalability: 3, ...waiting }),
  holder: () => new Snowflake({ nodes: [40, 50], layout: Layout.DISCORD }),
}[name];

process.once('message', () => {
  const [one, other] = [make(), make()];
  const made = [];
  while (made.length < count) made.push(one.generate(), ...other.generateMany(9));
  const { scope } = one.stats();
  process.send({ scope, made }, () => {
    // The timer keeps the process and the generator alive.
    if (name === 'holder') setInterval(() => one.stats(), 60_000);
    else process.disconnect();
  });
});
process.send('ready');
