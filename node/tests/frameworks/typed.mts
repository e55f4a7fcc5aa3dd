// The helpers with the types of the frameworks.
import express from 'express';
import { type FastifyInstance, fastify } from 'fastify';
import { Snowflake, Ulid } from 'saiban';
import { idParams, idReplacer } from 'saiban/express';
import * as inFastify from 'saiban/fastify';
import { idSchema } from 'saiban/zod';
import * as z from 'zod';

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
    // @ts-expect-error an ID is no number
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
// @ts-expect-error an ID is no text inside
export const text: string = output.id;
console.log('typed');
