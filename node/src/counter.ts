import {
  type Integer, flag, flagIfGiven, integer, integerIfGiven, options, present, text, textIfGiven,
} from './arguments.js';
import { bound, define } from './bound.js';
import { calling, visible } from './errors.js';
import { native } from '#host';
import type * as Native from './native.js';
import { ownNumbers } from './realm.js';
import { INSPECT, shown } from './shown.js';

/** The options of a counter in memory. */
export interface CounterOptions {
  /** The first number, 0 to 2^63 − 1; 1 by default. */
  start?: Integer | undefined;
  /** The difference between two numbers, 1 to 2^63 − 1; 1 by default. */
  step?: Integer | undefined;
}

/** The options of every counter in a store. */
export interface StoreOptions {
  /**
   * The counter's name: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; `'default'` by
   * default.
   */
  name?: string | undefined;
  /**
   * The number of numbers that are taken with one round trip, 1 to 1000000; by default as many as
   * last for two seconds, one at first.
   */
  blockSize?: Integer | undefined;
  /**
   * The maximum block size, 1 to 1000000, which is the default. A process that ends loses at most
   * twice as many numbers.
   */
  maxBlockSize?: Integer | undefined;
  /**
   * Whether to create the counter if it does not exist. An empty store may mean that data was lost,
   * so the default is true only for `sqlite:` and `memory:`. On other stores give `true` once, or
   * run `saiban counter init`.
   */
  create?: boolean | undefined;
  /**
   * The longest wait for the store if no number is prefetched, whole seconds, at least 1; 10 by
   * default.
   */
  waitS?: Integer | undefined;
  /**
   * Must not be `true`: no counter can promise numbers without gaps. `true` is refused with the
   * reason.
   */
  gapless?: boolean | undefined;
}

/** The options of a shared counter. */
export interface SharedCounterOptions extends StoreOptions, CounterOptions {}

/** The options of daily numbers. */
export interface DailyCounterOptions extends StoreOptions {
  /** The time zone whose days are counted, by its name in the IANA database; `'UTC'` by default. */
  zone?: string | undefined;
  /**
   * The format of numbers: `{date:…}` as strftime writes it, of `%Y %y %m %d %j %F %b %B %a %A %u
   * %G %g %V`, and `{n}`, or `{n:06}` with zeros up to six digits; other text is literal, and a
   * double brace is a literal brace. `'{date:%Y%m%d}-{n:06}'` by default.
   */
  format?: string | undefined;
  /** Each day's first number, 0 to 2^63 − 1; 1 by default. */
  first?: Integer | undefined;
}

/** The status of a counter in this process: a plain, frozen object. */
export interface CounterStatus {
  /** The number of prefetched numbers. They are lost when the process ends. */
  readonly prefetched: number;
  /** The current block size. */
  readonly blockSize: number;
  /** The number of requests to the store. */
  readonly calls: number;
  /** The error of the last request; `null` if it succeeded. */
  readonly why: string | null;
}

/** A number of a day: a plain, frozen object. */
export interface DailyNumber {
  /** The day: `'2026-11-21'`. */
  readonly date: string;
  /** The number. */
  readonly number: bigint;
  /** Both, in the counter's format. */
  readonly text: string;
}

const STORE = ['name', 'blockSize', 'maxBlockSize', 'create', 'waitS', 'gapless'] as const;

/** Checks the types of the options of every counter in a store. */
function storeOptions(given: { [name in (typeof STORE)[number]]?: unknown }): Native.CounterOptions {
  return present({
    name: textIfGiven(given.name, 'name'),
    blockSize: integerIfGiven(given.blockSize, 'blockSize'),
    maxBlockSize: integerIfGiven(given.maxBlockSize, 'maxBlockSize'),
    create: flagIfGiven(given.create, 'create'),
    waitS: integerIfGiven(given.waitS, 'waitS'),
    gapless: flag(given.gapless, 'gapless'),
  });
}

/** Returns the result of a promise of the native half, or throws the converted error. */
async function answered<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    throw visible(error);
  }
}

function status(native: { status(): Native.CounterStatus }): CounterStatus {
  const { prefetched, blockSize, calls, why } = calling(() => native.status());
  return Object.freeze({ prefetched, blockSize, calls, why: why ?? null });
}

/**
 * Counts in this process's memory: 1, 2, 3 …, or from `start` on, by `step`. It begins again in
 * every process: use a {@link SharedCounter} for numbers that persist.
 *
 * Counters with equal steps share no number if their starts differ modulo the step.
 *
 * @example
 * ```ts
 * import { Counter } from 'saiban';
 * const counter = new Counter({ start: 2, step: 5 });
 * console.log(counter.generate(), counter.generateMany(2)); // 2n BigInt64Array(2) [ 7n, 12n ]
 * ```
 */
export class Counter {
  readonly #native: Native.Counter;
  readonly #shown: object;

  /** @throws {@link SaibanError} `INVALID_ARGUMENT` for an invalid start or step. */
  constructor(counterOptions: CounterOptions = {}) {
    const given = options(counterOptions, 'Counter', ['start', 'step']);
    const [start, step] = [integerIfGiven(given.start, 'start'), integerIfGiven(given.step, 'step')];
    this.#native = calling(() => new native.Counter(start, step));
    this.#shown = shown('Counter', given);
    define(this, bound(this, ['generate']));
  }

  /**
   * The next number.
   *
   * @throws {@link SaibanError} `COUNTER_EXHAUSTED` past 2^63 − 1.
   */
  generate(): bigint {
    return calling(() => this.#native.generate());
  }

  /**
   * Returns this many numbers, 0 to 10 million; fewer only if the counter runs out of numbers.
   *
   * @throws {@link SaibanError} as `generate`, and `INVALID_ARGUMENT` for another count.
   */
  generateMany(count: Integer): BigInt64Array {
    const wanted = integer(count, 'count');
    return ownNumbers(calling(() => this.#native.generateMany(wanted)));
  }

  /** What `console.log` shows. @internal */
  [INSPECT](): object {
    return this.#shown;
  }
}

/**
 * Sequential numbers from a store that processes share: no number is issued twice.
 *
 * A process takes a block of numbers with one round trip, and fetches the next before it needs it.
 * The numbers of one process ascend; those of several processes are interleaved. A process that
 * ends loses its prefetched numbers, at most two blocks, so there are gaps.
 *
 * A URL names the store: `sqlite:///path`, `postgres://`, `mysql://`, `redis://`, with user and
 * password in the usual form of each server, or `memory:NAME`, for this process only. The store is
 * contacted at the first number. It keeps start and step, and refuses different ones. Stores whose
 * numbers go into one column need the same step, at least the number of stores, and different
 * starts from 1 to step.
 *
 * @example
 * ```ts
 * import { SharedCounter } from 'saiban';
 * const invoices = new SharedCounter('memory:shop', { name: 'invoices', start: 2, step: 5 });
 * console.log(await invoices.generate(), await invoices.generateMany(2)); // 2n BigInt64Array(2) [ 7n, 12n ]
 * ```
 */
export class SharedCounter {
  readonly #native: Native.SharedCounter;
  readonly #shown: object;

  /**
   * @param url - The store. No message contains the password.
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for an invalid URL, name or number, and for
   * `gapless`; `STORE_UNSUPPORTED` for a kind of store that keeps no counters.
   */
  constructor(url: string, counterOptions: SharedCounterOptions = {}) {
    const store = text(url, 'url');
    const given = options(counterOptions, 'SharedCounter', [...STORE, 'start', 'step'], ['gapless']);
    const [start, step] = [integerIfGiven(given.start, 'start'), integerIfGiven(given.step, 'step')];
    const wish: Native.CounterOptions = present({ ...storeOptions(given), start, step });
    this.#native = calling(() => new native.SharedCounter(store, wish));
    this.#shown = shown('SharedCounter', given);
    define(this, bound(this, ['generate', 'tryGenerate']));
  }

  /**
   * Returns the next number, without blocking the event loop.
   *
   * @throws {@link SaibanError} (rejects) if no number is prefetched: `STORE_UNAVAILABLE` when the
   * store does not reply within `waitS`, and at once `COUNTER_UNKNOWN`, `COUNTER_MISMATCH` for
   * other terms, `COUNTER_BEHIND` if the store lost numbers, `COUNTER_EXHAUSTED`, `STORE_CORRUPT`,
   * `STORE_UNSUPPORTED`.
   */
  async generate(): Promise<bigint> {
    return this.tryGenerate() ?? answered(() => this.#native.generate());
  }

  /** Returns the next number if it is prefetched; otherwise starts to fetch more. */
  tryGenerate(): bigint | undefined {
    return calling(() => this.#native.tryGenerate()) ?? undefined;
  }

  /**
   * Returns this many numbers, 0 to 10 million; fewer only if an error occurs after the first.
   *
   * @throws {@link SaibanError} (rejects) those of `generate` if there was no number;
   * `INVALID_ARGUMENT` for another count.
   */
  async generateMany(count: Integer): Promise<BigInt64Array> {
    const wanted = integer(count, 'count');
    return ownNumbers(await answered(() => this.#native.generateMany(wanted)));
  }

  /** Returns the counter's status in this process. The store is not contacted. */
  status(): CounterStatus {
    return status(this.#native);
  }

  /** What `console.log` shows, without the store's URL. @internal */
  [INSPECT](): object {
    return this.#shown;
  }
}

/** Converts a daily number of the native half. */
function daily({ day, number, text }: Native.DailyNumber): DailyNumber {
  return Object.freeze({ date: new Date(day * 86_400_000).toISOString().slice(0, 10), number, text });
}

/**
 * Numbers that begin again on each day of a time zone, such as `20261121-000001`: no number is
 * issued twice.
 *
 * The clock decides the day, even if it steps back: the numbers of an earlier day then continue.
 * Prefetched numbers of a day that has ended are not used. For the rest see {@link SharedCounter}.
 *
 * @example
 * ```ts
 * import { DailyCounter } from 'saiban';
 * const invoices = new DailyCounter('memory:shop', { zone: 'Europe/Berlin', format: 'INV-{date:%Y%m%d}-{n:04}' });
 * console.log((await invoices.generate()).text.slice(-5)); // -0001
 * ```
 */
export class DailyCounter {
  readonly #native: Native.DailyCounter;
  readonly #shown: object;

  /**
   * @param url - The store. No message contains the password.
   * @throws {@link SaibanError} as `SharedCounter`, and `INVALID_ARGUMENT` for an invalid zone or
   * format.
   */
  constructor(url: string, counterOptions: DailyCounterOptions = {}) {
    const store = text(url, 'url');
    const given = options(counterOptions, 'DailyCounter', [...STORE, 'zone', 'format', 'first'], ['gapless']);
    const wish: Native.CounterOptions = present({ ...storeOptions(given), start: integerIfGiven(given.first, 'first') });
    const [zone, format] = [textIfGiven(given.zone, 'zone'), textIfGiven(given.format, 'format')];
    this.#native = calling(() => new native.DailyCounter(store, wish, zone, format));
    this.#shown = shown('DailyCounter', given);
    define(this, bound(this, ['generate', 'tryGenerate']));
  }

  /**
   * Returns the next number of today, without blocking the event loop.
   *
   * @throws {@link SaibanError} (rejects) as `SharedCounter.generate`; `CLOCK_UNAVAILABLE`.
   */
  async generate(): Promise<DailyNumber> {
    return this.tryGenerate() ?? daily(await answered(() => this.#native.generate()));
  }

  /** Returns the next number of today if it is prefetched; otherwise starts to fetch more. */
  tryGenerate(): DailyNumber | undefined {
    const number = calling(() => this.#native.tryGenerate());
    return number === undefined || number === null ? undefined : daily(number);
  }

  /** Returns the counter's status in this process. The store is not contacted. */
  status(): CounterStatus {
    return status(this.#native);
  }

  /** What `console.log` shows, without the store's URL. @internal */
  [INSPECT](): object {
    return this.#shown;
  }
}
