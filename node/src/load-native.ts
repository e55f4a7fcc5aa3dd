// Loads the native half: the package @saiban/<platform>, or the file saiban.<platform>.node in
// native/ beside dist/ (in a checkout), or beside a bundle. Where there is none, the package
// @saiban/wasm replaces it, if the user has installed it. It never replaces one that does not load:
// it may be there for pages, and a server's generators would have no machine scope.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { packagedLibrary } from '#packages';
import { PUBLISHED, platformNames } from './native-names.js';
import type * as Native from './native.js';

const PLATFORM = `${process.platform}-${process.arch}`;
const BUILD = 'run "npm install $(node/pack)" with node/pack of saiban\'s repository, which needs Rust';
const BUNDLED =
  'this program is a bundle that has no native library of saiban: tell the bundler that saiban is external ' +
  "(esbuild: --external:saiban; webpack: target: 'node', externalsType: 'commonjs', externals: [/^saiban\\b/]; " +
  "Rollup: external: [/^saiban\\b/]; Vite: ssr: { external: ['saiban'] }; " +
  "Next.js: serverExternalPackages: ['saiban']; ncc: --external saiban; " +
  "Bun: add @saiban/<platform> of the program's platform)";

function load(): typeof Native {
  const names = platformNames(process.platform, process.arch);
  for (const name of names) {
    const library = packagedLibrary(name);
    if (library !== undefined) return library as typeof Native;
  }
  // If this file is bundled into an ES module, there is no __dirname.
  if (typeof __dirname === 'undefined') {
    const wasm = packagedLibrary('wasm');
    if (wasm !== undefined) return warned(wasm);
    throw new Error(`${BUNDLED}; no other way works for a bundle that is an ES module`);
  }
  // A bundler may replace __dirname by a relative path.
  const here = resolve(__dirname);
  // Make a new require, because bundlers replace the one of this module.
  const require = createRequire(join(here, 'load-native.js'));
  const folders = [join(here, '..', 'native'), here];
  const files = folders.flatMap((folder) => names.map((name) => join(folder, `saiban.${name}.node`)));
  const failures: Error[] = [];
  for (const request of [...names.map((name) => `@saiban/${name}`), ...files.filter((file) => existsSync(file))]) {
    try {
      return require(request) as typeof Native;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') failures.push(error as Error);
    }
  }
  if (failures.length === 0) {
    try {
      return warned(packagedLibrary('wasm') ?? require('@saiban/wasm'));
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    }
    throw new Error(missing(here, names, folders));
  }
  throw new Error(
    `saiban's native library did not load on ${PLATFORM} (${failures.map(({ message }) => message).join('; ')}): ` +
      `install saiban on the system that it runs on, or ${BUILD}`,
    { cause: failures[0] },
  );
}

/** Returns the package @saiban/wasm, and warns of what it lacks. */
function warned(wasm: unknown): typeof Native {
  const lacks =
    'there are no leases, shared counters, state files or remote generators, and threads and processes that share a node ' +
    'can repeat IDs';
  process.emitWarning(`saiban runs as WebAssembly, because no native library is installed for ${PLATFORM}: ${lacks}`, {
    code: 'SAIBAN_WASM',
  });
  return wasm as typeof Native;
}

/** Returns why no library was found, and what to do. */
function missing(here: string, names: string[], folders: string[]): string {
  const packages = names.map((name) => `@saiban/${name}`).join(' or ');
  if (!isPackage(here)) {
    const files = names.map((name) => `saiban.${name}.node`).join(', ');
    return `${BUNDLED}, or copy the library of ${packages} beside the bundle (looked for ${files} in ${folders.join(' and ')})`;
  }
  const others = installed(here);
  const found = others.length === 0 ? 'none is installed' : `installed: ${others.join(', ')}`;
  if (!names.some((name) => PUBLISHED.includes(name))) {
    return (
      `saiban publishes no native library for ${PLATFORM} (looked for ${packages}; ${found}): run "npm install ` +
      `@saiban/wasm", which makes IDs as WebAssembly and has no leases, or ${BUILD}`
    );
  }
  return (
    `saiban found no native library for ${PLATFORM} (looked for ${packages}; ${found}): delete node_modules and ` +
    'the lock file, and run "npm install" with optional dependencies on the system that the program runs on, ' +
    `or ${BUILD}`
  );
}

/** Returns whether this file is in saiban's own package. */
function isPackage(here: string): boolean {
  try {
    const description = readFileSync(join(here, '..', 'package.json'), 'utf8');
    return (JSON.parse(description) as { name?: unknown }).name === 'saiban';
  } catch {
    return false;
  }
}

/** Returns saiban's installed packages with native libraries. */
function installed(here: string): string[] {
  try {
    return readdirSync(join(here, '..', '..', '@saiban')).map((name) => `@saiban/${name}`);
  } catch {
    return [];
  }
}

/** @internal */
export const native = load();
