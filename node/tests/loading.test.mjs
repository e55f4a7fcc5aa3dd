// How the package finds its native library, by napi's names on every platform and in bundles, and
// the message if none loads.

import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import vm from 'node:vm';
import { parseTriple, writeJsBinding } from '@napi-rs/cli';
import { install, output } from './installed.mjs';

/** Every platform, architecture and C library that napi's loader supports. */
const SYSTEMS = [
  ...['arm', 'arm64', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'].flatMap((arch) => [
    { platform: 'linux', arch, isMusl: false },
    { platform: 'linux', arch, isMusl: true },
  ]),
  ...['arm', 'arm64'].map((arch) => ({ platform: 'android', arch })),
  ...['arm64', 'x64'].map((arch) => ({ platform: 'darwin', arch })),
  ...['arm64', 'ppc64', 'x64'].map((arch) => ({ platform: 'freebsd', arch })),
  ...['arm', 'arm64', 'x64'].map((arch) => ({ platform: 'openharmony', arch })),
  ...['arm64', 'ia32', 'x64'].map((arch) => ({ platform: 'win32', arch })),
  // A Node built with MinGW.
  { platform: 'win32', arch: 'x64', variables: { shlib_suffix: 'dll.a' } },
];
/** The Rust targets of napi's tools, and Node's names for them. */
const TARGETS = {
  'aarch64-apple-darwin': ['darwin', 'arm64'],
  'aarch64-linux-android': ['android', 'arm64'],
  'aarch64-pc-windows-msvc': ['win32', 'arm64'],
  'aarch64-unknown-freebsd': ['freebsd', 'arm64'],
  'aarch64-unknown-linux-gnu': ['linux', 'arm64'],
  'aarch64-unknown-linux-musl': ['linux', 'arm64'],
  'aarch64-unknown-linux-ohos': ['openharmony', 'arm64'],
  'armv7-linux-androideabi': ['android', 'arm'],
  'armv7-unknown-linux-gnueabihf': ['linux', 'arm'],
  'armv7-unknown-linux-musleabihf': ['linux', 'arm'],
  'i686-pc-windows-msvc': ['win32', 'ia32'],
  'loongarch64-unknown-linux-gnu': ['linux', 'loong64'],
  'powerpc64le-unknown-freebsd': ['freebsd', 'ppc64'],
  'powerpc64le-unknown-linux-gnu': ['linux', 'ppc64'],
  'riscv64gc-unknown-linux-gnu': ['linux', 'riscv64'],
  's390x-unknown-linux-gnu': ['linux', 's390x'],
  'universal-apple-darwin': ['darwin', 'x64'],
  'x86_64-apple-darwin': ['darwin', 'x64'],
  'x86_64-pc-windows-gnu': ['win32', 'x64'],
  'x86_64-pc-windows-msvc': ['win32', 'x64'],
  'x86_64-unknown-freebsd': ['freebsd', 'x64'],
  'x86_64-unknown-linux-gnu': ['linux', 'x64'],
  'x86_64-unknown-linux-musl': ['linux', 'x64'],
  'x86_64-unknown-linux-ohos': ['openharmony', 'x64'],
};
const HERE = `${process.platform}-${process.arch}`;
const esbuild = createRequire(join(process.env.SAIBAN_NODE_BUNDLERS, 'bundlers.cjs'))('esbuild');

const folder = mkdtempSync(join(tmpdir(), 'saiban-loading-'));
const packages = join(folder, 'node_modules/@saiban');
/** The package with the library of this platform, outside `packages`. */
const saved = join(folder, 'saved');
let platformName;
let libraryName;
/** The published platforms. */
const PUBLISHED = JSON.parse(readFileSync(new URL('../platforms.json', import.meta.url), 'utf8')).map(({ name }) => name);

/** Installs the library of this platform as the package of another. */
function installAs(name) {
  const path = join(packages, name);
  mkdirSync(path, { recursive: true });
  const code = readFileSync(join(saved, 'index.js'), 'utf8').replaceAll(platformName, name);
  writeFileSync(join(path, 'index.js'), code);
  linkSync(join(saved, libraryName), join(path, `saiban.${name}.node`));
}

/** Returns the loader that napi generates for packages. */
async function napiLoader() {
  const binding = {
    platform: true,
    commonjs: true,
    binaryName: 'saiban',
    packageName: 'saiban',
    version: '',
    idents: ['x'],
  };
  await writeJsBinding({ ...binding, outputDir: folder, jsBinding: 'loader.js' });
  const source = readFileSync(join(folder, 'loader.js'), 'utf8');
  return vm.runInThisContext(`(function (require, module, exports, process) { ${source}\n})`);
}

/** Returns the platforms whose libraries napi's loader looks for on this system. */
function napiNames(loader, { platform, arch, isMusl = false, variables = {} }) {
  const names = [];
  const report = isMusl
    ? { header: {}, sharedObjects: ['ld-musl-x86_64.so.1'] }
    : { header: { glibcVersionRuntime: '2.36' } };
  const system = {
    platform,
    arch,
    env: {},
    versions: {},
    config: { variables },
    report: { getReport: () => report },
  };
  const missing = (name) => {
    const [, platform] = name.match(/^\.\/saiban\.(.*)\.node$/) ?? [];
    if (platform !== undefined) names.push(platform);
    throw new Error(`no ${name}`);
  };
  const required = (name) => (name === 'fs' ? { readFileSync: missing } : missing(name));
  assert.throws(() => loader(required, { exports: {} }, {}, system));
  return names;
}

/**
 * Loads a program on each of these platforms, by changing the process's platform. Returns `loaded`
 * or the error message for each.
 */
function loadingOn(program, systems) {
  const code = `for (const [platform, arch] of ${JSON.stringify(systems)}) {
    Object.defineProperty(process, 'platform', { value: platform, configurable: true });
    Object.defineProperty(process, 'arch', { value: arch, configurable: true });
    for (const path of Object.keys(require.cache)) delete require.cache[path];
    try {
      require(${JSON.stringify(program)});
      console.log('loaded');
    } catch (error) {
      console.log(error.message);
    }
  }`;
  return output(folder, process.execPath, ['--eval', code]).split('\n').slice(0, -1);
}

/** Loads a program on this platform. */
const loading = (program) => loadingOn(program, [[process.platform, process.arch]]).join('\n');
function importing(program) {
  const code = `try {
    await import(${JSON.stringify(program)});
    console.log('loaded');
  } catch (error) {
    console.log(error.message);
  }`;
  return output(folder, process.execPath, ['--input-type=module', '--eval', code]).trimEnd();
}

/** Bundles a program that imports saiban into this file of the project; returns its path. */
function bundle(file, options = {}) {
  const outfile = join(folder, file);
  esbuild.buildSync({
    entryPoints: [join(folder, 'program.js')],
    bundle: true,
    platform: 'node',
    outfile,
    ...options,
  });
  return outfile;
}

describe('the native library', () => {
  before(() => {
    install(folder);
    [platformName] = readdirSync(packages);
    libraryName = `saiban.${platformName}.node`;
    renameSync(join(packages, platformName), saved);
    writeFileSync(
      join(folder, 'program.js'),
      "import { Snowflake } from 'saiban';\nconsole.log(typeof new Snowflake({ node: 1 }));\n",
    );
  });

  beforeEach(() => {
    rmSync(packages, { recursive: true, force: true });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  test("is looked for by the names that napi's loader has, on every platform", async (context) => {
    const loader = await napiLoader();
    const messages = loadingOn(
      'saiban',
      SYSTEMS.map(({ platform, arch }) => [platform, arch]),
    );
    for (const [index, system] of SYSTEMS.entries()) {
      for (const name of napiNames(loader, system)) {
        await context.test(`${name} on ${system.platform}-${system.arch}`, () => {
          assert.ok(messages[index].includes(`@saiban/${name}`), `${name} is not in: ${messages[index]}`);
        });
      }
    }
  });

  test('has a `require` of each published package', () => {
    const code = readFileSync(join(folder, 'node_modules/saiban/dist/packages.js'), 'utf8');
    const cases = [...code.matchAll(/case '(.*)':\n +return require\('@saiban\/(.*)'\);\n/g)];
    assert.deepEqual(cases.map(([, name, required]) => [name, required]), [...PUBLISHED, 'wasm'].map((name) => [name, name]));
    const { PUBLISHED: known } = createRequire(join(folder, 'x'))(join(folder, 'node_modules/saiban/dist/native-names.js'));
    assert.deepEqual(known, PUBLISHED);
  });

  test('is looked for by the names that builds have', async (context) => {
    const messages = loadingOn('saiban', Object.values(TARGETS));
    for (const [index, target] of Object.keys(TARGETS).entries()) {
      const name = parseTriple(target).platformArchABI;
      await context.test(`${name}, for ${target}`, () =>
        assert.ok(messages[index].includes(`@saiban/${name}`), messages[index]),
      );
    }
  });

  for (const name of [...PUBLISHED, 'linux-arm-gnueabihf', 'linux-arm-musleabihf', 'freebsd-x64']) {
    test(`is loaded from @saiban/${name}`, () => {
      installAs(name);
      assert.deepEqual(loadingOn('saiban', [name.split('-').slice(0, 2)]), ['loaded']);
    });
  }

  test('of musl is loaded where that of glibc does not load', () => {
    installAs('linux-x64-gnu');
    rmSync(join(packages, 'linux-x64-gnu/saiban.linux-x64-gnu.node'));
    writeFileSync(join(packages, 'linux-x64-gnu/saiban.linux-x64-gnu.node'), 'no library');
    installAs('linux-x64-musl');
    assert.deepEqual(loadingOn('saiban', [['linux', 'x64']]), ['loaded']);
  });

  test('of another platform: the message names the package that is missing, and those installed', () => {
    installAs('darwin-arm64');
    const [linux, windows] = loadingOn('saiban', [['linux', 'x64'], ['win32', 'arm64']]);
    const found = 'installed: @saiban/darwin-arm64';
    const ofLinux = `(looked for @saiban/linux-x64-gnu or @saiban/linux-x64-musl; ${found}): delete node_modules`;
    assert.ok(linux.startsWith(`saiban found no native library for linux-x64 ${ofLinux}`), linux);
    const ofWindows = `(looked for @saiban/win32-arm64-msvc or @saiban/win32-arm64-gnu; ${found}): run "npm install`;
    assert.ok(windows.startsWith(`saiban publishes no native library for win32-arm64 ${ofWindows}`), windows);
  });

  // node/wasm tests the package itself.
  test('that is missing is replaced by @saiban/wasm, if that is installed', () => {
    installAs('darwin-arm64');
    installAs('wasm');
    assert.deepEqual(loadingOn('saiban', [['linux', 'x64'], ['win32', 'arm64']]), ['loaded', 'loaded']);
  });

  test('that is missing: the message reports that none is installed', () => {
    assert.match(loading('saiban'), /^saiban found no native library for .* \(looked for @saiban\/.*; none is installed\): delete node_modules /);
  });

  test("that does not load: the message holds the file and the system's own words", () => {
    installAs(platformName);
    // It is no replacement for a library that is there: it may be installed for pages.
    installAs('wasm');
    const path = join(packages, platformName, libraryName);
    rmSync(path);
    writeFileSync(path, 'no library');
    const message = loading('saiban');
    assert.ok(
      message.startsWith(`saiban's native library did not load on ${HERE} (${path}: `),
      message,
    );
    assert.match(
      message,
      /(?:file too short|invalid ELF header|not a mach-o|not a valid Win32).*install saiban/,
    );
    assert.doesNotMatch(message, /external|looked for/);
  });

  test('a bundle without it: the message names the option of bundlers and the folders', () => {
    installAs(platformName);
    const program = bundle('dist/program.cjs');
    rmSync(packages, { recursive: true });
    const message = loading(program);
    assert.match(
      message,
      /^this program is a bundle .* external \(esbuild: --external:saiban; .*\), or copy/,
    );
    assert.ok(message.includes(`(looked for ${libraryName}`), message);
    assert.ok(
      message.endsWith(` in ${join(folder, 'native')} and ${join(folder, 'dist')})`),
      message,
    );
    assert.doesNotMatch(message, /install/);
  });

  test('a bundle loads the library of an installed package', () => {
    installAs(platformName);
    assert.equal(loading(bundle('dist/program.cjs')), 'object\nloaded');
  });

  for (const place of ['native', 'dist']) {
    test(`a bundle with the library in ${place}/ loads it`, () => {
      const program = bundle('dist/program.cjs');
      mkdirSync(join(folder, place), { recursive: true });
      linkSync(join(saved, libraryName), join(folder, place, libraryName));
      assert.equal(loading(program), 'object\nloaded');
      rmSync(join(folder, place, libraryName));
    });
  }

  test('a bundle that is an ES module: the message reports that saiban must be external', () => {
    installAs(platformName);
    const require =
      "import { createRequire } from 'node:module';" +
      'const require = createRequire(import.meta.url);';
    const message = importing(
      bundle('dist/program.mjs', { format: 'esm', banner: { js: require } }),
    );
    assert.match(
      message,
      /^this program is a bundle .*; no other way works for a bundle that is an ES module$/,
    );
  });

  test('a bundle in which saiban is external loads it', () => {
    installAs(platformName);
    assert.equal(loading(bundle('dist/program.cjs', { external: ['saiban'] })), 'object\nloaded');
    assert.equal(
      importing(bundle('dist/program.mjs', { format: 'esm', external: ['saiban'] })),
      'object\nloaded',
    );
  });
});
