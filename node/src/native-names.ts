// The names of platforms, as in the package @saiban/<platform> and in its library
// saiban.<platform>.node: those of napi's tools.

/** The platforms whose packages are published. @internal */
export const PUBLISHED: readonly string[] = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'linux-x64-gnu',
  'linux-x64-musl',
  'win32-x64-gnu',
];

/**
 * The suffixes of `<system>-<architecture>` in the name, the likeliest first. An entry for an
 * architecture replaces that for its system; without either there is no suffix.
 */
const ABIS: Readonly<Record<string, readonly string[]>> = {
  linux: ['-gnu', '-musl'],
  'linux-arm': ['-gnueabihf', '-musleabihf'],
  'android-arm': ['-eabi'],
  win32: ['-msvc', '-gnu'],
};

/** Returns the names of the platform that a process can be on. @internal */
export function platformNames(system: string, architecture: string): string[] {
  const both = `${system}-${architecture}`;
  const names = (ABIS[both] ?? ABIS[system] ?? ['']).map((abi) => `${both}${abi}`);
  // A library for both of macOS's architectures comes before that for one.
  if (system === 'darwin') names.unshift('darwin-universal');
  return names;
}
