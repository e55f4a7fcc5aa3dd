// Scopes: generators share a cursor with all processes of this machine, or within one process.
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Flake, Layout, ManualClock, ObjectId, Randflake, Snowflake, TickId, Ulid, UlidFlake, Uuid } from 'saiban';

const NOW = 1_763_700_000_000;
const WORKERS = 4;
const COUNT = 50_000;
const PROGRAM = fileURLToPath(new URL('scope-worker.mjs', import.meta.url));
const secret = Buffer.alloc(16, 7);

const makers = {
  Snowflake: (options) => new Snowflake({ node: 20, ...options }),
  'Snowflake of many nodes': (options) => new Snowflake({ nodes: [24, 32], shards: 4, ...options }),
  Randflake: (options) => new Randflake({ node: 20, secret, ...options }),
  UlidFlake: (options) => new UlidFlake({ epochMs: 5, ...options }),
  'UlidFlake with a scalability': (options) => new UlidFlake({ scalability: 20, epochMs: 5, ...options }),
  Flake: (options) => new Flake({ layout: Layout.SONYFLAKE, node: 20, ...options }),
};
for (const [name, make] of Object.entries(makers)) {
  test(`${name}: by default the generators of a machine share their cursor, by name those of a process`, () => {
    assert.equal(make({}).stats().scope, 'machine');
    assert.equal(make({ scope: 'machine' }).stats().scope, 'machine');
    assert.equal(make({ scope: undefined }).stats().scope, 'machine');
    const clock = new ManualClock(NOW);
    assert.equal(make({ clock }).stats().scope, 'process');
    assert.equal(typeof make({ clock, scope: 'process' }).generate(), 'bigint');
    assert.throws(() => make({ clock, scope: 'machine' }), {
      code: 'STATE_UNAVAILABLE',
      message: /^scope "machine" is not available .* give scope "process"$/,
    });
    assert.throws(() => make({ scope: 'thread' }), { code: 'UNKNOWN_NAME', message: /"thread": give process or machine/ });
    assert.throws(() => make({ scope: 1 }), { code: 'WRONG_TYPE', message: /scope is an integer: give a string/ });
  });
}

test('a generator of one process is chosen by name, and its node is of one scope at a time', () => {
  const first = new Snowflake({ node: 33, scope: 'process' });
  assert.equal(first.stats().scope, 'process');
  assert.throws(() => new Snowflake({ node: 33 }), { code: 'NODE_IN_USE', message: /\[33, 34\) overlap/ });
  assert.notEqual(first.generate(), new Snowflake({ node: 33, scope: 'process' }).generate());
});

test('generators of random IDs have no scope to choose', () => {
  for (const make of [(o) => new Ulid(o), (o) => new Uuid(o), (o) => new ObjectId(o), (o) => new TickId(o)]) {
    assert.equal(make({}).stats().scope, 'process');
    assert.throws(() => make({ scope: 'machine' }), { code: 'WRONG_TYPE', message: /no option "scope"/ });
  }
  assert.equal(new UlidFlake({ allowCollisions: true }).stats().scope, 'process');
});

test('generators of long IDs are of one process', () => {
  const layout = Layout.fromText('timestamp:48 node:16 sequence:64');
  assert.equal(new Flake({ layout, node: 1 }).stats().scope, 'process');
  assert.throws(() => new Flake({ layout, node: 1, scope: 'machine' }), { code: 'STATE_UNAVAILABLE' });
});

/** Node's ways to start processes of one program. */
const ways = {
  'child_process.fork': (args) => fork(PROGRAM, args, { serialization: 'advanced' }),
  cluster: (args) => {
    cluster.setupPrimary({ exec: PROGRAM, args, serialization: 'advanced' });
    return cluster.fork();
  },
};
for (const [way, start] of Object.entries(ways)) {
  for (const name of ['snowflake', 'snowflake of many nodes', 'randflake', 'ulid-flake', 'ulid-flake scalable']) {
    test(`${way}: processes that have the nodes of a ${name} in common never repeat each other`, { timeout: 120_000 }, async () => {
      const count = name === 'ulid-flake scalable' ? COUNT / 5 : COUNT;
      const workers = Array.from({ length: WORKERS }, () => start([name, String(count)]));
      await Promise.all(workers.map((worker) => once(worker, 'message')));
      const all = workers.map((worker) => once(worker, 'message'));
      for (const worker of workers) worker.send('go');
      const answers = (await Promise.all(all)).map(([answer]) => answer);
      assert.deepEqual(new Set(answers.map(({ scope }) => scope)), new Set(['machine']));
      const made = answers.flatMap(({ made }) => made);
      assert.equal(made.length, WORKERS * count);
      assert.equal(new Set(made).size, made.length);
    });
  }
}

test('nodes that overlap those of another process are refused as long as it lives', { timeout: 120_000 }, async () => {
  const holder = fork(PROGRAM, ['holder', '10'], { serialization: 'advanced' });
  await once(holder, 'message');
  const message = once(holder, 'message');
  holder.send('go');
  const [{ made }] = await message;
  const layout = Layout.DISCORD;
  assert.throws(() => new Snowflake({ node: 45, layout }), {
    code: 'NODE_IN_USE',
    message: new RegExp(`nodes \\[40, 50\\) .* process ${holder.pid} of this machine`),
  });
  assert.ok(!made.includes(new Snowflake({ nodes: [40, 50], layout, maxWaitMs: 1000 }).generate()));
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
});

test('the error of an unusable folder names it, and the remedy', () => {
  const program = `
    import { Snowflake } from 'saiban';
    for (const scope of [undefined, 'machine', 'process']) {
      try {
        console.log(typeof new Snowflake({ node: 1, scope }).generate());
      } catch ({ code, message }) {
        console.log(code, message);
      }
    }`;
  const folder = join(process.env.SAIBAN_RUN_DIR, 'not', 'there');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    env: { ...process.env, SAIBAN_RUN_DIR: folder },
  });
  const [byDefault, machine, own] = stdout.split('\n');
  assert.equal(byDefault, machine, stderr);
  assert.match(machine, /^STATE_UNAVAILABLE .*SAIBAN_RUN_DIR.*scope "process"/);
  assert.ok(machine.includes(folder), machine);
  assert.equal(own, 'bigint');
});
