import { type Integer, MOMENT, type Moment, integer, moment, options } from './arguments.js';
import { ByteGenerator } from './byte-generator.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { RANDOM_OPTIONS, type TimeOptions, nativeOptions } from './generator-options.js';
import { native } from './load-native.js';
import type { TimedParts } from './parts.js';

/** What an ObjectId generator takes. */
export interface ObjectIdOptions extends TimeOptions {}

/** The parts of an ObjectId that is to be composed. */
export type ObjectIdParts = Moment & {
  /** What generators draw for themselves, 40 bits. */
  node: Integer;
  /** The counter, 24 bits. */
  sequence: Integer;
};

/**
 * Makes ObjectIds that MongoDB and its drivers take as their own: 32 bits of Unix seconds, 40 that the generator has drawn, and a
 * counter of 24. Drivers count on over seconds; this counter begins each second with the number that the generator drew. They sort by second and tell it to anyone. An ID is text, 24 hexadecimal digits, lower case.
 *
 * At most 16,777,216 IDs a second; until 2106. Source: MongoDB manual, "ObjectId"; MongoDB specifications, "BSON ObjectID".
 *
 * @example
 * ```ts
 * import { ObjectId } from 'saiban';
 * const ids = new ObjectId();
 * console.log(ids.generate().length, ids.generateBytes().length); // 24 12
 * console.log(ids.inspect('507f191e810c19729de860ea').time.toISOString()); // 2012-10-17T20:46:22.000Z
 * ```
 */
export class ObjectId extends ByteGenerator<TimedParts<string, number>> {
  /**
   * @throws {@link SaibanError} `INVALID_WINDOW` (in seconds); `INVALID_LAYOUT` for the policy `'bits'`; `UNKNOWN_NAME` for
   * another one; `INVALID_ARGUMENT`; `ENTROPY_UNAVAILABLE`.
   */
  constructor(objectIdOptions: ObjectIdOptions = {}) {
    const given = options(objectIdOptions, 'ObjectId', RANDOM_OPTIONS);
    const [common, clock] = [nativeOptions(given), nativeClock(given.clock)];
    super(calling(() => native.objectId(common, clock)), 12);
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is rounded down to the second.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `NODE_OUT_OF_RANGE`, `SEQUENCE_OUT_OF_RANGE`.
   * @example
   * ```ts
   * import { ObjectId } from 'saiban';
   * console.log(new ObjectId().compose({ timestampMs: 0, node: 1, sequence: 2 })); // 000000000000000001000002
   * ```
   */
  compose(parts: ObjectIdParts): string {
    const given = options(parts, 'compose', [...MOMENT, 'node', 'sequence']);
    const [node, sequence] = [integer(given.node, 'node'), integer(given.sequence, 'sequence')];
    return this.composed({ timestampMs: moment(given), node, sequence });
  }
}
