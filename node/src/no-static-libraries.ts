// Replaces static-packages.ts for webpack, which warns of each package that is not installed.

/** Returns no library. @internal */
export function staticLibrary(_name: string): unknown {
  return undefined;
}
