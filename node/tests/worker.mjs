// One of the threads of threads.test.mjs: makes IDs into its part of the shared memory.
import { parentPort, workerData } from 'node:worker_threads';
import { ManualClock, Randflake, Snowflake, UlidFlake } from 'saiban';

const { scheme, thread, memory, count, jumping } = workerData;
const START = 1_763_700_000_000;
const secret = new Uint8Array(16).fill(7);

/** On the system clock all threads share the nodes (a scalable id makes too few a millisecond for that), else each has its own. */
const clock = jumping ? new ManualClock(START) : undefined;
const own = (width) => ({ nodes: [thread * width, (thread + 1) * width], clock });
const make = {
  snowflake: () => new Snowflake(jumping ? own(4) : { node: 7 }),
  randflake: () => new Randflake({ secret, ...(jumping ? own(16) : { nodes: [0, 64] }) }),
  'snowflake in shards': () => new Snowflake({ nodes: [100, 110], shards: 4 }),
  'randflake in shards': () => new Randflake({ secret, nodes: [1000, 1066], shards: 4 }),
  'ulid-flake': () => new UlidFlake(jumping ? { scalability: thread, clock } : {}),
  'ulid-flake scalable': () => new UlidFlake({ scalability: thread, clock }),
};
const ids = make[scheme]();

const out = new BigInt64Array(memory, thread * count * 8, count);
const errors = {};
/** The latest time shown: back steps are from there, so that the generator always catches up again. */
let latest = START;
for (let written = 0, turn = 0; written < count; turn += 1) {
  if (jumping && turn % 50 === 0) clock.set(latest - Math.floor(Math.random() * 20_000));
  try {
    // Now one by one, now in blocks.
    if (turn % 3 === 0) {
      written += ids.fill(out.subarray(written, written + 100));
    } else {
      out[written] = ids.generate();
      written += 1;
    }
  } catch (error) {
    if (!['WOULD_WAIT', 'CLOCK_BACKWARD'].includes(error.code)) throw error;
    errors[error.code] = (errors[error.code] ?? 0) + 1;
    // A manual clock goes on only when it is told to; the system's by itself.
    if (jumping) clock.set((latest += 1 + Math.floor(Math.random() * 3000)));
  }
}
parentPort.postMessage(errors);
