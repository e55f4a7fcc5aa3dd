// The parts of which an ID is composed.

import { type Integer, date, integer, integerIfGiven, milliseconds, nodeParts, options, present } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError } from './errors.js';
import type * as Native from './native.js';

/** The time of an ID to compose: `timestampMs`, or `time`. */
export type Moment =
  | {
      /** Unix milliseconds; rounded down to the tick. */
      timestampMs: Integer;
      /** The time as a date, instead of `timestampMs`. */
      time?: undefined;
    }
  | {
      /** Unix milliseconds, instead of `time`. */
      timestampMs?: undefined;
      /** The time; rounded down to the tick. */
      time: Date;
    };

/** A moment for IDs whose ticks may be shorter than a millisecond. */
export type FineMoment = Moment & {
  /**
   * The nanoseconds after the millisecond, 0 to 999,999; rounded down to the tick. 0 by default.
   */
  submillisecondNs?: Integer | null | undefined;
};

/** A node: a number, or its named parts. */
export type NodeId = Integer | Readonly<Record<string, Integer>>;

/** The parts of an ID to compose that consists of time, node and sequence. */
export type NodeParts = Moment & {
  /** The node. */
  node: Integer;
  /** The sequence number within the tick. */
  sequence: Integer;
};

/**
 * The parts of an ID to compose, of any scheme. Parts that the scheme does not have must be left
 * out.
 */
export interface ComposeParts {
  /** Unix milliseconds; rounded down to the tick. */
  timestampMs?: Integer | undefined;
  /** The time as a date, instead of `timestampMs`. */
  time?: Date | undefined;
  /** The nanoseconds after the millisecond, 0 to 999,999; rounded down to the tick. */
  submillisecondNs?: Integer | null | undefined;
  /** The node: a number, or its parts if the layout names them. */
  node?: NodeId | undefined;
  /** The scalability id, for IDs that have one instead of a node. */
  scalability?: Integer | undefined;
  /** The sequence number within the tick, or the counter. */
  sequence?: Integer | undefined;
  /** The clock sequence, for UUIDs that have one instead of a sequence. */
  clockSequence?: Integer | undefined;
  /** The random part. */
  random?: Integer | undefined;
  /** The number of times that the clock had stepped back. */
  rollback?: Integer | undefined;
}

/**
 * `time` stands for `timestampMs` and `time`, `nodeId` for a `node` that may be given by its named
 * parts.
 */
type PartName = Exclude<keyof ComposeParts, 'timestampMs'> | 'nodeId';

/** A part that `compose` takes; an optional one ends with `?`. @internal */
export type PartTaken = PartName | `${PartName}?`;

/** The parts for a generator whose scheme only the native half knows. @internal */
export const ANY_PARTS: readonly PartTaken[] = [
  'time?', 'submillisecondNs?', 'nodeId?', 'scalability?', 'sequence?', 'clockSequence?', 'random?', 'rollback?',
];

/** Converts the parts of `compose` for the native half. @internal */
export function composeParts(parts: object, taken: readonly PartTaken[]): Native.PartsGiven {
  const needed = taken.filter((part) => !part.endsWith('?'));
  const names = taken.map((part) => part.replace('?', '') as PartName);
  const known = names.flatMap((part) => (part === 'time' ? ['timestampMs', 'time'] : option(part)));
  const given = options(parts as Record<string, unknown>, 'compose', known);
  const read = (part: PartName) => (needed.includes(part) ? integer : integerIfGiven)(given[option(part)], option(part));
  const isNamed = names.includes('nodeId') && typeof given.node === 'object' && given.node !== null;
  return present({
    timestampMs: moment(given, needed.includes('time')),
    submillisecondNs: read('submillisecondNs'),
    node: isNamed ? undefined : (read('node') ?? read('nodeId') ?? read('scalability')),
    nodeParts: isNamed ? nodeParts(given.node, 'node', 'an integer, or an object of named parts') : undefined,
    sequence: read('sequence') ?? read('clockSequence'),
    random: read('random'),
    rollback: read('rollback'),
  });
}

/** Returns the name of the option for this part. */
function option(part: PartName): string {
  return part === 'nodeId' ? 'node' : part;
}

/** Reads the time, given in one of the two ways, as Unix milliseconds. */
function moment({ timestampMs, time }: Record<string, unknown>, isNeeded: boolean): bigint | undefined {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  if (isGiven(timestampMs) && isGiven(time)) {
    throw new SaibanError(ErrorCode.INVALID_ARGUMENT, 'timestampMs and time are both given: give one of them');
  }
  if (isGiven(timestampMs)) return milliseconds(timestampMs, 'timestampMs');
  if (isGiven(time)) return date(time, 'time');
  if (!isNeeded) return undefined;
  throw new SaibanError(ErrorCode.INVALID_ARGUMENT, 'the time is missing: give timestampMs or time');
}
