// Mongoose without a server: documents go through BSON, as to MongoDB and back.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, test } from 'node:test';
import mongoose from 'mongoose';
import { ObjectId, Snowflake, Ulid } from 'saiban';
import { idParams, idReplacer } from 'saiban/express';
import { idPath } from 'saiban/mongoose';
import express from 'express';
import { ID, OTHER, call, exchanges, expressShop, withServer } from './shop.mjs';

const { BSON } = mongoose.mongo;
const ids = new ObjectId();
const numbers = new Snowflake({ node: 7 });
let models = 0;

/** Returns a model of these paths. */
function model(paths) {
  models += 1;
  return mongoose.model(`Order${models}`, new mongoose.Schema(paths, { versionKey: false }));
}

after(() => mongoose.deleteModel(/^Order/));

/** Returns a collection that stores documents as MongoDB does: as BSON, without their classes. */
function collection(Model) {
  const kept = new Map();
  return {
    insert: async (values) => {
      const document = new Model(values);
      await document.validate();
      kept.set(String(document._id), BSON.serialize(document.toObject()));
      return document;
    },
    find: (id) => (kept.has(String(id)) ? Model.hydrate(BSON.deserialize(kept.get(String(id)))) : null),
    all: () => [...kept.values()].map((bytes) => Model.hydrate(BSON.deserialize(bytes))),
  };
}

describe('mongoose', () => {
  test('ObjectIds of saiban go through BSON and JSON and back', async () => {
    const orders = collection(model({ _id: idPath(ids), customer: { type: 'ObjectId', default: null } }));
    const app = express().get('/:id', idParams({ id: 'objectid' }), ({ params }, response) => response.json(orders.find(params.id)));
    await withServer(createServer(app), async (url) => {
      const first = await orders.insert({});
      const second = await orders.insert({ customer: first._id });
      assert.ok(first._id instanceof mongoose.Types.ObjectId);
      assert.equal(ids.inspect(first.id).node, ids.inspect(second.id).node);
      assert.notEqual(first.id, second.id);
      assert.deepEqual(await call(`${url}/${second.id}`), { status: 200, body: { _id: second.id, customer: first.id } });
      const { status, body } = await call(`${url}/${second.id.slice(1)}`);
      assert.deepEqual([status, body.code, body.message], [400, 'TEXT_LENGTH', 'the parameter id: hex text has 23 characters: give 24']);
    });
  });

  test('bigints go through BSON and JSON and back', () => {
    const orders = collection(model({ _id: idPath(numbers), customer: { type: 'BigInt', default: null } }));
    const json = (document) => document && { id: document._id, customer: document.customer };
    const store = {
      insert: ({ id, customer }) => orders.insert({ _id: id, customer }),
      find: (id) => json(orders.find(id)),
      all: () => orders.all().map(json),
    };
    return withServer(createServer(expressShop(store)), exchanges);
  });

  test('generates defaults, and takes lists and other texts', async () => {
    const Order = model({ _id: idPath(numbers), item: idPath(new Ulid({ prefix: 'item' })), others: [{ type: 'BigInt' }] });
    const order = new Order({ others: [ID, String(OTHER), null] });
    await order.validate();
    assert.equal(numbers.inspect(order._id).node, 7);
    assert.match(order.item, /^item_0/);
    const { others } = JSON.parse(JSON.stringify(order, idReplacer('snowflake')));
    assert.deepEqual(others, [String(ID), String(OTHER), null]);
    assert.match(String(new (model({ _id: idPath(new ObjectId({ prefix: 'order' })) }))().id), /^[0-9a-f]{24}$/);
  });

  test('takes the function of a generator as a default, which it calls with the document', () => {
    const Order = model({ _id: { type: 'BigInt', default: numbers.generate } });
    assert.equal(numbers.inspect(new Order()._id).node, 7);
    // The document is not an encoding.
    const Text = model({ _id: 'String', number: { type: 'String', default: numbers.generateText } });
    assert.match(String(new Text({ _id: '7' }).validateSync()), /encoding is an object .*: give a string/);
  });

  test('needs a generator', () => {
    assert.throws(() => idPath('objectid'), { code: 'WRONG_TYPE', message: 'ids is a string: give a generator' });
  });
});
