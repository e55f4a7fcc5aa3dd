// A thread of threads.test.mjs: writes IDs into its part of the shared memory.
import { parentPort, workerData } from 'node:worker_threads';
import { Flake, Layout, ManualClock, ObjectId, Randflake, Snowflake, Ulid, UlidFlake, Uuid } from 'saiban';

const { scheme, thread, memory, count, jumping, idBytes } = workerData;
const START = 1_763_700_000_000;
const secret = new Uint8Array(16).fill(7);

/**
 * On the system's clock all threads share the nodes, except that a scalability id has too few IDs a
 * millisecond for that. With manual clocks each thread has its own nodes.
 */
const clock = jumping ? new ManualClock(START) : undefined;
const own = (width) => ({ nodes: [thread * width, (thread + 1) * width], clock });
const make = {
  snowflake: () => new Snowflake(jumping ? own(4) : { node: 7 }),
  randflake: () => new Randflake({ secret, ...(jumping ? own(16) : { nodes: [0, 64] }) }),
  'snowflake in shards': () => new Snowflake({ nodes: [100, 110], shards: 4 }),
  'randflake in shards': () => new Randflake({ secret, nodes: [1000, 1066], shards: 4 }),
  'ulid-flake': () => new UlidFlake(jumping ? { scalability: thread, clock } : {}),
  'ulid-flake scalable': () => new UlidFlake({ scalability: thread, clock }),
  // IDs of 16 bytes, and ObjectIds of 12.
  ulid: () => new Ulid({ maxWaitMs: 2000 }),
  'uuid-v1': () => new Uuid({ version: 1, maxWaitMs: 2000 }),
  'uuid-v4': () => new Uuid({ version: 4 }),
  'uuid-v7': () => new Uuid({ maxWaitMs: 2000 }),
  objectid: () => new ObjectId({ maxWaitMs: 2000 }),
  'wide flake': () => new Flake({ layout: Layout.fromText('timestamp:48 node:16 sequence:64'), node: 7, maxWaitMs: 2000 }),
  'wide flake, random': () => new Flake({ layout: Layout.fromText('timestamp:48 random:80'), maxWaitMs: 2000 }),
};
const ids = make[scheme]();

parentPort.postMessage(idBytes ? fillBytes() : fillNumbers());

/** Writes IDs as bytes: half by `fill` into the shared memory, half one by one. */
function fillBytes() {
  const out = new Uint8Array(memory, thread * count * idBytes, count * idBytes);
  const half = Math.floor(count / 2);
  for (let written = 0; written < half; ) written += ids.fill(out.subarray(written * idBytes, half * idBytes));
  const one = new Uint8Array(idBytes);
  for (let written = half; written < count; written += 1) {
    ids.fill(one);
    out.set(one, written * idBytes);
  }
}

/** Writes IDs as numbers; returns how often each error occurred. */
function fillNumbers() {
  const out = new BigInt64Array(memory, thread * count * 8, count);
  const errors = {};
  /**
   * The latest time of the clock. Steps back start from it, so that the generator always catches
   * up.
   */
  let latest = START;
  for (let written = 0, turn = 0; written < count; turn += 1) {
    if (jumping && turn % 50 === 0) clock.set(latest - Math.floor(Math.random() * 20_000));
    try {
      // Single IDs and blocks in turns.
      if (turn % 3 === 0) {
        written += ids.fill(out.subarray(written, written + 100));
      } else {
        out[written] = ids.generate();
        written += 1;
      }
    } catch (error) {
      if (!['WOULD_WAIT', 'CLOCK_BACKWARD'].includes(error.code)) throw error;
      errors[error.code] = (errors[error.code] ?? 0) + 1;
      // The test must advance a manual clock; the system's clock advances by itself.
      if (jumping) clock.set((latest += 1 + Math.floor(Math.random() * 3000)));
    }
  }
  return errors;
}
