// The classes of the schemes: their options and their documentation. A new scheme changes no other
// file of this folder.

import { type Integer, options } from './arguments.js';
import { ByteGenerator } from './byte-generator.js';
import type { FineMoment, Moment, NodeId, NodeParts } from './compose.js';
import { decode, encode } from './encoding.js';
import {
  COMMON_OPTIONS,
  type GeneratorOptions,
  LEASE_OPTIONS,
  type LeaseOption,
  type Leased,
  NODE_OPTIONS,
  type NoLease,
  type NodeOptions,
  type OpenOptions,
  type Opening,
  type OptionalNodes,
  RANDOM,
  type TimeOptions,
  opened,
  openedWithStore,
} from './generator-options.js';
import { type FromTextOptions, Generator, type IdArgument } from './generator.js';
import { Layout } from './layout.js';
import { type Parts, type TimedNodeParts, type TimedParts, numericParts } from './parts.js';
import { fromHex } from './realm.js';

/** The options of a Snowflake generator. */
export type SnowflakeOptions = NodeOptions & {
  /** The layout of its IDs; `Layout.TWITTER` by default. */
  layout?: Layout | undefined;
};

/** The parts of a Snowflake ID to compose. */
export type SnowflakeParts = FineMoment & {
  /** The node: a number, or its parts if the layout names them. */
  node: NodeId;
  /** The sequence number within the tick. */
  sequence: Integer;
  /** The number of clock steps back, for a layout with a rollback field; 0 by default. */
  rollback?: Integer | undefined;
};

const SNOWFLAKE: Opening = { scheme: 'snowflake', name: 'Snowflake', known: [...NODE_OPTIONS, 'layout'] };

/**
 * Makes Snowflake IDs: time, node, sequence. They sort by time, and anyone can read the time from
 * an ID. Canonical text is decimal.
 *
 * Twitter's layout has 4096 IDs a millisecond and node, and 1024 nodes. Source: Twitter,
 * "Announcing Snowflake" (2010).
 *
 * `Snowflake` is its short name.
 *
 * @example
 * ```ts
 * import { Snowflake } from 'saiban';
 * const ids = new Snowflake({ node: 7 });
 * const id = ids.generate();
 * console.log(ids.toText(id), ids.inspect(id).node); // 2… 7
 * console.log(ids.compose({ timestampMs: 1704067200000, node: 7, sequence: 0 })); // 1741610183685074944n
 * ```
 */
export class SnowflakeGenerator extends Generator<bigint, BigInt64Array, TimedNodeParts<bigint, number>, SnowflakeParts> {
  /** The layout of its IDs. */
  readonly layout: Layout;

  /**
   * @throws {@link SaibanError} `NODE_REQUIRED` without node or nodes, `NODE_OUT_OF_RANGE`;
   * `NODE_IN_USE` when another generator of this process or machine has some, but not the same, of
   * these nodes or shards; `INVALID_WINDOW`; `INVALID_LAYOUT` for a layout without node or
   * sequence, and for the policy `'bits'` without a rollback field; `UNKNOWN_NAME` for another
   * policy or scope; `STATE_IN_USE` for the state file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for
   * that and for the scope `'machine'`; `CLOCK_BACKWARD` when the clock is more than `maxJumpS`
   * behind the last ID of this machine; `LEASE_LOST` for a lease that is over, `NAMESPACE_MISMATCH`
   * for one of another scheme or layout; `INVALID_ARGUMENT`, also for nodes or times beside a
   * lease, and for a store, which `open` takes.
   */
  constructor(snowflakeOptions: SnowflakeOptions);
  constructor(snowflakeOptions: Partial<SnowflakeOptions> = {}) {
    super(opened(SNOWFLAKE, snowflakeOptions), ['time', 'nodeId', 'sequence', 'submillisecondNs?', 'rollback?']);
    this.layout = snowflakeOptions.layout ?? Layout.TWITTER;
  }

  /**
   * Makes a generator with a lease of its own, from the store that `store` names. It does not block
   * the event loop.
   *
   * @param openOptions - The constructor's options that can be used with a lease, and the lease's
   * `store` and `namespace`.
   * @throws {@link SaibanError} (rejects) as the constructor and {@link Lease.acquire};
   * `INVALID_ARGUMENT` for nodes, times or a lease beside the store.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = await Snowflake.open({ store: 'memory:shop', namespace: 'orders' }); // or sqlite:ids.db, postgres://…
   * const { node } = ids.inspect(await ids.generateAsync());
   * console.log(node === ids.lease.nodes[0], ids.lease.status().state); // true active
   * await ids.lease.release();
   * ```
   */
  static async open(openOptions: OpenOptions<SnowflakeOptions>): Promise<Leased<SnowflakeGenerator>> {
    return openedWithStore(SNOWFLAKE, SnowflakeGenerator, openOptions);
  }

  override inspect(id: IdArgument<bigint> | string): TimedNodeParts<bigint, number> {
    return numericParts(super.inspect(id));
  }
}

export { SnowflakeGenerator as Snowflake };

/** The options of a Randflake generator. */
export type RandflakeOptions = NodeOptions & {
  /**
   * 16 random bytes (the command `saiban secret` makes them), the same for all programs that make
   * or read these IDs.
   */
  secret: Uint8Array;
};

const RANDFLAKE: Opening = {
  scheme: 'randflake',
  name: 'Randflake',
  known: [...NODE_OPTIONS, 'secret'],
  needed: 'secret',
};

/**
 * Makes Randflake IDs: time, node and sequence, encrypted with SPARX-64/128. Half of all IDs are
 * negative. Canonical text is base32hex, lower case, of the ID as an unsigned number.
 *
 * Only with the secret can you read an ID's time and node. An ID is neither a token nor access
 * control: always authorise. 131,072 IDs a second and node, 131,072 nodes. Source:
 * github.com/gosuda/randflake (2024).
 *
 * `Randflake` is its short name.
 *
 * @example
 * ```ts
 * import { Randflake } from 'saiban';
 * const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
 * const ids = new Randflake({ node: 42, secret });
 * console.log(ids.toText(4594531474933654033n), ids.inspect('3vgoe12ccb8gh').node); // 3vgoe12ccb8gh 42
 * console.log(ids.compose({ timestampMs: 1733706297000, node: 42, sequence: 1 })); // 4594531474933654033n
 * ```
 */
export class RandflakeGenerator extends Generator<bigint, BigInt64Array, TimedNodeParts<bigint, number>, NodeParts> {
  /**
   * @throws {@link SaibanError} `INVALID_SECRET` unless it has 16 bytes; `NODE_REQUIRED` without
   * node or nodes, `NODE_OUT_OF_RANGE`; `NODE_IN_USE` when another generator of this process or
   * machine has some, but not the same, of these nodes or shards; `INVALID_WINDOW` (in seconds);
   * `INVALID_LAYOUT` for the policy `'bits'`, because there are none; `UNKNOWN_NAME` for
   * another policy or scope; `STATE_IN_USE` for the state file; `STATE_MISMATCH`,
   * `STATE_UNAVAILABLE` for that and for the scope `'machine'`; `CLOCK_BACKWARD` when the clock is
   * more than `maxJumpS` behind the last ID of this machine; `LEASE_LOST` for a lease that is over,
   * `NAMESPACE_MISMATCH` for one of another scheme or secret; `INVALID_ARGUMENT`, also for nodes or
   * times beside a lease, and for a store, which `open` takes.
   */
  constructor(randflakeOptions: RandflakeOptions) {
    super(opened(RANDFLAKE, randflakeOptions), ['time', 'node', 'sequence']);
  }

  /**
   * Makes a generator with a lease of its own, from the store that `store` names. It does not block
   * the event loop.
   *
   * @param openOptions - The constructor's options that can be used with a lease, and the lease's
   * `store` and `namespace`.
   * @throws {@link SaibanError} (rejects) as the constructor and {@link Lease.acquire};
   * `INVALID_ARGUMENT` for nodes, times or a lease beside the store.
   * @example
   * ```ts
   * import { Randflake } from 'saiban';
   * const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
   * const ids = await Randflake.open({ secret, store: 'memory:shop', namespace: 'coupons' });
   * console.log(ids.inspect(await ids.generateAsync()).node === ids.lease.nodes[0]); // true
   * await ids.lease.release();
   * ```
   */
  static async open(openOptions: OpenOptions<RandflakeOptions>): Promise<Leased<RandflakeGenerator>> {
    return openedWithStore(RANDFLAKE, RandflakeGenerator, openOptions);
  }
}

export { RandflakeGenerator as Randflake };

/**
 * The options of a Ulid-Flake generator. With neither `scalability` nor `lease` IDs are unique
 * within their `scope` only.
 */
export type UlidFlakeOptions = ((GeneratorOptions & OwnScalability & NoLease) | (LeaseOption & LeasedScalability)) & {
  /**
   * The number of random bytes by which an ID grows within a millisecond: 1 (the default) to 3, or
   * 1 to 2 for a scalable ID.
   */
  entropySize?: Integer | undefined;
  /** The time of tick 0, Unix milliseconds; 2024-01-01 by default. */
  epochMs?: Integer | undefined;
};

/** The scalability id of a generator without a lease. */
export interface OwnScalability {
  /** The scalability id, 0 to 31, that no other machine has. */
  scalability?: Integer | undefined;
  /**
   * Sets the scope `'process'`, and lets a forked process continue with its parent's generator or
   * id. Random bits do not keep two processes apart: a few of their IDs will be equal.
   */
  allowCollisions?: boolean | undefined;
}

/** The scalability id of a generator with a lease. */
export interface LeasedScalability {
  /** The lease gives the scalability id. */
  scalability?: undefined;
  /** A lease allows none. */
  allowCollisions?: false | undefined;
}

/** The parts of a Ulid-Flake ID to compose. */
export type UlidFlakeParts = Moment & {
  /** The random part: 20 bits, scalable 15. */
  random: Integer;
  /** The scalability id; the generator's own by default. */
  scalability?: Integer | undefined;
};

const ULID_FLAKE: Opening = {
  scheme: 'ulid-flake',
  name: 'UlidFlake',
  known: [
    'scalability', 'entropySize', 'epochMs', 'allowCollisions', ...COMMON_OPTIONS, ...LEASE_OPTIONS, 'node', 'nodes',
  ],
  refused: ['node', 'nodes'],
};

/**
 * Makes Ulid-Flake IDs: time and a random part that grows within the millisecond. They sort by
 * time, and anyone can read the time from an ID. Canonical text is 13 characters of Crockford's
 * base32, upper case; any case is read.
 *
 * Source: github.com/ulid-flake/spec (2024).
 *
 * `UlidFlake` is its short name.
 *
 * @example
 * ```ts
 * import { UlidFlake } from 'saiban';
 * const ids = new UlidFlake();
 * console.log(ids.generateText()); // 0…
 * console.log(ids.inspect('00CMXB6TAK4SA').random); // 627498n
 * console.log(ids.compose({ timestampMs: Date.UTC(2024, 5, 6, 6, 6, 6, 666), random: 627498 })); // 14246757444195114n
 * ```
 */
export class UlidFlakeGenerator extends Generator<bigint, BigInt64Array, TimedParts<bigint, number>, UlidFlakeParts> {
  /**
   * @throws {@link SaibanError} `NODE_OUT_OF_RANGE` for a scalability id above 31;
   * `INVALID_ENTROPY_SIZE`; `INVALID_LAYOUT` for an epoch too far in the future and for the policy
   * `'bits'`; `UNKNOWN_NAME` for another policy; `INVALID_WINDOW`; `STATE_IN_USE` for the state
   * file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for that and for the scope `'machine'`;
   * `CLOCK_BACKWARD` when the clock is more than `maxJumpS` behind the last ID of this machine;
   * `LEASE_LOST` for a lease that is over, `NAMESPACE_MISMATCH` for one of another scheme or
   * layout; `INVALID_ARGUMENT`, also when a node is given, or a scalability id or times beside a
   * lease, and for a store, which `open` takes.
   */
  constructor(ulidFlakeOptions: UlidFlakeOptions = {}) {
    super(opened(ULID_FLAKE, ulidFlakeOptions), ['time', 'random', 'scalability?']);
  }

  /**
   * Makes a generator with a lease of its own, from the store that `store` names. It does not block
   * the event loop.
   *
   * @param openOptions - The constructor's options that can be used with a lease, and the lease's
   * `store` and `namespace`.
   * @throws {@link SaibanError} (rejects) as the constructor and {@link Lease.acquire};
   * `INVALID_ARGUMENT` for a scalability id, times or a lease beside the store.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = await UlidFlake.open({ store: 'memory:shop', namespace: 'events' });
   * console.log(ids.inspect(await ids.generateAsync()).node === ids.lease.nodes[0]); // true
   * await ids.lease.release();
   * ```
   */
  static async open(openOptions: OpenOptions<UlidFlakeOptions>): Promise<Leased<UlidFlakeGenerator>> {
    return openedWithStore(ULID_FLAKE, UlidFlakeGenerator, openOptions);
  }
}

export { UlidFlakeGenerator as UlidFlake };

/** The options of a Flake generator; `node`, `nodes` and `lease` only for a layout with a node. */
export type FlakeOptions = NodeOptions<OptionalNodes> & {
  /** The layout of its IDs. */
  layout: Layout;
};

/** The parts of a Flake ID to compose. All but the time are 0 by default. */
export type FlakeParts = FineMoment & {
  /** The node: a number, or its parts if the layout names them. */
  node?: NodeId | undefined;
  /** The sequence number within the tick. */
  sequence?: Integer | undefined;
  /** The random part. */
  random?: Integer | undefined;
  /** The number of times that the clock had stepped back. */
  rollback?: Integer | undefined;
};

const FLAKE: Opening = { scheme: 'flake', name: 'Flake', known: [...NODE_OPTIONS, 'layout'], needed: 'layout' };

/**
 * Makes IDs of any layout, of 16 to 128 bits: your own design. IDs of up to 64 bits are signed,
 * wider ones are unsigned. Anyone can read the time and the volume from IDs. Canonical text is
 * decimal.
 *
 * The layout decides whether IDs are unique, or only by chance: see `layout.isUnique`,
 * `layout.collisionOdds` and `stats().guarantee`.
 *
 * `Flake` is its short name.
 *
 * @example
 * ```ts
 * import { Flake, Layout } from 'saiban';
 * const layout = Layout.fromText('timestamp:48,epoch=2024-01-01 node.region:4 node.host:12 sequence:16 random:32');
 * const ids = new Flake({ layout, node: 0x2001 });
 * const id = ids.generate(); // a bigint of 112 bits
 * console.log(ids.inspect(id).nodeParts); // { region: 2, host: 1 }
 * const composed = ids.compose({ time: new Date('2024-01-01'), node: { region: 2, host: 1 }, random: 3 });
 * console.log(composed.toString(16)); // 2001000000000003
 * ```
 */
export class FlakeGenerator extends Generator<bigint, BigInt64Array | Uint8Array, TimedParts<bigint>, FlakeParts> {
  /** The layout of its IDs. */
  readonly layout: Layout;

  /**
   * @throws {@link SaibanError} `NODE_REQUIRED` without node or nodes where the layout has a node,
   * `NODE_OUT_OF_RANGE`, `INVALID_ARGUMENT` for a node where it has none; `NODE_IN_USE` when
   * another generator of this process or machine has some, but not the same, of these nodes or
   * shards; `INVALID_WINDOW`; `INVALID_LAYOUT` for the policy `'bits'` without a rollback field;
   * `UNKNOWN_NAME` for another policy or scope; `STATE_IN_USE` for the state file;
   * `STATE_MISMATCH`, `STATE_UNAVAILABLE` for that and for the scope `'machine'`; `CLOCK_BACKWARD`
   * when the clock is more than `maxJumpS` behind the last ID of this machine; `LEASE_LOST` for a
   * lease that is over, `NAMESPACE_MISMATCH` for one of another scheme or layout;
   * `INVALID_ARGUMENT`, also for nodes or times beside a lease, and for a store, which `open`
   * takes.
   */
  constructor(flakeOptions: FlakeOptions) {
    super(
      opened(FLAKE, flakeOptions),
      ['time', 'submillisecondNs?', 'nodeId?', 'sequence?', 'random?', 'rollback?'],
    );
    this.layout = flakeOptions.layout;
  }

  /**
   * Makes a generator with a lease of its own, from the store that `store` names. It does not block
   * the event loop.
   *
   * @param openOptions - The constructor's options that can be used with a lease, and the lease's
   * `store` and `namespace`.
   * @throws {@link SaibanError} (rejects) as the constructor and {@link Lease.acquire};
   * `INVALID_ARGUMENT` for a layout without a node, and for nodes, times or a lease beside the
   * store.
   * @example
   * ```ts
   * import { Flake, Layout } from 'saiban';
   * const layout = Layout.fromText('timestamp:48,epoch=2024-01-01 node:16 sequence:16');
   * const ids = await Flake.open({ layout, store: 'memory:shop', namespace: 'invoices' });
   * console.log(ids.inspect(await ids.generateAsync()).node === ids.lease.nodes[0]); // true
   * await ids.lease.release();
   * ```
   */
  static async open(openOptions: OpenOptions<FlakeOptions>): Promise<Leased<FlakeGenerator>> {
    return openedWithStore(FLAKE, FlakeGenerator, openOptions);
  }
}

export { FlakeGenerator as Flake };

/** The options of a ULID generator. */
export interface UlidOptions extends TimeOptions {}

/** The parts of a ULID to compose. */
export type UlidParts = Moment & {
  /** The random part, 80 bits. */
  random: Integer;
};

/** The width of a ULID, as of a UUID. */
const ULID_BITS = 128;

/**
 * Makes ULIDs: 48 bits of Unix milliseconds and 80 random ones, which grow by one within the
 * millisecond, so that the IDs of a generator ascend strictly. They sort by time, and anyone can
 * read the time from an ID. An ID is text, 26 characters of Crockford's base32, upper case; any
 * case is read, without `lenient` too, as the specification says. `fromText` returns upper case.
 *
 * Source: github.com/ulid/spec (2016–2019).
 *
 * `Ulid` is its short name.
 *
 * @example
 * ```ts
 * import { Ulid } from 'saiban';
 * const ids = new Ulid();
 * console.log(ids.generate().length); // 26
 * console.log(ids.inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV').time.toISOString()); // 2016-07-30T23:54:10.259Z
 * console.log(ids.compose({ timestampMs: 1469918176385, random: 0 })); // 01ARYZ6S410000000000000000
 * ```
 */
export class UlidGenerator extends ByteGenerator<TimedParts<string, number>, UlidParts> {
  /**
   * @throws {@link SaibanError} `INVALID_WINDOW` (in milliseconds); `INVALID_LAYOUT` for the policy
   * `'bits'`; `UNKNOWN_NAME` for another one; `INVALID_ARGUMENT`.
   */
  constructor(ulidOptions: UlidOptions = {}) {
    super(opened({ scheme: 'ulid', name: 'Ulid', ...RANDOM }, ulidOptions), ['time', 'random']);
  }

  /**
   * Returns the 128 bits as the text of a UUID, which has no version.
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
   * The ULID with the 128 bits of a UUID.
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
    const digits = encode(decode(uuid, 'hyphenated', { bits: ULID_BITS, lenient }), 'simple', { bits: ULID_BITS });
    return this.fromBytes(fromHex(digits));
  }
}

export { UlidGenerator as Ulid };

/** The options of a UUID generator. Version 4 takes only `prefix`, and a clock that it ignores. */
export interface UuidOptions extends TimeOptions {
  /** 1, 4 or 7, which is the default. */
  version?: Integer | undefined;
}

/** The parts of a UUID to compose. */
export interface UuidParts {
  /** Unix milliseconds, for versions 1 and 7. */
  timestampMs?: Integer | undefined;
  /** The time as a date, instead of `timestampMs`. */
  time?: Date | undefined;
  /**
   * The nanoseconds after the millisecond, 0 to 999,999; rounded down to the tick, which is 100 ns
   * for version 1.
   */
  submillisecondNs?: Integer | null | undefined;
  /** The random part: 74 bits for version 7, 122 for version 4. */
  random?: Integer | undefined;
  /** The clock sequence, 14 bits, for version 1. */
  clockSequence?: Integer | undefined;
  /** The node, 48 bits, for version 1. */
  node?: Integer | undefined;
}

/**
 * Makes UUIDs of one version. An ID is text, hyphenated, lower case. With a `prefix`,
 * `generateText`, `toText` and `fromText` write and read TypeIDs, of UUIDs of any version.
 *
 * - **7**: 48 bits of Unix milliseconds and 74 random ones, to which 1 to 2^32 is added for each ID
 *   within the millisecond (RFC 9562 section 6.2, method 2): IDs of a generator ascend strictly.
 *   They sort by time, and anyone can read the time from an ID.
 * - **4**: 122 random bits.
 * - **1**: time in 100 ns, and a clock sequence and a node that are random for each generator. They
 *   do not sort by time.
 *
 * Source: RFC 9562 (2024).
 *
 * `Uuid` is its short name.
 *
 * @example
 * ```ts
 * import { Uuid } from 'saiban';
 * const ids = new Uuid({ version: 7 });
 * const [first, second] = ids.generateMany(2) as [string, string];
 * console.log(first.length, first < second); // 36 true
 * const random = (0xcc3n << 62n) | 0x18c4dc0c0c07398fn; // RFC 9562, appendix A.6
 * console.log(ids.compose({ timestampMs: 1645557742000, random })); // 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
 * ```
 */
export class UuidGenerator extends ByteGenerator<Parts<string, number>, UuidParts> {
  /** The version: 1, 4 or 7. */
  readonly version: 1 | 4 | 7;

  /**
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for another version, and for an option of
   * version 4 other than `prefix` and the clock; `INVALID_WINDOW` (in milliseconds);
   * `INVALID_LAYOUT` for the policy `'bits'`; `UNKNOWN_NAME` for another one;
   * `ENTROPY_UNAVAILABLE`.
   */
  constructor(uuidOptions: UuidOptions = {}) {
    super(
      opened({ scheme: 'uuid', name: 'Uuid', ...RANDOM, known: ['version', ...RANDOM.known] }, uuidOptions),
      ['time?', 'submillisecondNs?', 'random?', 'clockSequence?', 'node?'],
    );
    this.version = Number(uuidOptions.version ?? 7) as 1 | 4 | 7;
  }
}

export { UuidGenerator as Uuid };

/** The options of an ObjectId generator. */
export interface ObjectIdOptions extends TimeOptions {}

/** The parts of an ObjectId to compose. */
export type ObjectIdParts = Moment & {
  /** The 40 bits that are random for each generator. */
  node: Integer;
  /** The counter, 24 bits. */
  sequence: Integer;
};

/**
 * Makes ObjectIds that MongoDB and its drivers accept: 32 bits of Unix seconds, 40
 * random bits of the generator, and a 24-bit counter. Drivers keep counting across seconds; this
 * counter begins each second with the generator's random number. They sort by second, and anyone
 * can read the second from an ID. An ID is text, 24 hexadecimal digits, lower case.
 *
 * At most 16,777,216 IDs a second; until 2106. Source: MongoDB manual, "ObjectId"; MongoDB
 * specifications, "BSON ObjectID".
 *
 * `ObjectId` is its short name.
 *
 * @example
 * ```ts
 * import { ObjectId } from 'saiban';
 * const ids = new ObjectId();
 * console.log(ids.generate().length, ids.generateBytes().length); // 24 12
 * console.log(ids.inspect('507f191e810c19729de860ea').time.toISOString()); // 2012-10-17T20:46:22.000Z
 * console.log(ids.compose({ timestampMs: 0, node: 1, sequence: 2 })); // 000000000000000001000002
 * ```
 */
export class ObjectIdGenerator extends ByteGenerator<TimedNodeParts<string, number>, ObjectIdParts> {
  /**
   * @throws {@link SaibanError} `INVALID_WINDOW` (in seconds); `INVALID_LAYOUT` for the policy
   * `'bits'`; `UNKNOWN_NAME` for another one; `INVALID_ARGUMENT`; `ENTROPY_UNAVAILABLE`.
   */
  constructor(objectIdOptions: ObjectIdOptions = {}) {
    super(
      opened({ scheme: 'objectid', name: 'ObjectId', ...RANDOM }, objectIdOptions),
      ['time', 'node', 'sequence'],
    );
  }
}

export { ObjectIdGenerator as ObjectId };

/** Whether the oldest or the newest IDs come first in a store that sorts by text. */
export type TickOrder = 'ascending' | 'descending';

/** The options of a generator of tick IDs. */
export interface TickIdOptions extends TimeOptions {
  /** `'ascending'` by default. */
  order?: TickOrder | undefined;
}

/** The parts of a tick ID to compose. */
export type TickIdParts = FineMoment & {
  /** The random digits: 4, descending 3. */
  random: Integer;
};

/**
 * Makes tick IDs: time as text that sorts, for key-value and table stores, oldest or newest first.
 * An ID is text, 19 digits of time, `_`, and 4 random digits (descending 3). Anyone can read the
 * time from an ID.
 *
 * Ticks are 100 ns since the year 1, .NET's `DateTime.UtcNow.Ticks`. Generators of one process and
 * order never use a tick twice. Two processes may use one tick, and then only the random digits
 * distinguish their IDs, in 9,999 of 10,000 cases (descending: 999 of 1000). The store must
 * therefore enforce uniqueness.
 *
 * `TickId` is its short name.
 *
 * @example
 * ```ts
 * import { TickId } from 'saiban';
 * const ids = new TickId({ order: 'descending' });
 * const [older, newer] = [ids.generate(), ids.generate()];
 * console.log(newer < older, newer.length); // true 23
 * const id = ids.compose({ time: new Date('2025-01-01'), submillisecondNs: 123_400, random: 42 });
 * console.log(ids.inspect(id).submillisecondNs); // 123400
 * ```
 */
export class TickIdGenerator extends Generator<string, string[], TimedParts<string, number>, TickIdParts> {
  /** Whether the oldest or the newest IDs come first in a store that sorts by text. */
  readonly order: TickOrder;

  /**
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for another order; `INVALID_WINDOW` (in
   * milliseconds); `INVALID_LAYOUT` for the policy `'bits'`; `UNKNOWN_NAME` for another one.
   */
  constructor(tickIdOptions: TickIdOptions = {}) {
    super(
      opened({ scheme: 'tick-id', name: 'TickId', ...RANDOM, known: ['order', ...RANDOM.known] }, tickIdOptions),
      ['time', 'random', 'submillisecondNs?'],
    );
    this.order = tickIdOptions.order ?? 'ascending';
  }
}

export { TickIdGenerator as TickId };

/** The options of a TSID generator. */
export type TsidOptions = NodeOptions & {
  /**
   * The layout of its IDs: `Layout.preset('tsid-1024')` by default, `'tsid-256'`, `'tsid-4096'`, or
   * your own.
   */
  layout?: Layout | undefined;
};

/** The parts of a TSID to compose. */
export type TsidParts = FineMoment & {
  /**
   * The node, 0 to 1023 in the default layout: a number, or its parts if the layout names them.
   */
  node: NodeId;
  /** The sequence number within the millisecond, 0 to 4095 in the default layout. */
  sequence: Integer;
  /** The number of clock steps back, for a layout with a rollback field; 0 by default. */
  rollback?: Integer | undefined;
};

const TSID: Opening = { scheme: 'tsid', name: 'Tsid', known: [...NODE_OPTIONS, 'layout'] };

/**
 * Makes TSIDs: time, node, sequence, and no unused bit. They sort by time, and anyone can read the
 * time from an ID. Canonical text is 13 characters of Crockford's base32, upper case, and sorts
 * too; any case is read.
 *
 * A TSID has 42 bits of milliseconds since 2020-01-01. By default it has 10 bits for the node and
 * 12 for the sequence: 1024 nodes, and 4096 IDs a millisecond and node. Layout `tsid-256` has 8 and
 * 14, `tsid-4096` 12 and 10. IDs are negative from 2089-09-06, and last until 2159-05-15.
 *
 * Source: github.com/f4b6a3/tsid-creator (5.2), which begins each millisecond at a random number;
 * here the sequence begins at 0.
 *
 * `Tsid` is its short name.
 *
 * @example
 * ```ts
 * import { Layout, Tsid } from 'saiban';
 * const ids = new Tsid({ node: 7 });
 * console.log(ids.generateText().length); // 13
 * console.log(ids.compose({ timestampMs: 1704067200000, node: 7, sequence: 1 })); // 529448671641628673n
 * console.log(ids.inspect('0EP7TRC000W01').time.toISOString()); // 2024-01-01T00:00:00.000Z
 * console.log(new Tsid({ node: 4095, layout: Layout.preset('tsid-4096') }).layout.maxNode); // 4095
 * ```
 */
export class TsidGenerator extends Generator<bigint, BigInt64Array, TimedNodeParts<bigint, number>, TsidParts> {
  /** The layout of its IDs. */
  readonly layout: Layout;

  /**
   * @throws {@link SaibanError} `NODE_REQUIRED` without node or nodes, `NODE_OUT_OF_RANGE`;
   * `NODE_IN_USE` when another generator of this process or machine has some, but not the same, of
   * these nodes or shards; `INVALID_WINDOW`; `INVALID_LAYOUT` for a layout without time, node or
   * sequence, and for the policy `'bits'` without a rollback field; `UNKNOWN_NAME` for another
   * policy or scope; `STATE_IN_USE` for the state file; `STATE_MISMATCH`, `STATE_UNAVAILABLE` for
   * that and for the scope `'machine'`; `CLOCK_BACKWARD` when the clock is more than `maxJumpS`
   * behind the last ID of this machine; `LEASE_LOST` for a lease that is over, `NAMESPACE_MISMATCH`
   * for one of another scheme or layout; `INVALID_ARGUMENT`, also for nodes or times beside a
   * lease, and for a store, which `open` takes.
   */
  constructor(tsidOptions: TsidOptions);
  constructor(tsidOptions: Partial<TsidOptions> = {}) {
    super(opened(TSID, tsidOptions), ['time', 'nodeId', 'sequence', 'submillisecondNs?', 'rollback?']);
    this.layout = tsidOptions.layout ?? Layout.preset('tsid-1024');
  }

  /**
   * Makes a generator with a lease of its own, from the store that `store` names. It does not block
   * the event loop.
   *
   * @param openOptions - The constructor's options that can be used with a lease, and the lease's
   * `store` and `namespace`.
   * @throws {@link SaibanError} (rejects) as the constructor and {@link Lease.acquire};
   * `INVALID_ARGUMENT` for nodes, times or a lease beside the store.
   * @example
   * ```ts
   * import { Tsid } from 'saiban';
   * const ids = await Tsid.open({ store: 'memory:shop', namespace: 'parcels' });
   * console.log(ids.inspect(await ids.generateAsync()).node === ids.lease.nodes[0]); // true
   * await ids.lease.release();
   * ```
   */
  static async open(openOptions: OpenOptions<TsidOptions>): Promise<Leased<TsidGenerator>> {
    return openedWithStore(TSID, TsidGenerator, openOptions);
  }

  override inspect(id: IdArgument<bigint> | string): TimedNodeParts<bigint, number> {
    return numericParts(super.inspect(id));
  }
}

export { TsidGenerator as Tsid };

/** The options of an XID generator. */
export interface XidOptions extends TimeOptions {}

/** The parts of an XID to compose. */
export type XidParts = Moment & {
  /** The 40 bits that are random for each generator. */
  node: Integer;
  /** The counter, 24 bits. */
  sequence: Integer;
};

/**
 * Makes XIDs: 32 bits of Unix seconds, 40 random bits of the generator, and a 24-bit counter. The
 * 96 bits are those of an ObjectId. XIDs sort by second, and anyone can read the second from an ID.
 * An ID is text, 20 characters: its 12 bytes in base32hex, lower case, without padding; upper case
 * is refused unless `lenient`.
 *
 * At most 16,777,216 IDs a second; until 2106. Source: github.com/rs/xid (1.5), which takes 24 of
 * the 40 bits from the machine's name and 16 from the process id; here all 40 are random.
 *
 * `Xid` is its short name.
 *
 * @example
 * ```ts
 * import { Xid } from 'saiban';
 * const ids = new Xid();
 * console.log(ids.generate().length, ids.generateBytes().length); // 20 12
 * console.log(ids.inspect('9m4e2mr0ui3e8a215n4g').time.toISOString()); // 2011-03-22T17:50:19.000Z
 * const parts = { timestampMs: 1300816219000, node: 0x60f486e428, sequence: 0x412dc9 };
 * console.log(ids.compose(parts)); // 9m4e2mr0ui3e8a215n4g
 * ```
 */
export class XidGenerator extends ByteGenerator<TimedNodeParts<string, number>, XidParts> {
  /**
   * @throws {@link SaibanError} `INVALID_WINDOW` (in seconds); `INVALID_LAYOUT` for the policy
   * `'bits'`; `UNKNOWN_NAME` for another one; `INVALID_ARGUMENT`; `ENTROPY_UNAVAILABLE`.
   */
  constructor(xidOptions: XidOptions = {}) {
    super(opened({ scheme: 'xid', name: 'Xid', ...RANDOM }, xidOptions), ['time', 'node', 'sequence']);
  }
}

export { XidGenerator as Xid };
