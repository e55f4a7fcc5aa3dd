// Counters: in memory, in shared stores, and daily ones; and inserts with retries.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Counter, DailyCounter, SharedCounter, insertUnique, insertUniqueSync, isUniqueConflict } from 'saiban';
import { refuses, sqlite } from './lease-tools.mjs';
import { withServer } from './servers.mjs';

test('five counters of one step share no number', () => {
  const numbers = [1, 2, 3, 4, 5].flatMap((start) => [...new Counter({ start, step: 5n }).generateMany(100)]);
  assert.equal(new Set(numbers).size, 500);
  assert.deepEqual(new Counter({ start: 2n ** 63n - 3n, step: 2 }).generateMany(9), BigInt64Array.of(2n ** 63n - 3n, 2n ** 63n - 1n));
});

test('impossible options are refused with the number', async () => {
  await refuses('INVALID_ARGUMENT', /start at -1: give a number of 0/, () => new Counter({ start: -1 }));
  await refuses('INVALID_ARGUMENT', /step by 0: give a number of 1 to 9223372036854775807/, () => new Counter({ step: 0 }));
  const makers = [(given) => new Counter(given), (given) => new SharedCounter('memory:refused', { ...given, waitS: 2n ** 80n })];
  for (const make of makers) {
    await refuses('INVALID_ARGUMENT', /start at 1180591620717411303424: give a number of 0 to 9223372036854775807/, () => make({ start: 2n ** 70n }));
    await refuses('INVALID_ARGUMENT', /start at 9223372036854775808: give/, () => make({ start: 2n ** 63n }));
    await refuses('INVALID_ARGUMENT', /start at -1180591620717411303424: give/, () => make({ start: -(2n ** 70n) }));
    await refuses('INVALID_ARGUMENT', /step by 18446744073709551616: give a number of 1 to 9223372036854775807/, () => make({ step: 2n ** 64n }));
    // The limit does not depend on the given number.
    await refuses('INVALID_ARGUMENT', /start at -1: give a number of 0 to 9223372036854775807/, () => make({ start: -1, step: 2n ** 63n - 1n }));
  }
  await refuses('INVALID_ARGUMENT', /^blockSize is 1180591620717411303424: give 1 to/, () => new SharedCounter('memory:refused', { blockSize: 2n ** 70n }));
  await refuses('INVALID_ARGUMENT', /start at 1180591620717411303424: give/, () => new DailyCounter('memory:refused', { first: 2n ** 70n }));
  await refuses('INVALID_ARGUMENT', /count is out of range/, () => new Counter().generateMany(10_000_001));
  assert.throws(() => new Counter({ start: 1.5 }), { name: 'SaibanTypeError', message: /^start is a number that is no integer/ });
  await refuses('INVALID_ARGUMENT', /rolled back/, () => new SharedCounter('memory:refused', { gapless: true }));
  await refuses('INVALID_ARGUMENT', /^blockSize is 0: give 1 to/, () => new SharedCounter('memory:refused', { blockSize: 0 }));
  await refuses('STORE_UNSUPPORTED', /sqlite:, postgres:, mysql:, redis:/, () => new SharedCounter('etcd://127.0.0.1:1'));
  await refuses('INVALID_ARGUMENT', /Mars\/Olympus/, () => new DailyCounter('memory:refused', { zone: 'Mars/Olympus' }));
  await refuses('INVALID_ARGUMENT', /does not distinguish every day/, () => new DailyCounter('memory:refused', { format: '{n}' }));
  await refuses('COUNTER_UNKNOWN', /create: true/, () => new SharedCounter('memory:empty', { create: false }).generate());
});

async function counts(url) {
  const options = { name: 'steps', start: 2, step: 5, blockSize: 10, create: true };
  const [first, second] = [new SharedCounter(url, options), new SharedCounter(url, options)];
  assert.equal(await first.generate(), 2n);
  assert.deepEqual(await second.generateMany(3), BigInt64Array.of(52n, 57n, 62n));
  assert.equal(first.tryGenerate(), 7n);
  assert.deepEqual(first.status(), { prefetched: 8, blockSize: 10, calls: 1, why: null });
  await refuses('COUNTER_MISMATCH', /from 2 by 4/, () => new SharedCounter(url, { ...options, step: 4 }).generate());
  const shared = new SharedCounter(url, { name: 'at-once', create: true });
  const numbers = await Promise.all(Array.from({ length: 500 }, () => shared.generate()));
  assert.equal(new Set(numbers).size, 500);
  const daily = new DailyCounter(url, { name: 'daily', zone: 'Asia/Tokyo', format: 'INV {date:%Y-%m-%d} {n:03}', first: 0, create: true });
  const { date, number, text } = await daily.generate();
  assert.deepEqual([number, text], [0n, `INV ${date} 000`]);
}

test('a counter counts in memory', () => counts('memory:counts'));
test('a counter counts in a file', () => counts(sqlite()));
for (const kind of ['postgres', 'mysql', 'redis']) {
  test(`a counter counts in a real server: ${kind}`, () => withServer(kind, ({ url }) => counts(url)));
}

test('worker threads share the numbers of a file', async () => {
  const url = sqlite();
  const worker = fileURLToPath(new URL('counter-worker.mjs', import.meta.url));
  const workers = Array.from({ length: 3 }, () => new Worker(worker, { workerData: url }));
  const answers = await Promise.all(workers.map((worker) => once(worker, 'message')));
  assert.equal(new Set(answers.flatMap(([numbers]) => [...numbers])).size, 300);
});

test('an unreachable store is reported and does not block the event loop', async () => {
  const shared = new SharedCounter('redis://127.0.0.1:1', { waitS: 1, create: true });
  assert.equal(shared.tryGenerate(), undefined);
  await refuses('STORE_UNAVAILABLE', /127\.0\.0\.1:1/, () => shared.generate());
});

class DrizzleQueryError extends Error {}
const conflict = (properties) => Object.assign(new Error('duplicate'), properties);

test('conflicts are recognised by the error of each client', () => {
  for (const error of [{ code: '23505' }, { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }, { errcode: 2067 }, { code: 'ER_DUP_ENTRY', errno: 1062 }, { code: 'P2002' }]) {
    assert.ok(isUniqueConflict(conflict(error)));
    // Drizzle wraps its client's error. Other errors with a conflict as their cause are no
    // conflicts.
    assert.ok(isUniqueConflict(new DrizzleQueryError('query failed', { cause: conflict(error) })));
    assert.ok(!isUniqueConflict(new Error('no such customer', { cause: conflict(error) })));
  }
  for (const error of [conflict({ code: '23514' }), conflict({ errcode: 275 }), new Error('duplicate key'), 'duplicate', null, undefined]) {
    assert.ok(!isUniqueConflict(error));
  }
});

test('an insert is tried again after a conflict, and after no other error', async () => {
  const taken = new Set([1, 2]);
  const insert = (id) => {
    if (taken.has(id)) throw conflict({ code: '23505', id });
    if (id > 99) throw conflict({ code: '23514' });
    taken.add(id);
    return id;
  };
  const from = (...ids) => () => ids.shift();
  assert.equal(await insertUnique(from(1, 2, 7), async (id) => insert(id)), 7);
  assert.equal(insertUniqueSync(from(1, 7, 8), insert), 8);
  await assert.rejects(insertUnique(from(1, 2, 9), insert, { attempts: 2n }), (error) => error.id === 2);
  assert.throws(() => insertUniqueSync(from(100, 9), insert), (error) => error.code === '23514');
  assert.equal(insertUniqueSync(from(100, 9), insert, { isConflict: ({ code }) => code === '23514' }), 9);
  await refuses('INVALID_ARGUMENT', /attempts is 0/, () => insertUnique(from(1), insert, { attempts: 0 }));
});

/** Returns a client in a transaction in which these statements fail. */
const failing = (...statements) => ({
  async query(sql) {
    if (statements.some((statement) => sql.startsWith(statement))) throw new Error(`${sql}: connection lost`);
  },
});

test("where the rollback to a savepoint fails the error is the insert's, and it is not tried again", async () => {
  for (const statement of ['ROLLBACK TO', 'RELEASE']) {
    for (const code of ['23505', '40001']) {
      let tries = 0;
      const insert = () => {
        tries += 1;
        throw conflict({ code });
      };
      const lost = await insertUnique(() => 1, insert, { savepoint: failing(statement) }).catch((error) => error);
      assert.equal(lost.code, code);
      assert.match(lost.cause.message, new RegExp(`^${statement}.*connection lost$`));
      assert.equal(tries, 1);
    }
  }
  // An error keeps its own cause, a frozen error does not change, and a value that is no error is
  // thrown in an AggregateError with the rollback's error.
  const savepoint = failing('ROLLBACK');
  const caused = (thrown) => insertUnique(() => 1, () => Promise.reject(thrown), { savepoint }).catch((error) => error);
  const cause = new Error('the reason');
  const error = new Error('failed', { cause });
  assert.equal(await caused(error), error);
  assert.equal(error.cause, cause);
  const frozen = Object.freeze(new Error('frozen'));
  assert.equal(await caused(frozen), frozen);
  const aggregate = await caused('no object');
  assert.ok(aggregate instanceof AggregateError);
  assert.equal(aggregate.errors[0], 'no object');
  assert.match(aggregate.errors[1].message, /connection lost/);
});

test('another error has the conflict before it as a note', async () => {
  const first = conflict({ code: '23505' });
  const attempts = (other) => {
    const errors = [first, other];
    return () => {
      throw errors.shift();
    };
  };
  const aborted = () => conflict({ code: '25P02' });
  const isAborted = (error) => error.code === '25P02' && error.cause === first && !isUniqueConflict(error);
  await assert.rejects(insertUnique(() => 1, attempts(aborted())), isAborted);
  assert.throws(() => insertUniqueSync(() => 1, attempts(aborted())), isAborted);
  const cause = new Error('the reason');
  await assert.rejects(insertUnique(() => 1, attempts(new Error('failed', { cause }))), { message: 'failed', cause });
  // Conflicts are thrown unchanged.
  const last = conflict({ code: '23505' });
  await assert.rejects(insertUnique(() => 1, attempts(last), { attempts: 2 }), (error) => error === last && error.cause === undefined);
});
