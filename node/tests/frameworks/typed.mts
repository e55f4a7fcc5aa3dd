// The helpers with the types of the frameworks.
import { customType, sqliteTable } from 'drizzle-orm/sqlite-core';
import * as pg from 'drizzle-orm/pg-core';
import * as mysql from 'drizzle-orm/mysql-core';
import express from 'express';
import { type FastifyInstance, fastify } from 'fastify';
import knex from 'knex';
import mongoose from 'mongoose';
import { ObjectId, Snowflake, Ulid } from 'saiban';
import { idParams, idReplacer } from 'saiban/express';
import * as inFastify from 'saiban/fastify';
import { idColumn } from 'saiban/drizzle';
import { idRows } from 'saiban/knex';
import { idPath } from 'saiban/mongoose';
import { generateIds, idsAsText } from 'saiban/prisma';
import { IdColumn, idTransformer } from 'saiban/typeorm';
import { idSchema } from 'saiban/zod';
import { type DataSourceOptions, Entity, EntitySchema } from 'typeorm';
import * as z from 'zod';
import type { PrismaClient } from './prisma/client/index.js';

const ids = new Snowflake({ node: 7 });
const ulids = new Ulid();

export function expressApp(): express.Express {
  const app = express().set('json replacer', idReplacer('snowflake'));
  app.get('/orders/:id', idParams({ id: 'snowflake' }), (request, response) => {
    const id: bigint = request.params.id;
    response.json({ id });
  });
  const formats = { order: ids, item: ulids, user: { scheme: 'snowflake', prefix: 'user' } } as const;
  express.Router().post('/:order/:item/:user', express.json(), idParams(formats), ({ params }, response) => {
    const typed: { order: bigint; item: string; user: bigint } = params;
    // @ts-expect-error an ID is not a number
    const number: number = params.order;
    response.json([typed, number]);
  });
  // @ts-expect-error no such scheme
  app.get('/:id', idParams({ id: 'snowflakes' }));
  app.use(idParams({}, { onError: (error, _request, _response, next) => next(error.statusCode === 400 ? error : undefined) }));
  return app;
}

export function fastifyApp(): FastifyInstance {
  const app = fastify();
  app.addHook('preSerialization', inFastify.idsToText(ids));
  const preHandler = inFastify.idParams({ id: 'snowflake' });
  app.get<{ Params: inFastify.IdParams<{ id: 'snowflake' }> }>('/orders/:id', { preHandler }, async ({ params }) => {
    const id: bigint = params.id;
    return { id };
  });
  app.route({ method: 'GET', url: '/:id', preHandler: [preHandler], handler: async () => ({}) });
  return app;
}

export const Order = z.object({
  id: idSchema('snowflake'),
  item: idSchema(ulids),
  customer: idSchema({ scheme: 'snowflake', prefix: 'user' }).nullable(),
});
type Input = { id: string; item: string; customer: string | null };
type Output = { id: bigint; item: string; customer: bigint | null };
const input: Input = z.encode(Order, { id: 1n, item: ulids.generate(), customer: null } satisfies z.output<typeof Order>);
const output: Output = Order.parse(input) satisfies z.infer<typeof Order>;
// @ts-expect-error the output is an ID, not text
export const text: string = output.id;
const orders = sqliteTable('orders', {
  id: customType<{ data: bigint }>(idColumn('snowflake'))().primaryKey().$defaultFn(ids.generate),
  parent: customType<{ data: string }>(idColumn({ scheme: 'snowflake', prefix: 'order' }, { text: true }))(),
  item: customType<{ data: string }>(idColumn(ulids))(),
});
export const row: { id: bigint; parent: string | null; item: string | null } = {} as typeof orders.$inferSelect;
export const inserted: typeof orders.$inferInsert = { item: ulids.generate() };
export const others = [
  pg.pgTable('orders', { id: pg.customType<{ data: bigint }>(idColumn(ids))().primaryKey() }),
  mysql.mysqlTable('orders', { id: mysql.customType<{ data: bigint }>(idColumn(ids, { column: 'text' }))().primaryKey() }),
];
// @ts-expect-error IDs of this column are bigints
export const ofText = () => customType<{ data: string }>(idColumn('snowflake'));
// @ts-expect-error no such column
export const ofJson = () => idColumn('snowflake', { column: 'json' });

const postProcessResponse = idRows({ id: 'snowflake', item: ulids, user: { scheme: 'snowflake', prefix: 'user' } }, { text: true });
export const db = knex({ client: 'better-sqlite3', useNullAsDefault: true, postProcessResponse });
export const rows: { id: string }[] = postProcessResponse([{ id: '7' }]);

@Entity()
export class Purchase {
  @IdColumn('snowflake', { primary: true, generate: ids.generateAsync })
  id!: bigint;
  @IdColumn({ scheme: 'snowflake', prefix: 'user' }, { text: true, nullable: true, name: 'user_id', generate: () => 'user_7' })
  user!: string | null;
  @IdColumn(ulids, { unique: true, generate: () => ulids.generate() })
  item!: string;
}
export const entities: DataSourceOptions['entities'] = [
  Purchase,
  new EntitySchema({ name: 'old', columns: { id: { type: 'bigint', primary: true, transformer: idTransformer('snowflake') } } }),
];
// @ts-expect-error an ID is not a number
export const numbered = () => IdColumn('snowflake', { generate: () => 7 });

export async function extended(client: PrismaClient): Promise<[string, string | null, bigint]> {
  const generating = client.$extends(generateIds({ order: { id: ids.generateAsync }, item: { id: ulids.generate } }));
  const made = await generating.order.create({ data: { note: 'two tickets' } });
  const id: bigint = made.id;
  const customer = { format: ids, nullable: true } as const;
  const prisma = generating.$extends(idsAsText({ order: { id: { scheme: 'snowflake', prefix: 'order' }, customer } }));
  const found = await prisma.order.findFirstOrThrow({ where: { id }, include: { items: true } });
  // @ts-expect-error no such model
  client.$extends(generateIds({ orders: { id: () => ids.generateAsync() } }));
  return [found.id, found.customer, found.items.length === 0 ? id : 0n];
}

const schema = new mongoose.Schema({ _id: idPath(new ObjectId()), number: idPath(ids), item: idPath(ulids) });
export const Document = mongoose.model('Document', schema);
export const path: { _id?: mongoose.Types.ObjectId | null; number?: bigint | null; item?: string | null } = new Document({ number: 7n });
// @ts-expect-error a scheme's name is not a generator
export const pathless = () => idPath('objectid');

console.log('typed');
