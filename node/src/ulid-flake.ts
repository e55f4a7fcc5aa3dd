import { type Integer, MOMENT, type Moment, flag, integer, integerIfGiven, moment, options, present } from './arguments.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { COMMON_OPTIONS, type GeneratorOptions, type LeaseOption, type NoLease, nativeOptions } from './generator-options.js';
import { Generator } from './generator.js';
import { nativeLease } from './lease.js';
import { native } from './load-native.js';
import type { TimedParts } from './parts.js';

/** What a Ulid-Flake generator takes. With neither `scalability` nor `lease` IDs are unique within their `scope` only. */
export type UlidFlakeOptions = ((GeneratorOptions & OwnScalability & NoLease) | (LeaseOption & LeasedScalability)) & {
  /** How many random bytes an ID grows by within a millisecond: 1 (by default) to 3; scalable 1 to 2. */
  entropySize?: Integer | undefined;
  /** The time of tick 0, Unix milliseconds; 2024-01-01 by default. */
  epochMs?: Integer | undefined;
};

/** The scalability id of a generator without a lease. */
export interface OwnScalability {
  /** The scalability id, 0 to 31, that no other machine has. */
  scalability?: Integer | undefined;
  /**
   * Has the scope `'process'`, and lets a process made by fork go on with its parent's generator or id. Random bits do not keep two
   * processes apart: a few of their IDs will be equal.
   */
  allowCollisions?: boolean | undefined;
}

/** The scalability id of one with a lease. */
export interface LeasedScalability {
  /** The lease gives it. */
  scalability?: undefined;
  /** A lease allows none. */
  allowCollisions?: false | undefined;
}

/** The parts of a Ulid-Flake ID that is to be composed. */
export type UlidFlakeParts = Moment & {
  /** The random part: 20 bits, scalable 15. */
  random: Integer;
  /** The scalability id; the generator's own by default. */
  scalability?: Integer | undefined;
};

/**
 * Makes Ulid-Flake IDs: time and a random part that grows within the millisecond. They sort by time and tell it to anyone.
 * Canonical text is 13 characters of Crockford's base32, upper case; any case is read.
 *
 * Source: github.com/ulid-flake/spec (2024).
 *
 * @example
 * ```ts
 * import { UlidFlake } from 'saiban';
 * const ids = new UlidFlake();
 * console.log(ids.generateText()); // 0…
 * console.log(ids.inspect('00CMXB6TAK4SA').random); // 627498n
 * ```
 */
export class UlidFlake extends Generator<bigint, BigInt64Array, TimedParts<bigint, number>> {
  /**
   * @throws {@link SaibanError} `NODE_OUT_OF_RANGE` for a scalability id above 31; `INVALID_ENTROPY_SIZE`;
   * `INVALID_LAYOUT` for an epoch too far in the future and for the policy `'bits'`; `UNKNOWN_NAME` for another policy;
   * `INVALID_WINDOW`; `STATE_IN_USE` for the state file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for that and for the scope `'machine'`;
   * `CLOCK_BACKWARD` when the clock is more than `maxJumpS` behind the last ID of this machine; `LEASE_LOST` for a lease that is over,
   * `NAMESPACE_MISMATCH` for one of another scheme or layout; `INVALID_ARGUMENT`, also when a node is given, or a scalability id or
   * times beside a lease.
   */
  constructor(ulidFlakeOptions: UlidFlakeOptions = {}) {
    // Whoever gives a node is told by core what to give instead.
    const own = ['scalability', 'entropySize', 'epochMs', 'allowCollisions'];
    const known = [...own, ...COMMON_OPTIONS, 'scope', 'lease', 'node', 'nodes'] as (keyof UlidFlakeOptions)[];
    const given = options(ulidFlakeOptions, 'UlidFlake', known);
    const scalability = integerIfGiven(given.scalability, 'scalability');
    const entropySize = integerIfGiven(given.entropySize, 'entropySize');
    const epochMs = integerIfGiven(given.epochMs, 'epochMs');
    const [common, clock] = [nativeOptions(given), nativeClock(given.clock)];
    const [collide, lease] = [flag(given.allowCollisions, 'allowCollisions'), nativeLease(given.lease)];
    super(calling(() => native.ulidFlake(scalability, entropySize, epochMs, collide, common, clock, lease)));
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `NODE_OUT_OF_RANGE`, `RANDOM_OUT_OF_RANGE`.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = new UlidFlake();
   * console.log(ids.compose({ timestampMs: Date.UTC(2024, 5, 6, 6, 6, 6, 666), random: 627498 })); // 14246757444195114n
   * ```
   */
  compose(parts: UlidFlakeParts): bigint {
    const given = options(parts, 'compose', [...MOMENT, 'random', 'scalability']);
    const random = integer(given.random, 'random');
    const node = integerIfGiven(given.scalability, 'scalability');
    return this.composed(present({ timestampMs: moment(given), random, node }));
  }
}
