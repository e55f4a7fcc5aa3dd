// A million IDs from each generator on four threads: no two are equal. Generators cannot be sent to
// another thread.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { MessageChannel, Worker } from 'node:worker_threads';
import { Flake, Layout, ManualClock, ObjectId, Randflake, Snowflake, TickId, Ulid, UlidFlake, Uuid } from 'saiban';

const THREADS = 4;
const COUNT = 250_000;

/** Returns a million IDs of this scheme, a quarter from each of four threads at once. */
async function onThreads(scheme, jumping = false) {
  const memory = new SharedArrayBuffer(THREADS * COUNT * 8);
  const workers = Array.from(
    { length: THREADS },
    (_, thread) =>
      new Worker(new URL('worker.mjs', import.meta.url), {
        workerData: { scheme, thread, memory, count: COUNT, jumping },
      }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return new BigInt64Array(memory);
}

function assertDistinct(made) {
  const ids = made.slice().sort();
  const repeated = ids.findIndex((id, index) => index > 0 && id === ids[index - 1]);
  assert.equal(repeated, -1, `an ID twice: ${ids[repeated]}`);
  assert.ok(ids.every((id) => id !== 0n));
}

for (const scheme of ['snowflake', 'randflake', 'ulid-flake', 'ulid-flake scalable']) {
  for (const jumping of [false, true]) {
    // Stand-alone Ulid-Flake IDs are unique within one cursor, and generators with manual clocks
    // share no cursor.
    if (scheme === 'ulid-flake' && jumping) continue;
    const clock = jumping ? 'clocks that jump both ways, each thread with nodes of its own' : 'the system clock';
    test(`a million ${scheme} IDs on ${THREADS} threads, ${clock}: no two equal`, async () => {
      assertDistinct(await onThreads(scheme, jumping));
    });
  }
}

for (const [scheme, idBytes] of [
  ['ulid', 16],
  ['uuid-v1', 16],
  ['uuid-v4', 16],
  ['uuid-v7', 16],
  ['objectid', 12],
  ['wide flake', 16],
  ['wide flake, random', 16],
]) {
  test(`100,000 IDs of ${scheme} on each of ${THREADS} threads: no two equal`, async () => {
    const count = 100_000;
    const memory = new SharedArrayBuffer(THREADS * count * idBytes);
    const workers = Array.from({ length: THREADS }, (_, thread) => {
      const workerData = { scheme, thread, memory, count, idBytes };
      return new Worker(new URL('worker.mjs', import.meta.url), { workerData });
    });
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const made = Buffer.from(memory);
    const ids = new Set(Array.from({ length: THREADS * count }, (_, index) => made.latin1Slice(index * idBytes, (index + 1) * idBytes)));
    assert.equal(ids.size, THREADS * count);
    assert.ok(!ids.has('\0'.repeat(idBytes)));
  });
}

const clock = () => new ManualClock(1_763_700_000_000);
const sharded = {
  'snowflake in shards': [[100, 102, 105, 107, 110], new Snowflake({ node: 0, clock: clock() })],
  'randflake in shards': [[1000, 1016, 1033, 1049, 1066], new Randflake({ node: 0, secret: new Uint8Array(16).fill(7), clock: clock() })],
};
for (const [scheme, [borders, reader]] of Object.entries(sharded)) {
  test(`a million ${scheme} on ${THREADS} threads: no two equal, and each thread has a shard of the nodes`, async () => {
    const made = await onThreads(scheme);
    assertDistinct(made);
    const shards = Array.from({ length: THREADS }, (_, thread) => {
      // Inspects only a sample, because that is slower than making IDs.
      const ids = made.subarray(thread * COUNT, (thread + 1) * COUNT).filter((_, index) => index % 97 === 0);
      const nodes = Array.from(ids, (id) => reader.inspect(id).node);
      const shard = borders.findLastIndex((border) => border <= nodes[0]);
      assert.ok(nodes.every((node) => node >= borders[shard] && node < borders[shard + 1]), `shard ${shard}: ${nodes}`);
      return shard;
    });
    assert.deepEqual(shards.sort(), [0, 1, 2, 3]);
  });
}

test('threads with different nodes, each begun after another has ended, never repeat each other', async () => {
  const ids = [];
  for (let round = 0; round < 3; round += 1) {
    const workers = Array.from({ length: THREADS }, (_, thread) => {
      const program = `
        const { parentPort, workerData } = require('node:worker_threads');
        const { Snowflake } = require('saiban');
        parentPort.postMessage(new Snowflake({ node: workerData, maxWaitMs: 2000 }).generateMany(10_000));
      `;
      return new Worker(program, { eval: true, workerData: 20 + thread });
    });
    const messages = await Promise.all(workers.map((worker) => once(worker, 'message')));
    messages.forEach(([many], thread) => {
      const reader = new Snowflake({ node: 0 });
      assert.ok(many.every((id) => reader.inspect(id).node === 20 + thread));
      ids.push(...many);
    });
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  assert.equal(new Set(ids).size, 3 * THREADS * 10_000);
});

test('a generator cannot be sent to another thread or process', async () => {
  const says = /a generator cannot be copied: make one in each thread and process' could not be cloned/;
  const { port1, port2 } = new MessageChannel();
  const generators = [
    new Snowflake({ node: 30 }),
    new Randflake({ node: 30, secret: new Uint8Array(16).fill(7) }),
    new UlidFlake(),
    new UlidFlake({ scalability: 30 }),
    new Flake({ layout: Layout.TWITTER, node: 30 }),
    new Flake({ layout: Layout.fromText('timestamp:48 random:80') }),
    new Ulid(),
    new Uuid(),
    new Uuid({ version: 4 }),
    new ObjectId(),
    new TickId(),
  ];
  for (const ids of generators) {
    const refused = { name: 'DataCloneError', message: says };
    assert.throws(() => structuredClone(ids), refused);
    assert.throws(() => structuredClone({ deep: [ids] }), refused);
    assert.throws(() => port1.postMessage(ids), refused);
    assert.throws(() => port1.postMessage(ids, [ids]), { name: /^(?:DataCloneError|TypeError)$/ });
    assert.throws(() => new Worker('', { eval: true, workerData: { ids } }), refused);
    assert.throws(() => serialize(ids), says);
    // The generator's IDs can be copied.
    const id = await ids.generateAsync();
    assert.equal(structuredClone(id), id);
    assert.equal(deserialize(serialize(id)), id);
  }
  port1.close();
  port2.close();
});
