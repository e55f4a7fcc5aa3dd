/**
 * IDs in Fastify: parameters of routes are read as IDs, and JSON has their text.
 *
 * @packageDocumentation
 */

import { type ParamFormats, paramReader } from './params.js';
import { isDate } from './realm.js';
import { type IdFormat, IdTexts } from './texts.js';

export type { BadRequest, IdParamError, IdParams, ParamFormats } from './params.js';
export type { IdFormat, IdFormatOptions } from './texts.js';

/**
 * Returns a `preHandler` hook that reads parameters of its route as IDs. The handler finds the ID
 * in `request.params`. For invalid text, Fastify responds with status 400, the error's message and
 * its `code`.
 *
 * @param formats - The format of each parameter, by its name.
 * @throws {@link SaibanError} as the constructor of `IdTexts`. The hook throws a
 * {@link SaibanTypeError} if the route has no such parameter.
 * @example
 * ```ts
 * import { fastify } from 'fastify';
 * import { idParams, idsToText } from 'saiban/fastify';
 * const app = fastify().addHook('preSerialization', idsToText('snowflake'));
 * const preHandler = idParams({ id: 'snowflake' });
 * app.get<{ Params: { id: bigint } }>('/orders/:id', { preHandler }, async ({ params }) => {
 *   return { id: params.id }; // {"id":"2125041057055170560"}
 * });
 * ```
 */
export function idParams(
  formats: ParamFormats,
): (request: { params: unknown }) => Promise<void> {
  const read = paramReader(formats);
  return async ({ params }) => {
    const error = read(params as Record<string, unknown>);
    if (error !== undefined) throw error;
  };
}

/**
 * Returns a `preSerialization` hook that writes every bigint of a response as the text of an ID of
 * this format. Response schemas apply to the text: give an ID the type `string`.
 *
 * A bigint does not show its scheme: if responses hold bigints that are not IDs of the format,
 * write their IDs with `toText` instead.
 *
 * @throws {@link SaibanError} as the constructor of `IdTexts`; the hook: `ID_OUT_OF_RANGE` when a
 * bigint is not an ID of the scheme.
 * @example
 * ```ts
 * import { fastify } from 'fastify';
 * import { idsToText } from 'saiban/fastify';
 * const app = fastify().addHook('preSerialization', idsToText('snowflake'));
 * app.get('/orders', async () => [{ id: 2125041057055170560n }]);
 * console.log((await app.inject('/orders')).body); // [{"id":"2125041057055170560"}]
 * ```
 */
export function idsToText(
  format: IdFormat,
): (request: unknown, reply: unknown, payload: unknown) => Promise<unknown> {
  const texts = new IdTexts(format);
  return async (_request, _reply, payload) => withTexts(payload, texts);
}

/** Returns a copy of a value, with texts in place of bigints, for `JSON.stringify`. */
function withTexts(value: unknown, texts: IdTexts): unknown {
  if (typeof value === 'bigint') return texts.write(value);
  if (typeof value !== 'object' || value === null || isDate(value)) return value;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return withTexts(toJSON.call(value, ''), texts);
  if (Array.isArray(value)) return value.map((element) => withTexts(element, texts));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member, texts)]));
}
