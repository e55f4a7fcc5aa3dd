import { MOMENT, bytes, integer, moment, options } from './arguments.js';
import { nativeClock } from './clock.js';
import { calling } from './errors.js';
import { NODE_OPTIONS, type NodeOptions, nativeOptions } from './generator-options.js';
import { Generator, type NodeParts } from './generator.js';
import { nativeLease } from './lease.js';
import { native } from './load-native.js';
import type { TimedParts } from './parts.js';

/** What a Randflake generator takes. */
export type RandflakeOptions = NodeOptions & {
  /** 16 random bytes (the command `saiban secret` makes them), the same wherever these IDs are made or read. */
  secret: Uint8Array;
};

/**
 * Makes Randflake IDs: time, node and sequence, encrypted with SPARX-64/128. Half of all IDs are negative. Canonical text is
 * base32hex, lower case, of the ID as an unsigned number.
 *
 * Only who has the secret can read an ID's time and node. An ID is neither a token nor access control: always authorise.
 * 131,072 IDs a second and node, 131,072 nodes. Source: github.com/gosuda/randflake (2024).
 *
 * @example
 * ```ts
 * import { Randflake } from 'saiban';
 * const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
 * const ids = new Randflake({ node: 42, secret });
 * console.log(ids.toText(4594531474933654033n), ids.inspect('3vgoe12ccb8gh').node); // 3vgoe12ccb8gh 42
 * ```
 */
export class Randflake extends Generator<bigint, BigInt64Array, TimedParts<bigint, number>> {
  /**
   * @throws {@link SaibanError} `INVALID_SECRET` unless it has 16 bytes; `NODE_REQUIRED` without node or nodes,
   * `NODE_OUT_OF_RANGE`; `NODE_IN_USE` when another generator of this process or machine has some, but not the same, of these
   * nodes or shards; `INVALID_WINDOW` (in seconds); `INVALID_LAYOUT` for the policy `'bits'`, for which there is no room;
   * `UNKNOWN_NAME` for another policy or scope; `STATE_IN_USE` for the state file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for that and for
   * the scope `'machine'`; `CLOCK_BACKWARD` when the clock is more than `maxJumpS` behind the last ID of this machine; `LEASE_LOST` for a
   * lease that is over, `NAMESPACE_MISMATCH` for one of another scheme or secret; `INVALID_ARGUMENT`, also for nodes or times beside a
   * lease.
   */
  constructor(randflakeOptions: RandflakeOptions) {
    const given = options(randflakeOptions, 'Randflake', [...NODE_OPTIONS, 'secret']);
    const [secret, common, clock] = [bytes(given.secret, 'secret'), nativeOptions(given), nativeClock(given.clock)];
    const lease = nativeLease(given.lease);
    super(calling(() => native.randflake(secret, common, clock, lease)));
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is rounded down to the second.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `NODE_OUT_OF_RANGE`, `SEQUENCE_OUT_OF_RANGE`.
   * @example
   * ```ts
   * import { Randflake } from 'saiban';
   * const ids = new Randflake({ node: 42, secret: Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex') });
   * console.log(ids.compose({ timestampMs: 1733706297000, node: 42, sequence: 1 })); // 4594531474933654033n
   * ```
   */
  compose(parts: NodeParts): bigint {
    const given = options(parts, 'compose', [...MOMENT, 'node', 'sequence']);
    const [node, sequence] = [integer(given.node, 'node'), integer(given.sequence, 'sequence')];
    return this.composed({ timestampMs: moment(given), node, sequence });
  }
}
