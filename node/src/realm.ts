// Converts arrays of the native half, which are of Node's own realm, to this module's realm. The
// two differ under jest, vitest and node:vm: `instanceof` and deep equality refuse foreign arrays.

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
