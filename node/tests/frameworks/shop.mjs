// Helpers that the suites of this folder share: a shop whose orders have IDs above 2^53, in a real
// database, behind a real server, and a client that only knows JSON.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import express from 'express';
import { idParams, idReplacer } from 'saiban/express';
import { idSchema } from 'saiban/zod';
import * as z from 'zod';

/** An ID that a number cannot hold: as a number it ends in 0. */
export const ID = 2125041057055170561n;
export const OTHER = 9223372036854775807n;
assert.notEqual(BigInt(Number(ID)), ID);

/** Calls this function with the path of a database in a folder, which is removed afterwards. */
export async function withDatabase(use) {
  const folder = mkdtempSync(join(tmpdir(), 'saiban-frameworks-'));
  try {
    return await use(join(folder, 'shop.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a store of orders in SQLite, without a library above the driver. */
export function plainStore(path) {
  const database = new Database(path);
  database.defaultSafeIntegers();
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER)');
  return {
    insert: ({ id, customer }) => void database.prepare('INSERT INTO orders VALUES (?, ?)').run(id, customer),
    find: (id) => database.prepare('SELECT * FROM orders WHERE id = ?').get(id) ?? null,
    all: () => database.prepare('SELECT * FROM orders ORDER BY id').all(),
    close: () => database.close(),
  };
}

/** The orders in JSON. */
export const Order = z.object({ id: idSchema('snowflake'), customer: idSchema('snowflake').nullable() });

/** Returns an application of Express over a store. */
export function expressShop(store) {
  const app = express().use(express.json()).set('json replacer', idReplacer('snowflake'));
  app.get('/orders/:id', idParams({ id: 'snowflake' }), async (request, response) => {
    assert.equal(typeof request.params.id, 'bigint');
    response.json(await store.find(request.params.id));
  });
  app.get('/orders', async (_request, response) => response.json(await store.all()));
  app.post('/orders', async (request, response) => {
    const order = Order.safeParse(request.body);
    if (!order.success) return response.status(400).json({ message: order.error.issues[0].message });
    await store.insert(order.data);
    response.status(201).json(order.data);
  });
  return app;
}

/** Calls this function with the address of a server that has this handler. */
export async function withServer(server, use) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Calls a server as a program without bigints does: JSON only. */
export async function call(url, body) {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

/** Sends IDs to a shop and back, and checks that every digit is kept. */
export async function exchanges(url) {
  const made = await call(`${url}/orders`, { id: String(ID), customer: null });
  assert.deepEqual(made, { status: 201, body: { id: String(ID), customer: null } });
  await call(`${url}/orders`, { id: String(OTHER), customer: made.body.id });

  const { body: list } = await call(`${url}/orders`);
  assert.deepEqual(list, [{ id: String(ID), customer: null }, { id: String(OTHER), customer: String(ID) }]);
  for (const order of list) {
    const found = await call(`${url}/orders/${order.id}`);
    assert.deepEqual(found, { status: 200, body: order });
    assert.equal(BigInt(found.body.id), order === list[0] ? ID : OTHER);
  }
  assert.deepEqual(await call(`${url}/orders/${ID - 1n}`), { status: 200, body: null });

  for (const [text, code, message] of BAD) {
    const refused = await call(`${url}/orders/${encodeURIComponent(text)}`);
    assert.deepEqual(refused, {
      status: 400,
      body: { statusCode: 400, code, error: 'Bad Request', message: `the parameter id: ${message}` },
    });
    if (text === ' ') continue;
    assert.deepEqual(await call(`${url}/orders`, { id: text, customer: null }), { status: 400, body: { message } });
  }
  const number = await call(`${url}/orders`, { id: Number(ID), customer: null });
  assert.equal(number.status, 400);
  assert.match(number.body.message, /^an ID is text in JSON, because numbers lose digits above 2\^53: give the ID's text/);
}

const BAD = [
  ['7x', 'TEXT_CHARACTER', "decimal text has no character 'x' (position 1, counted from 0)"],
  [' ', 'TEXT_CHARACTER', "decimal text has no character ' ' (position 0, counted from 0)"],
  [
    '9223372036854775808',
    'TEXT_OVERFLOW',
    'decimal text stands for a number that does not fit: 64-bit decimals are signed: give -9223372036854775808 to ' +
      '9223372036854775807',
  ],
  [
    '007',
    'TEXT_NOT_CANONICAL',
    'decimal text is not canonical from position 0 (counted from 0) on: give the text as it was encoded, its width if ' +
      'it has leading zeros, or ask for lenient decoding',
  ],
  ['2.125041057055170561e18', 'TEXT_LENGTH', 'decimal text has 23 characters: give 1 to 20'],
];
