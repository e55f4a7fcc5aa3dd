import { type Integer, integer, wrong } from './arguments.js';
import { calling } from './errors.js';
import { native } from '#host';
import type * as Native from './native.js';
import { INSPECT, shown } from './shown.js';

let handle: (clock: ManualClock) => Native.ManualClock;

/**
 * A clock for tests: its time changes only by set and advance, in either direction, and it never
 * waits.
 *
 * A generator sees later changes. Where the next ID needs a wait, `generate` and `generateAsync`
 * throw `WOULD_WAIT`.
 *
 * @example
 * ```ts
 * import { ManualClock, Snowflake } from 'saiban';
 * const clock = new ManualClock(1_704_067_200_000);
 * const ids = new Snowflake({ node: 7, clock });
 * console.log(ids.generate()); // 1741610183685074944n
 * clock.advance(1);
 * console.log(ids.inspect(ids.generate()).timestampMs); // 1704067200001
 * ```
 */
export class ManualClock {
  readonly #native: Native.ManualClock;

  static {
    handle = (clock) => clock.#native;
  }

  /**
   * A clock that shows this time.
   *
   * @param timestampMs - Unix milliseconds, 0 to 18446744073709.
   * @throws {@link SaibanError} `CLOCK_UNAVAILABLE` when no clock can show the time.
   */
  constructor(timestampMs: Integer) {
    const start = integer(timestampMs, 'timestampMs');
    this.#native = calling(() => new native.ManualClock(start));
  }

  /** The time it shows, Unix milliseconds. */
  get nowMs(): number {
    return this.#native.nowMs;
  }

  /**
   * Shows this time from now on.
   *
   * @param timestampMs - Unix milliseconds, 0 to 18446744073709.
   * @throws {@link SaibanError} `CLOCK_UNAVAILABLE` when no clock can show the time; the old one
   * stays.
   */
  set(timestampMs: Integer): void {
    const time = integer(timestampMs, 'timestampMs');
    calling(() => this.#native.set(time));
  }

  /**
   * Moves the time.
   *
   * @param deltaMs - The number of milliseconds; backwards if negative.
   * @throws {@link SaibanError} `CLOCK_UNAVAILABLE` when no clock can show the time; the old one
   * stays.
   */
  advance(deltaMs: Integer): void {
    const delta = integer(deltaMs, 'deltaMs');
    calling(() => this.#native.advance(delta));
  }

  /** What `console.log` shows. @internal */
  [INSPECT](): object {
    return shown('ManualClock', { nowMs: this.nowMs });
  }
}

/** Returns the native half of an optional clock. @internal */
export function nativeClock(clock: ManualClock | undefined | null): Native.ManualClock | undefined {
  if (clock === undefined || clock === null) return undefined;
  if (clock instanceof ManualClock) return handle(clock);
  throw wrong('clock', 'a ManualClock, or leave it out for the system clock', clock);
}
