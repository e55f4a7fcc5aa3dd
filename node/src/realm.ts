// Converts arrays of the native half, which are of Node's own realm, to this module's realm. The
// two differ under jest, vitest and node:vm: `instanceof` and deep equality refuse foreign arrays.

/** This array, or a copy of another realm's. @internal */
export function ownArray<T>(array: T[]): T[] {
  return array instanceof Array ? array : Array.from(array);
}

/** These bytes, or a copy of another realm's. @internal */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}

/** These numbers, or a copy of another realm's. @internal */
export function ownNumbers(numbers: BigInt64Array): BigInt64Array {
  return numbers instanceof BigInt64Array ? numbers : new BigInt64Array(numbers);
}
