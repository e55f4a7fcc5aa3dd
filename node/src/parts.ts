import { type Integer } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError } from './errors.js';
import type { LayoutName, ReadLayoutName, Scheme } from './names.js';
import type * as Native from './native.js';
import { ownBytes, toHex } from './realm.js';

/**
 * An ID's layout: a preset's name; for a UUID of another version than 1, 4 and 7 that version; for
 * a tick ID the order.
 */
export type PartsLayout = LayoutName | ReadLayoutName | `v${number}` | 'nil' | 'max' | 'ascending' | 'descending';

/**
 * The parts of an ID: a plain, frozen object. Parts that a scheme does not have are `null`.
 *
 * Node and sequence are numbers. Only custom layouts can need more than 53 bits: there (in a
 * `Flake`, and if `inspect` considers such a layout) a part beyond `Number.MAX_SAFE_INTEGER` is a
 * bigint, so that no digit is lost. `Whole` is the type of these parts: `number` for schemes
 * without such layouts.
 *
 * It can be compared with `assert.deepEqual`, copied with `structuredClone` and sent to workers.
 * `JSON.stringify` writes it as {@link PartsJson}; a copy has no {@link Parts.toJSON}, and
 * `JSON.stringify` refuses the bigints in it.
 *
 * @example
 * ```ts
 * import { Snowflake, Uuid } from 'saiban';
 * const parts = new Snowflake({ node: 7 }).inspect(1741610183685074944n);
 * console.log(parts.time.toISOString(), parts.node, parts.sequence); // 2024-01-01T00:00:00.000Z 7 0
 * console.log(new Uuid().inspect('017f22e2-79b0-7cc3-98c4-dc0c0c07398f').timestampMs); // 1645557742000
 * console.log(JSON.parse(JSON.stringify(parts)).id); // 1741610183685074944
 * ```
 */
export interface Parts<Id extends bigint | string = bigint | string, Whole extends Integer = Integer> {
  /** The family. */
  readonly scheme: Scheme;
  /** The layout's name, if it is a preset; a UUID's version or a tick ID's order. */
  readonly layout: PartsLayout | null;
  /** The ID itself: a `bigint`, or text for schemes whose IDs are text. */
  readonly id: Id;
  /** The ID's canonical text. */
  readonly text: string;
  /**
   * The ID's bytes, the highest first, as many as its bits need: 8 for an ID of 64 bits, 12 for an
   * ObjectId.
   */
  readonly idBytes: Uint8Array;
  /** The number of bits of the ID: 64, or the width of its scheme or layout. */
  readonly bits: number;
  /** When its tick began, Unix milliseconds, rounded down; `null` for a UUID without a time. */
  readonly timestampMs: number | null;
  /**
   * The nanoseconds from `timestampMs` to the beginning of the tick: 0 to 999,999, a multiple of
   * 100 for a UUID v1 or v6 and for a tick ID. `null` if ticks are whole milliseconds, or if the
   * scheme has no time.
   */
  readonly submillisecondNs: number | null;
  /**
   * `timestampMs` as a date, which has a precision of milliseconds. It is an invalid date outside
   * the years of JavaScript's dates.
   */
  readonly time: Date | null;
  /**
   * The node: for a scalable Ulid-Flake the scalability id, for an ObjectId its 40 random bits, for
   * a UUID v1 its 48 bits.
   */
  readonly node: Whole | null;
  /** The node's parts by name, if the layout names them; else empty. */
  readonly nodeParts: Readonly<Record<string, Whole>>;
  /**
   * The sequence number within the tick: for an ObjectId the counter, for a UUID v1 the clock
   * sequence.
   */
  readonly sequence: Whole | null;
  /** The random part, up to 122 bits. */
  readonly random: bigint | null;
  /** The number of times that the clock had stepped back, if the layout has a rollback field. */
  readonly rollback: number | null;
  /**
   * The index of the secret with which the ID was read, if several were given: 0 for `secret`, 1
   * and up for `oldSecrets`; see `inspect`.
   */
  readonly secretIndex: number | null;
  /** The value that `JSON.stringify` writes. It is not enumerable, so copies do not have it. */
  toJSON(): PartsJson;
}

/**
 * Parts in the form of JSON. Bigints (`id`, `random`; a node or sequence beyond 53 bits) are
 * decimal text, `idBytes` is hexadecimal text, and `time` is text in the form of ISO 8601. The
 * other parts are unchanged.
 */
export type PartsJson = Omit<Parts, 'id' | 'idBytes' | 'time' | 'random' | 'node' | 'nodeParts' | 'sequence' | 'toJSON'> & {
  readonly id: string;
  readonly node: number | string | null;
  readonly nodeParts: Readonly<Record<string, number | string>>;
  readonly sequence: number | string | null;
  readonly idBytes: string;
  readonly time: string | null;
  readonly random: string | null;
};

/** Converts a bigint to text. */
function plain<Other>(part: Other): Exclude<Other, bigint> | string {
  return typeof part === 'bigint' ? String(part) : (part as Exclude<Other, bigint>);
}

function toJSON(this: Parts): PartsJson {
  return {
    ...this,
    id: String(this.id),
    node: plain(this.node),
    nodeParts: Object.fromEntries(Object.entries(this.nodeParts).map(([name, part]) => [name, plain(part)])),
    sequence: plain(this.sequence),
    idBytes: toHex(this.idBytes),
    // toJSON returns null for an invalid date.
    time: this.time?.toJSON() ?? null,
    random: this.random === null ? null : String(this.random),
  };
}

/** The parts of an ID of a scheme that has a time. */
export interface TimedParts<Id extends bigint | string = bigint | string, Whole extends Integer = Integer>
  extends Parts<Id, Whole> {
  readonly timestampMs: number;
  readonly time: Date;
}

/** The parts of an ID of a scheme whose IDs have a time, a node and a sequence. */
export interface TimedNodeParts<Id extends bigint | string = bigint | string, Whole extends Integer = Integer>
  extends TimedParts<Id, Whole> {
  readonly node: Whole;
  readonly sequence: Whole;
}

/** Converts parts for users. @internal */
export function visibleParts<Id extends bigint | string>(parts: Native.Parts): Parts<Id> {
  const visible = {
    scheme: parts.scheme as Scheme,
    layout: (parts.layout as PartsLayout | undefined) ?? null,
    id: parts.id as Id,
    text: parts.text,
    idBytes: ownBytes(parts.idBytes),
    bits: parts.bits,
    timestampMs: parts.timestampMs ?? null,
    submillisecondNs: parts.submillisecondNs ?? null,
    time: parts.timestampMs === undefined ? null : new Date(parts.timestampMs),
    node: parts.node ?? null,
    nodeParts: Object.freeze(Object.fromEntries(parts.nodeParts.map(({ name, value }) => [name, value]))),
    sequence: parts.sequence ?? null,
    random: parts.random ?? null,
    rollback: parts.rollback ?? null,
    secretIndex: parts.secretIndex ?? null,
  };
  // The property is not enumerable, so that parts stay plain objects, which can be cloned and
  // compared.
  return Object.freeze(Object.defineProperty(visible, 'toJSON', { value: toJSON })) as Parts<Id>;
}

/** Returns the parts if all are safe numbers. @internal */
export function numericParts(parts: TimedNodeParts<bigint>): TimedNodeParts<bigint, number> {
  if (typeof parts.node !== 'bigint' && typeof parts.sequence !== 'bigint') return parts as TimedNodeParts<bigint, number>;
  throw new SaibanError(
    ErrorCode.INVALID_ARGUMENT,
    'a part of this ID needs more than the 53 bits of a JavaScript number: use Flake for this layout, which returns bigints',
  );
}
