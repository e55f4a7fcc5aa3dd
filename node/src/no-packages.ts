// Replaces packages.ts for webpack, which warns of each package that is not installed.

/** Returns no library. @internal */
export function packagedLibrary(_name: string): unknown {
  return undefined;
}
