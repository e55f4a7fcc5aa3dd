// A million IDs from each generator on four threads: no two equal.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const THREADS = 4;
const COUNT = 250_000;

for (const scheme of ['snowflake', 'randflake', 'ulid-flake', 'ulid-flake scalable']) {
  for (const jumping of [false, true]) {
    // Stand-alone Ulid-Flake IDs are unique within one cursor, and clocks of one's own do not share one.
    if (scheme === 'ulid-flake' && jumping) continue;
    const clock = jumping ? 'clocks that jump both ways, each thread with nodes of its own' : 'the system clock';
    test(`a million ${scheme} IDs on ${THREADS} threads, ${clock}: no two equal`, async () => {
      const memory = new SharedArrayBuffer(THREADS * COUNT * 8);
      const workers = Array.from(
        { length: THREADS },
        (_, thread) =>
          new Worker(new URL('worker.mjs', import.meta.url), {
            workerData: { scheme, thread, memory, count: COUNT, jumping },
          }),
      );
      await Promise.all(workers.map((worker) => once(worker, 'message')));
      const ids = new BigInt64Array(memory).sort();
      const repeated = ids.findIndex((id, index) => index > 0 && id === ids[index - 1]);
      assert.equal(repeated, -1, `an ID twice: ${ids[repeated]}`);
      assert.ok(ids.every((id) => id !== 0n));
    });
  }
}
