// Inserts with retries, and IDs that databases make, with the usual clients: pg, mysql2,
// better-sqlite3, redis. The tick IDs come from twenty programs whose clocks stand still. A tick
// has a thousand IDs, so one in a hundred conflicts.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { Layout, ManualClock, TickId, insertUnique, insertUniqueSync } from 'saiban';
import { withServer } from './servers.mjs';

const require = createRequire(join(process.env.SAIBAN_NODE_CLIENTS, 'clients.cjs'));
const EVENTS = 2000;
const TABLE = `CREATE TABLE events (
  topic VARCHAR(20) NOT NULL, row_key VARCHAR(30) NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0), PRIMARY KEY (topic, row_key)
)`;

/** Returns a function that makes the tick IDs of many programs in turn, and their count. */
function tickIds() {
  const programs = Array.from({ length: 20 }, () => new TickId({ order: 'descending', clock: new ManualClock(1_700_000_000_000) }));
  const count = { made: 0 };
  return [() => programs[count.made++ % programs.length].generate(), count];
}

/** Checks inserts with retries for a client. `run(sql, values)` returns a promise of rows. */
async function insertsAreTriedAgain(run, placeholders, client) {
  const insertInto = `INSERT INTO events VALUES (${placeholders})`;
  await run(TABLE);
  const [generate, count] = tickIds();
  await run('BEGIN');
  for (let event = 0; event < EVENTS; event += 1) {
    const insert = (key) => run(insertInto, ['orders', key, 1]);
    await insertUnique(generate, insert, { savepoint: client });
  }
  // The key may exist in another partition, because it is unique only within its own.
  const key = await insertUnique(generate, async (id) => (await run(insertInto, ['returns', id, 1]), id), { savepoint: client });
  await run('COMMIT');
  const [{ n }] = await run('SELECT count(*) AS n FROM events');
  assert.equal(Number(n), EVENTS + 1);
  assert.ok(count.made > EVENTS + 1, `${count.made} IDs made: no conflict`);

  // Other errors end the first try, and undo only that insert.
  const before = count.made;
  await run('BEGIN');
  await run(insertInto, ['kept', key, 1]);
  await assert.rejects(insertUnique(generate, (id) => run(insertInto, ['orders', id, -1]), { savepoint: client }), /check|CONSTRAINT/i);
  assert.equal(count.made, before + 1);
  // If every try conflicts, the last error of the client is thrown.
  await assert.rejects(insertUnique(generate, () => run(insertInto, ['kept', key, 1]), { savepoint: client, attempts: 3 }), /[Dd]uplicate/);
  assert.equal(count.made, before + 4);
  await run('COMMIT');
  assert.equal((await run("SELECT * FROM events WHERE topic = 'kept'")).length, 1);
}

test('pg: inserts are tried again, and PostgreSQL makes IDs', () =>
  withServer('postgres', async ({ url }) => {
    const client = new (require('pg').Client)(url);
    await client.connect();
    const run = async (sql, values) => (await client.query(sql, values)).rows;
    try {
      await insertsAreTriedAgain(run, '$1, $2, $3', client);
      // Without a savepoint, the conflict aborts the transaction, and the error has it as its
      // cause.
      await run('BEGIN');
      const again = async (key) => {
        for (const amount of [1, 2]) await run('INSERT INTO events VALUES ($1, $2, $3)', ['aborted', key, amount]);
      };
      await assert.rejects(insertUnique(() => 'one', again), (error) => error.code === '25P02' && error.cause.code === '23505');
      await run('ROLLBACK');
      await run(Layout.DISCORD.postgresFunction('discord_id', 5));
      await run('CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT discord_id(), n integer)');
      await run('INSERT INTO orders (n) SELECT generate_series(1, 10000)');
      const ids = (await run('SELECT id FROM orders ORDER BY n')).map(({ id }) => BigInt(id));
      assert.deepEqual(ids, [...ids].sort((a, b) => (a < b ? -1 : 1)));
      assert.equal(new Set(ids).size, 10_000);
      assert.equal((ids[0] >> 12n) & 1023n, 5n);
    } finally {
      await client.end();
    }
  }));

test('mysql2: inserts are tried again', () =>
  withServer('mysql', async ({ url }) => {
    const client = await require('mysql2/promise').createConnection(url);
    try {
      await insertsAreTriedAgain(async (sql, values) => (await client.query(sql, values))[0], '?, ?, ?', client);
    } finally {
      await client.end();
    }
  }));

test('better-sqlite3: inserts are tried again', () => {
  const database = new (require('better-sqlite3'))(':memory:');
  database.exec(TABLE);
  const insertInto = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
  const [generate, count] = tickIds();
  const savepoint = (insert) => database.transaction(insert)();
  database.transaction(() => {
    for (let event = 0; event < EVENTS; event += 1) {
      insertUniqueSync(generate, (key) => insertInto.run('orders', key, 1), { savepoint });
    }
    // If the second of two statements fails, the first one is undone too.
    assert.throws(
      () =>
        insertUniqueSync(
          generate,
          (key) => {
            insertInto.run('half', key, 1);
            insertInto.run('half', key, 1);
          },
          { savepoint, attempts: 3 },
        ),
      { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
    );
  })();
  assert.equal(database.prepare('SELECT count(*) FROM events').pluck().get(), EVENTS);
  assert.ok(count.made > EVENTS + 3, `${count.made} IDs made: no conflict`);
  const before = count.made;
  assert.throws(() => insertUniqueSync(generate, (key) => insertInto.run('orders', key, -1)), { code: 'SQLITE_CONSTRAINT_CHECK' });
  assert.equal(count.made, before + 1);
  database.close();
});

test('redis: the script and the function make IDs', () =>
  withServer('redis', async ({ url }) => {
    const client = await require('redis').createClient({ url }).connect();
    try {
      await client.hSet('ids', 'node', '7');
      const sha = await client.scriptLoad(Layout.TWITTER.redisScript());
      await client.functionLoad(Layout.TWITTER.redisLibrary('snowflake'));
      /** Returns the IDs of a call, or none if the tick has none left. */
      const answered = (call) => call.catch((error) => (assert.match(error.message, /^SAIBAN_WAIT \d+ /), []));
      const ids = [];
      for (let call = 0; ids.length < 20_000; call += 1) {
        const [keys, args] = [['ids'], ['1000']];
        const texts = await answered(
          call % 2 ? client.evalSha(sha, { keys, arguments: args }) : client.fCall('snowflake', { keys, arguments: args }),
        );
        ids.push(...texts.map(BigInt));
      }
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(ids, [...ids].sort((a, b) => (a < b ? -1 : 1)));
      assert.ok(ids.every((id) => ((id >> 12n) & 1023n) === 7n));
    } finally {
      await client.close();
    }
  }));
