import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import express from 'express';
import { Randflake, SaibanError, Ulid } from 'saiban';
import { idParams, idReplacer } from 'saiban/express';
import { ID, call, exchanges, expressShop, plainStore, withDatabase, withServer } from './shop.mjs';

describe('express', () => {
  test('IDs go from a database through JSON and back', () =>
    withDatabase(async (path) => {
      const store = plainStore(path);
      await withServer(createServer(expressShop(store)), exchanges);
      store.close();
    }));

  test('without the replacer, express cannot send an ID', async () => {
    const app = express().get('/', (_request, response) => response.json({ id: ID }));
    app.use((error, _request, response, _next) => response.status(500).json(error.message));
    await withServer(createServer(app), async (url) => {
      assert.deepEqual(await call(url), { status: 500, body: 'Do not know how to serialize a BigInt' });
    });
  });

  test('each parameter has a format: a scheme, a prefix, a generator', async () => {
    const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
    const coupons = new Randflake({ node: 42, secret });
    const app = express().set('json replacer', idReplacer(coupons));
    const formats = { coupon: coupons, user: { scheme: 'snowflake', prefix: 'user' }, item: new Ulid({ prefix: 'item' }) };
    app.get('/:coupon/:user/:item', idParams(formats), ({ params }, response) => {
      response.json({ ...params, user: String(params.user), list: [params.coupon, null] });
    });
    await withServer(createServer(app), async (url) => {
      const item = new Ulid({ prefix: 'item' }).generate();
      assert.deepEqual(await call(`${url}/3vgoe12ccb8gh/user_1gavh7g7w0w00/${item}`), {
        status: 200,
        body: { coupon: '3vgoe12ccb8gh', user: '1741610183685074944', item, list: ['3vgoe12ccb8gh', null] },
      });
      const { status, body } = await call(`${url}/3vgoe12ccb8gh/order_1gavh7g7w0w00/${item}`);
      assert.equal(status, 400);
      assert.match(body.message, /^the parameter user: the text does not begin with "user" and an underscore/);
    });
  });

  test('onError sends another response, or passes the error to the error handlers', async () => {
    const app = express();
    app.get('/:id', idParams({ id: 'snowflake' }, { onError: (error, _request, _response, next) => next(error) }));
    app.use((error, _request, response, _next) => {
      assert.ok(error instanceof SaibanError);
      response.status(error.statusCode).json([error.code, error.position]);
    });
    await withServer(createServer(app), async (url) => {
      assert.deepEqual(await call(`${url}/7x`), { status: 400, body: ['TEXT_CHARACTER', 1] });
    });
  });

  test('a misspelt parameter is an error of the program, not of the client', async () => {
    const app = express().get('/:id', idParams({ order: 'snowflake' }));
    app.use((error, _request, response, _next) => response.status(500).json(error.message));
    await withServer(createServer(app), async (url) => {
      const { status, body } = await call(`${url}/1`);
      assert.equal(status, 500);
      assert.match(body, /^the parameter order of this route is undefined: give idParams the name of a parameter in its path$/);
    });
    assert.throws(() => idParams({ id: 'snowflakes' }), { code: 'UNKNOWN_NAME' });
    assert.throws(() => idParams({ id: 'snowflake' }, { onerror: () => {} }), { code: 'WRONG_TYPE' });
  });
});
