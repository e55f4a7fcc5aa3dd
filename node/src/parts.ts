import { type Integer } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError } from './errors.js';
import type { LayoutName } from './layout.js';
import type * as Native from './native.js';

/** A family of IDs. `uuid` is a UUID of a version that saiban does not make. */
export type Scheme =
  | 'snowflake'
  | 'randflake'
  | 'ulid-flake'
  | 'flake'
  | 'ulid'
  | 'uuid'
  | 'uuid-v1'
  | 'uuid-v4'
  | 'uuid-v7'
  | 'objectid'
  | 'tick-id';

/** An ID's layout: a preset's name; of a UUID that is not of versions 1, 4, 7 what it is; of a tick ID the order. */
export type PartsLayout = LayoutName | `v${number}` | 'nil' | 'max' | 'ascending' | 'descending';

/**
 * The parts of an ID: a plain, frozen object. What a scheme does not have is `null`.
 *
 * Node and sequence are numbers. Only layouts of your own may have more than the 53 bits of one: there (of a `Flake`, and where
 * `inspect` looks for such a layout) those beyond `Number.MAX_SAFE_INTEGER` are bigints, so that no digit is lost. `Whole` is what they
 * can be: `number` for the schemes that have no such layouts.
 *
 * It can be compared with `assert.deepEqual`, copied with `structuredClone` and sent to workers. `JSON.stringify` refuses
 * it for its bigints: send the ID's `text`.
 *
 * @example
 * ```ts
 * import { Snowflake, Uuid } from 'saiban';
 * const parts = new Snowflake({ node: 7 }).inspect(1741610183685074944n);
 * console.log(parts.time.toISOString(), parts.node, parts.sequence); // 2024-01-01T00:00:00.000Z 7 0
 * console.log(new Uuid().inspect('017f22e2-79b0-7cc3-98c4-dc0c0c07398f').timestampMs); // 1645557742000
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
  /** Of an ID of more than 64 bits its bytes, the highest first. */
  readonly idBytes: Uint8Array | null;
  /** When its tick began, Unix milliseconds; `null` for a UUID without a time. */
  readonly timestampMs: number | null;
  /** The same as a date; an invalid one outside the years that JavaScript's dates have. */
  readonly time: Date | null;
  /** The node; of a scalable Ulid-Flake the scalability id, of a UUID v1 its 48 bits, of an ObjectId its 40 random bits. */
  readonly node: Whole | null;
  /** The node's parts by name, where the layout names them; else empty. */
  readonly nodeParts: Readonly<Record<string, Whole>>;
  /** The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock sequence. */
  readonly sequence: Whole | null;
  /** The random part, up to 122 bits. */
  readonly random: bigint | null;
  /** How often the clock had stepped back, counted in the layout's rollback field. */
  readonly rollback: number | null;
  /** Which of several secrets this was read with: 0 for `secret`, 1 and up for `oldSecrets`; see `inspect`. */
  readonly secretIndex: number | null;
}

/** The parts of an ID of a scheme that has a time. */
export interface TimedParts<Id extends bigint | string = bigint | string, Whole extends Integer = Integer>
  extends Parts<Id, Whole> {
  readonly timestampMs: number;
  readonly time: Date;
}

/** The parts as people see them. @internal */
export function visibleParts<Id extends bigint | string>(parts: Native.Parts): Parts<Id> {
  return Object.freeze({
    scheme: parts.scheme as Scheme,
    layout: (parts.layout as PartsLayout | undefined) ?? null,
    id: parts.id as Id,
    text: parts.text,
    idBytes: parts.idBytes ?? null,
    timestampMs: parts.timestampMs ?? null,
    time: parts.timestampMs === undefined ? null : new Date(parts.timestampMs),
    node: parts.node ?? null,
    nodeParts: Object.freeze(Object.fromEntries(parts.nodeParts.map(({ name, value }) => [name, value]))),
    sequence: parts.sequence ?? null,
    random: parts.random ?? null,
    rollback: parts.rollback ?? null,
    secretIndex: parts.secretIndex ?? null,
  });
}

/** The same, if no number has lost digits as a number. @internal */
export function numericParts(parts: TimedParts<bigint>): TimedParts<bigint, number> {
  if (typeof parts.node !== 'bigint' && typeof parts.sequence !== 'bigint') return parts as TimedParts<bigint, number>;
  throw new SaibanError(
    ErrorCode.INVALID_ARGUMENT,
    'a part of this ID needs more than the 53 bits of a JavaScript number: use Flake for this layout, which tells bigints',
  );
}
