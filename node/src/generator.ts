import {
  flag,
  type Integer,
  idInteger,
  idOrText,
  integer,
  options,
  text,
  textIfGiven,
  wrong,
} from './arguments.js';
import { type Encoding } from './encoding.js';
import { calling, visible } from './errors.js';
import type * as Native from './native.js';
import { type Parts, visibleParts } from './parts.js';
import { type Stats, visibleStats } from './stats.js';

/** How to read an ID's text. */
export interface FromTextOptions {
  /** Also reads what people make of an ID; see `decode`. */
  lenient?: boolean | undefined;
}

/** Whether other threads may see this memory; `instanceof` would not know another realm's. */
function isShared(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
}

/** What `postMessage` meets: it copies no function, and its error shows the start of this one's text. */
const copy = () => 'a generator cannot be copied: make one in each thread and process';

/**
 * What {@link Snowflake}, {@link Randflake} and {@link UlidFlake} have in common.
 *
 * IDs are signed 64-bit integers, as `bigint`. Where one is an argument, a `number` is taken too if it is a safe integer:
 * beyond `Number.MAX_SAFE_INTEGER` numbers lose digits. JSON has no bigint: send and store text (`toText`), or use a
 * `BIGINT` column.
 *
 * A generator belongs to the thread that made it. Generators on the system clock with the same node, in any number of worker
 * threads, share what they have issued and never repeat each other. To send one to another thread (`postMessage`,
 * `structuredClone`) is a `DataCloneError`.
 */
export abstract class Generator {
  readonly #native: Native.GeneratorFunctions;

  /** @internal */
  constructor(functions: object) {
    this.#native = functions as Native.GeneratorFunctions;
    // Without a property of its own a generator would be cloned into an empty object, in silence.
    Object.defineProperty(this, 'copy', { value: copy, enumerable: true });
  }

  /**
   * Makes an ID. Blocks the event loop while it waits, for 5 ms at the most unless `maxWaitMs` says otherwise.
   *
   * On the system's clock the first ID waits for the tick after the one in which the generator was made: up to a second for
   * Randflake, which `generateAsync` spends without blocking.
   *
   * @throws {@link SaibanError} `WOULD_WAIT` when every ID of this tick is used and the next needs a longer wait;
   * `CLOCK_BACKWARD` when the clock is further behind than that, and with the policy `'error'` when it is behind at all;
   * `CLOCK_JUMPED` when it has jumped ahead by more than `maxJumpS`; `LEASE_NOT_BEGUN`, `LEASE_EXPIRED` outside the window;
   * `FORKED` in a copy of the process made by fork; `STATE_UNAVAILABLE` when the state file cannot be written;
   * `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`, `CLOCK_UNAVAILABLE`, `ENTROPY_UNAVAILABLE`.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const id: bigint = new Snowflake({ node: 7 }).generate();
   * ```
   */
  generate(): bigint {
    try {
      return this.#native.generate();
    } catch (error) {
      throw visible(error);
    }
  }

  /**
   * Makes an ID if that needs no wait, else answers `null`: so at first, on the system's clock, until the tick in which the generator
   * was made is over.
   *
   * @throws {@link SaibanError} as {@link Generator.generate}, but no `WOULD_WAIT`.
   * @example
   * ```ts
   * import { ManualClock, Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7, clock: new ManualClock(1704067200000) });
   * ids.generateMany(4096); // all of this millisecond
   * console.log(ids.tryGenerate()); // null
   * ```
   */
  tryGenerate(): bigint | null {
    try {
      return this.#native.tryGenerate();
    } catch (error) {
      throw visible(error);
    }
  }

  /**
   * Makes an ID. Waits without blocking the event loop, for 2 s at the most unless `maxWaitMs` says otherwise.
   *
   * @throws {@link SaibanError} (rejects) as {@link Generator.generate}.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = new UlidFlake();
   * const many = await Promise.all(Array.from({ length: 10_000 }, () => ids.generateAsync()));
   * ```
   */
  async generateAsync(): Promise<bigint> {
    for (let waitedMs = 0; ; ) {
      const waited = waitedMs;
      const answer = calling(() => this.#native.attempt(waited));
      if (typeof answer === 'bigint') return answer;
      // Timers count in whole milliseconds, of 31 bits.
      const waitMs = Math.min(Math.max(1, Math.ceil(answer)), 2 ** 31 - 1);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitedMs += waitMs;
    }
  }

  /**
   * Makes this many IDs, waiting as {@link Generator.generate} does before each: all of them, or an error.
   *
   * For the fastest way, and for as many as can be had, see {@link Generator.fill}.
   *
   * @param count - 0 to 10 million.
   * @throws {@link SaibanError} as {@link Generator.generate}; `INVALID_ARGUMENT` for more.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7 });
   * console.log(ids.generateMany(3).map((id) => ids.inspect(id).node)); // [ 7, 7, 7 ]
   * ```
   */
  generateMany(count: Integer): bigint[] {
    const wanted = integer(count, 'count');
    return Array.from(calling(() => this.#native.generateMany(wanted)));
  }

  /**
   * Fills an array with IDs, waiting as {@link Generator.generate} does. It stops early, without an error, where no more can be
   * had but some were written.
   *
   * @returns How many it wrote, from the front.
   * @throws {@link SaibanError} as {@link Generator.generate}, when not one could be had.
   * @example
   * ```ts
   * import { Randflake } from 'saiban';
   * import { randomBytes } from 'node:crypto';
   * const ids = new Randflake({ node: 42, secret: randomBytes(16) });
   * const block = new BigInt64Array(1000);
   * const written = ids.fill(block);
   * ```
   */
  fill(ids: BigInt64Array): number {
    if (!(ids instanceof BigInt64Array)) throw wrong('ids', 'a BigInt64Array', ids);
    if (!isShared(ids.buffer)) return calling(() => this.#native.fill(ids));
    // Other threads see this array: the native half gets one that they don't.
    const own = new BigInt64Array(ids.length);
    const written = calling(() => this.#native.fill(own));
    ids.set(own.subarray(0, written));
    return written;
  }

  /**
   * Makes an ID, as text: the scheme's canonical text, or in an encoding's customary form.
   *
   * @throws {@link SaibanError} as {@link Generator.generate}; `UNKNOWN_NAME`.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = new UlidFlake();
   * console.log(ids.generateText().length, ids.generateText('base64url').length); // 13 11
   * ```
   */
  generateText(encoding?: Encoding): string {
    const name = textIfGiven(encoding, 'encoding');
    return calling(() => this.#native.generateText(name));
  }

  /**
   * Writes an ID as text: the scheme's canonical text, or in an encoding's customary form.
   *
   * @throws {@link SaibanError} `ID_OUT_OF_RANGE` when it is not one of this scheme and layout; `UNKNOWN_NAME`.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7 });
   * console.log(ids.toText(1741610183685074944n), ids.toText(1741610183685074944n, 'base62')); // 1741610183685074944 24ealwjA6j2
   * ```
   */
  toText(id: Integer, encoding?: Encoding): string {
    const number = idInteger(id, 'id');
    const name = textIfGiven(encoding, 'encoding');
    return calling(() => this.#native.toText(number, name));
  }

  /**
   * Reads an ID from the scheme's canonical text.
   *
   * @throws {@link SaibanError} `TEXT_LENGTH`; `TEXT_CHARACTER` and `TEXT_NOT_CANONICAL`, with the `position`;
   * `TEXT_OVERFLOW`; `ID_OUT_OF_RANGE` when the number is not an ID of this scheme and layout.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = new UlidFlake();
   * console.log(ids.fromText('00CMXB6TAK4SA') === ids.fromText('OOCMXB6T-AK4SA', { lenient: true })); // true
   * ```
   */
  fromText(source: string, fromTextOptions: FromTextOptions = {}): bigint {
    const characters = text(source, 'text');
    const lenient = flag(options(fromTextOptions, 'fromText', ['lenient']).lenient, 'lenient');
    return calling(() => this.#native.fromText(characters, lenient));
  }

  /**
   * Takes an ID, or its canonical text, apart.
   *
   * @throws {@link SaibanError} `ID_OUT_OF_RANGE` when it is not one of this scheme and layout; the kinds that begin with
   * `TEXT_`; `INVALID_ARGUMENT` when a part has more than the 53 bits of a number, as some layouts of your own may.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const { time, random } = new UlidFlake().inspect('00CMXB6TAK4SA');
   * console.log(time.toISOString(), random); // 2024-06-06T06:06:06.666Z 627498
   * ```
   */
  inspect(id: Integer | string): Parts {
    const subject = idOrText(id, 'id');
    return visibleParts(calling(() => this.#native.inspect(subject)));
  }

  /**
   * What the generator tells of itself: how many IDs were issued, how often it waited and found the clock set back, how long it
   * lasts, and what its IDs promise.
   *
   * @throws {@link SaibanError} `CLOCK_UNAVAILABLE`.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * console.log(new UlidFlake().stats().guarantee); // unique_in_process
   * ```
   */
  stats(): Stats {
    return visibleStats(calling(() => this.#native.stats()));
  }

  /** The ID of these parts, in the order of the native half. */
  protected composed(timestampMs: Integer, second: bigint, third: bigint | undefined, fourth?: bigint): bigint {
    const time = integer(timestampMs, 'timestampMs');
    return calling(() => this.#native.compose(time, second, third, fourth));
  }
}

/** The parts of a Snowflake or Randflake ID that is to be composed. */
export interface NodeParts {
  /** Unix milliseconds; rounded down to the tick. */
  timestampMs: Integer;
  /** The node. */
  node: Integer;
  /** The sequence number within the tick. */
  sequence: Integer;
}
