import { type Integer, integer, integerIfGiven, options, text, wrong } from './arguments.js';
import { calling } from './errors.js';
import { native } from './load-native.js';
import type * as Native from './native.js';

/** What the bits of a field stand for; `unused` bits are 0, `rollback` counts the clock's steps back (1 to 4 bits). */
export type FieldName = 'unused' | 'timestamp' | 'node' | 'sequence' | 'random' | 'rollback';

/** The layouts of known formats. */
export type LayoutName = 'twitter' | 'discord' | 'instagram' | 'sonyflake' | 'sonyflake_v2';

/** What a layout has besides its fields. */
export interface LayoutOptions {
  /** The time of tick 0, Unix milliseconds; 1970-01-01 by default. */
  epochMs?: Integer | undefined;
  /** The length of a tick in microseconds; 1000, a millisecond, by default. */
  tickUs?: Integer | undefined;
}

let handle: (layout: Layout) => Native.Layout;

/**
 * Which bits of an ID stand for what: the presets, or your own.
 *
 * Immutable, checked once when it is made.
 *
 * @example
 * ```ts
 * import { Layout, Snowflake } from 'saiban';
 * const discord = new Snowflake({ node: 7, layout: Layout.DISCORD });
 * const ours = new Layout([['unused', 1], ['timestamp', 41], ['node', 6], ['sequence', 16]], {
 *   epochMs: Date.UTC(2020, 0, 1),
 * });
 * console.log(new Snowflake({ node: 63, layout: ours }).inspect(0n).timestampMs); // 1577836800000
 * ```
 */
export class Layout {
  readonly #native: Native.Layout;
  /** The preset's name, or `null` for a layout of your own. */
  readonly name: LayoutName | null;
  /** The fields from the highest bit to the lowest, each with its width in bits. */
  readonly fields: readonly (readonly [name: FieldName, bits: number])[];
  /** The time of tick 0, Unix milliseconds. */
  readonly epochMs: number;
  /** The length of a tick, microseconds. */
  readonly tickUs: number;

  /**
   * A layout of your own.
   *
   * @param fields - From the highest bit to the lowest; the widths add up to 64. A Snowflake needs `timestamp`, `node`
   * and `sequence`.
   * @param layoutOptions - Epoch and tick.
   * @throws {@link SaibanError} `INVALID_LAYOUT` with the reason; `UNKNOWN_NAME` for another field.
   */
  constructor(fields: readonly (readonly [name: FieldName, bits: number])[], layoutOptions: LayoutOptions = {}) {
    this.#native = fields instanceof native.Layout ? fields : check(fields, layoutOptions);
    const description = this.#native;
    this.name = description.name as LayoutName | null;
    this.fields = Object.freeze(
      description.fields.map(({ name, bits }) => Object.freeze([name as FieldName, bits] as const)),
    );
    this.epochMs = calling(() => description.epochMs);
    this.tickUs = calling(() => description.tickUs);
    Object.freeze(this);
  }

  static {
    handle = (layout) => layout.#native;
  }

  /**
   * The preset of this name.
   *
   * @throws {@link SaibanError} `UNKNOWN_NAME` for any other text.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * console.log(Layout.preset('twitter').epochMs); // 1288834974657
   * ```
   */
  static preset(name: LayoutName): Layout {
    const known = text(name, 'name');
    const preset: unknown = calling(() => native.Layout.preset(known));
    return new Layout(preset as []);
  }

  /**
   * The largest node id, 0 when there is no node field.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` when it has more than the 53 bits of a number.
   */
  get maxNode(): number {
    return calling(() => this.#native.maxNode);
  }

  /** The largest number of the clock's steps back that an ID can tell, 0 when there is no rollback field. */
  get maxRollback(): number {
    return calling(() => this.#native.maxRollback);
  }

  /**
   * The same layout with bits for the times that the clock has stepped back, taken from the low end of the node field: 10 node
   * bits become 8 and 2. Each value of them is a node of its own, so that a generator goes on when the clock steps back.
   *
   * @param bits - 1 to 4, fewer than the node field has.
   * @throws {@link SaibanError} `INVALID_LAYOUT` for other widths, and where there is a rollback field already.
   * @example
   * ```ts
   * import { Layout } from 'saiban';
   * const layout = Layout.TWITTER.withRollbackBits(2);
   * console.log(layout.maxNode, layout.maxRollback); // 255 3
   * ```
   */
  withRollbackBits(bits: Integer): Layout {
    const width = Number(integer(bits, 'bits'));
    const changed: unknown = calling(() => this.#native.withRollbackBits(width));
    return new Layout(changed as []);
  }

  /** Twitter's Snowflake: 1 unused | 41 ms since 2010-11-04T01:42:54.657Z | 10 node | 12 sequence. Until 2080. */
  static readonly TWITTER: Layout = Layout.preset('twitter');
  /** Discord's: 42 ms since 2015-01-01 | 10 node | 12 sequence. Negative as a signed integer from 2084 on. */
  static readonly DISCORD: Layout = Layout.preset('discord');
  /** Instagram's: 41 ms since 2011-08-24T21:07:01.721Z | 13 node (shard) | 10 sequence. Negative from 2046 on. */
  static readonly INSTAGRAM: Layout = Layout.preset('instagram');
  /** Sonyflake, version 1: 1 unused | 39 times 10 ms since 2014-09-01 | 8 sequence | 16 node. */
  static readonly SONYFLAKE: Layout = Layout.preset('sonyflake');
  /** Sonyflake, version 2: as version 1, since 2025-01-01. */
  static readonly SONYFLAKE_V2: Layout = Layout.preset('sonyflake_v2');
}

function check(fields: unknown, layoutOptions: LayoutOptions): Native.Layout {
  if (!Array.isArray(fields)) throw wrong('fields', 'an array of [name, bits]', fields);
  const described = fields.map((field: unknown, index) => {
    const name = `fields[${index}]`;
    if (!Array.isArray(field) || field.length !== 2) throw wrong(name, 'an array of name and bits', field);
    return { name: text(field[0], `${name}[0]`), bits: Number(integer(field[1], `${name}[1]`)) };
  });
  const { epochMs, tickUs } = options(layoutOptions, 'the second argument', ['epochMs', 'tickUs']);
  const epoch = integerIfGiven(epochMs, 'epochMs') ?? 0n;
  const tick = integerIfGiven(tickUs, 'tickUs') ?? 1000n;
  return calling(() => new native.Layout(described, epoch, tick));
}

/** The native half of a layout; Twitter's if it is absent. @internal */
export function nativeLayout(layout: Layout | undefined | null): Native.Layout {
  if (layout === undefined || layout === null) return handle(Layout.TWITTER);
  if (layout instanceof Layout) return handle(layout);
  throw wrong('layout', 'a Layout, such as Layout.TWITTER', layout);
}
