// Loads the native half: native/saiban.<platform>.node beside dist/, or the file beside a bundle.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { staticLibrary } from '#static-libraries';
import { libraryNames } from './native-names.js';
import type * as Native from './native.js';

const PLATFORM = `${process.platform}-${process.arch}`;
const BUILD = 'build a package with "npm pack" in the folder node/ of saiban\'s repository';
const BUNDLED =
  'this program is a bundle that has no native library of saiban: tell the bundler that saiban is external ' +
  "(esbuild: --external:saiban; webpack: target: 'node', externalsType: 'commonjs', externals: [/^saiban\\b/]; " +
  "Rollup: external: [/^saiban\\b/]; Vite: ssr: { external: ['saiban'] }; " +
  "Next.js: serverExternalPackages: ['saiban']; ncc: --external saiban; " +
  "Bun: build with saiban's package for the program's platform)";

function load(): typeof Native {
  const names = libraryNames(process.platform, process.arch);
  for (const name of names) {
    const library = staticLibrary(name);
    if (library !== undefined) return library as typeof Native;
  }
  // If this file is bundled into an ES module, there is no __dirname.
  if (typeof __dirname === 'undefined') {
    throw new Error(`${BUNDLED}; no other way works for a bundle that is an ES module`);
  }
  // A bundler may replace __dirname by a relative path.
  const here = resolve(__dirname);
  const folders = [join(here, '..', 'native'), here];
  const paths = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((path) => existsSync(path));
  if (paths.length === 0) {
    throw new Error(missing(`looked for ${names.join(', ')} in ${folders.join(' and ')}`));
  }
  // Make a new require, because bundlers replace the one of this module.
  const require = createRequire(join(here, 'load-native.js'));
  const failures: { path: string; reason: unknown }[] = [];
  for (const path of paths) {
    try {
      return require(path) as typeof Native;
    } catch (reason) {
      failures.push({ path, reason });
    }
  }
  const reasons = failures.map(({ path, reason }) => `${path}: ${(reason as Error).message}`);
  throw new Error(
    `saiban's native library did not load on ${PLATFORM} (${reasons.join('; ')}): ` +
      `install a package that was built for this system, or ${BUILD}`,
    { cause: failures[0]?.reason },
  );
}

/** Returns why no library was found, and what to do. */
function missing(looked: string): string {
  if (!isPackage()) {
    return `${BUNDLED}, or copy the file in saiban's folder native/ beside the bundle (${looked})`;
  }
  const libraries = held();
  const holds = libraries.length === 0 ? 'no native library' : `only ${libraries.join(', ')}`;
  return (
    `saiban has no native library for ${PLATFORM}: its package holds ${holds} (${looked}): ` +
    `install saiban on the platform that it runs on, or ${BUILD}`
  );
}

/** Returns whether this file is in saiban's own package. */
function isPackage(): boolean {
  try {
    const description = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
    return (JSON.parse(description) as { name?: unknown }).name === 'saiban';
  } catch {
    return false;
  }
}

/** Returns the native libraries of the package. */
function held(): string[] {
  try {
    return readdirSync(join(__dirname, '..', 'native')).filter((name) => name.endsWith('.node'));
  } catch {
    return [];
  }
}

/** @internal */
export const native = load();
