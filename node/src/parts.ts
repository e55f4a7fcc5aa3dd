import type { LayoutName } from './layout.js';
import type * as Native from './native.js';

/** A family of IDs. */
export type Scheme = 'snowflake' | 'randflake' | 'ulid-flake';

/**
 * The parts of an ID: a plain, frozen object. What a scheme does not have is `null`.
 *
 * It can be compared with `assert.deepEqual`, copied with `structuredClone` and sent to workers. `JSON.stringify` refuses
 * it for its `id`, as it refuses every `bigint`: send the ID's text.
 *
 * @example
 * ```ts
 * import { Snowflake } from 'saiban';
 * const parts = new Snowflake({ node: 7 }).inspect(1741610183685074944n);
 * console.log(parts.time.toISOString(), parts.node, parts.sequence); // 2024-01-01T00:00:00.000Z 7 0
 * ```
 */
export interface Parts {
  /** The family. */
  readonly scheme: Scheme;
  /** The layout's name, where it is a preset. */
  readonly layout: LayoutName | null;
  /** The ID itself. */
  readonly id: bigint;
  /** When its tick began, Unix milliseconds. */
  readonly timestampMs: number;
  /** The same as a date; an invalid one past the year 275760, where JavaScript's dates end. */
  readonly time: Date;
  /** The node; of a scalable Ulid-Flake the scalability id. */
  readonly node: number | null;
  /** The sequence number within the tick. */
  readonly sequence: number | null;
  /** The random part. */
  readonly random: number | null;
  /** How often the clock had stepped back, counted in the layout's rollback field. */
  readonly rollback: number | null;
  /** Which of several secrets this was read with: 0 for `secret`, 1 and up for `oldSecrets`; see `inspect`. */
  readonly secretIndex: number | null;
}

/** The parts as people see them. @internal */
export function visibleParts(parts: Native.Parts): Parts {
  return Object.freeze({
    scheme: parts.scheme as Scheme,
    layout: (parts.layout as LayoutName | undefined) ?? null,
    id: parts.id,
    timestampMs: parts.timestampMs,
    time: new Date(parts.timestampMs),
    node: parts.node ?? null,
    sequence: parts.sequence ?? null,
    random: parts.random ?? null,
    rollback: parts.rollback ?? null,
    secretIndex: parts.secretIndex ?? null,
  });
}
