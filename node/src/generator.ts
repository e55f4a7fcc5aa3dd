import { timers } from '#host';
import {
  flag,
  type Integer,
  idInteger,
  idOrText,
  instant,
  integer,
  options,
  text,
  textIfGiven,
  wrong,
} from './arguments.js';
import { bound, define } from './bound.js';
import { ANY_PARTS, type ComposeParts, type PartTaken, composeParts } from './compose.js';
import { ErrorCode } from './error-code.js';
import { SaibanError, calling, visible } from './errors.js';
import type { Opened } from './generator-options.js';
import type { Layout } from './layout.js';
import type { Lease } from './lease.js';
import type { Encoding, Scheme } from './names.js';
import type * as Native from './native.js';
import { type Parts, visibleParts } from './parts.js';
import { isBigInt64Array, isShared, isUint8Array, ownArray } from './realm.js';
import { INSPECT, shown } from './shown.js';
import { type Stats, visibleStats } from './stats.js';

/** The options of `fromText`. */
export interface FromTextOptions {
  /** Also reads variants of an ID's text; see `decode`. */
  lenient?: boolean | undefined;
}

/** A reusable buffer for a batch of numbers, which is faster than a new one for each batch. */
const BLOCK = new BigInt64Array(1024);

/** The real timer, read before a test can install fake timers. */
const { setTimeout } = timers;

/** Returns the first elements in an ordinary array. `Array.from` takes four times as long. */
function numbers(array: BigInt64Array, count: number): bigint[] {
  const made = new Array<bigint>(count);
  for (let index = 0; index < count; index += 1) made[index] = array[index] as bigint;
  return made;
}

/**
 * Makes `postMessage` fail, which copies no functions. The error shows the start of this function's
 * text.
 */
const copy = () => 'a generator cannot be copied: make one in each thread and process';

/** An argument that is an ID: if IDs are bigints, it can be a safe `number`. */
export type IdArgument<Id extends bigint | string> = Id extends bigint ? Integer : string;

/** An array of IDs. */
export type IdArray = BigInt64Array | Uint8Array | string[];

let textual: (ids: AnyGenerator) => boolean;

/** A generator of any scheme. */
export type AnyGenerator = Generator<any, any, any, any>;

/**
 * The base class of all generators.
 *
 * An ID is a `bigint`, signed up to 64 bits and unsigned above. IDs that are customarily written as
 * text, such as ULIDs and UUIDs, are that text. An argument that is a bigint can also be a `number`
 * if it is a safe integer: beyond `Number.MAX_SAFE_INTEGER` numbers lose digits. JSON has no
 * bigint: send and store text (`toText`), or use a `BIGINT` column.
 *
 * A generator belongs to the thread that made it. Generators on the system clock with the same
 * node, in any number of worker threads, share a cursor and never repeat each other's IDs. Sending
 * a generator to another thread (`postMessage`, `structuredClone`) is a `DataCloneError`.
 */
export abstract class Generator<
  Id extends bigint | string = bigint,
  Many extends IdArray = Id extends bigint ? BigInt64Array : Uint8Array,
  Inspected extends Parts<Id> = Parts<Id>,
  Composed extends ComposeParts = ComposeParts,
> {
  readonly #native: Native.GeneratorFunctions;
  readonly #make: Makers;
  /** The number of bytes of an ID in an array of bytes; 0 if arrays have IDs as elements. */
  readonly #bytes: number;
  readonly #isText: boolean;
  readonly #parts: readonly PartTaken[];
  readonly #opened: Opened;

  static {
    textual = (ids) => ids.#isText;
  }

  /** @internal */
  constructor(opened: object, parts: readonly PartTaken[] = ANY_PARTS) {
    this.#opened = opened as Opened;
    this.#native = this.#opened.functions;
    this.#parts = parts;
    this.#bytes = this.#native.idBytes;
    this.#isText = this.#native.isText;
    // Without this property, a generator would silently be cloned into an empty object.
    Object.defineProperty(this, 'copy', { value: copy, enumerable: true });
    this.#make = makers(this.#native);
    // A subclass may override some of these methods.
    const overridden = NAMES.filter((name) => this[name] !== Generator.prototype[name]);
    define(this, { ...this.#make, ...bound(this, overridden) });
  }

  /** The name of the scheme, as in the parts of its IDs; for UUIDs it has the version. */
  get scheme(): Scheme {
    return this.#native.scheme as Scheme;
  }

  /**
   * The lease of its IDs: the given one, or its own if `open` made the generator; `null` without a
   * lease.
   *
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = await Snowflake.open({ store: 'memory:shop' });
   * console.log(ids.lease?.status().state); // active
   * await ids.lease?.release(); // no IDs are made any more
   * console.log(new Snowflake({ node: 7 }).lease); // null
   * ```
   */
  get lease(): Lease | null {
    return this.#opened.lease;
  }

  /**
   * Makes an ID. It blocks the event loop while it waits, for at most 5 ms unless you set
   * `maxWaitMs`.
   *
   * With the scope `'process'`, and on the system's clock, the first ID waits for the tick after
   * the one in which the generator was made: up to a second for Randflake, longer for a layout with
   * longer ticks. `generateAsync` does not block during this wait. With the scope `'machine'` only
   * the first generator of a layout since the machine was started waits, that long or 2 ms.
   * Generators that random bits keep apart have no such wait.
   *
   * @throws {@link SaibanError} `WOULD_WAIT` when every ID of this tick is used and the next needs
   * a longer wait; `CLOCK_BACKWARD` when the clock is further behind than that, and with the policy
   * `'error'` when it is behind at all; `CLOCK_JUMPED` when it has jumped ahead by more than
   * `maxJumpS`; `LEASE_NOT_BEGUN`, `LEASE_EXPIRED` outside the window; `FORKED` in a forked
   * process, for a generator with the scope `'process'`, a state file or a lease;
   * `STATE_UNAVAILABLE` when the state file cannot be written, or the file of the scope `'machine'`
   * cannot be used; `LEASE_LOST` after the lease was released; `LEASE_LOST` or `LEASE_EXPIRED`
   * while a lost or expired lease is not replaced; `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`,
   * `CLOCK_UNAVAILABLE`, `ENTROPY_UNAVAILABLE`.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const id: bigint = new Snowflake({ node: 7 }).generate();
   * ```
   */
  generate(): Id {
    return this.#make.generate() as Id;
  }

  /**
   * Makes an ID if that needs no wait; otherwise returns `null`. That includes the wait for the
   * generator's first tick.
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
  tryGenerate(): Id | null {
    return this.#make.tryGenerate() as Id | null;
  }

  /**
   * Makes an ID. It waits without blocking the event loop, for at most 2 s unless you set
   * `maxWaitMs`.
   *
   * @throws {@link SaibanError} (rejects) as {@link Generator.generate}.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = new UlidFlake();
   * const many = await Promise.all(Array.from({ length: 10_000 }, ids.generateAsync));
   * ```
   */
  async generateAsync(): Promise<Id> {
    return this.#make.generateAsync() as Promise<Id>;
  }

  /**
   * Makes this many IDs, waiting as {@link Generator.generate} does before each: all of them, or an
   * error.
   *
   * {@link Generator.fill} is faster, and returns fewer IDs instead of an error.
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
  generateMany(count: Integer): Id[] {
    const wanted = integer(count, 'count');
    if (this.#native.generate.slot !== undefined && wanted > 0n && wanted <= BLOCK.length) return this.#few(Number(wanted)) as Id[];
    const made = calling(() => this.#native.generateMany(wanted));
    return (Array.isArray(made) ? ownArray(made) : numbers(made, made.length)) as Id[];
  }

  /** Makes this many numbers, at most as many as the block holds. */
  #few(count: number): bigint[] {
    for (let written = 0; written < count; ) {
      const left = BLOCK.subarray(written, count);
      written += calling(() => this.#native.fill(left));
    }
    return numbers(BLOCK, count);
  }

  /**
   * Fills an array with IDs, waiting as {@link Generator.generate} does. It stops early, without an
   * error, if no more IDs are available after the first.
   *
   * @param ids - A `BigInt64Array` for numbers of up to 64 bits. For wider ones and for text a
   * `Uint8Array`, in which each ID has as many bytes as its bits need (`idBytes`: 16 for a UUID, 12
   * for an ObjectId), the highest first. For tick IDs an array.
   * @returns The number of IDs written, from the front.
   * @throws {@link SaibanError} as {@link Generator.generate}, if no ID could be made;
   * `INVALID_ARGUMENT` for bytes that are not a whole number of IDs.
   * @example
   * ```ts
   * import { Randflake, TickId, Uuid } from 'saiban';
   * import { randomBytes } from 'node:crypto';
   * const ids = new Randflake({ node: 42, secret: randomBytes(16) });
   * const block = new BigInt64Array(1000);
   * const written = ids.fill(block);
   * console.log(new Uuid().fill(new Uint8Array(16 * 1000))); // 1000
   * console.log(new TickId().fill(new Array(3))); // 3
   * ```
   */
  fill(ids: Many): number {
    const array: unknown = ids;
    if (this.#bytes > 0) {
      if (!isUint8Array(array)) throw wrong('ids', 'a Uint8Array', array);
      return this.#filled(array, () => new Uint8Array(array.length), this.#bytes);
    }
    if (this.#isText) return this.#texts(array);
    if (!isBigInt64Array(array)) throw wrong('ids', 'a BigInt64Array', array);
    return this.#filled(array, () => new BigInt64Array(array.length), 1);
  }

  /** Fills an array with texts. */
  #texts(ids: unknown): number {
    if (!Array.isArray(ids)) throw wrong('ids', 'an array', ids);
    for (let index = 0; index < ids.length; index += 1) {
      try {
        ids[index] = this.generate();
      } catch (error) {
        if (index === 0) throw error;
        return index;
      }
    }
    return ids.length;
  }

  /** Fills an array in which an ID takes this many elements. */
  #filled<Typed extends BigInt64Array | Uint8Array>(ids: Typed, another: () => Typed, elements: number): number {
    if (!isShared(ids.buffer)) return calling(() => this.#native.fill(ids));
    // Other threads share this array, so the native half gets a private one.
    const own = another();
    const written = calling(() => this.#native.fill(own));
    ids.set(own.subarray(0, written * elements) as never);
    return written;
  }

  /**
   * Makes an ID, as text: the canonical text, with the generator's `prefix`, or in an encoding's
   * default width.
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
    return this.#make.generateText(encoding);
  }

  /**
   * Writes an ID as text: the canonical text, with the generator's `prefix`, or in an encoding's
   * default width.
   *
   * @throws {@link SaibanError} `ID_OUT_OF_RANGE` when it is not one of this scheme and layout;
   * `UNKNOWN_NAME`.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7 });
   * console.log(ids.toText(1741610183685074944n), ids.toText(1741610183685074944n, 'base62')); // 1741610183685074944 24ealwjA6j2
   * ```
   */
  toText(id: IdArgument<Id>, encoding?: Encoding): string {
    const subject = this.#isText ? text(id, 'id') : idInteger(id, 'id');
    const name = textIfGiven(encoding, 'encoding');
    return calling(() => this.#native.toText(subject, name));
  }

  /**
   * Reads an ID from the scheme's canonical text, or with `lenient` also from variants of it. For
   * ULIDs and Ulid-Flake IDs any case is accepted in both modes, as their specifications say.
   * Otherwise each ID has exactly one text. With a `prefix`, text that does not begin with it fails
   * with `TEXT_CHARACTER`.
   *
   * @throws {@link SaibanError} `TEXT_LENGTH`; `TEXT_CHARACTER` and `TEXT_NOT_CANONICAL`, with the
   * `position`; `TEXT_OVERFLOW`; `ID_OUT_OF_RANGE` when the number is not an ID of this scheme and
   * layout.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const ids = new UlidFlake();
   * console.log(ids.fromText('00CMXB6TAK4SA') === ids.fromText('OOCMXB6T-AK4SA', { lenient: true })); // true
   * ```
   */
  fromText(source: string, fromTextOptions: FromTextOptions = {}): Id {
    const characters = text(source, 'text');
    const { lenient } = lenience(fromTextOptions, 'fromText');
    return calling(() => this.#native.fromText(characters, lenient)) as Id;
  }

  /**
   * Returns whether {@link Generator.fromText} reads this value: for untrusted input. A value
   * that is not text is invalid.
   *
   * @throws {@link SaibanTypeError} for unknown options, whatever the value.
   * @example
   * ```ts
   * import { Tsid } from 'saiban';
   * const ids = new Tsid({ node: 7 });
   * console.log(ids.isValid('0EP7TRC000W01'), ids.isValid('0EP7-TRC000W01')); // true false
   * console.log(ids.isValid('0EP7-TRC000W01', { lenient: true }), ids.isValid(7n)); // true false
   * ```
   */
  isValid(source: string, fromTextOptions?: FromTextOptions): boolean;
  isValid(source: unknown, fromTextOptions?: FromTextOptions): source is string;
  isValid(source: unknown, fromTextOptions: FromTextOptions = {}): boolean {
    const given = lenience(fromTextOptions, 'isValid');
    return canRead(source, (text) => this.fromText(text, given));
  }

  /**
   * Makes the ID of these parts: for tests and for reading old data, not for new IDs.
   *
   * @throws {@link SaibanError} `TIMESTAMP_BEFORE_EPOCH`, `TIMESTAMP_OVERFLOW`,
   * `NODE_OUT_OF_RANGE`, `SEQUENCE_OUT_OF_RANGE`, `RANDOM_OUT_OF_RANGE`, `ROLLBACK_OUT_OF_RANGE`;
   * `UNKNOWN_NAME` for a part of the node that the layout does not have; `INVALID_ARGUMENT` for a
   * part that is missing or that the scheme does not have, and for nanoseconds outside a
   * millisecond.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7 });
   * console.log(ids.compose({ time: new Date('2024-01-01'), node: 7, sequence: 0 })); // 1741610183685074944n
   * ```
   */
  compose(parts: Composed): Id {
    const given = composeParts(parts, this.#parts);
    return calling(() => this.#native.compose(given)) as Id;
  }

  /**
   * Takes an ID, or its canonical text, apart.
   *
   * @throws {@link SaibanError} `ID_OUT_OF_RANGE` when it is not one of this scheme and layout; the
   * kinds that begin with `TEXT_`; `INVALID_ARGUMENT` for a time beyond `Number.MAX_SAFE_INTEGER`,
   * which some custom layouts can have, and for such a node or sequence of a Snowflake.
   * @example
   * ```ts
   * import { UlidFlake } from 'saiban';
   * const { time, random } = new UlidFlake().inspect('00CMXB6TAK4SA');
   * console.log(time.toISOString(), random); // 2024-06-06T06:06:06.666Z 627498n
   * ```
   */
  inspect(id: IdArgument<Id> | string): Inspected {
    const subject = this.#isText ? text(id, 'id') : idOrText(id, 'id');
    return visibleParts<Id>(calling(() => this.#native.inspect(subject))) as Inspected;
  }

  /**
   * The smallest and the largest ID that can have been made in the half-open interval `[start,
   * end)`: for a query by primary key (`BETWEEN`, both included). Ticks that lie partly in the
   * interval count; what lies before the format's epoch or after its end is left out.
   *
   * @param start - Unix milliseconds, or a Date.
   * @param end - Unix milliseconds, or a Date.
   * @throws {@link SaibanError} `NOT_TIME_ORDERED` for a scheme whose IDs do not sort by time
   * (Randflake, UUID v1 and v4, layouts with a field above the timestamp); `INVALID_WINDOW` for an
   * interval that is empty, or in which IDs turn negative; `TIMESTAMP_BEFORE_EPOCH`,
   * `TIMESTAMP_OVERFLOW` for one outside the format's time.
   * @example
   * ```ts
   * import { Snowflake } from 'saiban';
   * const ids = new Snowflake({ node: 7 });
   * const [first, last] = ids.range(new Date('2024-01-01'), new Date('2024-01-02'));
   * console.log(first, last); // 1741610183685046272n 1741972571550646271n
   * ```
   */
  range(start: Integer | Date, end: Integer | Date): [first: Id, last: Id] {
    const [startMs, endMs] = [instant(start, 'start'), instant(end, 'end')];
    return ownArray(calling(() => this.#native.range(startMs, endMs))) as [Id, Id];
  }

  /**
   * Statistics of the generator: the numbers of issued IDs, of waits and of clock steps back, its
   * remaining lifetime, and the guarantee of its IDs.
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

  /** What `console.log` shows: scheme, options and layout, without the secret. @internal */
  [INSPECT](): object {
    const { name, shown: facts } = this.#opened;
    const { constructor, layout } = this as { constructor: { name: string }; layout?: Layout | null };
    // A class of this package is shown by its short name.
    const className = constructor.name === `${name}Generator` ? name : constructor.name;
    return shown(className, { scheme: this.scheme, ...facts, layout: layout ?? undefined });
  }
}

/** The names of the functions that make an ID. */
const NAMES = ['generate', 'tryGenerate', 'generateAsync', 'generateText'] as const;

type Makers = ReturnType<typeof makers>;

/**
 * Returns the functions of a generator that make an ID. They need no `this`, and are faster than
 * bound methods. The methods of the class call them, for subclasses that override the methods.
 */
function makers({ generate, tryGenerate, attempt, generateText, generateTextAs }: Native.GeneratorFunctions) {
  // If there is a slot, the native `generate` writes the ID into it: making the bigint in
  // JavaScript is faster.
  const { slot } = generate;
  return {
    generate: () => {
      try {
        const made = generate();
        return slot === undefined ? made : slot[0];
      } catch (error) {
        throw visible(error);
      }
    },

    tryGenerate: () => {
      try {
        return tryGenerate();
      } catch (error) {
        throw visible(error);
      }
    },

    generateAsync: async () => {
      for (let waitedMs = 0; ; ) {
        const waited = waitedMs;
        const answer = calling(() => attempt(waited));
        if (typeof answer !== 'number') return answer;
        // Timers count in whole milliseconds, of 31 bits.
        const waitMs = Math.min(Math.max(1, Math.ceil(answer)), 2 ** 31 - 1);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        waitedMs += waitMs;
      }
    },

    generateText: (encoding?: Encoding) => {
      const name = textIfGiven(encoding, 'encoding');
      try {
        return name === undefined ? generateText() : generateTextAs(name);
      } catch (error) {
        throw visible(error);
      }
    },
  };
}

/** Reads the options of this function. */
function lenience(fromTextOptions: FromTextOptions, name: string): { lenient: boolean } {
  return { lenient: flag(options(fromTextOptions, name, ['lenient']).lenient, 'lenient') };
}

/** Returns whether a value is text that this function reads. @internal */
export function canRead(value: unknown, read: (text: string) => unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    read(value);
    return true;
  } catch (error) {
    if (error instanceof SaibanError && error.code !== ErrorCode.INTERNAL) return false;
    throw error;
  }
}

/** Returns whether the IDs of a generator are text. @internal */
export function isTextOf(ids: AnyGenerator): boolean {
  return textual(ids);
}
