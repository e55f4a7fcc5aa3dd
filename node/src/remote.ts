import { type Integer, integer, integerIfGiven, options, present, text } from './arguments.js';
import { SaibanTypeError, calling, visible } from './errors.js';
import { Generator, type IdArray } from './generator.js';
import { Layout } from './layout.js';
import { native } from './load-native.js';
import type * as Native from './native.js';
import { ownArray } from './realm.js';

/** What may be chosen of a remote generator. */
export interface RemoteOptions {
  /** The name that the service has the scheme under. */
  scheme: string;
  /** How many IDs are taken with one round trip, 1 to 100000, and no more than the service allows; 1000 by default. */
  block?: Integer | undefined;
  /**
   * How long after it was asked for an ID may be handed out, 1 to 3600000 milliseconds, 1000 by
   * default: IDs tell the time at which the service made them.
   */
  maxAgeMs?: Integer | undefined;
  /** How long `generateAsync`, `generateManyAsync` and `open` wait for the service, whole seconds, at least 1; 10 by default. */
  waitS?: Integer | undefined;
}

/** How a remote generator is doing in this process: a plain, frozen object. */
export interface RemoteStatus {
  /** The number of prefetched IDs. They are lost when the process ends. */
  readonly prefetched: number;
  /** The number of IDs that were dropped because they became too old. */
  readonly dropped: number;
  /** The number of requests to the service. */
  readonly calls: number;
  /** What went wrong at the last request; `null` if nothing did. */
  readonly why: string | null;
}

/**
 * Hands out IDs that a service makes (`saiban serve`), taken in blocks in advance: the next is
 * fetched when half of one is used, so that an ID which is prefetched costs no round trip. What is
 * not used within `maxAgeMs` is dropped, and what is prefetched when the process ends is never
 * used.
 *
 * What an ID is, the scheme says: a bigint or text, as of the generators of that scheme. `compose`,
 * `inspect`, `range` and the texts need no service; of a Randflake `compose` and `inspect` are
 * `INVALID_ARGUMENT`, as only the service has the secret. `stats` are those of this generator's
 * IDs.
 *
 * `generate`, `generateMany` and `fill` take what is prefetched and block for 5 ms at the most:
 * then they are `WOULD_WAIT`. `generateAsync` and `generateManyAsync` wait for the service without
 * blocking, for `waitS` at the most.
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
  /** The name that the service has the scheme under. */
  readonly name: string;
  /** The layout of its IDs, where the scheme may have others; else `null`. */
  readonly layout: Layout | null;

  /** @internal */
  constructor(remote: Native.Remote, name: string) {
    if (!(remote instanceof native.Remote)) {
      throw new SaibanTypeError('a RemoteGenerator is not made by new: give RemoteGenerator.open a URL');
    }
    super(calling(() => remote.functions()));
    this.#remote = remote;
    this.name = name;
    const layout = remote.layout ?? null;
    this.layout = layout === null ? null : Layout.fromText(layout);
  }

  /**
   * Opens the scheme that the service at this URL has under this name, and asks what its IDs are.
   * It does not block the event loop.
   *
   * @param url - `saiban://[:TOKEN@]host[:7609][,host…]`, or `saibans://` for TLS with `ca=`,
   * `cert=` and `key=` (files); `token_file=` has the token of either. Hosts are asked in turn when
   * one does not answer. The token is in no message.
   * @throws {@link SaibanError} (rejects) `INVALID_ARGUMENT` for a URL or numbers that cannot be;
   * what the service says: `UNKNOWN_NAME` for a scheme that it does not have; `STORE_UNAVAILABLE`
   * when it could not be asked in `waitS`, or does not let this program; `STORE_UNSUPPORTED` for a
   * scheme that this saiban does not know.
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
    try {
      return new RemoteGenerator<Id>(await native.openRemote(service, scheme, wish), scheme);
    } catch (error) {
      throw visible(error);
    }
  }

  /**
   * This many IDs, at most 10 million: all of them, or an error. The event loop goes on where the
   * service is waited for.
   *
   * @throws {@link SaibanError} (rejects) what the service says, or `STORE_UNAVAILABLE`;
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

  /** Returns the counter's status in this process. It asks no service. */
  status(): RemoteStatus {
    const { prefetched, dropped, calls, why } = calling(() => this.#remote.status());
    return Object.freeze({ prefetched, dropped, calls, why: why ?? null });
  }
}
