/// <reference lib="esnext.disposable" preserve="true" />
import {
  type Integer, bytesIfGiven, flagIfGiven, integerIfGiven, options, present, text, textIfGiven, wrong,
} from './arguments.js';
import { SaibanTypeError, calling, visible } from './errors.js';
import { type Layout, nativeLayout } from './layout.js';
import { native } from '#host';
import type { LeaseScheme } from './names.js';
import type * as Native from './native.js';
import { INSPECT, shown } from './shown.js';

/**
 * The state of a lease.
 *
 * - `'acquiring'`: it has no nodes, and requests some.
 * - `'active'`: it has nodes; `'renewing'`: it has nodes, and requests a renewal.
 * - `'expired'`: it ended without a renewal; `'lost'`: another holder has the nodes. `'acquiring'`
 *   follows both.
 * - `'draining'`: it is being released; `'idle'`: it was released.
 * - `'invalid'`: this process was forked, and the lease is its parent's.
 */
export type LeaseState = 'idle' | 'acquiring' | 'active' | 'renewing' | 'draining' | 'expired' | 'lost' | 'invalid';

/** The options of a lease. */
export interface LeaseOptions {
  /**
   * The namespace: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; `'default'` by
   * default. Generators whose IDs go into one column must use the same namespace.
   */
  namespace?: string | undefined;
  /**
   * The number of adjacent nodes: 1 (the default) to 65536, and no more than the layout has. A
   * Ulid-Flake has one.
   */
  nodes?: Integer | undefined;
  /**
   * The length of the lease, whole seconds: 1 up to the namespace's maximum, 600 by default. The
   * lease is renewed after a third of it.
   */
  ttlS?: Integer | undefined;
  /** The scheme of the IDs; `'snowflake'` by default. */
  scheme?: LeaseScheme | undefined;
  /** The layout of the IDs; the scheme's own by default. A `'flake'` needs it. */
  layout?: Layout | undefined;
  /**
   * The secret with which IDs are encrypted: 16 bytes, for `'randflake'` only. The store gets only
   * a check number of it.
   */
  secret?: Uint8Array | undefined;
  /**
   * Whether to create the namespace if it does not exist. An empty store may mean that data was
   * lost, so the default is true only for `sqlite:` and `memory:`. On other stores give `true`
   * once, or run `saiban lease init`.
   */
  create?: boolean | undefined;
  /**
   * The longest lease that a new namespace allows, seconds, which is also how long it is in
   * quarantine after a loss; 3600 by default.
   */
  maxTtlS?: Integer | undefined;
  /** How far this machine's clock may be from the store's, seconds; 10 by default. */
  maxClockSkewS?: Integer | undefined;
  /** The holder's name in listings, up to 120 characters; host and process id by default. */
  holder?: string | undefined;
  /**
   * How long to wait for a store that cannot be reached, whole seconds, at least 1; 10 by default.
   */
  waitS?: Integer | undefined;
}

/** The status of a lease: a plain, frozen object. */
export interface LeaseStatus {
  /** The state. */
  readonly state: LeaseState;
  /** The nodes, half-open; `null` while there is no lease. */
  readonly nodes: readonly [first: Integer, end: Integer] | null;
  /** When the lease ends unless it is renewed, Unix milliseconds; 0 without a lease. */
  readonly endMs: number;
  /** The number of leases so far: more than one if a lease was lost or expired. */
  readonly grants: number;
  /** The number of renewals. */
  readonly renewals: number;
  /** The error of the last request to the store; `null` if it succeeded. */
  readonly why: string | null;
}

/** The names of the options. */
const OPTIONS = [
  'namespace',
  'nodes',
  'ttlS',
  'scheme',
  'layout',
  'secret',
  'create',
  'maxTtlS',
  'maxClockSkewS',
  'holder',
  'waitS',
] as const;

/** Converts a range of nodes for users. */
function range(nodes: readonly Integer[]): readonly [first: Integer, end: Integer] {
  return Object.freeze([nodes[0] as Integer, nodes[1] as Integer] as const);
}

/** Makes `postMessage` fail; see `Generator`. */
const copy = () => 'a lease cannot be copied: acquire one in each thread and process';

let handle: (lease: Lease) => Native.Lease;
let make: (native: Native.Lease, namespace: string) => Lease;

/**
 * A lease of nodes: no other holder has them while the lease lasts, and node ids need no
 * configuration. A lease is renewed in the background after a third of its time, until `release`.
 * Generators with `lease` make IDs of its nodes, and only within its time. A generator that needs
 * one node for itself acquires its own lease: `Snowflake.open({ store })`.
 *
 * If the store does not extend the lease before it ends, or if another holder has the nodes,
 * generators fail (`LEASE_EXPIRED`, `LEASE_LOST`). They continue with a new lease, perhaps of
 * different nodes, as soon as there is one.
 *
 * Each process and each worker thread acquires its own lease; a lease cannot be sent to another
 * thread (`DataCloneError`). A lease does not keep the program running. At the program's end it is
 * *not* released by itself: unless `release` was awaited, its nodes are free when the lease ends,
 * at most `ttlS` after the last renewal. So release it on SIGTERM, and no other program has to wait
 * for its nodes.
 *
 * A URL names the store: `sqlite:///path` (a file for the processes of one machine), `postgres://`,
 * `mysql://`, `redis://` (best effort), `etcd://`, `zookeeper://`; `saiban://` (a service, `saiban
 * serve`); `memory:NAME` is for the threads of this process alone.
 *
 * @example
 * ```ts
 * import { Lease, Snowflake } from 'saiban';
 * const lease = await Lease.acquire('memory:shop', { namespace: 'orders', nodes: 4 });
 * const ids = new Snowflake({ lease });
 * const id = await ids.generateAsync();
 * const [first, end] = lease.nodes;
 * console.log(Number(end) - Number(first), Number(ids.inspect(id).node) >= first); // 4 true
 * process.once('SIGTERM', async () => {
 *   await lease.release();
 *   process.exit();
 * });
 * await lease.release();
 * console.log(lease.status().state); // idle
 * ```
 */
export class Lease implements AsyncDisposable {
  readonly #native: Native.Lease;
  readonly #namespace: string;

  static {
    handle = (lease) => lease.#native;
    make = (functions, namespace) => new Lease(functions, namespace);
  }

  private constructor(acquired: Native.Lease, namespace: string) {
    if (!(acquired instanceof native.Lease)) throw new SaibanTypeError('a Lease is not made by new: give Lease.acquire a URL');
    this.#native = acquired;
    this.#namespace = namespace;
    Object.defineProperty(this, 'copy', { value: copy, enumerable: true });
  }

  /**
   * Acquires a lease from the store at this URL. A separate thread waits for the store, so the
   * event loop is not blocked, and a program or worker thread that ends does not wait for it.
   *
   * @param url - The store; `sqlite:///path`, `postgres://user:password@host/database`, … No
   * message contains the password.
   * @throws {@link SaibanError} (rejects) `INVALID_ARGUMENT` for an invalid URL, name or number;
   * `STORE_UNAVAILABLE` when the store could not be reached in `waitS`; `NAMESPACE_UNKNOWN` for a
   * namespace that does not exist and is not to be created, `NAMESPACE_MISMATCH` for one of another
   * scheme, layout or secret, `NAMESPACE_FULL`, `NAMESPACE_QUARANTINED`; `CLOCK_SKEW`;
   * `STORE_CORRUPT`, `STORE_UNSUPPORTED`; `INVALID_SECRET`; `UNKNOWN_NAME` for another scheme.
   * @example
   * ```ts
   * import { Lease, Randflake } from 'saiban';
   * const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
   * await using lease = await Lease.acquire('memory:', { scheme: 'randflake', secret, ttlS: 60 });
   * console.log(typeof (await new Randflake({ lease, secret }).generateAsync())); // bigint
   * ```
   */
  static async acquire(url: string, leaseOptions: LeaseOptions = {}): Promise<Lease> {
    const store = text(url, 'url');
    const given = options(leaseOptions, 'Lease.acquire', OPTIONS);
    const wish: Native.LeaseOptions = present({
      namespace: textIfGiven(given.namespace, 'namespace'),
      nodes: integerIfGiven(given.nodes, 'nodes'),
      ttlS: integerIfGiven(given.ttlS, 'ttlS'),
      scheme: textIfGiven(given.scheme, 'scheme'),
      secret: bytesIfGiven(given.secret, 'secret'),
      create: flagIfGiven(given.create, 'create'),
      maxTtlS: integerIfGiven(given.maxTtlS, 'maxTtlS'),
      maxClockSkewS: integerIfGiven(given.maxClockSkewS, 'maxClockSkewS'),
      holder: textIfGiven(given.holder, 'holder'),
      waitS: integerIfGiven(given.waitS, 'waitS'),
    });
    const layout = nativeLayout(given.layout);
    return acquired(() => native.acquireLease(store, wish, layout), wish.namespace);
  }

  /**
   * The current nodes, half-open, in the form of the generators' option `nodes`: `[first, end]`.
   * They can change if the lease was lost or has expired.
   *
   * @throws {@link SaibanError} `LEASE_LOST` while there is no lease, with the reason; or the kind
   * of that reason.
   */
  get nodes(): readonly [first: Integer, end: Integer] {
    return range(calling(() => this.#native.nodes));
  }

  /**
   * Returns the status of the lease. The store is not contacted.
   *
   * @example
   * ```ts
   * import { Lease } from 'saiban';
   * const lease = await Lease.acquire('memory:', { ttlS: 60 });
   * const { state, endMs, grants, why } = lease.status();
   * console.log(state, endMs > Date.now(), grants, why); // active true 1 null
   * ```
   */
  status(): LeaseStatus {
    const { state, nodes, endMs, grants, renewals, why } = calling(() => this.#native.status());
    return Object.freeze({
      state: state as LeaseState,
      nodes: nodes === undefined ? null : range(nodes),
      endMs,
      grants,
      renewals,
      why: why ?? null,
    });
  }

  /**
   * Requests a renewal now instead of after a third of the time. It does not wait for the reply:
   * see `status`.
   */
  renew(): void {
    calling(() => this.#native.renew());
  }

  /**
   * Closes every generator of the lease and releases its nodes, which other holders may get at
   * once. It waits for the store for at most 5 seconds, without blocking the event loop. A release
   * is final, and a second call does nothing.
   *
   * @throws {@link SaibanError} (rejects) `STORE_UNAVAILABLE` if the store does not reply: the
   * lease then expires. No more IDs are made in any case.
   */
  async release(): Promise<void> {
    try {
      await this.#native.release();
    } catch (error) {
      throw visible(error);
    }
  }

  /** What `console.log` shows. The store is not contacted. @internal */
  [INSPECT](): object {
    const { nodes, state } = this.status();
    return shown('Lease', { namespace: this.#namespace, nodes, state });
  }

  /** Calls `release` at the end of the block of an `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/** Returns the lease of this namespace that the native half acquires. */
async function acquired(acquire: () => Promise<Native.Lease>, namespace = 'default'): Promise<Lease> {
  try {
    return make(await acquire(), namespace);
  } catch (error) {
    throw visible(error);
  }
}

/**
 * Acquires the lease of a generator of these IDs, whose options name a store and no `other` lease.
 * @internal
 */
export async function ownLease(
  scheme: string,
  spec: Native.SpecGiven,
  store: string | undefined,
  namespace: string | undefined,
  other: Native.Lease | undefined,
): Promise<Lease> {
  return acquired(() => native.acquireOwnLease(scheme, spec, store, namespace, other), namespace);
}

/** Returns the native half of an optional lease. @internal */
export function nativeLease(lease: Lease | undefined | null): Native.Lease | undefined {
  if (lease === undefined || lease === null) return undefined;
  if (lease instanceof Lease) return handle(lease);
  throw wrong('lease', 'a Lease, made by Lease.acquire', lease);
}
