// The packed package in programs that the real bundlers build: with the documented setting the
// program makes an ID, without it the program's error names the setting. README.md has the table;
// tests/next tests Next.js.

import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { EXPRESSION, IMPORTS, SETTINGS } from './bundler-settings.mjs';
import { install, output, run } from './installed.mjs';

const bundlers = process.env.SAIBAN_NODE_BUNDLERS;
assert.ok(bundlers, 'SAIBAN_NODE_BUNDLERS must name the folder of the bundlers: run ./test');
const require = createRequire(join(bundlers, 'bundlers.cjs'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

let folder;
const out = (name) => join(folder, 'dist', name);
const setting = (name) => new Function(`return {${SETTINGS[name]}}`)();

/** Builds the program, with the table's setting or without it; returns the path of the output. */
const BUILDS = {
  async esbuild(isDocumented) {
    const { default: esbuild } = await load('esbuild');
    const outfile = out(`esbuild-${isDocumented}.cjs`);
    const external = isDocumented ? [SETTINGS.esbuild.replace(/^--external:/, '')] : [];
    esbuild.buildSync({ entryPoints: [join(folder, 'program.mjs')], bundle: true, platform: 'node', outfile, external, logLevel: 'error' });
    return outfile;
  },

  async webpack(isDocumented) {
    const { default: webpack } = await load('webpack');
    const given = { target: 'node', ...(isDocumented ? setting('webpack') : {}) };
    const filename = `webpack-${isDocumented}.cjs`;
    const compiler = webpack({ mode: 'development', devtool: false, context: folder, entry: './program.mjs', output: { path: out(''), filename }, ...given });
    const stats = await new Promise((resolve, reject) => compiler.run((error, made) => (error ? reject(error) : resolve(made))));
    assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }), { errors: [], warnings: [] });
    return join(out(''), filename);
  },

  async Rollup(isDocumented) {
    const [{ rollup }, resolve, commonjs] = await Promise.all(['rollup', '@rollup/plugin-node-resolve', '@rollup/plugin-commonjs'].map(load));
    const plugins = [resolve.default(), commonjs.default()];
    const bundle = await rollup({ input: join(folder, 'program.mjs'), plugins, ...(isDocumented ? setting('Rollup') : {}) });
    const file = out(`rollup-${isDocumented}.mjs`);
    await bundle.write({ file, format: 'es' });
    return file;
  },

  async Vite(isDocumented) {
    const { build } = await load('vite');
    const ssr = { noExternal: true, ...(isDocumented ? setting('Vite').ssr : {}) };
    const outDir = out(`vite-${isDocumented}`);
    await build({ configFile: false, logLevel: 'error', root: folder, ssr, build: { ssr: 'program.mjs', outDir } });
    return join(outDir, 'program.mjs');
  },

  ncc(isDocumented) {
    const to = out(`ncc-${isDocumented}`);
    const external = isDocumented ? SETTINGS.ncc.split(' ') : [];
    output(folder, process.execPath, [require.resolve('@vercel/ncc/dist/ncc/cli.js'), 'build', 'program.mjs', '--out', to, ...external]);
    return join(to, 'index.mjs');
  },
};

/** Bun's program, from the registry: a package for each platform. */
const bun = () => {
  const arch = { arm64: 'aarch64', x64: 'x64-baseline' }[process.arch];
  return require.resolve(`@oven/bun-${process.platform}-${arch}/bin/bun`);
};

/** Compiles the program to an executable with Bun, and runs it without the installed packages. */
function compiled() {
  const program = out('bun');
  output(folder, bun(), ['build', 'program.mjs', ...SETTINGS.Bun.split(' ').slice(2), '--outfile', program]);
  return runAlone(program, []);
}

/** Runs a program where no package is installed. */
function runAlone(program, args) {
  const [installed, moved] = ['node_modules', 'moved'].map((name) => join(folder, name));
  renameSync(installed, moved);
  try {
    return run(folder, program, args);
  } finally {
    renameSync(moved, installed);
  }
}

describe('a program of', () => {
  before(() => {
    // In the bundlers' folder, so that Rollup's plugins are found as usual.
    folder = mkdtempSync(join(bundlers, 'program-'));
    install(folder);
    writeFileSync(join(folder, 'program.mjs'), `${IMPORTS}console.log(${EXPRESSION});\n`);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('each bundler of the table has a test', () => {
    assert.deepEqual(Object.keys(SETTINGS).toSorted(), [...Object.keys(BUILDS), 'Bun', 'Next.js'].toSorted());
  });

  for (const [name, build] of Object.entries(BUILDS)) {
    test(`${name} makes an ID with the setting ${SETTINGS[name]}`, async () => {
      assert.equal(output(folder, process.execPath, [await build(true)]), 'bigint\n');
    });

    test(`${name} without the setting fails with an error that names it, if no package is installed`, async () => {
      const { status, stderr } = runAlone(process.execPath, [await build(false)]);
      assert.equal(status, 1);
      const [message] = stderr.match(/^Error: .*$/m);
      assert.match(message, /^Error: this program is a bundle that has no native library of saiban: /);
      const hint = `${name}: ${name === 'ncc' ? '--external saiban' : SETTINGS[name]}`;
      assert.ok(message.includes(hint), `${hint} is not in: ${message}`);
    });
  }

  test(`Bun contains the native library: ${SETTINGS.Bun}`, () => {
    const { stdout, stderr } = compiled();
    assert.equal(stdout, 'bigint\n', stderr);
  });

  test('Bun without a library for the platform fails with an error that says what to do', () => {
    rmSync(join(folder, 'node_modules/@saiban'), { recursive: true });
    const { status, stderr } = compiled();
    assert.equal(status, 1);
    const hint = "Bun: add @saiban/<platform> of the program's platform";
    assert.match(stderr, new RegExp(`this program is a bundle that has no native library of saiban: .*; ${hint}`));
  });
});
