import {
  type Integer, bytes, bytesIfGiven, idTextOrBytes, integerIfGiven, listIfGiven, options, present, textIfGiven,
} from './arguments.js';
import { calling } from './errors.js';
import { type Layout, givenLayout } from './layout.js';
import { native } from '#host';
import type { Scheme } from './names.js';
import type * as Native from './native.js';
import { type Parts, visibleParts } from './parts.js';
import { ownArray } from './realm.js';

/** The options of `inspect` and `candidates`. */
export interface InspectOptions {
  /** The secret of Randflake IDs, 16 bytes. With it, Randflake is considered too. */
  secret?: Uint8Array | undefined;
  /**
   * Earlier secrets, at most 7. There is one candidate for each secret, the most plausible first,
   * and `secretIndex` is the secret's position: 0 for `secret`, 1 and up for these. This is
   * evidence, not proof.
   */
  oldSecrets?: readonly Uint8Array[] | undefined;
  /** Only this scheme is considered; `'uuid'` means every version. */
  scheme?: Scheme | undefined;
  /** These layouts are considered too, at most 4; presets among them rank higher. */
  layouts?: readonly Layout[] | undefined;
  /**
   * The epoch of presets and Ulid-Flake instead of their own epochs, Unix milliseconds.
   */
  epochMs?: Integer | undefined;
  /**
   * The number of bits of a number, 16 to 128: 64, a signed number, by default. Numbers of any
   * other width are unsigned. Text and bytes have their own width.
   */
  bits?: Integer | undefined;
}

/** The names of reasons, the same in all languages. */
export type ReasonName =
  | 'canonical_text'
  | 'length_and_alphabet'
  | 'decimal_number'
  | 'width'
  | 'uuid_form'
  | 'other_encoding'
  | 'version_bits'
  | 'equal_bits'
  | 'given_layout'
  | 'given_epoch'
  | 'decrypted'
  | 'time_plausible'
  | 'time_early'
  | 'time_near_epoch'
  | 'time_before_format'
  | 'time_future'
  | 'small_parts'
  | 'large_sequence';

/** A reason for a candidate's rank. */
export interface Reason {
  /** The name, for programs. */
  readonly name: ReasonName;
  /** The reason in words, for people. */
  readonly text: string;
}

/** One candidate: what an ID can be, with reasons. A plain, frozen object. */
export interface Candidate {
  /** The parts of the ID, if this candidate is right. */
  readonly parts: Parts;
  /**
   * The score: one more point means twice as likely. Scores compare the candidates of one ID only,
   * and may change with every version.
   */
  readonly score: number;
  /** Whether its time is in the past and not before the format existed, or it has none. */
  readonly isPlausible: boolean;
  /** The reasons for its rank. */
  readonly reasons: readonly Reason[];
  /** The index of the candidate's layout among the given `layouts`, counted from 0. */
  readonly layoutIndex: number | null;
}

/**
 * Returns what an ID of unknown origin can be: the parts of every candidate, the most plausible
 * first; an empty list if nothing fits. {@link candidates} also returns the reasons. A candidate
 * whose time needs more than the 53 bits of a number, beyond the year 287396, is left out.
 *
 * @param id - The ID; or 8, 12 or 16 bytes, the highest first, of an ID of 64, 96 or 128 bits; or
 * text: what a scheme writes, a decimal number, a UUID in any form, less likely a number in another
 * encoding.
 * @throws {@link SaibanError} the kinds that begin with `TEXT_` when no scheme reads the text;
 * `ID_OUT_OF_RANGE` for a number of more than 64 bits, or than `bits`; `INVALID_SECRET`;
 * `UNKNOWN_NAME`; `INVALID_LAYOUT` for an epoch too far away; `INVALID_ARGUMENT` for too many
 * secrets or layouts, for old secrets without `secret`, for another number of bytes, and for `bits`
 * that are out of range or given with anything but a number.
 * @example
 * ```ts
 * import { inspect } from 'saiban';
 * const [likeliest] = inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV');
 * console.log(likeliest?.scheme, likeliest?.time?.toISOString()); // ulid 2016-07-30T23:54:10.259Z
 * ```
 */
export function inspect(id: Integer | string | Uint8Array, inspectOptions: InspectOptions = {}): Parts[] {
  return found(id, inspectOptions, 'inspect').map(({ parts }) => visibleParts(parts));
}

/**
 * Returns what an ID of unknown origin can be, with reasons: every candidate, the most plausible
 * first; an empty list if nothing fits. The result is evidence, not proof.
 *
 * @param id - As {@link inspect} takes it.
 * @throws {@link SaibanError} as {@link inspect}.
 * @example
 * ```ts
 * import { candidates } from 'saiban';
 * const [likeliest] = candidates('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
 * console.log(likeliest?.parts.scheme, likeliest?.reasons[2]?.text); // uuid-v7 version bits say 7
 * ```
 */
export function candidates(id: Integer | string | Uint8Array, inspectOptions: InspectOptions = {}): Candidate[] {
  return found(id, inspectOptions, 'candidates').map(({ parts, score, isPlausible, reasons, layoutIndex }) =>
    Object.freeze({
      parts: visibleParts(parts),
      score,
      isPlausible,
      reasons: Object.freeze(Array.from(reasons, reason)),
      layoutIndex: layoutIndex ?? null,
    }),
  );
}

/** Converts a reason for users. */
function reason({ name, text }: Native.Reason): Reason {
  return Object.freeze({ name: name as ReasonName, text });
}

/** Returns the native half's candidates. */
function found(id: unknown, inspectOptions: InspectOptions, name: string): Native.Candidate[] {
  const subject = idTextOrBytes(id, 'id');
  const given = options(inspectOptions, name, ['secret', 'oldSecrets', 'scheme', 'layouts', 'epochMs', 'bits']);
  const known = present({
    secret: bytesIfGiven(given.secret, 'secret'),
    oldSecrets: listIfGiven(given.oldSecrets, 'oldSecrets', 'an array of secrets', bytes),
    scheme: textIfGiven(given.scheme, 'scheme'),
    layouts: listIfGiven(given.layouts, 'layouts', 'an array of layouts', givenLayout).map((layout) => layout.toText()),
    epochMs: integerIfGiven(given.epochMs, 'epochMs'),
    bits: integerIfGiven(given.bits, 'bits'),
  });
  return ownArray(calling(() => native.inspect(subject, known)));
}
