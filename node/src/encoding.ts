import { type Integer, bytes, flag, idInteger, integerIfGiven, options, text } from './arguments.js';
import { calling } from './errors.js';
import { native } from '#host';
import type { Encoding } from './names.js';
import { ownBytes } from './realm.js';

/** The options of `encode`. */
export interface EncodeOptions {
  /** The exact number of characters, with leading zeros; the encoding's width by default. */
  width?: Integer | undefined;
  /**
   * The number of bits of the ID, 16 to 128: 64, a signed number, by default. Numbers of any other
   * width are unsigned.
   */
  bits?: Integer | undefined;
}

/** The options of `decode`. */
export interface DecodeOptions extends EncodeOptions {
  /**
   * Also reads variants of an ID's text: letters of the other case, leading zeros, Crockford's `i`,
   * `l`, `o` and hyphens, `=` at the end. By default there is one text per ID.
   */
  lenient?: boolean | undefined;
}

/**
 * Writes an ID as text: a signed 64-bit integer, or with `bits` an unsigned one of that width.
 *
 * @throws {@link SaibanError} `UNKNOWN_NAME`; `ID_OUT_OF_RANGE` for a value of more bits;
 * `WIDTH_OUT_OF_RANGE` for a width that the encoding lacks, for a value that does not fit the
 * width, and for a width with a negative decimal number; `INVALID_ARGUMENT` for other than 16 to
 * 128 bits.
 * @example
 * ```ts
 * import { encode } from 'saiban';
 * console.log(encode(14246757444195114n, 'crockford'), encode(7, 'base62', { width: 11 })); // 00CMXB6TAK4SA 00000000007
 * const uuid = 0x017f22e279b07cc398c4dc0c0c07398fn;
 * console.log(encode(uuid, 'hyphenated', { bits: 128 })); // 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
 * ```
 */
export function encode(value: Integer, encoding: Encoding, encodeOptions: EncodeOptions = {}): string {
  const number = idInteger(value, 'value');
  const name = text(encoding, 'encoding');
  const given = options(encodeOptions, 'encode', ['width', 'bits']);
  const [width, bits] = [integerIfGiven(given.width, 'width'), integerIfGiven(given.bits, 'bits')];
  return calling(() => native.encode(number, name, width, bits));
}

/**
 * Reads an ID from text: a signed 64-bit integer, or with `bits` an unsigned one of that width.
 *
 * @throws {@link SaibanError} `TEXT_LENGTH`; `TEXT_CHARACTER` and `TEXT_NOT_CANONICAL`, with the
 * `position`; `TEXT_OVERFLOW`; `UNKNOWN_NAME`; `WIDTH_OUT_OF_RANGE`; `INVALID_ARGUMENT` for other
 * than 16 to 128 bits.
 * @example
 * ```ts
 * import { decode } from 'saiban';
 * console.log(decode('ff', 'hex'), decode('OOCMXB6TAK4SA', 'crockford', { lenient: true })); // 255n 14246757444195114n
 * console.log(decode('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'crockford', { bits: 128 }) === 2n ** 128n - 1n); // true
 * ```
 */
export function decode(source: string, encoding: Encoding, decodeOptions: DecodeOptions = {}): bigint {
  const characters = text(source, 'text');
  const name = text(encoding, 'encoding');
  const given = options(decodeOptions, 'decode', ['width', 'lenient', 'bits']);
  const [width, bits] = [integerIfGiven(given.width, 'width'), integerIfGiven(given.bits, 'bits')];
  return calling(() => native.decode(characters, name, width, flag(given.lenient, 'lenient'), bits));
}

/**
 * The 16 bytes of a UUID in the order of Microsoft's `GUID` in memory: the first three groups have
 * their lowest byte first, and the rest is as in the text.
 *
 * @param uuid - Hyphenated, lower case, of any version.
 * @throws {@link SaibanError} the kinds that begin with `TEXT_`.
 * @example
 * ```ts
 * import { uuidToGuidBytes } from 'saiban';
 * console.log(uuidToGuidBytes('00112233-4455-6677-8899-aabbccddeeff').slice(0, 4).join(' ')); // 51 34 17 0
 * ```
 */
export function uuidToGuidBytes(uuid: string): Uint8Array {
  const source = text(uuid, 'uuid');
  return ownBytes(calling(() => native.uuidToGuidBytesOf(source)));
}

/**
 * The UUID of the 16 bytes of Microsoft's `GUID`.
 *
 * @throws {@link SaibanError} `INVALID_ARGUMENT` for other than 16 bytes.
 * @example
 * ```ts
 * import { uuidFromGuidBytes, uuidToGuidBytes } from 'saiban';
 * console.log(uuidFromGuidBytes(uuidToGuidBytes('00112233-4455-6677-8899-aabbccddeeff'))); // 00112233-4455-6677-8899-aabbccddeeff
 * ```
 */
export function uuidFromGuidBytes(guid: Uint8Array): string {
  // Other threads may share the memory of the given bytes. A Buffer's slice is no copy.
  const own = new Uint8Array(bytes(guid, 'guid'));
  return calling(() => native.uuidOfGuidBytes(own));
}
