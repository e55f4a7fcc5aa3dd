/**
 * A schema of Zod for IDs: the input, such as JSON, is text, and the output is the ID.
 *
 * @packageDocumentation
 */

import * as z from 'zod';
import type { IdFormat, IdOf } from './texts.js';
import { idCodec } from './zod-codec.js';

export type { IdFormat, IdFormatOptions, IdOf } from './texts.js';

/** A schema of IDs: `z.input` is text, `z.output` the ID. */
export type IdSchema<Format extends IdFormat> = z.ZodCodec<z.ZodString, z.ZodType<IdOf<Format>, IdOf<Format>>>;

/**
 * Returns a schema that reads the text of an ID, and with `z.encode` writes it. An invalid text is
 * an issue with saiban's message, and with the error's `code` and `position` as `params`.
 *
 * @throws {@link SaibanError} as the constructor of `IdTexts`.
 * @example
 * ```ts
 * import { idSchema } from 'saiban/zod';
 * import * as z from 'zod';
 * const Order = z.object({ id: idSchema('snowflake'), customer: idSchema('snowflake').nullable() });
 * const order = Order.parse({ id: '2125041057055170560', customer: null });
 * console.log(order.id); // 2125041057055170560n
 * console.log(JSON.stringify(z.encode(Order, order))); // {"id":"2125041057055170560","customer":null}
 * console.log(Order.safeParse({ id: '7x', customer: null }).error?.issues[0]?.message); // decimal text has no character 'x' (position 1, counted from 0)
 * ```
 */
export function idSchema<const Format extends IdFormat>(format: Format): IdSchema<Format> {
  const { areText, error, decode, encode } = idCodec(format, z.NEVER);
  const codec = z.codec(z.string({ error }), areText ? z.string() : z.bigint(), { decode, encode });
  return codec as unknown as IdSchema<Format>;
}
