// The functions of the codec of saiban/zod, without Zod itself.

import { SaibanError } from './errors.js';
import { type IdFormat, IdTexts } from './texts.js';

/** The second argument that Zod passes to a function of a codec. */
interface Payload {
  readonly issues: object[];
}

/** The functions of a codec. @internal */
export interface IdCodec {
  /** Whether an ID is text, and not a bigint. */
  readonly areText: boolean;
  /** Returns the message for a value that is not text; `undefined` for Zod's own message. */
  readonly error: (issue: { readonly input?: unknown }) => string | undefined;
  readonly decode: (text: string, payload: Payload) => never;
  readonly encode: (id: unknown, payload: Payload) => never;
}

/**
 * Returns the functions of a codec of this format. `NEVER` is Zod's result with an issue.
 *
 * @internal
 */
export function idCodec(format: IdFormat, NEVER: never): IdCodec {
  const texts = new IdTexts(format);
  /** Returns a function of a codec that adds the conversion's error to the issues. */
  const converting = (convert: (value: unknown) => unknown) => (input: unknown, { issues }: Payload): never => {
    try {
      return convert(input) as never;
    } catch (error) {
      if (!(error instanceof SaibanError)) throw error;
      const { code, position, message } = error;
      issues.push({ code: 'custom', input, message, params: position === undefined ? { code } : { code, position } });
      return NEVER;
    }
  };
  const error = ({ input }: { readonly input?: unknown }) =>
    typeof input === 'number' || typeof input === 'bigint'
      ? `an ID is text in JSON, because numbers lose digits above 2^53: give the ID's text in place of a ${typeof input}`
      : undefined;
  return {
    areText: texts.areText,
    error,
    decode: converting((value) => texts.read(value)),
    encode: converting((id) => texts.write(id as bigint)),
  };
}
