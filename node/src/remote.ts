import { type Integer, integer, integerIfGiven, options, present, text } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError, SaibanTypeError, calling, visible } from './errors.js';
import { Generator, type IdArray } from './generator.js';
import { Layout } from './layout.js';
import { native } from '#host';
import type * as Native from './native.js';
import { ownArray } from './realm.js';

/** The options of a remote generator. */
export interface RemoteOptions {
  /** The scheme's name in the service. */
  scheme: string;
  /**
   * The number of IDs that are fetched with one round trip, 1 to 100000, and no more than the
   * service allows; 1000 by default.
   */
  block?: Integer | undefined;
  /**
   * The maximum age of an ID, counted from its request, 1 to 3600000 milliseconds, 1000 by default:
   * an ID holds the time at which the service made it.
   */
  maxAgeMs?: Integer | undefined;
  /**
   * The longest wait for the service in `generateAsync`, `generateManyAsync` and `open`, whole
   * seconds, at least 1; 10 by default.
   */
  waitS?: Integer | undefined;
}

/** The status of a remote generator in this process: a plain, frozen object. */
export interface RemoteStatus {
  /** The number of prefetched IDs. They are lost when the process ends. */
  readonly prefetched: number;
  /** The number of IDs that were dropped because they became too old. */
  readonly dropped: number;
  /** The number of requests to the service. */
  readonly calls: number;
  /** The error of the last request; `null` if it succeeded. */
  readonly why: string | null;
}

/**
 * Hands out IDs that a service makes (`saiban serve`), taken in blocks in advance: the next is
 * fetched when half of one is used, so a prefetched ID costs no round trip. IDs that are not used
 * within `maxAgeMs` are dropped, and a process that ends loses its prefetched IDs.
 *
 * The scheme decides the type of IDs: bigint or text, as with that scheme's generators. `compose`,
 * `inspect`, `range` and the texts need no service. For Randflake `compose` and `inspect` fail with
 * `INVALID_ARGUMENT`, because only the service has the secret. `stats` covers this generator's IDs.
 *
 * `generate`, `generateMany` and `fill` take prefetched IDs, block for at most 5 ms, and then fail
 * with `WOULD_WAIT`. `generateAsync` and `generateManyAsync` wait for the service without blocking,
 * for at most `waitS`.
 *
 * @example
 * ```ts
 * import { RemoteGenerator } from 'saiban';
 * async function order(): Promise<bigint> {
 *   const ids = await RemoteGenerator.open<bigint>('saiban://127.0.0.1:7609', { scheme: 'snowflake' });
 *   return ids.generateAsync();
 * }
 * ```
 */
export class RemoteGenerator<Id extends bigint | string = bigint> extends Generator<Id, IdArray> {
  readonly #remote: Native.Remote;
  /** The scheme's name in the service. */
  readonly name: string;
  /** The layout of its IDs, if the scheme has more than one layout; else `null`. */
  readonly layout: Layout | null;

  /** @internal */
  constructor(remote: Native.Remote, name: string) {
    if (!(remote instanceof native.Remote)) {
      throw new SaibanTypeError('a RemoteGenerator is not made by new: give RemoteGenerator.open a URL');
    }
    super({ functions: calling(() => remote.functions()), lease: null, name: 'RemoteGenerator', shown: { name } });
    this.#remote = remote;
    this.name = name;
    const layout = remote.layout ?? null;
    this.layout = layout === null ? null : Layout.fromText(layout);
  }

  /**
   * Opens a scheme of the service at this URL, and requests its description. It does not block the
   * event loop.
   *
   * @param url - `saiban://[:TOKEN@]host[:7609][,host…]`, or `saibans://` for TLS with `ca=`,
   * `cert=` and `key=` (files); `token_file=` has the token of either. Hosts are tried in turn. No
   * message contains the token.
   * @throws {@link SaibanError} (rejects) `INVALID_ARGUMENT` for an invalid URL or number;
   * `UNKNOWN_NAME` if the service does not have the scheme; `STORE_UNAVAILABLE` if it does not
   * reply within `waitS`, or refuses the token; `STORE_UNSUPPORTED` for a scheme that this version
   * of saiban does not know.
   */
  static async open<Id extends bigint | string = bigint>(
    url: string,
    remoteOptions: RemoteOptions,
  ): Promise<RemoteGenerator<Id>> {
    const service = text(url, 'url');
    const given = options(remoteOptions, 'RemoteGenerator.open', ['scheme', 'block', 'maxAgeMs', 'waitS']);
    const scheme = text(given.scheme, 'scheme');
    const wish: Native.RemoteOptions = present({
      block: integerIfGiven(given.block, 'block'),
      maxAgeMs: integerIfGiven(given.maxAgeMs, 'maxAgeMs'),
      waitS: integerIfGiven(given.waitS, 'waitS'),
    });
    if (native.openRemote === undefined) {
      const why = 'WebAssembly has no connections: use saiban with its native library';
      throw new SaibanError(ErrorCode.STORE_UNSUPPORTED, `the service cannot be called: ${why}`);
    }
    try {
      return new RemoteGenerator<Id>(await native.openRemote(service, scheme, wish), scheme);
    } catch (error) {
      throw visible(error);
    }
  }

  /**
   * Returns this many IDs, at most 10 million: all of them, or an error. It does not block the
   * event loop.
   *
   * @throws {@link SaibanError} (rejects) the errors of the service, or `STORE_UNAVAILABLE`;
   * `INVALID_ARGUMENT` for more.
   */
  async generateManyAsync(count: Integer): Promise<Id[]> {
    const wanted = integer(count, 'count');
    try {
      const made = await this.#remote.generateMany(wanted);
      return (Array.isArray(made) ? ownArray(made) : Array.from(made)) as Id[];
    } catch (error) {
      throw visible(error);
    }
  }

  /** Returns the generator's status in this process. The service is not contacted. */
  status(): RemoteStatus {
    const { prefetched, dropped, calls, why } = calling(() => this.#remote.status());
    return Object.freeze({ prefetched, dropped, calls, why: why ?? null });
  }
}
