import type { Scope } from './generator-options.js';
import type { Guarantee } from './layout.js';
import type * as Native from './native.js';

/**
 * Statistics of a generator: a plain, frozen object, for `JSON.stringify` and `structuredClone`.
 *
 * All numbers are safe integers; a larger one is reported as `Number.MAX_SAFE_INTEGER`.
 *
 * @example
 * ```ts
 * import { Snowflake } from 'saiban';
 * const ids = new Snowflake({ node: 8 });
 * ids.generateMany(3);
 * const { issued, guarantee } = ids.stats();
 * console.log(issued >= 3, guarantee); // true unique
 * ```
 */
export interface Stats {
  /**
   * The number of IDs issued for its nodes, by all generators that share their cursor: those of
   * this process, or of this machine. While other generators issue IDs, it may lag by the IDs of
   * one tick.
   */
  readonly issued: number;
  /**
   * How often this generator blocked to wait. Waits of `generateAsync`, which uses a timer, do not
   * count.
   */
  readonly waits: number;
  /**
   * The number of times that this generator found the clock behind its last ID, counted once until
   * the clock has returned.
   */
  readonly rollbacks: number;
  /**
   * How long IDs can be issued still, milliseconds: to the end of the window or lease, else of the
   * format. 0 when it is over.
   */
  readonly timeLeftMs: number;
  /** What its IDs promise. */
  readonly guarantee: Guarantee;
  /**
   * Which generators of the same nodes share its cursor: `'process'` also for one that random bits
   * or a `ManualClock` keep apart from all others.
   */
  readonly scope: Scope;
}

/** Converts stats for users. @internal */
export function visibleStats(stats: Native.Stats): Stats {
  const { issued, waits, rollbacks, timeLeftMs, guarantee, scope } = stats;
  return Object.freeze({ issued, waits, rollbacks, timeLeftMs, guarantee: guarantee as Guarantee, scope: scope as Scope });
}
