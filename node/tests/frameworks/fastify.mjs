import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { idParams, idsToText } from 'saiban/fastify';
import { ID, OTHER, Order, call, exchanges, plainStore, withDatabase } from './shop.mjs';

/** Calls this function with the address of an application. */
async function withApp(app, use) {
  try {
    await use(await app.listen({ host: '127.0.0.1', port: 0 }));
  } finally {
    await app.close();
  }
}

function shop(store) {
  const app = fastify().addHook('preSerialization', idsToText('snowflake'));
  app.get('/orders/:id', { preHandler: idParams({ id: 'snowflake' }) }, async ({ params }, reply) => {
    assert.equal(typeof params.id, 'bigint');
    const order = store.find(params.id);
    // Fastify sends no body for null.
    return order ?? reply.type('application/json').send('null');
  });
  app.get('/orders', async () => store.all());
  app.post('/orders', async ({ body }, reply) => {
    const order = Order.safeParse(body);
    if (!order.success) return reply.status(400).send({ message: order.error.issues[0].message });
    store.insert(order.data);
    return reply.status(201).send(order.data);
  });
  return app;
}

describe('fastify', () => {
  test('IDs go from a database through JSON and back', () =>
    withDatabase(async (path) => {
      const store = plainStore(path);
      await withApp(shop(store), exchanges);
      store.close();
    }));

  test('a response schema applies to the text, and still removes members', async () => {
    const order = { type: 'object', properties: { id: { type: 'string' }, at: { type: 'string', format: 'date-time' } } };
    const app = fastify().addHook('preSerialization', idsToText('snowflake'));
    const at = new Date(0);
    class Entity {
      id = ID;
      at = at;
      secret = OTHER;
    }
    app.get('/', { schema: { response: { 200: { type: 'array', items: order } } } }, async () => [new Entity()]);
    app.get('/json', async () => ({ made: { toJSON: () => ({ id: ID }) }, at, none: null, missing: undefined, 'list of': [OTHER] }));
    await withApp(app, async (url) => {
      assert.deepEqual(await call(url), { status: 200, body: [{ id: String(ID), at: at.toISOString() }] });
      assert.deepEqual(await call(`${url}/json`), {
        status: 200,
        body: { made: { id: String(ID) }, at: at.toISOString(), none: null, 'list of': [String(OTHER)] },
      });
    });
  });

  test('errors of the program have status 500', async () => {
    const app = fastify().addHook('preSerialization', idsToText('ulid-flake'));
    app.get('/misspelt/:id', { preHandler: idParams({ order: 'snowflake' }) }, async () => ({}));
    app.get('/negative', async () => ({ id: -1n }));
    await withApp(app, async (url) => {
      const misspelt = await call(`${url}/misspelt/1`);
      assert.deepEqual([misspelt.status, misspelt.body.code], [500, 'WRONG_TYPE']);
      const negative = await call(`${url}/negative`);
      assert.deepEqual([negative.status, negative.body.code], [500, 'ID_OUT_OF_RANGE']);
    });
  });
});
