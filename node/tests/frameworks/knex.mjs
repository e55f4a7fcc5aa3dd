import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import knex from 'knex';
import { Snowflake } from 'saiban';
import { idRows } from 'saiban/knex';
import { ID, OTHER, exchanges, expressShop, withDatabase, withServer } from './shop.mjs';

const FORMATS = { id: 'snowflake', customer: 'snowflake' };

/** Calls this function with a database of orders, whose IDs are of this type. */
function withOrders(type, postProcessResponse, use, options = { safeIntegers: true }) {
  return withDatabase(async (filename) => {
    const db = knex({ client: 'better-sqlite3', connection: { filename, options }, useNullAsDefault: true, postProcessResponse });
    try {
      await db.schema.createTable('orders', (table) => {
        table[type]('id').primary();
        table[type]('customer').nullable();
        table.string('note');
      });
      await use(db);
    } finally {
      await db.destroy();
    }
  });
}

describe('knex', () => {
  test('IDs go from a database through JSON and back', () =>
    withOrders('bigInteger', idRows(FORMATS), async (db) => {
      const columns = ['id', 'customer'];
      const store = {
        insert: (order) => db('orders').insert(order),
        find: async (id) => (await db('orders').first(columns).where({ id })) ?? null,
        all: () => db('orders').select(columns).orderBy('id'),
      };
      await withServer(createServer(expressShop(store)), exchanges);
    }));

  test('converts rows, single rows and lists, and no other results', () =>
    withOrders('bigInteger', idRows(FORMATS), async (db) => {
      const id = new Snowflake({ node: 7 }).generate();
      assert.deepEqual(await db('orders').insert({ id, note: 'first' }).returning(['id', 'customer']), [{ id, customer: null }]);
      await db('orders').insert([{ id: ID, customer: id }, { id: OTHER, customer: ID }]);
      assert.deepEqual(await db('orders').where({ customer: ID }), [{ id: OTHER, customer: ID, note: null }]);
      assert.deepEqual(await db('orders').whereIn('id', [ID, OTHER]).orderBy('id').pluck('id'), [ID, OTHER]);
      assert.equal(await db('orders').where({ id: 1n }).first(), undefined);
      assert.equal(await db('orders').where({ id: ID }).update({ customer: null }), 1);
      assert.deepEqual(await db('orders').where({ id: ID }).first('note', 'customer'), { note: null, customer: null });
      assert.deepEqual(await db('orders as a').join('orders as b', 'a.customer', 'b.id').select('a.id', 'b.customer'), [
        { id: OTHER, customer: null },
      ]);
      assert.equal(await db('orders').del(), 3);
    }));

  test('values are text with the option text, and JSON needs no replacer', () =>
    withOrders('bigInteger', undefined, async (db) => {
      await db('orders').insert({ id: ID, customer: OTHER });
      const rows = idRows({ id: 'snowflake', customer: { scheme: 'snowflake', prefix: 'user' } }, { text: true });
      assert.equal(JSON.stringify(rows(await db('orders').select('id', 'customer'))), `[{"id":"${ID}","customer":"user_7zzzzzzzzzzzz"}]`);
    }));

  test('reads IDs from columns of text', () =>
    withOrders('string', idRows({ id: 'tsid' }, { column: 'text' }), async (db) => {
      await db('orders').insert({ id: '1TZD9JMDE9R00' });
      assert.deepEqual(await db('orders').select('id'), [{ id: 2125041057055170560n }]);
      await db('orders').insert({ id: 'broken' });
      await assert.rejects(async () => db('orders').select('id'), { code: 'TEXT_LENGTH' });
    }));

  test('a driver that returns numbers is an error, not a wrong ID', () =>
    withOrders(
      'bigInteger',
      idRows(FORMATS),
      async (db) => {
        await db('orders').insert({ id: ID });
        await assert.rejects(async () => db('orders'), { code: 'WRONG_TYPE', message: /as the number 2125041057055170600, beyond/ });
      },
      {},
    ));

  test('invalid options are refused', () => {
    assert.throws(() => idRows({ id: 'ulid' }, { column: 'bigint' }), { code: 'INVALID_ARGUMENT' });
    assert.throws(() => idRows({ id: 'ulids' }), { code: 'UNKNOWN_NAME' });
    assert.throws(() => idRows({ id: 'ulid' }, { encoding: 'hex' }), { code: 'WRONG_TYPE' });
  });
});
