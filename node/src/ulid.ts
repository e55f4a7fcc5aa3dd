import { type Integer, MOMENT, type Moment, integer, moment, options } from './arguments.js';
import { ByteGenerator } from './byte-generator.js';
import { nativeClock } from './clock.js';
import { decode, encode } from './encoding.js';
import { calling } from './errors.js';
import { RANDOM_OPTIONS, type TimeOptions, nativeOptions } from './generator-options.js';
import type { FromTextOptions } from './generator.js';
import { native } from './load-native.js';
import type { TimedParts } from './parts.js';

/** What a ULID generator takes. */
export interface UlidOptions extends TimeOptions {}

/** The parts of a ULID that is to be composed. */
export type UlidParts = Moment & {
  /** The random part, 80 bits. */
  random: Integer;
};

const BITS = 128;

/**
 * Makes ULIDs: 48 bits of Unix milliseconds and 80 random ones, which grow by one within the millisecond, so that the IDs of a
 * generator ascend strictly. They sort by time and tell it to anyone. An ID is text, 26 characters of Crockford's base32, upper
 * case; any case is read, without `lenient` too, as the specification says. `fromText` answers upper case.
 *
 * Source: github.com/ulid/spec (2016–2019).
 *
 * @example
 * ```ts
 * import { Ulid } from 'saiban';
 * const ids = new Ulid();
 * console.log(ids.generate().length); // 26
 * console.log(ids.inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV').time.toISOString()); // 2016-07-30T23:54:10.259Z
 * ```
 */
export class Ulid extends ByteGenerator<TimedParts<string, number>> {
  /**
   * @throws {@link SaibanError} `INVALID_WINDOW` (in milliseconds); `INVALID_LAYOUT` for the policy `'bits'`; `UNKNOWN_NAME` for
   * another one; `INVALID_ARGUMENT`.
   */
  constructor(ulidOptions: UlidOptions = {}) {
    const given = options(ulidOptions, 'Ulid', RANDOM_OPTIONS);
    const [common, clock] = [nativeOptions(given), nativeClock(given.clock)];
    super(calling(() => native.ulid(common, clock)), BITS / 8);
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `RANDOM_OUT_OF_RANGE`.
   * @example
   * ```ts
   * import { Ulid } from 'saiban';
   * console.log(new Ulid().compose({ timestampMs: 1469918176385, random: 0 })); // 01ARYZ6S410000000000000000
   * ```
   */
  compose(parts: UlidParts): string {
    const given = options(parts, 'compose', [...MOMENT, 'random']);
    return this.composed({ timestampMs: moment(given), random: integer(given.random, 'random') });
  }

  /**
   * The same 128 bits as the text of a UUID. It has no version that says so.
   *
   * @throws {@link SaibanError} the kinds that begin with `TEXT_`.
   * @example
   * ```ts
   * import { Ulid } from 'saiban';
   * console.log(new Ulid().toUuid('01ARZ3NDEKTSV4RRFFQ69G5FAV')); // 01563e3a-b5d3-d676-4c61-efb99302bd5b
   * ```
   */
  toUuid(id: string): string {
    return this.toText(id, 'hyphenated');
  }

  /**
   * The ULID of the same 128 bits as a UUID has.
   *
   * @param uuid - Hyphenated, lower case; with `lenient` any of the forms of a UUID, in any case.
   * @throws {@link SaibanError} the kinds that begin with `TEXT_`.
   * @example
   * ```ts
   * import { Ulid } from 'saiban';
   * console.log(new Ulid().fromUuid('01563e3a-b5d3-d676-4c61-efb99302bd5b')); // 01ARZ3NDEKTSV4RRFFQ69G5FAV
   * ```
   */
  fromUuid(uuid: string, fromUuidOptions: FromTextOptions = {}): string {
    const { lenient } = options(fromUuidOptions, 'fromUuid', ['lenient']);
    return encode(decode(uuid, 'hyphenated', { bits: BITS, lenient }), 'crockford', { bits: BITS });
  }
}
