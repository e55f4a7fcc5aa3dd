// Prisma's client is generated into prisma/client of this folder by frameworks.test.mjs.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import Database from 'better-sqlite3';
import express from 'express';
import { Snowflake, Ulid } from 'saiban';
import { idParams } from 'saiban/express';
import { generateIds, idsAsText } from 'saiban/prisma';
import { IdTexts } from 'saiban/texts';
import { ID, OTHER, Order, exchanges, expressShop, withDatabase, withServer } from './shop.mjs';

const { PrismaClient } = createRequire(import.meta.url)('./prisma/client');
const [ids, ulids] = [new Snowflake({ node: 7 }), new Ulid({ prefix: 'item' })];
const generating = generateIds({
  order: { id: ids.generateAsync },
  item: { id: () => ulids.generate() },
});
const customer = { format: 'snowflake', nullable: true };

/** Calls this function with a client. */
function withClient(use) {
  return withDatabase(async (path) => {
    const database = new Database(path);
    database.exec(`
      CREATE TABLE "Order" (id BIGINT NOT NULL PRIMARY KEY, customer BIGINT, note TEXT);
      CREATE TABLE "Item" (id TEXT NOT NULL PRIMARY KEY, orderId BIGINT REFERENCES "Order")`);
    database.close();
    const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}` }) });
    try {
      await use(client);
    } finally {
      await client.$disconnect();
    }
  });
}

const select = { id: true, customer: true };

describe('prisma', () => {
  test('IDs go from a database through JSON and back', () =>
    withClient(async (client) => {
      const prisma = client.$extends(generating);
      const store = {
        insert: (order) => prisma.order.create({ data: order }),
        find: (id) => prisma.order.findUnique({ where: { id }, select }),
        all: () => prisma.order.findMany({ orderBy: { id: 'asc' }, select }),
      };
      await withServer(createServer(expressShop(store)), exchanges);
    }));

  test('IDs go through JSON as text, without a replacer', () =>
    withClient(async (client) => {
      const prisma = client.$extends(idsAsText({ order: { id: 'snowflake', customer } }));
      const app = express().use(express.json());
      app.get('/orders/:id', idParams({ id: 'snowflake' }), async ({ params }, response) => {
        response.json(await prisma.order.findUnique({ where: { id: params.id }, select }));
      });
      app.get('/orders', async (_request, response) => response.json(await prisma.order.findMany({ orderBy: { id: 'asc' }, select })));
      app.post('/orders', async (request, response) => {
        const order = Order.safeParse(request.body);
        if (!order.success) return response.status(400).json({ message: order.error.issues[0].message });
        response.status(201).json(await prisma.order.create({ data: order.data, select }));
      });
      await withServer(createServer(app), exchanges);
    }));

  test('generates where an ID is missing, in every function that creates', () =>
    withClient(async (client) => {
      const prisma = client.$extends(generating);
      const created = await prisma.order.create({ data: { note: 'one' } });
      assert.equal(ids.inspect(created.id).node, 7);
      assert.deepEqual(await prisma.order.create({ data: { id: ID, customer: created.id } }), { id: ID, customer: created.id, note: null });
      assert.deepEqual(await prisma.order.createMany({ data: [{ note: 'a' }, { note: 'b' }, { id: OTHER }] }), { count: 3 });
      assert.deepEqual(await prisma.order.createMany({ data: { note: 'c' } }), { count: 1 });
      const returned = await prisma.item.createManyAndReturn({ data: [{ orderId: ID }, {}] });
      assert.deepEqual(returned.map(({ id }) => ulids.inspect(id).scheme), ['ulid', 'ulid']);
      const missing = { where: { id: 1n }, create: { note: 'new' }, update: { note: 'old' } };
      const upserted = await prisma.order.upsert(missing);
      assert.equal(ids.inspect(upserted.id).node, 7);
      assert.deepEqual(await prisma.order.upsert({ ...missing, where: { id: ID } }), { id: ID, customer: created.id, note: 'old' });
      const all = await prisma.order.findMany();
      assert.equal(new Set(all.map(({ id }) => id)).size, 7);
      const nested = await prisma.order.create({ data: { items: { create: [{ id: ulids.generate() }] } }, include: { items: true } });
      assert.equal(nested.items[0].orderId, nested.id);
      // The rows of nested writes have no generated ID.
      await assert.rejects(prisma.order.create({ data: { items: { create: [{}] } } }));
    }));

  test('generates in other fields too, and keeps an explicit null', () =>
    withClient(async (client) => {
      const customers = { order: { id: () => ids.generate(), customer: () => ids.generate() } };
      const prisma = client.$extends(generateIds(customers));
      const { customer } = await prisma.order.create({ data: {} });
      assert.equal(ids.inspect(customer).node, 7);
      assert.equal((await prisma.order.create({ data: { customer: null } })).customer, null);
    }));

  test('results have text, also in relations, and null stays null', () =>
    withClient(async (client) => {
      const fields = { order: { id: { scheme: 'snowflake', prefix: 'order' }, customer }, item: { id: ulids, orderId: customer } };
      const prisma = client.$extends(generating).$extends(idsAsText(fields));
      await prisma.order.create({ data: { id: ID } });
      await prisma.order.create({ data: { id: OTHER, customer: ID } });
      const item = await prisma.item.create({ data: { orderId: ID }, include: { order: true } });
      const text = new IdTexts(fields.order.id).write(ID);
      assert.deepEqual(JSON.parse(JSON.stringify(item)), {
        id: item.id,
        orderId: String(ID),
        order: { id: text, customer: null, note: null },
      });
      const found = await prisma.order.findMany({ where: { customer: new IdTexts(fields.order.id).read(text) } });
      assert.deepEqual(found.map((order) => order.customer), [String(ID)]);
    }));

  test('invalid formats are refused', () => {
    assert.throws(() => idsAsText({ order: { id: 'snowflakes' } }), { code: 'UNKNOWN_NAME' });
    assert.throws(() => idsAsText({ order: { id: { scheme: 'snowflake', nullable: true } } }), { code: 'WRONG_TYPE' });
  });
});
