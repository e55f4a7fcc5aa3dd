// What may be given as what. Only types are checked here: whether a value makes sense is for core to say.
// Dates and arrays may be of another realm (jest, vitest, node:vm): node:util's `types` recognise
// them, `instanceof` does not.

import { types } from 'node:util';
import { ErrorCode } from './error-code.js';
import { SaibanError, SaibanTypeError } from './errors.js';

/**
 * An integer: a `bigint`, or a `number` without a fraction. As an argument a number beyond `Number.MAX_SAFE_INTEGER`, which has lost
 * digits, is refused; as an answer it is a `bigint` there.
 */
export type Integer = bigint | number;

/** What a value is, without showing it: it may be a secret. */
function kind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number that is no integer';
  if (typeof value !== 'object') return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
  if (types.isDate(value) && Number.isNaN(value.getTime())) return 'an invalid Date';
  return `an object (${(value as object).constructor?.name ?? 'without a class'})`;
}

/** The error that a value is of the wrong type. */
export function wrong(name: string, wanted: string, value: unknown): SaibanTypeError {
  return new SaibanTypeError(`${name} is ${kind(value)}: give ${wanted}`);
}

function refuse(name: string, wanted: string, value: unknown): never {
  throw wrong(name, wanted, value);
}

/** An integer of which no digit is lost; `undefined` for what is none. */
function exact(value: unknown, name: string, instead: string): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (!Number.isInteger(value)) return undefined;
  const limit = (value as number) < 0 ? 'MIN_SAFE_INTEGER' : 'MAX_SAFE_INTEGER';
  throw new SaibanTypeError(
    `${name} is the number ${value as number}, beyond Number.${limit} (${Number[limit]}), ` +
      `where numbers lose digits: give ${instead}`,
  );
}

/** An integer. */
export function integer(value: unknown, name: string): bigint {
  return exact(value, name, 'a bigint') ?? refuse(name, 'an integer (a bigint, or a number without a fraction)', value);
}

/** An integer that may be absent. */
export function integerIfGiven(value: unknown, name: string): bigint | undefined {
  return value === undefined || value === null ? undefined : integer(value, name);
}

/** An ID. */
export function idInteger(value: unknown, name: string): bigint {
  return exact(value, name, 'a bigint') ?? refuse(name, 'a bigint', value);
}

/** An ID or its text. */
export function idOrText(value: unknown, name: string): bigint | string {
  if (typeof value === 'string') return value;
  const number = exact(value, name, "a bigint, or the ID's text");
  return number ?? refuse(name, 'a bigint or text', value);
}

/** An ID, its text or its bytes. */
export function idTextOrBytes(value: unknown, name: string): bigint | string | Uint8Array {
  // Other threads may see the memory of bytes that are given. A Buffer's slice is no copy.
  if (types.isUint8Array(value)) return new Uint8Array(value);
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'number') return idOrText(value, name);
  throw wrong(name, 'a bigint, text, or a Buffer or Uint8Array', value);
}

/** Text. */
export function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw wrong(name, 'a string', value);
}

/** Text that may be absent. */
export function textIfGiven(value: unknown, name: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, name);
}

/** `true` or `false`; absent is `false`. */
export function flag(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw wrong(name, 'true or false', value);
}

/** Bytes. A Buffer is a Uint8Array. */
export function bytes(value: unknown, name: string): Uint8Array {
  if (types.isUint8Array(value)) return value;
  throw wrong(name, 'a Buffer or Uint8Array', value);
}

/** A range that may be absent: its two ends. */
export function pairIfGiven(value: unknown, name: string): bigint[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length !== 2) throw wrong(name, 'an array of two integers, [start, end)', value);
  return [integer(value[0], `${name}[0]`), integer(value[1], `${name}[1]`)];
}

/** A list of values of one kind; absent is empty. */
export function listIfGiven<T>(value: unknown, name: string, wanted: string, each: (value: unknown, name: string) => T): T[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(name, wanted, value);
  return Array.from(value, (element: unknown, index) => each(element, `${name}[${index}]`));
}

/** A time as Unix milliseconds: an integer, or a Date. */
export function instant(value: unknown, name: string): bigint {
  const wanted = 'a Date, or Unix milliseconds as an integer';
  if (!types.isDate(value)) return exact(value, name, 'a bigint') ?? refuse(name, wanted, value);
  const timestampMs = value.getTime();
  return Number.isNaN(timestampMs) ? refuse(name, wanted, value) : BigInt(timestampMs);
}

/** The time of an ID that is to be composed: `timestampMs`, or `time`. */
export type Moment =
  | {
      /** Unix milliseconds; rounded down to the tick. */
      timestampMs: Integer;
      /** The same as a date, instead. */
      time?: undefined;
    }
  | {
      /** Unix milliseconds, instead. */
      timestampMs?: undefined;
      /** The time; rounded down to the tick. */
      time: Date;
    };

/** The same for IDs whose ticks may be shorter than a millisecond. */
export type FineMoment = Moment & {
  /** By how many nanoseconds the time is later, 0 to 999,999; rounded down to the tick. 0 by default. */
  submillisecondNs?: Integer | null | undefined;
};

/** The names of all three. @internal */
export const FINE_MOMENT = ['timestampMs', 'time', 'submillisecondNs'] as const;

/** The time of such an ID. @internal */
export function fineMoment(given: { timestampMs?: unknown; time?: unknown; submillisecondNs?: unknown }): {
  timestampMs: bigint;
  submillisecondNs: bigint | undefined;
} {
  const submillisecondNs = integerIfGiven(given.submillisecondNs, 'submillisecondNs');
  return { timestampMs: moment(given), submillisecondNs };
}

/** The names of both. @internal */
export const MOMENT = ['timestampMs', 'time'] as const;

/** The time, given in one of the two ways, as Unix milliseconds. @internal */
export function moment(given: { timestampMs?: unknown; time?: unknown }): bigint {
  const { timestampMs, time } = given;
  if (time === undefined || time === null) {
    if (timestampMs !== undefined && timestampMs !== null) {
      const wanted = 'Unix milliseconds as an integer, or a Date as time';
      const number = exact(timestampMs, 'timestampMs', 'a bigint');
      return number ?? refuse('timestampMs', wanted, timestampMs);
    }
    throw new SaibanError(ErrorCode.INVALID_ARGUMENT, 'the time is missing: give timestampMs or time');
  }
  if (timestampMs !== undefined && timestampMs !== null) {
    throw new SaibanError(ErrorCode.INVALID_ARGUMENT, 'timestampMs and time are both given: give one of them');
  }
  if (types.isDate(time)) return instant(time, 'time');
  throw wrong('time', 'a Date', time);
}

/** A node: a number, or its named parts. */
export type NodeId = Integer | Readonly<Record<string, Integer>>;

/** A node that may be absent, as the native half takes it. @internal */
export function nodeIfGiven(value: unknown): { node?: bigint; nodeParts?: { name: string; value: bigint }[] } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') return { node: integer(value, 'node') };
  return { nodeParts: nodeParts(value, 'node', 'an integer, or an object of named parts') };
}

/** The named parts of a node, as the native half takes them. @internal */
export function nodeParts(value: unknown, name: string, wanted: string): { name: string; value: bigint }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name, wanted, value);
  return Object.entries(value).map(([part, number]) => ({ name: part, value: integer(number, `${name}.${part}`) }));
}

/** The same object without what is absent. @internal */
export function present<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

/** A number that may be absent. */
export function numberIfGiven(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw wrong(name, 'a number', value);
}

/** An object whose properties are all known: a misspelt option would go unnoticed otherwise. */
export function options<T extends object>(value: T, name: string, known: readonly (keyof T & string)[]): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`the options object of ${name}`, `an object with any of ${known.join(', ')}`, value);
  }
  for (const key of Object.keys(value)) {
    if (!(known as readonly string[]).includes(key)) {
      throw new SaibanTypeError(`${name} has no option ${JSON.stringify(key)}: give ${known.join(', ')}`);
    }
  }
  return value;
}
