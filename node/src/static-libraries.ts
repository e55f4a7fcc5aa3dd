// For Bun, whose bundler puts a native library into its output only if it finds a `require` of the
// library's path. Other bundlers fail at such a `require`, because by default they do not read
// native libraries. package.json chooses between this file and no-static-libraries.ts ("imports").

/** Returns the native library of this file name, if there is one and it loads. @internal */
export function staticLibrary(name: string): unknown {
  try {
    switch (name) {
      case 'saiban.linux-arm-gnueabihf.node':
        return require('../native/saiban.linux-arm-gnueabihf.node');
      case 'saiban.linux-arm-musleabihf.node':
        return require('../native/saiban.linux-arm-musleabihf.node');
      case 'saiban.linux-arm64-gnu.node':
        return require('../native/saiban.linux-arm64-gnu.node');
      case 'saiban.linux-arm64-musl.node':
        return require('../native/saiban.linux-arm64-musl.node');
      case 'saiban.linux-loong64-gnu.node':
        return require('../native/saiban.linux-loong64-gnu.node');
      case 'saiban.linux-loong64-musl.node':
        return require('../native/saiban.linux-loong64-musl.node');
      case 'saiban.linux-ppc64-gnu.node':
        return require('../native/saiban.linux-ppc64-gnu.node');
      case 'saiban.linux-ppc64-musl.node':
        return require('../native/saiban.linux-ppc64-musl.node');
      case 'saiban.linux-riscv64-gnu.node':
        return require('../native/saiban.linux-riscv64-gnu.node');
      case 'saiban.linux-riscv64-musl.node':
        return require('../native/saiban.linux-riscv64-musl.node');
      case 'saiban.linux-s390x-gnu.node':
        return require('../native/saiban.linux-s390x-gnu.node');
      case 'saiban.linux-s390x-musl.node':
        return require('../native/saiban.linux-s390x-musl.node');
      case 'saiban.linux-x64-gnu.node':
        return require('../native/saiban.linux-x64-gnu.node');
      case 'saiban.linux-x64-musl.node':
        return require('../native/saiban.linux-x64-musl.node');
      case 'saiban.android-arm-eabi.node':
        return require('../native/saiban.android-arm-eabi.node');
      case 'saiban.android-arm64.node':
        return require('../native/saiban.android-arm64.node');
      case 'saiban.darwin-universal.node':
        return require('../native/saiban.darwin-universal.node');
      case 'saiban.darwin-arm64.node':
        return require('../native/saiban.darwin-arm64.node');
      case 'saiban.darwin-x64.node':
        return require('../native/saiban.darwin-x64.node');
      case 'saiban.freebsd-arm64.node':
        return require('../native/saiban.freebsd-arm64.node');
      case 'saiban.freebsd-ppc64.node':
        return require('../native/saiban.freebsd-ppc64.node');
      case 'saiban.freebsd-x64.node':
        return require('../native/saiban.freebsd-x64.node');
      case 'saiban.openharmony-arm.node':
        return require('../native/saiban.openharmony-arm.node');
      case 'saiban.openharmony-arm64.node':
        return require('../native/saiban.openharmony-arm64.node');
      case 'saiban.openharmony-x64.node':
        return require('../native/saiban.openharmony-x64.node');
      case 'saiban.win32-arm64-msvc.node':
        return require('../native/saiban.win32-arm64-msvc.node');
      case 'saiban.win32-arm64-gnu.node':
        return require('../native/saiban.win32-arm64-gnu.node');
      case 'saiban.win32-ia32-msvc.node':
        return require('../native/saiban.win32-ia32-msvc.node');
      case 'saiban.win32-ia32-gnu.node':
        return require('../native/saiban.win32-ia32-gnu.node');
      case 'saiban.win32-x64-msvc.node':
        return require('../native/saiban.win32-x64-msvc.node');
      case 'saiban.win32-x64-gnu.node':
        return require('../native/saiban.win32-x64-gnu.node');
      default:
        return undefined;
    }
  } catch {
    // load-native.ts reports why no library loads.
    return undefined;
  }
}
