// The stub of static-libraries.ts, for every runtime and bundler except Bun.

/** Returns no library. @internal */
export function staticLibrary(_name: string): unknown {
  return undefined;
}
