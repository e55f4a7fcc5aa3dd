import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { Uuid } from 'saiban';
import { idSchema } from 'saiban/zod';
import * as z from 'zod';
import { ID } from './shop.mjs';

const require = createRequire(import.meta.url);

for (const [name, idSchemaOf, zod] of [
  ['import', idSchema, z],
  ['require', require('saiban/zod').idSchema, require('zod')],
  ['import of zod, require of saiban', require('saiban/zod').idSchema, z],
]) {
  describe(`zod: ${name}`, () => {
    const Order = zod.object({
      id: idSchemaOf({ scheme: 'snowflake', encoding: 'base62' }),
      receipt: idSchemaOf('uuid-v7').optional(),
      items: zod.array(idSchemaOf('ulid')),
      customer: idSchemaOf({ scheme: 'snowflake', prefix: 'user' }).nullable(),
    });
    const receipt = new Uuid({ version: 4 }).generate();
    const json = { id: '2Wyi3Ucx9Ht', receipt, items: ['01ARZ3NDEKTSV4RRFFQ69G5FAV'], customer: 'user_1gavh7g7w0w00' };

    test('reads text and writes it again', () => {
      const order = Order.parse(json);
      assert.deepEqual(order, { ...json, id: ID, customer: 1741610183685074944n });
      assert.deepEqual(zod.encode(Order, order), json);
      const { receipt: _none, ...without } = json;
      assert.deepEqual(zod.encode(Order, Order.parse({ ...without, items: [], customer: null })), {
        ...without,
        items: [],
        customer: null,
      });
    });

    test('an invalid text is an issue with path, message, code and position', () => {
      const { issues } = Order.safeParse({ ...json, customer: 'order_1gavh7g7w0w00', id: '2Wyi-3' }).error;
      assert.deepEqual(
        issues.map(({ path, params }) => [path, params]),
        [
          [['id'], { code: 'TEXT_CHARACTER', position: 4 }],
          [['customer'], { code: 'TEXT_CHARACTER' }],
        ],
      );
      assert.equal(issues[0].message, "base62 text has no character '-' (position 4, counted from 0)");
    });

    test('numbers and bigints are refused, with the reason', () => {
      for (const id of [7, Number(ID), ID]) {
        assert.match(Order.safeParse({ ...json, id }).error.issues[0].message, new RegExp(`^an ID is text in JSON.* ${typeof id}$`));
      }
      assert.match(Order.safeParse({ ...json, id: undefined }).error.issues[0].message, /expected string, received undefined/);
      assert.match(Order.safeParse({ ...json, id: null }).error.issues[0].message, /expected string, received null/);
    });

    test('encode refuses what is not an ID', () => {
      const encoded = zod.safeEncode(Order, { id: 2n ** 63n, items: ['01ARZ3NDEKTSV4RRFFQ69G5FA'], customer: null });
      assert.deepEqual(encoded.error.issues.map(({ params }) => params.code), ['ID_OUT_OF_RANGE', 'TEXT_LENGTH']);
    });

    test('the JSON schema of the input is text', () => {
      assert.deepEqual(zod.toJSONSchema(Order, { io: 'input' }).properties.id, { type: 'string' });
    });
  });
}
