import { FINE_MOMENT, type Integer, bytes, integerIfGiven, moment, options, present, text } from './arguments.js';
import { ByteGenerator } from './byte-generator.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { RANDOM_OPTIONS, type TimeOptions, nativeOptions } from './generator-options.js';
import { native } from './load-native.js';
import type { Parts } from './parts.js';
import { ownBytes } from './realm.js';

/** What a UUID generator takes; version 4 takes no other than the clock, which it does not read. */
export interface UuidOptions extends TimeOptions {
  /** 1, 4 or 7, which is the default. */
  version?: Integer | undefined;
}

/** The parts of a UUID that is to be composed. */
export interface UuidParts {
  /** Unix milliseconds, of versions 1 and 7. */
  timestampMs?: Integer | undefined;
  /** The same as a date, instead. */
  time?: Date | undefined;
  /** By how many nanoseconds the time is later, 0 to 999,999; rounded down to the tick, of version 1 100 ns. */
  submillisecondNs?: Integer | null | undefined;
  /** The random part: 74 bits of version 7, 122 of version 4. */
  random?: Integer | undefined;
  /** The clock sequence of version 1, 14 bits. */
  clockSequence?: Integer | undefined;
  /** The node of version 1, 48 bits. */
  node?: Integer | undefined;
}

/**
 * Makes UUIDs of one version. An ID is text, hyphenated, lower case.
 *
 * - **7**: 48 bits of Unix milliseconds and 74 random ones, to which 1 to 2^32 is added for each ID within the millisecond (RFC
 *   9562 section 6.2, method 2): IDs of a generator ascend strictly. They sort by time and tell it to anyone.
 * - **4**: 122 random bits.
 * - **1**: time in 100 ns, clock sequence and node, drawn for each generator. They do not sort by time.
 *
 * Source: RFC 9562 (2024).
 *
 * @example
 * ```ts
 * import { Uuid } from 'saiban';
 * const ids = new Uuid({ version: 7 });
 * const [first, second] = ids.generateMany(2) as [string, string];
 * console.log(first.length, first < second); // 36 true
 * ```
 */
export class Uuid extends ByteGenerator<Parts<string, number>> {
  /** The version: 1, 4 or 7. */
  readonly version: 1 | 4 | 7;

  /**
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for another version, and for an option of version 4 other
   * than the clock; `INVALID_WINDOW` (in
   * milliseconds); `INVALID_LAYOUT` for the policy `'bits'`; `UNKNOWN_NAME` for another one; `ENTROPY_UNAVAILABLE`.
   */
  constructor(uuidOptions: UuidOptions = {}) {
    const given = options(uuidOptions, 'Uuid', ['version', ...RANDOM_OPTIONS]);
    const version = integerIfGiven(given.version, 'version') ?? 7n;
    const [common, clock] = [nativeOptions(given), nativeClock(given.clock)];
    super(calling(() => native.uuid(version, common, clock)), 16);
    this.version = Number(version) as 1 | 4 | 7;
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs. Version 7 takes a time and a random part,
   * version 4 a random part, version 1 a time, a clock sequence and a node.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for a part that is missing, or that the version has not;
   * `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `RANDOM_OUT_OF_RANGE`, `SEQUENCE_OUT_OF_RANGE`, `NODE_OUT_OF_RANGE`.
   * @example
   * ```ts
   * import { Uuid } from 'saiban';
   * const random = (0xcc3n << 62n) | 0x18c4dc0c0c07398fn; // RFC 9562, appendix A.6
   * console.log(new Uuid().compose({ timestampMs: 1645557742000, random })); // 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
   * ```
   */
  compose(parts: UuidParts): string {
    const given = options(parts, 'compose', [...FINE_MOMENT, 'random', 'clockSequence', 'node']);
    const isTimed = (given.timestampMs ?? given.time ?? null) !== null;
    const timestampMs = isTimed ? moment(given) : undefined;
    const submillisecondNs = integerIfGiven(given.submillisecondNs, 'submillisecondNs');
    const random = integerIfGiven(given.random, 'random');
    const sequence = integerIfGiven(given.clockSequence, 'clockSequence');
    const node = integerIfGiven(given.node, 'node');
    return this.composed(present({ timestampMs, submillisecondNs, random, sequence, node }));
  }
}

/**
 * The 16 bytes of a UUID as Microsoft's `GUID` lies in memory: of the first three groups the lowest byte first, the rest as in
 * the text.
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
  // Other threads may see the memory of those that are given. A Buffer's slice is no copy.
  const own = new Uint8Array(bytes(guid, 'guid'));
  return calling(() => native.uuidOfGuidBytes(own));
}
