import { type Integer } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError } from './errors.js';
import type { LayoutName, ReadLayoutName, Scheme } from './names.js';
import type * as Native from './native.js';
import { ownBytes } from './realm.js';

/**
 * An ID's layout: a preset's name; of a UUID that is not of versions 1, 4, 7 what it is; of a tick
 * ID the order.
 */
export type PartsLayout = LayoutName | ReadLayoutName | `v${number}` | 'nil' | 'max' | 'ascending' | 'descending';

/**
 * The parts of an ID: a plain, frozen object. What a scheme does not have is `null`.
 *
 * Node and sequence are numbers. Only your own layouts may need more than 53 bits: there (of a
 * `Flake`, and where `inspect` looks for such a layout) those beyond `Number.MAX_SAFE_INTEGER` are
 * bigints, so that no digit is lost. `Whole` is what they can be: `number` for the schemes that
 * have no such layouts.
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
  /** The layout's name, where it is a preset; a UUID's version or a tick ID's order. */
  readonly layout: PartsLayout | null;
  /** The ID itself: a `bigint`, or the text that IDs of its scheme are. */
  readonly id: Id;
  /** Its canonical text. */
  readonly text: string;
  /**
   * Its bytes, the highest first, as many as its bits need: 8 of an ID of 64 bits, 12 of an
   * ObjectId.
   */
  readonly idBytes: Uint8Array;
  /** How many bits it has: 64, or what its scheme or layout has. */
  readonly bits: number;
  /** When its tick began, Unix milliseconds, rounded down; `null` for a UUID without a time. */
  readonly timestampMs: number | null;
  /**
   * By how many nanoseconds its tick began later than `timestampMs`: 0 to 999,999; of a UUID v1 or
   * v6 and of a tick ID a number of hundreds. `null` where ticks are whole milliseconds, and where
   * there is no time.
   */
  readonly submillisecondNs: number | null;
  /**
   * `timestampMs` as a date, which has no more than milliseconds; an invalid one outside the years
   * that JavaScript's dates have.
   */
  readonly time: Date | null;
  /**
   * The node; of a scalable Ulid-Flake the scalability id, of a UUID v1 its 48 bits, of an ObjectId
   * its 40 random bits.
   */
  readonly node: Whole | null;
  /** The node's parts by name, where the layout names them; else empty. */
  readonly nodeParts: Readonly<Record<string, Whole>>;
  /**
   * The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock
   * sequence.
   */
  readonly sequence: Whole | null;
  /** The random part, up to 122 bits. */
  readonly random: bigint | null;
  /** How often the clock had stepped back, counted in the layout's rollback field. */
  readonly rollback: number | null;
  /**
   * Which of several secrets this was read with: 0 for `secret`, 1 and up for `oldSecrets`; see
   * `inspect`.
   */
  readonly secretIndex: number | null;
  /** What `JSON.stringify` writes. Not enumerable: copies do not have it. */
  toJSON(): PartsJson;
}

/**
 * Parts as JSON has them: what is a bigint (`id`, `random`; a node or sequence beyond 53 bits) is
 * decimal text; `idBytes` is hexadecimal text; `time` is text in the form of ISO 8601. All else is
 * as it was.
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

/** Bigints as text. */
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
    idBytes: Buffer.from(this.idBytes).toString('hex'),
    // Null for a date that is invalid.
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

/** The parts as people see them. @internal */
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
  // An own property that is not enumerable: parts stay plain objects, which can be cloned and
  // compared.
  return Object.freeze(Object.defineProperty(visible, 'toJSON', { value: toJSON })) as Parts<Id>;
}

/** Returns the parts if all are safe numbers. @internal */
export function numericParts(parts: TimedParts<bigint>): TimedParts<bigint, number> {
  if (typeof parts.node !== 'bigint' && typeof parts.sequence !== 'bigint') return parts as TimedParts<bigint, number>;
  throw new SaibanError(
    ErrorCode.INVALID_ARGUMENT,
    'a part of this ID needs more than the 53 bits of a JavaScript number: use Flake for this layout, which tells bigints',
  );
}
