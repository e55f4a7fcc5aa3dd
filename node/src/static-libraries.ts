// Replaces static-packages.ts for Bun, whose bundler puts a native library into its output only if
// it finds a `require` of the library's path. Other bundlers fail at such a `require`, because by
// default they do not read native libraries.

/** Returns the library for a platform, if its package is installed and it loads. @internal */
export function staticLibrary(name: string): unknown {
  try {
    switch (name) {
      case 'darwin-arm64':
        return require('@saiban/darwin-arm64/saiban.darwin-arm64.node');
      case 'darwin-x64':
        return require('@saiban/darwin-x64/saiban.darwin-x64.node');
      case 'linux-arm64-gnu':
        return require('@saiban/linux-arm64-gnu/saiban.linux-arm64-gnu.node');
      case 'linux-arm64-musl':
        return require('@saiban/linux-arm64-musl/saiban.linux-arm64-musl.node');
      case 'linux-x64-gnu':
        return require('@saiban/linux-x64-gnu/saiban.linux-x64-gnu.node');
      case 'linux-x64-musl':
        return require('@saiban/linux-x64-musl/saiban.linux-x64-musl.node');
      default:
        return undefined;
    }
  } catch {
    // load-native.ts reports why no library loads.
    return undefined;
  }
}
