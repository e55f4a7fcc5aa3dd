// State files: no run of a program repeats an ID of an earlier run, whatever the clock shows and
// however that run ended.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { Layout, ManualClock, Randflake, Snowflake, UlidFlake } from 'saiban';

const NOW = 1_763_700_000_000;
const secret = new Uint8Array(16).fill(7);
const folder = mkdtempSync(join(tmpdir(), 'saiban-state-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
/** Returns the path of a new state file. */
const place = () => join(folder, `ids.${(files += 1)}`);
const program = new URL('life.mjs', import.meta.url);

/** Returns the IDs of one run, as a thread that has ended. */
async function thread(scheme, path, time) {
  const worker = new Worker(program, { workerData: { scheme, path, time } });
  const [[made]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  return made;
}

/** Runs the program as a process that ends in this way; returns its IDs. */
function child(scheme, path, time, end = '') {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(program), scheme, path, time, end], {
    encoding: 'utf8',
  });
  const expected = { '': 0, exit: 0, error: 1, SIGKILL: 'SIGKILL' }[end];
  assert.equal(status ?? signal, expected, stderr);
  return stdout.trim().split('\n').filter((line) => line !== '');
}

const schemes = [
  ...['snowflake', 'snowflake of many nodes', 'snowflake with rollback bits', 'snowflake that refuses steps back'],
  ...['randflake', 'ulid-flake', 'ulid-flake scalable'],
];
for (const scheme of schemes) {
  test(`${scheme}: consecutive threads repeat nothing, though the clock is set back in between`, async () => {
    const path = place();
    const made = [];
    // A run lasts 2 s. The next one starts before or after that start; the last one starts far
    // ahead.
    for (let time = NOW, round = 1; round <= 6; round += 1) {
      made.push(...(await thread(scheme, path, round === 6 ? NOW + 60_000 : time)));
      time += Math.floor(Math.random() * 4000) - 1000;
    }
    assert.ok(made.length > 100 && made.every((id) => /^-?\d+$/.test(id)), made.join());
    assert.equal(new Set(made).size, made.length);
  });
}

for (const end of ['', 'exit', 'error', 'SIGKILL']) {
  test(`processes that end by ${end || 'themselves'} repeat nothing, though the clock is set back in between`, () => {
    const path = place();
    const made = [];
    for (const time of [NOW, NOW - 500, NOW - 5000, NOW + 1000]) made.push(...child('snowflake', path, time, end));
    assert.ok(made.length > 100 && made.every((id) => /^\d+$/.test(id)), made.join());
    assert.equal(new Set(made).size, made.length);
  });
}

test('a thread and a process that end by themselves release the file, and cost no tick', async () => {
  const path = place();
  const last = (made) => new Snowflake({ node: 0, clock: new ManualClock(0) }).inspect(made.at(-1)).timestampMs;
  const reached = last(await thread('snowflake', path, NOW));
  const clock = new ManualClock(reached + 1);
  const again = last(child('snowflake', path, reached + 1));
  assert.ok(again > reached);
  clock.set(again);
  const ids = new Snowflake({ node: 7, state: path, clock });
  assert.equal(ids.tryGenerate(), null);
  clock.set(again + 1);
  assert.equal(ids.inspect(ids.generate()).timestampMs, again + 1);
});

test('a garbage-collected generator releases the file', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const path = place();
  const make = () => new Snowflake({ node: 7, state: path, clock: new ManualClock(NOW) });
  const first = (() => make().generate())();
  for (;;) {
    collect();
    await turn();
    try {
      const ids = make();
      assert.equal(ids.tryGenerate(), null);
      assert.equal(ids.inspect(first).timestampMs, NOW);
      return;
    } catch (error) {
      assert.equal(error.code, 'STATE_IN_USE');
    }
  }
});

test('a file that a generator has is refused to another generator, thread and process', async () => {
  const path = place();
  const ids = new Snowflake({ node: 7, state: path, clock: new ManualClock(NOW) });
  const id = ids.generate();
  const again = () => new Snowflake({ node: 7, state: path, clock: new ManualClock(NOW) });
  assert.throws(again, { code: 'STATE_IN_USE', message: /ids\.\d/ });
  assert.deepEqual(await thread('snowflake', path, NOW), ['STATE_IN_USE']);
  assert.deepEqual(child('snowflake', path, NOW), ['STATE_IN_USE']);
  assert.ok(ids.generate() > id);
});

test('threads with the same node and the same file share both, and never repeat each other', async () => {
  const path = place();
  const ids = new Snowflake({ node: 7, state: path });
  const made = [ids, ids, ids].map((ids) => String(ids.generate()));
  const others = await Promise.all([1, 2, 3, 4].map(() => thread('snowflake', path)));
  made.push(...others.flat(), String(ids.generate()));
  assert.equal(made.length, 404);
  assert.ok(made.every((id) => /^\d+$/.test(id)), made.join());
  assert.equal(new Set(made).size, made.length);
});

test("a file of another node, layout or scheme, and one that is no state file, are refused", async () => {
  const path = place();
  await thread('snowflake', path, NOW);
  const clock = new ManualClock(NOW);
  const others = [
    () => new Snowflake({ node: 8, state: path, clock }),
    () => new Snowflake({ nodes: [7, 9], state: path, clock }),
    () => new Snowflake({ node: 7, layout: Layout.DISCORD, state: path, clock }),
    () => new Randflake({ node: 7, secret, state: path, clock }),
    () => new UlidFlake({ state: path, clock }),
  ];
  for (const other of others) assert.throws(other, { code: 'STATE_MISMATCH', message: /ids\.\d/ });
  const text = place();
  writeFileSync(text, 'something else');
  assert.throws(() => new Snowflake({ node: 7, state: text, clock }), { code: 'STATE_MISMATCH' });
});

test('a path where no file can be is refused', () => {
  for (const state of [join(folder, 'no', 'such', 'folder'), folder, '', 'a\0b']) {
    const make = () => new Snowflake({ node: 7, state, clock: new ManualClock(NOW) });
    assert.throws(make, { code: 'STATE_UNAVAILABLE', message: /state/ }, state);
  }
});
