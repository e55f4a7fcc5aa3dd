import { type Integer, integerIfGiven, numberIfGiven, pairIfGiven, present, textIfGiven } from './arguments.js';
import { type ManualClock } from './clock.js';
import type { Lease } from './lease.js';
import type * as Native from './native.js';

/**
 * What a generator does when the clock steps back, behind the time of its last ID. It never repeats an ID.
 *
 * - `'hold'` goes on in the tick that was reached; when that is used up, waits for the clock to return, at most `maxWaitMs`, and
 *   then throws `CLOCK_BACKWARD`.
 * - `'error'` throws `CLOCK_BACKWARD` at once, until the clock has returned.
 * - `'bits'` counts the step in the layout's rollback field (see `Layout.withRollbackBits`) and goes on at the clock's time.
 *   Where the clock is behind what the next value of the field has used too, it holds.
 */
export type Rollback = 'hold' | 'error' | 'bits';

/**
 * Which generators of the same nodes share a cursor, so that none repeats another's ID.
 *
 * - `'machine'`: those of all processes of this user on this machine, also restarted ones. What was issued is kept in memory that
 *   they share, in `/dev/shm/saiban-UID` or the folder that the environment variable `SAIBAN_RUN_DIR` names, until the machine is
 *   started again.
 * - `'process'`: those of this process.
 */
export type Scope = 'machine' | 'process';

/** What every generator takes. */
export interface TimeOptions {
  /**
   * The half-open window `[start, end]` in which IDs may be issued, Unix time in the format's own unit: seconds for Randflake and
   * ObjectId, milliseconds for all others. It holds for the time *in* the ID.
   */
  window?: readonly [start: Integer, end: Integer] | undefined;
  /**
   * The time of the last ID known to be used, in the window's unit: IDs begin with the tick after it.
   *
   * Without it, on the system's clock and with the scope `'process'`, IDs begin with the tick after the one in which the generator
   * was made, so that a restart within a tick repeats nothing. The first ID may wait for that tick: 1 ms for most, up to a second
   * for Randflake.
   */
  notBefore?: Integer | undefined;
  /** What happens when the clock steps back; `'bits'` by default for a layout with a rollback field, else `'hold'`. */
  rollback?: Rollback | undefined;
  /** The clock; the system's by default. */
  clock?: ManualClock | undefined;
  /**
   * How far the clock may jump ahead of the time since boot, in whole seconds, at least 1; 86400, a day, by default. A longer
   * jump is refused (`CLOCK_JUMPED`): an ID from the far future would hold its node until then.
   */
  maxJumpS?: Integer | undefined;
  /**
   * The longest wait for an ID, in milliseconds (fractions are fine). By default 5 for the calls that block the event loop,
   * where only the first ID may take longer (two ticks, at least 200 ms, at most 2000), and 2000 for `generateAsync`, which does
   * not.
   */
  maxWaitMs?: number | undefined;
}

/** What generators take whose nodes others may have too. */
export interface ScopeOption {
  /**
   * Which generators of the same nodes share a cursor. By default `'machine'` where that can be had, else `'process'`: it needs Linux
   * or macOS, the system's clock, a layout whose time, node and sequence have 63 bits or fewer together, and of a lease a store that
   * other processes use too. `stats().scope` says which.
   */
  scope?: Scope | undefined;
}

/** What generators take that can be told what was used before. */
export interface GeneratorOptions extends TimeOptions, ScopeOption {
  /**
   * The path of a file that remembers, for the program's next run, which ticks were used: a clock that was set back while the
   * program was down repeats nothing either. It is made where there is none, lies on a local disk, and is locked (`PATH.lock`)
   * until the generator is garbage-collected or its thread ends.
   *
   * Every 100 ms of use, at the most, the call that makes an ID writes the file and waits for the disk (fsync), which blocks the
   * event loop for as long, in `generateAsync` and `tryGenerate` too. After a crash the first ID may wait 100 ms.
   */
  state?: string | undefined;
}

/** What generators take that have a lease instead of nodes, window, `notBefore` and `state` of their own. */
export interface LeaseOption extends Omit<TimeOptions, 'window' | 'notBefore'>, ScopeOption {
  /**
   * The lease whose nodes these are: IDs are of its nodes and its time only, and none are made any more once it is over. Its scheme,
   * layout and secret must be the generator's.
   */
  lease: Lease;
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

/** What generators take that have no lease. */
export interface NoLease {
  /** The lease whose nodes these are, instead of nodes and times of one's own: see {@link LeaseOption}. */
  lease?: undefined;
}

/** What generators with nodes take: `node` or `nodes`, and what was used before; or `lease`. */
export type NodeOptions = ((GeneratorOptions & OwnNodes & NoLease) | LeaseOption) & {
  /**
   * How many parts the range of nodes is divided into, 1 by default. Worker threads that have the same `nodes` and `shards` are
   * given one part each in turn and do not contend; between threads IDs are then ordered by tick only.
   */
  shards?: Integer | undefined;
};

/** The nodes of a generator without a lease: one of both. */
export interface OwnNodes {
  /** A node that no other machine has; with the scope `'process'` no other process. */
  node?: Integer | undefined;
  /** A half-open range `[first, end]` of such nodes, instead of one. */
  nodes?: readonly [first: Integer, end: Integer] | undefined;
}

/** The names of the options that a generator of random IDs takes. @internal */
export const TIME_OPTIONS = ['window', 'notBefore', 'rollback', 'clock', 'maxJumpS', 'maxWaitMs'] as const;

/** The names of the options that a generator without nodes takes. @internal */
export const COMMON_OPTIONS = [...TIME_OPTIONS, 'state'] as const;

/** The names of the options that tell a generator's nodes. @internal */
const NODES = ['node', 'nodes', 'shards', ...COMMON_OPTIONS] as const;

/** The names of the options that a generator with nodes takes. @internal */
export const NODE_OPTIONS = [...NODES, 'scope', 'lease'] as const;

/**
 * The names of the options of a generator of random IDs, with those that core refuses: it says what to do instead. @internal
 */
export const RANDOM_OPTIONS = NODES as readonly string[] as readonly (keyof TimeOptions)[];

/** The options that all generators have in common, as the native half takes them. @internal */
export function nativeOptions(given: NodeOptions): Native.GeneratorOptions {
  return present({
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
}
