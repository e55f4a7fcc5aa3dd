// For all except Bun; see static-libraries.ts.

/** Returns no library. @internal */
export function staticLibrary(_name: string): unknown {
  return undefined;
}
