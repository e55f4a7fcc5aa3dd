import {
  FINE_MOMENT,
  type FineMoment,
  type Integer,
  type NodeId,
  fineMoment,
  integerIfGiven,
  nodeIfGiven,
  options,
  present,
} from './arguments.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { NODE_OPTIONS, type NodeOptions, nativeOptions } from './generator-options.js';
import { Generator } from './generator.js';
import { type Layout, givenLayout, nativeLayout } from './layout.js';
import { nativeLease } from './lease.js';
import { native } from './load-native.js';
import type { TimedParts } from './parts.js';

/** What a Flake generator takes: `node`, `nodes` or `lease` only for a layout that has a node. */
export type FlakeOptions = NodeOptions & {
  /** The layout of its IDs. */
  layout: Layout;
};

/** The parts of a Flake ID that is to be composed; those but the time are 0 by default. */
export type FlakeParts = FineMoment & {
  /** The node; where the layout has names for its parts, these may be given instead. */
  node?: NodeId | undefined;
  /** The sequence number within the tick. */
  sequence?: Integer | undefined;
  /** The random part. */
  random?: Integer | undefined;
  /** How often the clock had stepped back. */
  rollback?: Integer | undefined;
};

/**
 * Makes IDs of any layout, of 16 to 128 bits: your own design. Those of up to 64 bits are signed, those of more unsigned. They
 * tell their time and volume to anyone. Canonical text is decimal.
 *
 * Whether they are unique, or so only by chance, the layout says: `layout.isUnique`, `layout.collisionOdds`, and
 * `stats().guarantee`.
 *
 * @example
 * ```ts
 * import { Flake, Layout } from 'saiban';
 * const layout = Layout.fromText('timestamp:48,epoch=2024-01-01 node.region:4 node.host:12 sequence:16 random:32');
 * const ids = new Flake({ layout, node: 0x2001 });
 * const id = ids.generate(); // a bigint of 112 bits
 * console.log(ids.inspect(id).nodeParts); // { region: 2, host: 1 }
 * ```
 */
export class Flake extends Generator<bigint, BigInt64Array | Uint8Array, TimedParts<bigint>> {
  /** The layout of its IDs. */
  readonly layout: Layout;

  /**
   * @throws {@link SaibanError} `NODE_REQUIRED` without node or nodes where the layout has a node, `NODE_OUT_OF_RANGE`,
   * `INVALID_ARGUMENT` for a node where it has none; `NODE_IN_USE` when another generator of this process or machine has some, but
   * not the same, of these nodes or shards; `INVALID_WINDOW`; `INVALID_LAYOUT` for the policy `'bits'` without a rollback field;
   * `UNKNOWN_NAME` for another policy or scope; `STATE_IN_USE` for the state file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for that and for
   * the scope `'machine'`; `CLOCK_BACKWARD` when the clock is more than `maxJumpS` behind the last ID of this machine; `LEASE_LOST` for a
   * lease that is over, `NAMESPACE_MISMATCH` for one of another scheme or layout; `INVALID_ARGUMENT`, also for nodes or times beside a
   * lease.
   */
  constructor(flakeOptions: FlakeOptions) {
    const given = options(flakeOptions, 'Flake', [...NODE_OPTIONS, 'layout']);
    const [layout, common, clock] = [givenLayout(given.layout), nativeOptions(given), nativeClock(given.clock)];
    const idBytes = layout.sizeBits > 64 ? Math.ceil(layout.sizeBits / 8) : 0;
    const lease = nativeLease(given.lease);
    super(calling(() => native.flake(nativeLayout(layout), common, clock, lease)), idBytes);
    this.layout = layout;
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `NODE_OUT_OF_RANGE`, `SEQUENCE_OUT_OF_RANGE`,
   * `RANDOM_OUT_OF_RANGE`, `ROLLBACK_OUT_OF_RANGE`; `UNKNOWN_NAME` for a part of the node that the layout has not,
   * `INVALID_ARGUMENT` for one that is missing, and for nanoseconds that are none of a millisecond.
   * @example
   * ```ts
   * import { Flake, Layout } from 'saiban';
   * const ids = new Flake({ layout: Layout.fromText('timestamp:40@s node.dc:4 node.rack:4 random:16'), node: 0 });
   * const id = ids.compose({ time: new Date('2024-01-01'), node: { dc: 1, rack: 2 }, random: 3 });
   * console.log(id.toString(16)); // 65920080120003
   * ```
   */
  compose(parts: FlakeParts): bigint {
    const given = options(parts, 'compose', [...FINE_MOMENT, 'node', 'sequence', 'random', 'rollback']);
    const sequence = integerIfGiven(given.sequence, 'sequence');
    const random = integerIfGiven(given.random, 'random');
    const rollback = integerIfGiven(given.rollback, 'rollback');
    return this.composed(present({ ...fineMoment(given), ...nodeIfGiven(given.node), sequence, random, rollback }));
  }
}
