// Converts and checks the types of arguments. Core checks the values. Dates and arrays can be of
// another realm, which `instanceof` does not recognise.

import { SaibanTypeError } from './errors.js';
import { isDate, isUint8Array } from './realm.js';

/**
 * An integer: a `bigint`, or a `number` without a fraction. An argument that is a number beyond
 * `Number.MAX_SAFE_INTEGER` has lost digits, and is refused. A result beyond it is a `bigint`.
 */
export type Integer = bigint | number;

/** Returns the kind of a value, but not the value, which may be a secret. */
function kind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number that is no integer';
  if (typeof value !== 'object') return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
  if (isDate(value) && Number.isNaN(value.getTime())) return 'an invalid Date';
  return `an object (${(value as object).constructor?.name ?? 'without a class'})`;
}

/** Returns the error for a value of the wrong type. */
export function wrong(name: string, wanted: string, value: unknown): SaibanTypeError {
  return new SaibanTypeError(`${name} is ${kind(value)}: give ${wanted}`);
}

function refuse(name: string, wanted: string, value: unknown): never {
  throw wrong(name, wanted, value);
}

/** Returns an integer, or `undefined` for any other value. Throws for an unsafe number. */
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

/** Returns a reader of an optional value, which is `undefined` if absent. */
function ifGiven<T>(read: (value: unknown, name: string) => T): (value: unknown, name: string) => T | undefined {
  return (value, name) => (value === undefined || value === null ? undefined : read(value, name));
}

/** Reads an integer. */
export function integer(value: unknown, name: string): bigint {
  return exact(value, name, 'a bigint') ?? refuse(name, 'an integer (a bigint, or a number without a fraction)', value);
}

/** Reads an optional integer. */
export const integerIfGiven = ifGiven(integer);

/** Reads an ID. */
export function idInteger(value: unknown, name: string): bigint {
  return exact(value, name, 'a bigint') ?? refuse(name, 'a bigint', value);
}

/** Reads an ID or its text. */
export function idOrText(value: unknown, name: string): bigint | string {
  if (typeof value === 'string') return value;
  const number = exact(value, name, "a bigint, or the ID's text");
  return number ?? refuse(name, 'a bigint or text', value);
}

/** Reads an ID, its text or its bytes. */
export function idTextOrBytes(value: unknown, name: string): bigint | string | Uint8Array {
  // Other threads may share the memory of the given bytes. A Buffer's slice is no copy.
  if (isUint8Array(value)) return new Uint8Array(value);
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'number') return idOrText(value, name);
  throw wrong(name, 'a bigint, text, or a Buffer or Uint8Array', value);
}

/** Reads text. */
export function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw wrong(name, 'a string', value);
}

/** Reads optional text. */
export const textIfGiven = ifGiven(text);

/** Reads `true` or `false`; absent is `false`. */
export function flag(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw wrong(name, 'true or false', value);
}

/** Reads an optional `true` or `false`. */
export const flagIfGiven = ifGiven(flag);

/** Reads bytes. A Buffer is a Uint8Array. */
export function bytes(value: unknown, name: string): Uint8Array {
  if (isUint8Array(value)) return value;
  throw wrong(name, 'a Buffer or Uint8Array', value);
}

/** Reads optional bytes. */
export const bytesIfGiven = ifGiven(bytes);

/** Reads the two ends of an optional range. */
export const pairIfGiven = ifGiven((value, name) => {
  if (!Array.isArray(value) || value.length !== 2) throw wrong(name, 'an array of two integers, [start, end)', value);
  return [integer(value[0], `${name}[0]`), integer(value[1], `${name}[1]`)];
});

/** Reads a list of values of one kind; absent is empty. */
export function listIfGiven<T>(value: unknown, name: string, wanted: string, each: (value: unknown, name: string) => T): T[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(name, wanted, value);
  return Array.from(value, (element: unknown, index) => each(element, `${name}[${index}]`));
}

/** Reads Unix milliseconds as an integer. There is another option for a Date. */
export function milliseconds(value: unknown, name: string): bigint {
  const number = exact(value, name, 'Unix milliseconds as a bigint, or a Date as time');
  return number ?? refuse(name, 'Unix milliseconds as an integer, or a Date as time', value);
}

/** Reads a Date as Unix milliseconds. */
export function date(value: unknown, name: string, wanted = 'a Date'): bigint {
  if (!isDate(value) || Number.isNaN(value.getTime())) throw wrong(name, wanted, value);
  return BigInt(value.getTime());
}

/** Reads a time, an integer or a Date, as Unix milliseconds. */
export function instant(value: unknown, name: string): bigint {
  const wanted = 'a Date, or Unix milliseconds as an integer';
  if (isDate(value)) return date(value, name, wanted);
  return exact(value, name, 'a Date, or Unix milliseconds as a bigint') ?? refuse(name, wanted, value);
}

/** Converts the named parts of a node for the native half. @internal */
export function nodeParts(value: unknown, name: string, wanted: string): { name: string; value: bigint }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name, wanted, value);
  return Object.entries(value).map(([part, number]) => ({ name: part, value: integer(number, `${name}.${part}`) }));
}

/** Returns the object without absent members. @internal */
export function present<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

/** Reads a number, whole or not. */
export function number(value: unknown, name: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw wrong(name, 'a number', value);
}

/** Reads an optional number. */
export const numberIfGiven = ifGiven(number);

/**
 * Checks that all properties of an object are known, so that a misspelt option is an error. The
 * error does not suggest those that are `refused` later, with a better message.
 */
export function options<T extends object>(
  value: T,
  name: string,
  known: readonly (keyof T & string)[],
  refused: readonly (keyof T & string)[] = [],
): T {
  const suggested = () => known.filter((key) => !refused.includes(key)).join(', ');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`the options object of ${name}`, `an object with any of ${suggested()}`, value);
  }
  for (const key of Object.keys(value)) {
    if (!(known as readonly string[]).includes(key)) {
      throw new SaibanTypeError(`${name} has no option ${JSON.stringify(key)}: give ${suggested()}`);
    }
  }
  return value;
}
