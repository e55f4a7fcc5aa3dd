// Finds the native half: native/saiban.<platform>-<architecture>[-<C library>].node, beside dist/.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Native from './native.js';

const LIBRARIES: Partial<Record<NodeJS.Platform, readonly string[]>> = { linux: ['-gnu', '-musl'], win32: ['-msvc'] };

function load(): typeof Native {
  const platform = `${process.platform}-${process.arch}`;
  const names = (LIBRARIES[process.platform] ?? ['']).map((library) => `saiban.${platform}${library}.node`);
  const found = names.map((name) => join(__dirname, '..', 'native', name)).filter((path) => existsSync(path));
  let reason: unknown;
  for (const path of found) {
    try {
      return require(path) as typeof Native;
    } catch (error) {
      reason = error;
    }
  }
  throw new Error(
    `saiban has no native library that works on ${platform} (looked for ${names.join(', ')}): ` +
      'install a package that was built on this platform, or build one with "npm pack" in saiban\'s folder node/',
    { cause: reason },
  );
}

/** @internal */
export const native = load();
