// Orders with Randflake keys in Express and Drizzle, by hand and with saiban's helpers: both behave
// alike. docs/frameworks.md has the number of the lines that are marked `counted`.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { customType, sqliteTable } from 'drizzle-orm/sqlite-core';
import express from 'express';
import { Randflake } from 'saiban';
import { idColumn } from 'saiban/drizzle';
import { idParams, idReplacer } from 'saiban/express';
import { idSchema } from 'saiban/zod';
import * as z from 'zod';
import { ID, OTHER, call, withServer } from './shop.mjs';

const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
const TABLE = 'CREATE TABLE orders (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES orders)';

function byHand() {
  // counted: Express, key, by hand
  const ids = new Randflake({ node: 17, secret });
  const bigint = customType({ dataType: () => 'bigint' });
  // end of count
  const orders = sqliteTable('orders', {
    // counted: Express, key, by hand
    id: bigint().primaryKey().$defaultFn(ids.generate),
    parent: bigint(),
    // end of count
  });
  const database = new Database(':memory:').defaultSafeIntegers(); // counted: Express, key, by hand
  const db = drizzle(database.exec(TABLE));

  // counted: Express, API, by hand
  const idText = z.string().transform((text, context) => {
    try {
      return ids.fromText(text);
    } catch (error) {
      context.addIssue(error.message);
      return z.NEVER;
    }
  });
  const Params = z.object({ id: idText });
  // end of count
  const NewOrder = z.object({ parent: idText.nullable() }); // counted: Express, API, by hand

  const app = express().use(express.json());
  // counted: Express, API, by hand
  app.set('json replacer', (_key, value) => (typeof value === 'bigint' ? ids.toText(value) : value));
  // end of count
  app.get('/orders/:id', async (request, response) => {
    // counted: Express, API, by hand
    const params = Params.safeParse(request.params);
    if (!params.success) return response.status(400).json({ message: params.error.issues[0].message });
    const [order] = await db.select().from(orders).where(eq(orders.id, params.data.id));
    // end of count
    return response.json(order);
  });
  app.post('/orders', async (request, response) => {
    const order = NewOrder.safeParse(request.body);
    if (!order.success) return response.status(400).json({ message: order.error.issues[0].message });
    const [created] = await db.insert(orders).values(order.data).returning();
    return response.status(201).json(created);
  });
  return { app, db, orders };
}

function withSaiban() {
  // counted: Express, key, with saiban
  const ids = new Randflake({ node: 17, secret });
  const randflake = customType(idColumn(ids));
  // end of count
  const orders = sqliteTable('orders', {
    // counted: Express, key, with saiban
    id: randflake().primaryKey().$defaultFn(ids.generate),
    parent: randflake(),
    // end of count
  });
  const database = new Database(':memory:').defaultSafeIntegers(); // counted: Express, key, with saiban
  const db = drizzle(database.exec(TABLE));

  const NewOrder = z.object({ parent: idSchema(ids).nullable() }); // counted: Express, API, with saiban

  const app = express().use(express.json());
  app.set('json replacer', idReplacer(ids)); // counted: Express, API, with saiban
  // counted: Express, API, with saiban
  app.get('/orders/:id', idParams({ id: ids }), async ({ params }, response) => {
    const [order] = await db.select().from(orders).where(eq(orders.id, params.id));
    // end of count
    return response.json(order);
  });
  app.post('/orders', async (request, response) => {
    const order = NewOrder.safeParse(request.body);
    if (!order.success) return response.status(400).json({ message: order.error.issues[0].message });
    const [created] = await db.insert(orders).values(order.data).returning();
    return response.status(201).json(created);
  });
  return { app, db, orders };
}

const ids = new Randflake({ node: 17, secret });

describe('lines', () => {
  for (const [name, program] of [['by hand', byHand], ['with saiban', withSaiban]]) {
    test(`IDs go from a database through JSON and back in the program ${name}`, () => {
      const { app, db, orders } = program();
      return withServer(createServer(app), async (url) => {
        for (const id of [ID, OTHER, -ID]) {
          await db.insert(orders).values({ id });
          const found = await call(`${url}/orders/${ids.toText(id)}`);
          assert.deepEqual(found, { status: 200, body: { id: ids.toText(id), parent: null } });
          const { status, body } = await call(`${url}/orders`, { parent: found.body.id });
          assert.equal(status, 201);
          const [child] = await db.select().from(orders).where(eq(orders.parent, id));
          assert.deepEqual(body, { id: ids.toText(child.id), parent: ids.toText(id) });
        }
      });
    });

    test(`text that is not an ID is refused with the reason in the program ${name}`, () =>
      withServer(createServer(program().app), async (url) => {
        for (const [text, reason] of [['3f-5', /no character '-'/], ['v'.repeat(13), /does not fit/]]) {
          for (const refused of [await call(`${url}/orders/${text}`), await call(`${url}/orders`, { parent: text })]) {
            assert.equal(refused.status, 400);
            assert.match(refused.body.message, reason);
          }
        }
        assert.equal((await call(`${url}/orders`, { parent: Number(ID) })).status, 400);
      }));
  }
});
