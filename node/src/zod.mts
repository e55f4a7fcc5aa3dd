// saiban/zod for `import`. Zod has one implementation for `import` and another for `require`, and
// all modules of a program must use the same one.
import * as z from 'zod';
import type { IdFormat, IdOf } from './texts.js';
import { idCodec } from './zod-codec.js';

export type { IdFormat, IdFormatOptions, IdOf } from './texts.js';

/** A schema of IDs: `z.input` is text, `z.output` the ID. */
export type IdSchema<Format extends IdFormat> = z.ZodCodec<z.ZodString, z.ZodType<IdOf<Format>, IdOf<Format>>>;

/** Returns a schema that reads the text of an ID, and with `z.encode` writes it: see zod.ts. */
export function idSchema<const Format extends IdFormat>(format: Format): IdSchema<Format> {
  const { areText, error, decode, encode } = idCodec(format, z.NEVER);
  const codec = z.codec(z.string({ error }), areText ? z.string() : z.bigint(), { decode, encode });
  return codec as unknown as IdSchema<Format>;
}
