// Packs saiban, a package for each native library in LIBRARIES, and that of LIBRARIES/wasm if it is
// there, and prints their paths:
//
//   node scripts/packages.mjs FOLDER LIBRARIES [--registry]
//
// With --registry, saiban depends on the packages in the registry. Without it, it depends on the
// packed files, so that one `npm install` of a checkout's package installs both.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, from, registry] = process.argv.slice(2);
const here = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => JSON.parse(readFileSync(join(here, file), 'utf8'));
const { scripts, devDependencies, overrides, napi, ...common } = read('package.json');
const licences = ['LICENSE-MIT', 'LICENSE-APACHE'];

/** Packs a folder with this description and these files; returns the tarball's path. */
function pack(description, files) {
  const stage = join(folder, 'stage');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  for (const licence of licences) copyFileSync(join(here, '..', licence), join(stage, licence));
  for (const [name, write] of Object.entries(files)) write(join(stage, name));
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage }));
  rmSync(stage, { recursive: true });
  return join(folder, packed.filename);
}

/** Packs the native library of a platform. */
function packPlatform(name) {
  const [os, cpu, abi] = name.split('-');
  const library = `saiban.${name}.node`;
  const libc = os === 'linux' ? [abi.startsWith('musl') ? 'musl' : 'glibc'] : undefined;
  const load = [
    `// Loads saiban's native library for ${name}. Bundlers fail at a \`require\` of its path.`,
    "'use strict';",
    "const { createRequire } = require('node:module');",
    "const { join, resolve } = require('node:path');",
    `module.exports = createRequire(join(resolve(__dirname), 'index.js'))(join(resolve(__dirname), '${library}'));`,
    '',
  ];
  const { version, license, repository, engines } = common;
  const description = {
    name: `@saiban/${name}`,
    version,
    description: `The native library of saiban for ${name}`,
    license,
    repository,
    engines,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc }),
    // Bun's bundler puts a native library into its output only if it is what a `require` finds.
    exports: { '.': { bun: `./${library}`, default: './index.js' }, './package.json': './package.json' },
    files: ['index.js', library, 'LICENSE-*'],
  };
  return pack(description, {
    'index.js': (path) => writeFileSync(path, load.join('\n')),
    'README.md': (path) => writeFileSync(path, `# @saiban/${name}\n\nThe native library of [saiban](https://www.npmjs.com/package/saiban) for ${name}. Install \`saiban\`.\n`),
    [library]: (path) => copyFileSync(join(from, library), path),
  });
}

/** Packs WebAssembly, which replaces the native library. */
function packWasm() {
  const { version, license, repository, engines } = common;
  const description = {
    name: '@saiban/wasm',
    version,
    description: 'saiban as WebAssembly, for browsers and for systems without a native library',
    license,
    repository,
    engines,
    exports: { '.': './index.js', './package.json': './package.json' },
    files: ['index.js', 'LICENSE-*'],
  };
  const copied = (file) => ({ [file]: (path) => copyFileSync(join(from, 'wasm', file), path) });
  return pack(description, {
    ...copied('index.js'),
    ...copied('LICENSE-emnapi'),
    'README.md': (path) => copyFileSync(join(here, 'wasm/README.md'), path),
  });
}

const libraries = readdirSync(from).filter((file) => file.endsWith('.node'));
const names = libraries.map((file) => file.slice('saiban.'.length, -'.node'.length));
const packages = Object.fromEntries(names.map((name) => [name, packPlatform(name)]));
const optionalDependencies = registry
  ? read('platforms.json').map(({ name }) => [`@saiban/${name}`, common.version])
  : Object.entries(packages).map(([name, path]) => [`@saiban/${name}`, `file:${path}`]);
const description = {
  ...common,
  optionalDependencies: Object.fromEntries(optionalDependencies),
  peerDependencies: { ...common.peerDependencies, '@saiban/wasm': common.version },
  peerDependenciesMeta: { ...common.peerDependenciesMeta, '@saiban/wasm': { optional: true } },
};
const main = pack(description, {
  'README.md': (path) => copyFileSync(join(here, 'README.md'), path),
  dist: (path) => cpSync(join(here, 'dist'), path, { recursive: true }),
});
const wasm = existsSync(join(from, 'wasm')) ? [packWasm()] : [];
console.log([main, ...Object.values(packages), ...wasm].join('\n'));
