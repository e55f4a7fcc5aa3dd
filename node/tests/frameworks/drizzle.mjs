import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { eq, gt, inArray, relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { customType as mysqlType, mysqlTable } from 'drizzle-orm/mysql-core';
import { customType as pgType, pgTable } from 'drizzle-orm/pg-core';
import { customType, sqliteTable } from 'drizzle-orm/sqlite-core';
import { Snowflake, Ulid } from 'saiban';
import { idColumn } from 'saiban/drizzle';
import { ID, OTHER, exchanges, expressShop, withDatabase, withServer } from './shop.mjs';

const ids = new Snowflake({ node: 7, prefix: 'order' });

/** Calls this function with a store of orders. */
function withStore(options, use) {
  return withDatabase(async (path) => {
    const snowflake = customType(idColumn('snowflake', options));
    const orders = sqliteTable('orders', {
      id: snowflake().primaryKey().$defaultFn(ids.generate),
      customer: snowflake(),
    });
    const orderRelations = relations(orders, ({ one }) => ({
      parent: one(orders, { fields: [orders.customer], references: [orders.id] }),
    }));
    const database = new Database(path).defaultSafeIntegers();
    const db = drizzle(database, { schema: { orders, orderRelations } });
    database.exec(`CREATE TABLE orders (id ${orders.id.getSQLType()} PRIMARY KEY, customer ${orders.customer.getSQLType()})`);
    const store = {
      insert: (order) => db.insert(orders).values(order),
      find: async (id) => (await db.select().from(orders).where(eq(orders.id, id)))[0] ?? null,
      all: () => db.select().from(orders).orderBy(orders.id),
    };
    await use({ store, db, orders, database });
    database.close();
  });
}

describe('drizzle', () => {
  for (const column of ['bigint', 'text']) {
    test(`IDs go from a column of ${column} through JSON and back`, () =>
      withStore({ column }, async ({ store, database }) => {
        await withServer(createServer(expressShop(store)), exchanges);
        const [stored] = database.prepare('SELECT id FROM orders ORDER BY id').all();
        assert.equal(stored.id, column === 'text' ? String(ID) : ID);
      }));

    test(`generates, and compares, in a column of ${column}`, () =>
      withStore({ column }, async ({ db, orders }) => {
        const [{ id }] = await db.insert(orders).values({}).returning();
        assert.equal(ids.inspect(id).node, 7);
        await db.insert(orders).values([{ id: ID }, { id: 3n, customer: ID }]);
        assert.deepEqual(await db.select().from(orders).where(inArray(orders.id, [ID, 3n])).orderBy(orders.customer), [
          { id: ID, customer: null },
          { id: 3n, customer: ID },
        ]);
        await db.update(orders).set({ customer: OTHER }).where(eq(orders.customer, ID));
        assert.deepEqual(await db.delete(orders).where(eq(orders.id, 3n)).returning(), [{ id: 3n, customer: OTHER }]);
        if (column === 'bigint') assert.equal((await db.select().from(orders).where(gt(orders.id, ID - 1n))).length, 2);
        await assert.rejects(async () => db.insert(orders).values({ id: 2n ** 63n }), (error) => {
          assert.equal((error.cause ?? error).code, 'ID_OUT_OF_RANGE');
          return true;
        });
      }));
  }

  test('values are text with the option text, and JSON needs no replacer', async () => {
    const format = { scheme: 'snowflake', prefix: 'order' };
    const column = customType(idColumn(format, { text: true }));
    const orders = sqliteTable('orders', { id: column().primaryKey().$defaultFn(ids.generateText), customer: column() });
    const database = new Database(':memory:').defaultSafeIntegers();
    database.exec('CREATE TABLE orders (id bigint PRIMARY KEY, customer bigint)');
    const db = drizzle(database);
    const [made] = await db.insert(orders).values({}).returning();
    const rows = await db.select().from(orders).where(eq(orders.id, JSON.parse(JSON.stringify(made)).id));
    assert.deepEqual(rows, [made]);
    assert.match(made.id, /^order_[0-9a-z]{13}$/);
    assert.equal(database.prepare('SELECT id FROM orders').pluck().get(), ids.fromText(made.id));
    database.close();
  });

  test('a driver that returns numbers is an error, not a wrong ID', () =>
    withStore({}, async ({ store, database }) => {
      await store.insert({ id: ID });
      await store.insert({ id: 7n });
      database.defaultSafeIntegers(false);
      await assert.rejects(store.find(ID), { code: 'WRONG_TYPE', message: /the driver returned an ID as the number 2125041057055170600/ });
      assert.deepEqual(await store.find(7n), { id: 7n, customer: null });
    }));

  test('relational queries throw for columns of bigints, and read columns of text', async () => {
    const related = ({ db }) => db.query.orders.findFirst({ where: (order, { eq }) => eq(order.id, OTHER), with: { parent: true } });
    const filled = async ({ store }) => {
      await store.insert({ id: ID });
      await store.insert({ id: OTHER, customer: ID });
    };
    await withStore({ column: 'text' }, async (made) => {
      await filled(made);
      assert.deepEqual(await related(made), { id: OTHER, customer: ID, parent: { id: ID, customer: null } });
    });
    await withStore({}, async (made) => {
      await filled(made);
      await assert.rejects(async () => related(made), { code: 'WRONG_TYPE' });
    });
  });

  test('reads and writes columns of PostgreSQL and MySQL', () => {
    for (const [type, table] of [[pgType, pgTable], [mysqlType, mysqlTable]]) {
      const columns = { id: type(idColumn('snowflake'))(), item: type(idColumn('ulid'))() };
      const { id, item } = table('orders', columns);
      assert.deepEqual([id.getSQLType(), item.getSQLType()], ['bigint', 'varchar(96)']);
      // The drivers of PostgreSQL and MySQL return decimal text.
      assert.equal(id.mapFromDriverValue(String(ID)), ID);
      assert.equal(id.mapToDriverValue(ID), ID);
      const ulid = new Ulid().generate();
      assert.equal(item.mapFromDriverValue(item.mapToDriverValue(ulid)), ulid);
    }
  });

  test('invalid options are refused', () => {
    assert.throws(() => idColumn('ulid', { column: 'bigint' }), { code: 'INVALID_ARGUMENT', message: /leave it out/ });
    assert.throws(() => idColumn('snowflake', { column: 'integer' }), { code: 'UNKNOWN_NAME', message: /"bigint" or "text"/ });
    assert.throws(() => idColumn('snowflake', { columns: 'text' }), { code: 'WRONG_TYPE' });
    assert.throws(() => idColumn('snowflake', { text: 'yes' }), { code: 'WRONG_TYPE' });
  });
});
