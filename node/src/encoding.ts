import { type Integer, flag, idInteger, integerIfGiven, options, text } from './arguments.js';
import { calling } from './errors.js';
import { native } from './load-native.js';

/**
 * How a 64-bit ID is written. Decimal text is signed; all others take the 64 bits as unsigned.
 *
 * Customary forms: `crockford` 13 characters and `base64url` 11 (RFC 4648 section 5 over the eight bytes, highest first,
 * without padding); all others the shortest.
 */
export type Encoding =
  | 'decimal'
  | 'hex'
  | 'binary'
  | 'crockford'
  | 'base32hex'
  | 'base36'
  | 'base58'
  | 'base62'
  | 'base64url';

/** How to write. */
export interface EncodeOptions {
  /** Exactly so many characters, zeros in front; without it, the encoding's customary form. */
  width?: Integer | undefined;
}

/** How to read. */
export interface DecodeOptions extends EncodeOptions {
  /**
   * Also reads what people make of an ID: letters of the other case, leading zeros, Crockford's `i`, `l`, `o` and hyphens, `=`
   * at the end. By default there is one text per ID.
   */
  lenient?: boolean | undefined;
}

/**
 * Writes a signed 64-bit integer as text.
 *
 * @throws {@link SaibanError} `UNKNOWN_NAME`; `ID_OUT_OF_RANGE` for a value of more than 64 bits; `WIDTH_OUT_OF_RANGE` for a
 * width that the encoding lacks, that the value needs more than, or that is asked for a negative decimal number.
 * @example
 * ```ts
 * import { encode } from 'saiban';
 * console.log(encode(14246757444195114n, 'crockford'), encode(7, 'base62', { width: 11 })); // 00CMXB6TAK4SA 00000000007
 * ```
 */
export function encode(value: Integer, encoding: Encoding, encodeOptions: EncodeOptions = {}): string {
  const number = idInteger(value, 'value');
  const name = text(encoding, 'encoding');
  const width = integerIfGiven(options(encodeOptions, 'encode', ['width']).width, 'width');
  return calling(() => native.encode(number, name, width));
}

/**
 * Reads a signed 64-bit integer from text.
 *
 * @throws {@link SaibanError} `TEXT_LENGTH`; `TEXT_CHARACTER` and `TEXT_NOT_CANONICAL`, with the `position`;
 * `TEXT_OVERFLOW`; `UNKNOWN_NAME`; `WIDTH_OUT_OF_RANGE`.
 * @example
 * ```ts
 * import { decode } from 'saiban';
 * console.log(decode('ff', 'hex'), decode('OOCMXB6TAK4SA', 'crockford', { lenient: true })); // 255n 14246757444195114n
 * ```
 */
export function decode(source: string, encoding: Encoding, decodeOptions: DecodeOptions = {}): bigint {
  const characters = text(source, 'text');
  const name = text(encoding, 'encoding');
  const given = options(decodeOptions, 'decode', ['width', 'lenient']);
  const width = integerIfGiven(given.width, 'width');
  return calling(() => native.decode(characters, name, width, flag(given.lenient, 'lenient')));
}
