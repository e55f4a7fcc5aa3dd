// The file name of the native library on each platform, as napi's tools write it and their loader
// reads it.

/**
 * The suffixes of `<platform>-<architecture>` in the name, the likeliest first. An entry for an
 * architecture replaces that for its platform; without either there is no suffix.
 */
const ABIS: Readonly<Record<string, readonly string[]>> = {
  linux: ['-gnu', '-musl'],
  'linux-arm': ['-gnueabihf', '-musleabihf'],
  'android-arm': ['-eabi'],
  win32: ['-msvc', '-gnu'],
};

/** Returns the file names of the libraries for a platform and an architecture. @internal */
export function libraryNames(platform: string, architecture: string): string[] {
  const system = `${platform}-${architecture}`;
  const names = (ABIS[system] ?? ABIS[platform] ?? ['']).map((abi) => `${system}${abi}`);
  // A library for both of macOS's architectures comes before that for one.
  if (platform === 'darwin') names.unshift('darwin-universal');
  return names.map((name) => `saiban.${name}.node`);
}
