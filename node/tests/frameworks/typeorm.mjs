import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { Snowflake } from 'saiban';
import { IdColumn, idTransformer } from 'saiban/typeorm';
import { DataSource, Entity, EntitySchema, In, JoinColumn, ManyToOne, MoreThan } from 'typeorm';
import { ID, OTHER, exchanges, expressShop, withDatabase, withServer } from './shop.mjs';

const ids = new Snowflake({ node: 7, prefix: 'order' });

/** Calls this function with a source of these entities. */
function withSource(entities, use, prepareDatabase = (database) => database.defaultSafeIntegers()) {
  return withDatabase(async (database) => {
    const source = new DataSource({ type: 'better-sqlite3', database, entities, synchronize: true, prepareDatabase });
    await source.initialize();
    try {
      await use(source.manager, source);
    } finally {
      await source.destroy();
    }
  });
}

/** Returns an entity with these options of its ID, and of the ID of its customer. */
function orderClass({ generate = async () => ids.generate(), ...options } = {}, format = 'snowflake') {
  class Order {}
  Entity({ name: 'orders' })(Order);
  IdColumn(format, { primary: true, generate, ...options })(Order.prototype, 'id');
  IdColumn(format, { nullable: true, ...options })(Order.prototype, 'customer');
  return Order;
}

describe('typeorm', () => {
  for (const column of ['bigint', 'text']) {
    test(`IDs go from a column of ${column} through JSON and back`, () => {
      const Order = orderClass({ column });
      return withSource([Order], async (manager, source) => {
        const store = {
          insert: (order) => manager.save(Object.assign(new Order(), order)),
          find: (id) => manager.findOneBy(Order, { id }),
          all: () => manager.find(Order, { order: { id: 'ASC' } }),
        };
        await withServer(createServer(expressShop(store)), exchanges);
        const [stored] = await source.query('SELECT id FROM orders ORDER BY id');
        assert.equal(stored.id, column === 'text' ? String(ID) : ID);
      });
    });

    test(`generates, finds, changes and removes, in a column of ${column}`, () => {
      const Order = orderClass({ column });
      return withSource([Order], async (manager) => {
        const made = await manager.save(new Order());
        assert.equal(ids.inspect(made.id).node, 7);
        const [many] = await manager.save([new Order(), new Order()]);
        assert.notEqual(many.id, made.id);
        await manager.save(Object.assign(new Order(), { id: ID, customer: made.id }));
        assert.equal((await manager.findBy(Order, { id: In([ID, made.id]) })).length, 2);
        if (column === 'bigint') assert.equal(await manager.countBy(Order, { id: MoreThan(ID) }), 3);
        const found = await manager.findOneByOrFail(Order, { customer: made.id });
        found.customer = OTHER;
        await manager.save(found);
        assert.equal(await manager.count(Order), 4);
        assert.deepEqual({ ...(await manager.findOneBy(Order, { id: ID })) }, { id: ID, customer: OTHER });
        await manager.update(Order, { id: ID }, { customer: null });
        assert.equal((await manager.findOneBy(Order, { id: ID })).customer, null);
        await manager.remove(found);
        assert.equal(await manager.findOneBy(Order, { id: ID }), null);
        await assert.rejects(manager.findOneBy(Order, { id: '7x' }), { code: 'TEXT_CHARACTER' });
        // TypeORM calls no listeners for plain objects.
        await manager.insert(Order, new Order());
        await assert.rejects(manager.save(Order, {}), /NOT NULL/);
      });
    });
  }

  test('values are text with the option text, and JSON needs no replacer', () => {
    const Order = orderClass({ text: true, generate: ids.generateText }, { scheme: 'snowflake', prefix: 'order' });
    return withSource([Order], async (manager, source) => {
      const made = await manager.save(new Order());
      assert.match(made.id, /^order_/);
      const found = await manager.findOneBy(Order, { id: JSON.parse(JSON.stringify(made)).id });
      assert.deepEqual({ ...found }, { id: made.id, customer: null });
      assert.deepEqual(await source.query('SELECT id FROM orders'), [{ id: ids.fromText(made.id) }]);
    });
  });

  for (const hasProperty of [true, false]) {
    test(`relations, ${hasProperty ? 'with' : 'without'} a property for the foreign key`, () => {
      const Order = orderClass();
      class Item {}
      Entity({ name: 'items' })(Item);
      IdColumn('snowflake', { primary: true, generate: ids.generate })(Item.prototype, 'id');
      if (hasProperty) IdColumn('snowflake', { nullable: true })(Item.prototype, 'orderId');
      ManyToOne(() => Order)(Item.prototype, 'order');
      JoinColumn({ name: 'orderId' })(Item.prototype, 'order');
      return withSource([Order, Item], async (manager) => {
        const order = await manager.save(Object.assign(new Order(), { id: ID }));
        const item = await manager.save(Object.assign(new Item(), { order }));
        const found = await manager.findOneOrFail(Item, { where: { order: { id: ID } }, relations: { order: true } });
        assert.deepEqual([found.id, found.orderId, found.order.id], [item.id, hasProperty ? ID : undefined, ID]);
      });
    });
  }

  test('a transformer converts in a schema without decorators', () => {
    const id = { type: 'bigint', primary: true, transformer: idTransformer('snowflake') };
    const schema = new EntitySchema({ name: 'orders', columns: { id, note: { type: String, nullable: true } } });
    return withSource([schema], async (manager) => {
      await manager.insert(schema, { id: ID });
      assert.deepEqual(await manager.find(schema), [{ id: ID, note: null }]);
    });
  });

  test('a driver that returns numbers is an error, not a wrong ID', () => {
    const Order = orderClass();
    return withSource([Order], async (manager) => {
      await manager.insert(Order, { id: ID });
      await assert.rejects(manager.find(Order), { code: 'WRONG_TYPE', message: /as the number 2125041057055170600, beyond/ });
    }, () => {});
  });

  test('invalid options are refused', () => {
    assert.throws(() => IdColumn('ulid', { column: 'bigint' }), { code: 'INVALID_ARGUMENT' });
    assert.throws(() => IdColumn('snowflake', { generated: true }), { code: 'WRONG_TYPE', message: /give column, text, generate, primary/ });
    assert.throws(() => idTransformer('snowflakes'), { code: 'UNKNOWN_NAME' });
    assert.throws(() => idTransformer('snowflake', { primary: true }), { code: 'WRONG_TYPE' });
  });
});
