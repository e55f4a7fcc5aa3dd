// A `require` of each published package with a native library, for tools that copy what a program
// needs, such as Next.js's, and for Bun's bundler. package.json chooses between this file and
// no-packages.ts ("imports").

/** Returns the library for a platform, if its package is installed and it loads. @internal */
export function packagedLibrary(name: string): unknown {
  try {
    switch (name) {
      case 'darwin-arm64':
        return require('@saiban/darwin-arm64');
      case 'darwin-x64':
        return require('@saiban/darwin-x64');
      case 'linux-arm64-gnu':
        return require('@saiban/linux-arm64-gnu');
      case 'linux-arm64-musl':
        return require('@saiban/linux-arm64-musl');
      case 'linux-x64-gnu':
        return require('@saiban/linux-x64-gnu');
      case 'linux-x64-musl':
        return require('@saiban/linux-x64-musl');
      case 'win32-x64-gnu':
        return require('@saiban/win32-x64-gnu');
      case 'wasm':
        return require('@saiban/wasm');
      default:
        return undefined;
    }
  } catch {
    // load-native.ts reports why no library loads.
    return undefined;
  }
}
