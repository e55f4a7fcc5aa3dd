import {
  type Integer,
  bytes,
  bytesIfGiven,
  flagIfGiven,
  integerIfGiven,
  numberIfGiven,
  options,
  pairIfGiven,
  present,
  textIfGiven,
} from './arguments.js';
import { type ManualClock, nativeClock } from './clock.js';
import { ErrorCode } from './error-code.js';
import { SaibanError, calling } from './errors.js';
import { type Layout, givenLayout, nativeLayout } from './layout.js';
import { type Lease, nativeLease, ownLease } from './lease.js';
import { native } from '#host';
import type * as Native from './native.js';
import { HIDDEN } from './shown.js';

/**
 * What a generator does when the clock steps back, behind the time of its last ID. It never repeats
 * an ID.
 *
 * - `'hold'` continues within the tick that was reached; when the tick is used up, it waits for the
 *   clock to return, at most `maxWaitMs`, and then throws `CLOCK_BACKWARD`.
 * - `'error'` throws `CLOCK_BACKWARD` at once, until the clock has returned.
 * - `'bits'` counts the step in the layout's rollback field (see `Layout.withRollbackBits`) and
 *   continues at the clock's time. If the clock is also behind the last ID of the next value, it
 *   holds.
 */
export type Rollback = 'hold' | 'error' | 'bits';

/**
 * Which generators of the same nodes share a cursor, so that none repeats another's ID.
 *
 * - `'machine'`: those of all processes of this user on this machine, also restarted ones. They
 *   share memory in `/dev/shm/saiban-UID`, or in the folder that the environment variable
 *   `SAIBAN_RUN_DIR` names. The memory keeps what was issued until the machine is restarted.
 * - `'process'`: those of this process.
 */
export type Scope = 'machine' | 'process';

/** The options of every generator. */
export interface TimeOptions {
  /**
   * The half-open window `[start, end]`, which limits the time *in* the IDs. Unix time in the
   * format's own unit: seconds if ticks are seconds (Randflake, ObjectId, XID), else milliseconds.
   */
  window?: readonly [start: Integer, end: Integer] | undefined;
  /**
   * The time of the last ID known to be used, in the window's unit: IDs begin with the tick after
   * it.
   *
   * Without it, on the system's clock and with the scope `'process'`, IDs begin with the tick after
   * the one in which the generator was made, so that a restart within a tick repeats nothing. The
   * first ID may wait for that tick: 1 ms for most, up to a second for Randflake.
   */
  notBefore?: Integer | undefined;
  /**
   * What happens when the clock steps back; `'bits'` by default for a layout with a rollback field,
   * else `'hold'`.
   */
  rollback?: Rollback | undefined;
  /** The clock; the system's by default. */
  clock?: ManualClock | undefined;
  /**
   * How far the clock may jump ahead of the time since boot, in whole seconds, at least 1; 86400, a
   * day, by default. A longer jump is refused (`CLOCK_JUMPED`): an ID from the far future would
   * hold its node until then.
   */
  maxJumpS?: Integer | undefined;
  /**
   * The longest wait for an ID, in milliseconds (fractions are fine). By default 5 for the calls
   * that block the event loop, where only the first ID may take longer (two ticks, at least 200 ms,
   * at most 2000), and 2000 for `generateAsync`, which does not.
   */
  maxWaitMs?: number | undefined;
  /**
   * The prefix of the canonical text of IDs: at most 63 letters `a` to `z`, with underscores
   * between them. The text is the prefix, an underscore, and the ID's number in Crockford's base32,
   * lower case, in full width; for UUIDs this is a TypeID. With `''` the text has neither prefix
   * nor underscore. By default the text is the scheme's.
   *
   * `generateText`, `toText`, `fromText` and the `text` of parts use the prefix. An ID that is text
   * (a ULID, an ObjectId, an XID, a tick ID) is this text. A bigint stays a bigint, and a UUID its
   * hyphenated text. Text in an encoding that you request is that of the number alone.
   *
   * @example
   * ```ts
   * import { Ulid, Uuid } from 'saiban';
   * const ids = new Uuid({ prefix: 'order' });
   * console.log(ids.toText('01890a5d-ac96-774b-bcce-b302099a8057')); // order_01h455vb4pex5vsknk084sn02q
   * console.log(ids.fromText('order_01h455vb4pex5vsknk084sn02q')); // 01890a5d-ac96-774b-bcce-b302099a8057
   * console.log(new Ulid({ prefix: 'order' }).generate()); // order_0…
   * ```
   */
  prefix?: string | undefined;
}

/** The option of generators whose nodes other generators may use too. */
export interface ScopeOption {
  /**
   * Which generators of the same nodes share a cursor. By default `'machine'` where it is
   * available, else `'process'`: it needs Linux or macOS, the system's clock, a layout whose time,
   * node and sequence have 63 bits or fewer together, and for a lease a store that other processes
   * use too. `stats().scope` returns the scope in use.
   */
  scope?: Scope | undefined;
}

/** The options of generators with a node or scalability id that is not leased. */
export interface GeneratorOptions extends TimeOptions, ScopeOption {
  /**
   * The path of a file that keeps the used ticks for the program's next run: no ID is repeated even
   * if the clock is set back while the program is down. The file is created if it does not exist,
   * must be on a local disk, and is locked (`PATH.lock`) until the generator is garbage-collected
   * or its thread ends.
   *
   * At most once in 100 ms, a call that makes an ID writes the file and waits for the disk (fsync).
   * This wait blocks the event loop, in `generateAsync` and `tryGenerate` too. After a crash the
   * first ID may wait 100 ms.
   */
  state?: string | undefined;
}

/**
 * The options of generators with a lease, which replaces `node`, `nodes`, `window`, `notBefore` and
 * `state`.
 */
export interface LeaseOption extends Omit<TimeOptions, 'window' | 'notBefore'>, ScopeOption {
  /**
   * The lease of the nodes: IDs are of its nodes, and only within its time. Its scheme, layout and
   * secret must be the generator's. `undefined` compiles, but then a scheme that needs a node
   * throws `NODE_REQUIRED`.
   */
  lease: Lease | undefined;
  /** The lease gives the nodes. */
  node?: undefined;
  /** The lease gives the nodes. */
  nodes?: undefined;
  /** The lease gives the times. */
  window?: undefined;
  /** The lease gives the times. */
  notBefore?: undefined;
  /** The store remembers what was used. */
  state?: undefined;
}

/** The options of generators without a lease. */
export interface NoLease {
  /** The lease of the nodes, instead of given nodes and times: see {@link LeaseOption}. */
  lease?: undefined;
}

/** The store from which `open` of a generator's class acquires the generator's own lease. */
export interface StoreOption {
  /**
   * The URL of the store that assigns the node: `sqlite:PATH`, `postgres://…`, … as {@link Lease}
   * takes it. The lease has one node, is for 600 s at a time, and is renewed in the background.
   * Scheme, layout and secret are the generator's. `open` waits for the store for 10 s at the most.
   *
   * The lease is the generator's property `lease`; `await ids.lease.release()` releases it. If
   * nothing else uses the lease, it is also released when the generator is garbage-collected. For
   * other terms, or several generators with one lease, acquire a {@link Lease} and pass it to the
   * constructor.
   */
  store: string;
  /**
   * The namespace of that store: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`;
   * `'default'` by default. Generators whose IDs go into one column must use the same namespace.
   */
  namespace?: string | undefined;
}

/**
 * The options of `open` in a generator's class: the constructor's `Options` that can be used with a
 * lease, and instead of the lease its `store` and `namespace`.
 */
export type OpenOptions<Options> = Omit<Extract<Options, LeaseOption>, 'lease'> & StoreOption;

/** A generator that has a lease. */
export type Leased<Ids> = Ids & { readonly lease: Lease };

/**
 * The options of generators with nodes: given nodes and times, or a lease. `Nodes` is `OwnNodes`,
 * or `OptionalNodes` if the layout may have no node.
 */
export type NodeOptions<Nodes = OwnNodes> = ((GeneratorOptions & Nodes & NoLease) | LeaseOption) & {
  /**
   * The number of parts into which the range of nodes is divided, 1 by default. Worker threads with
   * the same `nodes` and `shards` get one part each in turn, and do not contend. Between threads
   * IDs are then ordered by tick only.
   */
  shards?: Integer | undefined;
};

/** The nodes of a generator without a lease: either `node` or `nodes`. */
export type OwnNodes =
  | {
      /** A node that no other machine has; with the scope `'process'` no other process. */
      node: Integer;
      /** A range of nodes, instead of `node`. */
      nodes?: undefined;
    }
  | {
      /** One node, instead of `nodes`. */
      node?: undefined;
      /** A half-open range `[first, end]` of nodes, which no other machine has. */
      nodes: readonly [first: Integer, end: Integer];
    };

/** As {@link OwnNodes}, or neither for a layout without a node. */
export type OptionalNodes = OwnNodes | { node?: Integer | undefined; nodes?: undefined };

/** Options that describe the IDs, besides their scheme. Each is for some schemes only. */
interface SpecOptions {
  version?: Integer | undefined;
  layout?: Layout | undefined;
  secret?: Uint8Array | undefined;
  order?: string | undefined;
  scalability?: Integer | undefined;
  entropySize?: Integer | undefined;
  epochMs?: Integer | undefined;
  allowCollisions?: boolean | undefined;
}

/** The names of the options that every generator takes, and `state`. @internal */
export const COMMON_OPTIONS = [
  'window', 'notBefore', 'rollback', 'clock', 'maxJumpS', 'maxWaitMs', 'prefix', 'state',
] as const;

/** The names of the options for a generator's nodes, and of the common ones. */
const NODES = ['node', 'nodes', 'shards', ...COMMON_OPTIONS] as const;

/** The names of the options that only `open` takes. */
const STORE_OPTIONS = ['store', 'namespace'] as const;

/** The names of the options that a lease replaces, and `lease` itself, which `open` acquires. */
const REPLACED_BY_LEASE = [
  'lease', 'node', 'nodes', 'scalability', 'allowCollisions', 'window', 'notBefore', 'state',
] as const;

/** The names of the options of a generator that may have a lease. @internal */
export const LEASE_OPTIONS = ['scope', 'lease', ...STORE_OPTIONS] as const;

/** The names of the options that a generator with nodes takes. @internal */
export const NODE_OPTIONS = [...NODES, ...LEASE_OPTIONS] as const;

/** The options of a generator of random IDs. @internal */
export const RANDOM = { known: NODES, refused: ['node', 'nodes', 'shards', 'state'] } as const;

/** How the generators of a class are opened. @internal */
export interface Opening {
  /** The scheme's name. */
  readonly scheme: string;
  /** The name of the class, for messages. */
  readonly name: string;
  /** The names of its options. */
  readonly known: readonly string[];
  /** Those among them that core refuses with a hint. */
  readonly refused?: readonly string[];
  /** The required option, if there is one. */
  readonly needed?: 'layout' | 'secret';
}

/** The options of all generators. */
type Given = NodeOptions & SpecOptions & Partial<StoreOption>;

/** An opened generator. @internal */
export interface Opened {
  /** The functions of the native half. */
  readonly functions: Native.GeneratorFunctions;
  /** The given lease. */
  readonly lease: Lease | null;
  /** The name of the class. */
  readonly name: string;
  /** The options that `util.inspect` shows. */
  readonly shown: object;
}

/**
 * Checks the options of the function with this name, and converts them for the native half. Errors
 * do not suggest options that are `refused` later.
 */
function taken({ known, needed }: Opening, name: string, generatorOptions: object, refused: readonly string[]) {
  type Names = readonly (keyof Given)[];
  const given = options(generatorOptions as Given, name, known as Names, refused as Names);
  const layout = needed === 'layout' ? givenLayout(given.layout) : given.layout;
  const spec: Native.SpecGiven = present({
    version: integerIfGiven(given.version, 'version'),
    layout: nativeLayout(layout),
    secret: (needed === 'secret' ? bytes : bytesIfGiven)(given.secret, 'secret'),
    order: textIfGiven(given.order, 'order'),
    scalability: integerIfGiven(given.scalability, 'scalability'),
    entropySize: integerIfGiven(given.entropySize, 'entropySize'),
    epochMs: integerIfGiven(given.epochMs, 'epochMs'),
    allowCollisions: flagIfGiven(given.allowCollisions, 'allowCollisions'),
    prefix: textIfGiven(given.prefix, 'prefix'),
  });
  const common: Native.GeneratorOptions = present({
    node: integerIfGiven(given.node, 'node'),
    nodes: pairIfGiven(given.nodes, 'nodes'),
    window: pairIfGiven(given.window, 'window'),
    notBefore: integerIfGiven(given.notBefore, 'notBefore'),
    state: textIfGiven(given.state, 'state'),
    rollback: textIfGiven(given.rollback, 'rollback'),
    shards: integerIfGiven(given.shards, 'shards'),
    scope: textIfGiven(given.scope, 'scope'),
    maxJumpS: integerIfGiven(given.maxJumpS, 'maxJumpS'),
    maxWaitMs: numberIfGiven(given.maxWaitMs, 'maxWaitMs'),
  });
  const [store, namespace] = [textIfGiven(given.store, 'store'), textIfGiven(given.namespace, 'namespace')];
  return { given, spec, common, clock: nativeClock(given.clock), lease: nativeLease(given.lease), store, namespace };
}

/**
 * Opens a generator with the options that its constructor was given.
 *
 * @internal
 */
export function opened(opening: Opening, generatorOptions: object): Opened {
  const { scheme, name, known, refused = [] } = opening;
  const { given, spec, common, clock, lease, store, namespace } = taken(opening, name, generatorOptions, [
    ...refused,
    ...STORE_OPTIONS,
  ]);
  if (store !== undefined || namespace !== undefined) {
    const what = `a constructor cannot wait for a store: write await ${name}.open(…) instead of new ${name}(…)`;
    throw new SaibanError(ErrorCode.INVALID_ARGUMENT, what);
  }
  const shown = known.map((option) => [option, given[option as keyof Given] ?? undefined]);
  return {
    functions: calling(() => native.generator(scheme, spec, common, clock, lease)),
    lease: given.lease ?? null,
    name,
    shown: { ...Object.fromEntries(shown), secret: spec.secret && HIDDEN },
  };
}

/**
 * Opens a generator of this class with a lease of its own, from the store that the options name.
 *
 * @internal
 */
export async function openedWithStore<Options, Made>(
  opening: Opening,
  Class: new (options: Options) => Made,
  openOptions: OpenOptions<Options>,
): Promise<Leased<Made>> {
  // Values of the wrong type are refused before the store is contacted.
  const { given, spec, store, namespace, lease: other } = taken(opening, `${opening.name}.open`, openOptions, [
    ...(opening.refused ?? []),
    ...REPLACED_BY_LEASE,
  ]);
  const beside = Object.fromEntries(opening.known.map((option) => [option, given[option as keyof Given]]));
  const lease = await ownLease(opening.scheme, spec, store, namespace, other);
  try {
    return new Class({ ...beside, lease, store: undefined, namespace: undefined } as object as Options) as Leased<Made>;
  } catch (error) {
    // Nothing else uses this lease. If the store does not reply, it expires.
    await lease.release().catch(() => undefined);
    throw error;
  }
}
