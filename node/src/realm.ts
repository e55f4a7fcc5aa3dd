// Values of another realm. Under jest, vitest and node:vm, the native half and its arrays are of
// Node's own realm, and this module and its callers of others: `instanceof` and deep equality
// refuse foreign values. Browsers have frames, and no node:util that recognises types.

/** Returns this array, or a copy if it is of another realm. @internal */
export function ownArray<T>(array: T[]): T[] {
  return array instanceof Array ? array : Array.from(array);
}

/** Returns these bytes, or a copy if they are of another realm. @internal */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}

/** Returns these numbers, or a copy if they are of another realm. @internal */
export function ownNumbers(numbers: BigInt64Array): BigInt64Array {
  return numbers instanceof BigInt64Array ? numbers : new BigInt64Array(numbers);
}

/** Returns the name of a typed array's class, in any realm; `undefined` for another value. */
const typedArrayClass = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
  ?.get as (this: unknown) => string | undefined;

/** Returns whether a value is bytes. A Buffer is. @internal */
export function isUint8Array(value: unknown): value is Uint8Array {
  return typedArrayClass.call(value) === 'Uint8Array';
}

/** Returns whether a value is an array of 64-bit integers. @internal */
export function isBigInt64Array(value: unknown): value is BigInt64Array {
  return typedArrayClass.call(value) === 'BigInt64Array';
}

/** The real method, read before a test can replace it. */
const { getTime } = Date.prototype;

/** Returns whether a value is a date, valid or not. @internal */
export function isDate(value: unknown): value is Date {
  if (!(value instanceof Date) && Object.prototype.toString.call(value) !== '[object Date]') return false;
  try {
    getTime.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether other threads may share this memory. @internal */
export function isShared(memory: ArrayBufferLike): boolean {
  return !(memory instanceof ArrayBuffer) && Object.prototype.toString.call(memory) === '[object SharedArrayBuffer]';
}

/** Returns whether a value is an error. @internal */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** Returns bytes as lower-case hexadecimal digits. @internal */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the bytes of pairs of hexadecimal digits. @internal */
export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
