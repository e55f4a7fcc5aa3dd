import {
  type Integer,
  integer,
  integerIfGiven,
  nodeParts,
  number,
  options,
  present,
  text,
  textIfGiven,
  wrong,
} from './arguments.js';
import { calling } from './errors.js';
import { native } from '#host';
import type { LayoutName, ReadLayoutName } from './names.js';
import type * as Native from './native.js';
import { INSPECT, shown } from './shown.js';

/**
 * The meaning of a field's bits.
 *
 * - `unused` bits are 0, and `constant` bits are always one number.
 * - `timestamp` counts ticks since the epoch.
 * - `node` is the node; several neighbours with names are one number together.
 * - `sequence` counts within a tick, from 0 or from a random number in the lower half of its range.
 * - `random` is random for each ID; with a step it is random at each new tick, and grows within the
 *   tick.
 * - `rollback` counts the clock's steps back (1 to 4 bits).
 */
export type FieldKind = 'unused' | 'constant' | 'timestamp' | 'node' | 'sequence' | 'random' | 'rollback';

/** The options of a field. Each is for some kinds of fields only. */
export interface FieldOptions {
  /**
   * The name of a part of the node: a lower-case letter, then up to 15 lower-case letters, digits
   * and underscores.
   */
  name?: string | undefined;
  /** The number that a constant always is; 0 by default. */
  value?: Integer | undefined;
  /**
   * A sequence begins each tick with 0, by default, or with a random number in the lower half of
   * its range.
   */
  start?: 0 | 'random' | undefined;
  /**
   * The largest step by which a random part grows within a tick. Without a step, the part is random
   * for each ID.
   */
  step?: Integer | undefined;
}

/** A field: its kind, its width in bits, and the options of its kind. */
export type Field = readonly [kind: FieldKind, bits: number, options?: FieldOptions];

/** A field of a layout with its position in an ID. */
export interface Place {
  /** The meaning of the bits. */
  readonly kind: FieldKind;
  /** The name of a part of the node. */
  readonly name: string | null;
  /** Its width in bits. */
  readonly bits: number;
  /** The number of bits below the field. */
  readonly shift: number;
  /** The largest number that the field holds. */
  readonly max: bigint;
  /** The number that a constant always is. */
  readonly value: bigint | null;
  /** The largest step by which a random part grows. */
  readonly step: bigint | null;
  /** `'random'` for a sequence that begins with a random number. */
  readonly start: 'random' | null;
}

/** The number of IDs that a layout holds. */
export interface Capacity {
  /**
   * The most IDs that one node makes in one tick: the size of the sequence, or of the growing
   * random part. Without both it is the size of the random part, although equal IDs are likely long
   * before. With no such field it is 1.
   */
  readonly idsPerTick: bigint;
  /** The nodes; 1 without a node field. */
  readonly nodes: bigint;
  /** The number of bits of an ID that are neither unused nor constant. */
  readonly bits: number;
  /**
   * The number of different IDs, from the first tick to the last: 2 to the power of `bits` (2^128 −
   * 1 for 2^128).
   */
  readonly ids: bigint;
}

/** The sustained number of IDs a second, or its mean if it is random. */
export interface Rate {
  /** The IDs a second of one node. */
  readonly perNode: number;
  /** The IDs a second of all nodes together. */
  readonly inAll: number;
}

/**
 * What the IDs of a generator promise.
 *
 * - `'unique'`: none comes twice, as long as no generator outside its scope has the same node at
 *   the same time.
 * - `'unique_in_process'`: none comes twice within its scope; generators outside it can make equal
 *   IDs.
 * - `'probable'`: IDs can come twice, though hardly ever: random bits alone keep them apart, or
 *   collisions were allowed.
 */
export type Guarantee = 'unique' | 'unique_in_process' | 'probable';

/** The options of a layout, besides its fields. */
export interface LayoutOptions {
  /** The time of tick 0, Unix milliseconds; 1970-01-01 by default. */
  epochMs?: Integer | undefined;
  /** The length of a tick in microseconds; 1000, a millisecond, by default. */
  tickUs?: Integer | undefined;
}

let handle: (layout: Layout) => Native.Layout;

/**
 * The meaning of each bit of an ID: the presets, or your own layout, of 16 to 128 bits.
 *
 * A layout is immutable, and is checked once, when it is made. Its text is the same in all
 * languages and in configuration files.
 *
 * @example
 * ```ts
 * import { Flake, Layout } from 'saiban';
 * const ours = Layout.fromText('unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12');
 * console.log(new Flake({ node: 15, layout: ours }).inspect(0n).time.toISOString()); // 2020-02-02T00:00:00.000Z
 * const wide = new Layout([['timestamp', 48], ['node', 16, { name: 'shard' }], ['random', 64, { step: 255 }]]);
 * console.log(`${wide}`, wide.sizeBits); // timestamp:48 node.shard:16 random:64,step=255 128
 * ```
 */
export class Layout {
  readonly #native: Native.Layout;
  /**
   * The canonical text, which {@link Layout.fromText} reads. Equal layouts have equal texts. A
   * layout that was sent to another thread (`structuredClone`) is a plain object there: make the
   * layout again from this text.
   */
  readonly text: string;
  /**
   * The preset's name, or `null` for a layout of your own, and for those of other schemes than
   * Snowflake.
   */
  readonly name: LayoutName | null;
  /** The fields from the highest bit to the lowest, as the constructor takes them. */
  readonly fields: readonly Field[];
  /** The fields with their places, from the highest bit to the lowest. */
  readonly places: readonly Place[];
  /** The number of bits of an ID, 16 to 128. */
  readonly sizeBits: number;
  /**
   * Whether time, node and sequence (or growing random part) distinguish all IDs. It is false if
   * only a random part does, so that IDs are probably unique (see {@link Layout.collisionOdds}).
   */
  readonly isUnique: boolean;
  /** What the IDs of a generator of this layout promise. */
  readonly guarantee: Guarantee;
  /** Whether IDs sort by time: no variable field is above the timestamp. */
  readonly isTimeOrdered: boolean;

  /**
   * A layout of your own.
   *
   * @param fields - From the highest bit to the lowest, at most 16; the widths add up to 16 to 128.
   * A Snowflake needs `timestamp`, `node` and `sequence`, and has at most 64.
   * @param layoutOptions - Epoch and tick.
   * @throws {@link SaibanError} `INVALID_LAYOUT` with the part at fault; `UNKNOWN_NAME` for another
   * field; `INVALID_ARGUMENT`.
   */
  constructor(fields: readonly Field[], layoutOptions: LayoutOptions = {}) {
    this.#native = fields instanceof native.Layout ? fields : check(fields, layoutOptions);
    const description = this.#native;
    this.text = description.toText();
    this.name = description.name as LayoutName | null;
    this.places = Object.freeze(Array.from(description.places, place));
    this.fields = Object.freeze(this.places.map(field));
    this.sizeBits = description.sizeBits;
    this.isUnique = description.isUnique;
    this.guarantee = description.guarantee as Guarantee;
    this.isTimeOrdered = description.isTimeOrdered;
    Object.freeze(this);
  }

  static {
    handle = (layout) => layout.#native;
  }

  /** Returns the layout that the function makes. */
  static #made(make: () => unknown): Layout {
    return new Layout(calling(make) as []);
  }

  /**
   * The preset of this name; `bwmarrin` is `twitter`. A preset whose name begins with another
   * scheme's name, such as `ulid-flake`, is for that scheme.
   *
   * @throws {@link SaibanError} `UNKNOWN_NAME` for any other text.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * console.log(Layout.preset('twitter').epochMs); // 1288834974657
   * ```
   */
  static preset(name: LayoutName | ReadLayoutName): Layout {
    const known = text(name, 'name');
    return Layout.#made(() => native.Layout.preset(known));
  }

  /**
   * Reads a layout from its text: `kind:bits` for each field, from the highest bit to the lowest,
   * with spaces between. `timestamp:41@10ms,epoch=2020-02-02` has ticks (`us`, `ms`, `s`, `min`,
   * `h`, `d`, with a number before it or none) and an epoch, `node.worker:5` a name,
   * `constant:2,value=3` its number; `sequence:12,start=random` and `random:20,step=255` set how a
   * field grows. A preset's name is read too.
   *
   * @throws {@link SaibanError} `INVALID_LAYOUT` with the part at fault and, where the text is, its
   * `position`; `UNKNOWN_NAME` for a single word that is no preset's name.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const layout = Layout.fromText('unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12');
   * console.log(layout.maxNode, layout.toText()); // 1023 unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12
   * ```
   */
  static fromText(source: string): Layout {
    const characters = text(source, 'text');
    return Layout.#made(() => native.Layout.fromText(characters));
  }

  /**
   * Reads a layout from JSON, as {@link Layout.toJson} writes it.
   *
   * @throws {@link SaibanError} `INVALID_LAYOUT` with the part at fault, or line and column where
   * the text is no JSON.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const json = '{"fields":[{"kind":"timestamp","bits":44},{"kind":"random","bits":20}],"epoch_ms":1577836800000}';
   * console.log(Layout.fromJson(json).toText()); // timestamp:44,epoch=2020-01-01 random:20
   * ```
   */
  static fromJson(json: string): Layout {
    const characters = text(json, 'json');
    return Layout.#made(() => native.Layout.fromJson(characters));
  }

  /** The canonical text, which {@link Layout.fromText} reads. */
  toText(): string {
    return this.text;
  }

  /** The canonical text. */
  toString(): string {
    return this.toText();
  }

  /** The layout as JSON, the same in all languages; numbers that may pass 2^53 are text. */
  toJson(): string {
    return this.#native.toJson();
  }

  /** The value that `JSON.stringify` writes, equal to {@link Layout.toJson}. @internal */
  toJSON(): unknown {
    return JSON.parse(this.toJson());
  }

  /** What `console.log` shows. @internal */
  [INSPECT](): object {
    return shown('Layout', { name: this.name ?? undefined, text: this.text });
  }

  /**
   * The time of tick 0, Unix milliseconds.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` when it has more than the 53 bits of a number.
   */
  get epochMs(): number {
    return calling(() => this.#native.epochMs);
  }

  /**
   * The length of a tick, microseconds.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` when it has more than the 53 bits of a number.
   */
  get tickUs(): number {
    return calling(() => this.#native.tickUs);
  }

  /** When the first tick begins, Unix milliseconds: the epoch. */
  get firstMs(): number {
    return calling(() => this.#native.firstMs);
  }

  /**
   * When the last tick begins, Unix milliseconds; beyond `Number.MAX_SAFE_INTEGER` (the year
   * 287396) a bigint.
   */
  get lastMs(): Integer {
    return calling(() => this.#native.lastMs);
  }

  /**
   * How long the layout lasts, from the first tick to the end of the last, milliseconds; beyond
   * `Number.MAX_SAFE_INTEGER` a bigint.
   */
  get lifetimeMs(): Integer {
    return calling(() => this.#native.lifetimeMs);
  }

  /**
   * The largest node id, 0 when there is no node field; beyond `Number.MAX_SAFE_INTEGER` a bigint.
   */
  get maxNode(): Integer {
    return calling(() => this.#native.maxNode);
  }

  /** The largest number of clock steps back that an ID can hold; 0 without a rollback field. */
  get maxRollback(): number {
    return calling(() => this.#native.maxRollback);
  }

  /**
   * The number of IDs that the layout holds.
   *
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const { idsPerTick, nodes, bits } = Layout.TWITTER.capacity;
   * console.log(idsPerTick, nodes, bits); // 4096n 1024n 63
   * ```
   */
  get capacity(): Capacity {
    const { idsPerTick, nodes, bits, ids } = this.#native.capacity;
    return Object.freeze({ idsPerTick, nodes, bits, ids });
  }

  /**
   * The sustained number of IDs a second, of one node and of all.
   *
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * console.log(Layout.SONYFLAKE.idsPerSecond.perNode); // 25600
   * ```
   */
  get idsPerSecond(): Rate {
    const { perNode, inAll } = this.#native.idsPerSecond;
    return Object.freeze({ perNode, inAll });
  }

  /**
   * The probability, 0 to 1, that at least two IDs of one node are equal, at this rate and after
   * this time. Without a node field it is that of all generators together. It is 0 if IDs are
   * unique ({@link Layout.isUnique}), and 1 for infinitely many IDs.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for a number that is negative or NaN.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const odds = Layout.fromText('timestamp:48 random:80').collisionOdds(1e6, 86_400 * 365);
   * console.log(odds.toExponential(2)); // 1.30e-8
   * ```
   */
  collisionOdds(idsPerSecond: number, seconds: number): number {
    const rate = number(idsPerSecond, 'idsPerSecond');
    const duration = number(seconds, 'seconds');
    return calling(() => this.#native.collisionOdds(rate, duration));
  }

  /**
   * The node of these parts, each given by its name; beyond `Number.MAX_SAFE_INTEGER` a bigint.
   *
   * @throws {@link SaibanError} `UNKNOWN_NAME` for a name that no part has, `INVALID_ARGUMENT` for
   * a part that is missing, `NODE_OUT_OF_RANGE` for a number that does not fit its part.
   * @example
   * ```ts
   * import { Layout, Snowflake } from 'saiban';
   * const layout = Layout.fromText('timestamp:42 node.datacenter:5 node.worker:5 sequence:12');
   * const ids = new Snowflake({ layout, node: layout.nodeOfParts({ worker: 3, datacenter: 2 }) });
   * console.log(ids.inspect(ids.generate()).node); // 67
   * ```
   */
  nodeOfParts(parts: Readonly<Record<string, Integer>>): Integer {
    const given = nodeParts(parts, 'parts', 'an object of named parts');
    return calling(() => this.#native.nodeOfParts(given));
  }

  /**
   * The parts of this node, by name; empty if they have no names.
   *
   * @throws {@link SaibanError} `NODE_OUT_OF_RANGE` for a node that is not of this layout.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const layout = Layout.fromText('timestamp:42 node.datacenter:5 node.worker:5 sequence:12');
   * console.log(layout.nodeParts(67)); // { datacenter: 2, worker: 3 }
   * ```
   */
  nodeParts(node: Integer): Readonly<Record<string, Integer>> {
    const whole = integer(node, 'node');
    const parts = calling(() => this.#native.nodeParts(whole));
    return Object.freeze(Object.fromEntries(parts.map(({ name, value }) => [name, value])));
  }

  /**
   * Returns this layout with a rollback field, which counts the clock's steps back. Its bits are
   * taken from the low end of the node field: 10 node bits become 8 and 2. Without a node field
   * they are taken from the high end of the sequence, or of the growing random part. Each value of
   * the field is like a node of its own, so a generator continues when the clock steps back.
   *
   * @param bits - 1 to 4, and fewer than the field has from which they are taken.
   * @throws {@link SaibanError} `INVALID_LAYOUT` for other widths, and where there is a rollback
   * field already.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const layout = Layout.TWITTER.withRollbackBits(2);
   * console.log(layout.maxNode, layout.maxRollback); // 255 3
   * ```
   */
  withRollbackBits(bits: Integer): Layout {
    const width = Number(integer(bits, 'bits'));
    return Layout.#made(() => this.#native.withRollbackBits(width));
  }

  /**
   * A script for Redis that makes IDs of this layout: for `EVAL` with any client. `KEYS[1]` is a
   * hash whose field `node` is the node of the IDs, `ARGV[1]` the number of IDs, at most 4096. The
   * script returns a list of texts, or the error `SAIBAN_WAIT` with the microseconds to wait.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for a layout that is not made of time, node and
   * sequence, of at most 64 bits.
   */
  redisScript(): string {
    return calling(() => this.#native.redisScript());
  }

  /**
   * Returns the script as a library of functions, for `FUNCTION LOAD` (Redis 7): `FCALL name 1 key
   * count`.
   *
   * @throws {@link SaibanError} as `redisScript`, and for a name that is not made of 1 to 48 small
   * letters, digits and `_`.
   */
  redisLibrary(name: string): string {
    const given = text(name, 'name');
    return calling(() => this.#native.redisLibrary(given));
  }

  /**
   * SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs of this
   * layout and node: for `DEFAULT name()` of a column.
   *
   * @throws {@link SaibanError} as `redisLibrary`; `NODE_OUT_OF_RANGE`.
   */
  postgresFunction(name: string, node: Integer): string {
    const [called, of] = [text(name, 'name'), integer(node, 'node')];
    return calling(() => this.#native.postgresFunction(called, of));
  }

  /**
   * Twitter's Snowflake: 1 unused | 41 ms since 2010-11-04T01:42:54.657Z | 10 node | 12 sequence.
   * Until 2080.
   */
  static readonly TWITTER: Layout = Layout.preset('twitter');
  /**
   * Discord's: 42 ms since 2015-01-01 | 10 node | 12 sequence. Negative as a signed integer from
   * 2084 on.
   */
  static readonly DISCORD: Layout = Layout.preset('discord');
  /**
   * Instagram's: 41 ms since 2011-08-24T21:07:01.721Z | 13 node (shard) | 10 sequence. Negative
   * from 2046 on.
   */
  static readonly INSTAGRAM: Layout = Layout.preset('instagram');
  /** Sonyflake, version 1: 1 unused | 39 times 10 ms since 2014-09-01 | 8 sequence | 16 node. */
  static readonly SONYFLAKE: Layout = Layout.preset('sonyflake');
  /** Sonyflake, version 2: as version 1, since 2025-01-01. */
  static readonly SONYFLAKE_V2: Layout = Layout.preset('sonyflake_v2');
  /**
   * The default of github.com/bwmarrin/snowflake, which is Twitter's layout, so its name is
   * `twitter`.
   */
  static readonly BWMARRIN: Layout = Layout.TWITTER;
  /**
   * Mastodon's: 48 ms since 1970 | 16 of a hash and a sequence. For composing and inspecting only:
   * without a node, two generators repeat each other.
   */
  static readonly MASTODON: Layout = Layout.preset('mastodon');
  /**
   * Baidu's UidGenerator: 1 unused | 28 s since 2016-05-20 in China | 22 node | 13 sequence. Ended
   * on 2024-11-20.
   */
  static readonly BAIDU: Layout = Layout.preset('baidu');
}

/** Converts a field with its position for users. */
function place({ kind, name, bits, shift, max, value, step, start }: Native.LayoutPlace): Place {
  return Object.freeze({
    kind: kind as FieldKind,
    name: name ?? null,
    bits,
    shift,
    max,
    value: value ?? null,
    step: step ?? null,
    start: (start as 'random' | undefined) ?? null,
  });
}

/** Converts the field of a place to the constructor's form. */
function field({ kind, bits, name, value, step, start }: Place): Field {
  const special = { name: name ?? undefined, value: value ?? undefined, step: step ?? undefined, start: start ?? undefined };
  const given = present(special);
  return Object.freeze(Object.keys(given).length === 0 ? [kind, bits] : [kind, bits, Object.freeze(given)]);
}

function check(fields: unknown, layoutOptions: LayoutOptions): Native.Layout {
  if (!Array.isArray(fields)) throw wrong('fields', 'an array of [kind, bits]', fields);
  const described = fields.map((given: unknown, index) => {
    const place = `fields[${index}]`;
    if (!Array.isArray(given) || given.length < 2 || given.length > 3) {
      throw wrong(place, 'an array of kind and bits, and perhaps options', given);
    }
    const special = options((given[2] ?? {}) as FieldOptions, `${place}[2]`, ['name', 'value', 'start', 'step']);
    return present({
      kind: text(given[0], `${place}[0]`),
      bits: Number(integer(given[1], `${place}[1]`)),
      name: textIfGiven(special.name, `${place}[2].name`),
      value: integerIfGiven(special.value, `${place}[2].value`),
      step: integerIfGiven(special.step, `${place}[2].step`),
      start: startIfGiven(special.start, `${place}[2].start`),
    });
  });
  const { epochMs, tickUs } = options(layoutOptions, 'the second argument', ['epochMs', 'tickUs']);
  const epoch = integerIfGiven(epochMs, 'epochMs') ?? 0n;
  const tick = integerIfGiven(tickUs, 'tickUs') ?? 1000n;
  return calling(() => new native.Layout(described, epoch, tick));
}

/** Converts the start of a sequence to text: `'random'`, or 0. Core refuses other values. */
function startIfGiven(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  if (typeof value === 'bigint' || Number.isInteger(value)) return `${value as bigint | number}`;
  throw wrong(name, "0 or 'random'", value);
}

/** Returns a required layout. @internal */
export function givenLayout(layout: unknown, name = 'layout'): Layout {
  if (layout instanceof Layout) return layout;
  throw wrong(name, 'a Layout, such as Layout.TWITTER', layout);
}

/** Returns the native half of an optional layout. @internal */
export function nativeLayout(layout: Layout | undefined | null): Native.Layout | undefined {
  return layout === undefined || layout === null ? undefined : handle(givenLayout(layout));
}
