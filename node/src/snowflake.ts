import {
  FINE_MOMENT,
  type FineMoment,
  type Integer,
  type NodeId,
  fineMoment,
  integer,
  integerIfGiven,
  nodeIfGiven,
  options,
  present,
} from './arguments.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { NODE_OPTIONS, type NodeOptions, nativeOptions } from './generator-options.js';
import { Generator, type IdArgument } from './generator.js';
import { Layout, nativeLayout } from './layout.js';
import { nativeLease } from './lease.js';
import { native } from './load-native.js';
import { type TimedParts, numericParts } from './parts.js';

/** What a Snowflake generator takes. */
export type SnowflakeOptions = NodeOptions & {
  /** The layout of its IDs; `Layout.TWITTER` by default. */
  layout?: Layout | undefined;
};

/** The parts of a Snowflake ID that is to be composed. */
export type SnowflakeParts = FineMoment & {
  /** The node; where the layout has names for its parts, these may be given instead. */
  node: NodeId;
  /** The sequence number within the tick. */
  sequence: Integer;
  /** How often the clock had stepped back, for a layout with a rollback field; 0 by default. */
  rollback?: Integer | undefined;
};

/**
 * Makes Snowflake IDs: time, node, sequence. They sort by time and tell it to anyone. Canonical text is decimal.
 *
 * Twitter's layout has 4096 IDs a millisecond and node, and 1024 nodes. Source: Twitter, "Announcing Snowflake" (2010).
 *
 * @example
 * ```ts
 * import { Snowflake } from 'saiban';
 * const ids = new Snowflake({ node: 7 });
 * const id = ids.generate();
 * console.log(ids.toText(id), ids.inspect(id).node); // 2… 7
 * ```
 */
export class Snowflake extends Generator<bigint, BigInt64Array, TimedParts<bigint, number>> {
  /** The layout of its IDs. */
  readonly layout: Layout;

  /**
   * @throws {@link SaibanError} `NODE_REQUIRED` without node or nodes, `NODE_OUT_OF_RANGE`; `NODE_IN_USE` when another generator
   * of this process or machine has some, but not the same, of these nodes or shards; `INVALID_WINDOW`; `INVALID_LAYOUT` for a layout
   * without node or sequence, and for the policy `'bits'` without a rollback field; `UNKNOWN_NAME` for another policy or scope;
   * `STATE_IN_USE` for the state file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for that and for the scope `'machine'`; `CLOCK_BACKWARD` when
   * the clock is more than `maxJumpS` behind the last ID of this machine; `LEASE_LOST` for a lease that is over, `NAMESPACE_MISMATCH` for
   * one of another scheme or layout; `INVALID_ARGUMENT`, also for nodes or times beside a lease.
   */
  constructor(snowflakeOptions: SnowflakeOptions = {}) {
    const given = options(snowflakeOptions, 'Snowflake', [...NODE_OPTIONS, 'layout']);
    const [layout, common, clock] = [nativeLayout(given.layout), nativeOptions(given), nativeClock(given.clock)];
    const lease = nativeLease(given.lease);
    super(calling(() => native.snowflake(layout, common, clock, lease)));
    this.layout = given.layout ?? Layout.TWITTER;
  }

  override inspect(id: IdArgument<bigint> | string): TimedParts<bigint, number> {
    return numericParts(super.inspect(id));
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `NODE_OUT_OF_RANGE`, `SEQUENCE_OUT_OF_RANGE`,
   * `ROLLBACK_OUT_OF_RANGE`; `UNKNOWN_NAME` for a part of the node that the layout has not, `INVALID_ARGUMENT` for one that is
   * missing, and for nanoseconds that are none of a millisecond.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7 });
   * console.log(ids.compose({ timestampMs: 1704067200000, node: 7, sequence: 0 })); // 1741610183685074944n
   * ```
   */
  compose(parts: SnowflakeParts): bigint {
    const given = options(parts, 'compose', [...FINE_MOMENT, 'node', 'sequence', 'rollback']);
    const node = nodeIfGiven(given.node ?? integer(given.node, 'node'));
    const sequence = integer(given.sequence, 'sequence');
    const rollback = integerIfGiven(given.rollback, 'rollback');
    return this.composed(present({ ...fineMoment(given), ...node, sequence, rollback }));
  }
}
