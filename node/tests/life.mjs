// A run of a program, as a process or a thread. It makes a hundred IDs, prints or posts them, and
// ends.
//
// As a process: life.mjs SCHEME [PATH TIME END]; as a thread: workerData { scheme, path, time }.
// With a path it has a state file, and with a time a manual clock. END is the way in which it ends.
// SAIBAN_SCOPE is the scope of its cursor.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Layout, ManualClock, Randflake, Snowflake, UlidFlake } from 'saiban';

const [, , named, given, at, end] = process.argv;
const { scheme, path, time } = workerData ?? { scheme: named, path: given, time: at };
const clock = time === undefined ? undefined : new ManualClock(BigInt(time));
const common = { state: path, clock, scope: process.env.SAIBAN_SCOPE };
const secret = new Uint8Array(16).fill(7);
const make = {
  snowflake: () => new Snowflake({ node: 7, ...common }),
  'snowflake of many nodes': () => new Snowflake({ nodes: [10, 15], shards: 3, ...common }),
  'snowflake with rollback bits': () => new Snowflake({ node: 7, layout: Layout.TWITTER.withRollbackBits(2), ...common }),
  'snowflake that refuses steps back': () => new Snowflake({ node: 7, rollback: 'error', ...common }),
  randflake: () => new Randflake({ node: 7, secret, ...common }),
  'ulid-flake': () => new UlidFlake({ ...common }),
  'ulid-flake scalable': () => new UlidFlake({ scalability: 3, ...common }),
};
/** The IDs, or the error. */
const made = [];
try {
  const ids = make[scheme]();
  for (let count = 0; count < 100; count += 1) {
    // The clock advances here. It may start behind the last ID of an earlier run.
    clock?.advance(Math.floor(Math.random() * 40));
    try {
      made.push(String(ids.generate()));
    } catch (error) {
      if (!['WOULD_WAIT', 'CLOCK_BACKWARD', 'LEASE_NOT_BEGUN'].includes(error.code)) throw error;
    }
  }
} catch (error) {
  if (error.code === undefined) throw error;
  made.push(error.code);
}
if (parentPort) parentPort.postMessage(made);
else writeSync(1, `${made.join('\n')}\n`);
if (end === 'exit') process.exit(0);
if (end === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
if (end === 'error') throw new Error('an uncaught error');
