// The text of the IDs of one scheme, which the integrations read and write. The rules are core's:
// this file only chooses the functions of core that read and write.

import { idInteger, idOrText, options, text, textIfGiven } from './arguments.js';
import { decode, encode } from './encoding.js';
import { ErrorCode } from './error-code.js';
import { SaibanError, calling } from './errors.js';
import { type AnyGenerator, Generator, type IdArgument, canRead, isTextOf } from './generator.js';
import { Layout, nativeLayout } from './layout.js';
import { native } from '#host';
import type { Encoding, LeaseScheme, Scheme } from './names.js';
import type * as Native from './native.js';

/** A scheme, and the text of its IDs. */
export interface IdFormatOptions {
  /** The name of the scheme. Its IDs may have any layout, and UUIDs any version. */
  readonly scheme: Scheme;
  /** The text is the number in this encoding, in place of the canonical text; see `encode`. */
  readonly encoding?: Encoding | undefined;
  /** The text begins with this prefix and an underscore. */
  readonly prefix?: string | undefined;
}

/**
 * The IDs that an integration reads and writes: the name of a scheme, a scheme with an encoding or
 * a prefix, or a generator, whose prefix and layout then apply.
 */
export type IdFormat = Scheme | IdFormatOptions | AnyGenerator;

/** The type of the IDs of a format: `bigint` for schemes with nodes, `string` for others. */
export type IdOf<Format extends IdFormat> = Format extends Generator<infer Id, any, any, any>
  ? Id
  : Format extends { readonly scheme: infer Name }
    ? IdOfScheme<Name>
    : IdOfScheme<Format>;

type IdOfScheme<Name> = Name extends LeaseScheme ? bigint : string;

/** The functions of a format. */
interface TextFunctions<Id> {
  readonly isText: boolean;
  fromText(source: string): Id;
  toText(id: Id): string;
}

/**
 * Reads and writes the text of IDs of one format: the part that all integrations have in common.
 *
 * @example
 * ```ts
 * import { IdTexts } from 'saiban/texts';
 * const texts = new IdTexts({ scheme: 'snowflake', encoding: 'base62' });
 * console.log(texts.write(2125041057055170560n), texts.read('2Wyi3Ucx9Hs')); // 2Wyi3Ucx9Hs 2125041057055170560n
 * ```
 */
export class IdTexts<const Format extends IdFormat = IdFormat> {
  readonly #texts: TextFunctions<IdOf<Format>>;

  /**
   * @throws {@link SaibanError} `UNKNOWN_NAME` for an unknown scheme or encoding;
   * `INVALID_ARGUMENT` for an invalid prefix, for an encoding together with a prefix, and for an
   * encoding of a scheme whose IDs are text.
   */
  constructor(format: Format) {
    this.#texts = functions(format) as TextFunctions<IdOf<Format>>;
  }

  /** Whether an ID is text, and not a bigint. */
  get areText(): boolean {
    return this.#texts.isText;
  }

  /**
   * Returns the ID of a text. Returns an ID unchanged, and a safe `number` as a bigint.
   *
   * @throws {@link SaibanError} the kinds that begin with `TEXT_`; `ID_OUT_OF_RANGE` when the
   * number is not an ID of the scheme.
   */
  read(value: unknown): IdOf<Format> {
    const given = this.areText ? text(value, 'id') : idOrText(value, 'id');
    if (typeof given === 'string') return this.#texts.fromText(given);
    this.#texts.toText(given as IdOf<Format>); // checks the range
    return given as IdOf<Format>;
  }

  /**
   * Returns whether {@link IdTexts.read} reads this text: for untrusted input. A value that is
   * not text is invalid.
   *
   * @example
   * ```ts
   * import { IdTexts } from 'saiban/texts';
   * const orders = new IdTexts({ scheme: 'uuid-v7', prefix: 'order' });
   * console.log(orders.isValid('order_01h455vb4pex5vsknk084sn02q'), orders.isValid('user_01h455vb4pex5vsknk084sn02q')); // true false
   * ```
   */
  isValid(source: string): boolean;
  isValid(source: unknown): source is string;
  isValid(source: unknown): boolean {
    return canRead(source, (given) => this.#texts.fromText(given));
  }

  /**
   * Returns the text of an ID.
   *
   * @throws {@link SaibanError} as {@link IdTexts.read}.
   */
  write(id: IdArgument<IdOf<Format>>): string {
    return this.#texts.toText(id as IdOf<Format>);
  }
}

/**
 * Returns a replacer for `JSON.stringify` that writes every bigint as the text of an ID of this
 * format.
 *
 * A bigint does not show its scheme: if a value holds bigints that are not IDs of the format, write
 * its IDs with {@link IdTexts} instead.
 *
 * @throws {@link SaibanError} as the constructor of {@link IdTexts}; the replacer:
 * `ID_OUT_OF_RANGE` when a bigint is not an ID of the scheme.
 * @example
 * ```ts
 * import { idReplacer } from 'saiban/texts';
 * console.log(JSON.stringify({ id: 2125041057055170560n }, idReplacer('snowflake'))); // {"id":"2125041057055170560"}
 * ```
 */
export function idReplacer(format: IdFormat): (key: string, value: unknown) => unknown {
  const texts = new IdTexts(format);
  return (_key, value) => (typeof value === 'bigint' ? texts.write(value) : value);
}

/** The names of the options of a format. */
const FORMAT_OPTIONS = ['scheme', 'encoding', 'prefix'] as const;

/** Returns the functions that read and write the texts of a format. */
function functions(format: IdFormat): TextFunctions<never> {
  if (format instanceof Generator) {
    const ids: Generator<bigint | string> = format;
    return {
      isText: isTextOf(ids),
      fromText: (source) => ids.fromText(source) as never,
      toText: (id) => ids.toText(id as IdArgument<bigint>),
    };
  }
  const given = typeof format === 'string' ? { scheme: format } : options(format, 'an ID format', FORMAT_OPTIONS);
  const scheme = text(given.scheme, 'scheme');
  const [encoding, prefix] = [textIfGiven(given.encoding, 'encoding'), textIfGiven(given.prefix, 'prefix')];
  if (encoding !== undefined && prefix !== undefined) {
    throw invalid(`encoding is ${JSON.stringify(encoding)} and prefix ${JSON.stringify(prefix)}: give one of them`);
  }
  const made = scheme.startsWith('uuid') && prefix === undefined
    ? uuidFunctions(scheme, (encoding ?? 'hyphenated') as Encoding)
    : schemeFunctions(reader(scheme, prefix), encoding as Encoding | undefined);
  return made as TextFunctions<never>;
}

/** Returns the functions of a scheme, whose reader has the prefix. */
function schemeFunctions(ids: Native.GeneratorFunctions, encoding: Encoding | undefined): TextFunctions<bigint | string> {
  if (ids.isText && encoding !== undefined) {
    throw invalid(`encoding is ${JSON.stringify(encoding)}, but IDs of ${ids.scheme} are text: leave it out`);
  }
  const toText = (value: bigint | string) => {
    const id = ids.isText ? text(value, 'id') : idInteger(value, 'id');
    return calling(() => ids.toText(id, encoding));
  };
  const { isText } = ids;
  if (encoding === undefined) return { isText, fromText: (source) => calling(() => ids.fromText(source, false)), toText };
  encode(0n, encoding); // checks the name
  const fromText = (source: string) => {
    const id = decode(source, encoding);
    toText(id); // checks the range
    return id;
  };
  return { isText, fromText, toText };
}

/** Returns the functions of UUIDs of every version: hyphenated, or the number in an encoding. */
function uuidFunctions(scheme: string, encoding: Encoding): TextFunctions<string> {
  reader(scheme, undefined); // checks the name
  const converted = (source: string, from: Encoding, to: Encoding) =>
    encode(decode(source, from, { bits: UUID_BITS }), to, { bits: UUID_BITS });
  encode(0n, encoding, { bits: UUID_BITS }); // checks the name
  return {
    isText: true,
    fromText: (source) => converted(source, encoding, 'hyphenated'),
    toText: (id) => converted(text(id, 'id'), 'hyphenated', encoding),
  };
}

const UUID_BITS = 128;

/**
 * The options without which core makes no generator of a scheme. No text depends on them: with
 * these layouts, every number of 64 bits is an ID.
 */
const NEEDED: Partial<Record<string, () => [Native.SpecGiven, Native.GeneratorOptions]>> = {
  snowflake: () => [{ layout: layout('timestamp:42 node:10 sequence:12') }, NODE],
  flake: () => [{ layout: layout('timestamp:1 random:63') }, {}],
  randflake: () => [{ secret: new Uint8Array(16) }, NODE],
  'ulid-flake': () => [{}, {}],
};

const NODE: Native.GeneratorOptions = { node: 0n };

function layout(source: string): Native.Layout {
  return nativeLayout(Layout.fromText(source)) as Native.Layout;
}

/**
 * Returns a generator that only reads and writes texts. With a manual clock, it shares nothing with
 * other generators.
 */
function reader(scheme: string, prefix: string | undefined): Native.GeneratorFunctions {
  const hasNodes = native.names().leaseSchemes.includes(scheme);
  const [spec, given] = NEEDED[scheme]?.() ?? [{}, hasNodes ? NODE : {}];
  const ofPrefix = prefix === undefined ? spec : { ...spec, prefix };
  return calling(() => native.generator(scheme, ofPrefix, given, new native.ManualClock(READING_MS)));
}

/** Any time at which every scheme has IDs: 2024-01-01. */
const READING_MS = 1_704_067_200_000n;

function invalid(message: string): SaibanError {
  return new SaibanError(ErrorCode.INVALID_ARGUMENT, message);
}
