import {
  FINE_MOMENT,
  type FineMoment,
  type Integer,
  fineMoment,
  integer,
  options,
  present,
  textIfGiven,
  wrong,
} from './arguments.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { RANDOM_OPTIONS, type TimeOptions, nativeOptions } from './generator-options.js';
import { Generator } from './generator.js';
import { native } from './load-native.js';
import type { TimedParts } from './parts.js';

/** Which comes first in a store that sorts by text: the oldest, or the newest. */
export type TickOrder = 'ascending' | 'descending';

/** What a generator of tick IDs takes. */
export interface TickIdOptions extends TimeOptions {
  /** `'ascending'` by default. */
  order?: TickOrder | undefined;
}

/** The parts of a tick ID that is to be composed. */
export type TickIdParts = FineMoment & {
  /** The random digits: 4, descending 3. */
  random: Integer;
};

/**
 * Makes tick IDs: time as text that sorts, for key-value and table stores, oldest or newest first. An ID is text, 19 digits of
 * time, `_`, and 4 random digits (descending 3). They tell their time to anyone.
 *
 * Ticks are 100 ns since the year 1, .NET's `DateTime.UtcNow.Ticks`. Generators of one process and order count together and never use
 * a tick twice; two processes may, and then the random digits keep their IDs apart in most cases only: ask the store to keep them unique.
 *
 * @example
 * ```ts
 * import { TickId } from 'saiban';
 * const ids = new TickId({ order: 'descending' });
 * const [older, newer] = [ids.generate(), ids.generate()];
 * console.log(newer < older, newer.length); // true 23
 * ```
 */
export class TickId extends Generator<string, string[], TimedParts<string, number>> {
  /** Which come first in a store that sorts by text: the oldest or the newest. */
  readonly order: TickOrder;

  /**
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for another order; `INVALID_WINDOW` (in milliseconds); `INVALID_LAYOUT` for
   * the policy `'bits'`; `UNKNOWN_NAME` for another one.
   */
  constructor(tickIdOptions: TickIdOptions = {}) {
    const given = options(tickIdOptions, 'TickId', ['order', ...RANDOM_OPTIONS]);
    const order = textIfGiven(given.order, 'order') ?? 'ascending';
    const [common, clock] = [nativeOptions(given), nativeClock(given.clock)];
    super(calling(() => native.tickId(order, common, clock)), 0, true);
    this.order = order as TickOrder;
  }

  /**
   * Puts IDs in the place of an array's elements, waiting as {@link Generator.generate} does. It stops early, without an error,
   * where no more can be had but some were written.
   *
   * @returns How many IDs it wrote, from the front.
   * @throws {@link SaibanError} as {@link Generator.generate}, when not one could be had.
   * @example
   * ```ts
   * import { TickId } from 'saiban';
   * console.log(new TickId().fill(new Array(3))); // 3
   * ```
   */
  override fill(ids: string[]): number {
    if (!Array.isArray(ids)) throw wrong('ids', 'an array', ids);
    for (let index = 0; index < ids.length; index += 1) {
      try {
        ids[index] = this.generate();
      } catch (error) {
        if (index === 0) throw error;
        return index;
      }
    }
    return ids.length;
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `RANDOM_OUT_OF_RANGE`; `INVALID_ARGUMENT` for
   * nanoseconds that are none of a millisecond.
   * @example
   * ```ts
   * import { TickId } from 'saiban';
   * const ids = new TickId();
   * const id = ids.compose({ time: new Date('2025-01-01'), submillisecondNs: 123_400, random: 42 });
   * console.log(id, ids.inspect(id).submillisecondNs); // 0638712864000001234_0042 123400
   * ```
   */
  compose(parts: TickIdParts): string {
    const given = options(parts, 'compose', [...FINE_MOMENT, 'random']);
    return this.composed(present({ ...fineMoment(given), random: integer(given.random, 'random') }));
  }
}
