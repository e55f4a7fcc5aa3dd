// The packed package, installed in an empty folder as a user would: import, require, types, the
// command, and every example of the documentation. SAIBAN_TARBALL names the tarball, which ./test
// packs.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documented, usesFramework } from './examples.mjs';
import * as installed from './installed.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The subpaths of the package, without the main one. */
const HELPERS = Object.keys(JSON.parse(readFileSync(here('../package.json'), 'utf8')).exports)
  .map((path) => path.slice('./'.length))
  .filter((path) => path !== '' && path !== 'package.json');
let folder;
const run = (command, args) => installed.run(folder, command, args);
const output = (command, args) => installed.output(folder, command, args);

// frameworks.test.mjs runs the examples that use a framework.
const examples = documented.filter((example) => !usesFramework(example));

describe('the package', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'saiban-consumer-'));
    installed.install(folder);
    cpSync(here('consumer'), folder, { recursive: true });
    for (const { name, code } of examples) writeFileSync(join(folder, `${name}.mts`), `${code}\nexport {};\n`);
    // Uses the compiler and Node's types of this package; users install their own.
    const config = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'));
    config.compilerOptions.typeRoots = [here('../node_modules/@types')];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  });

  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  /** Returns the files of an installed package. */
  const filesOf = (name) =>
    readdirSync(join(folder, 'node_modules', name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).split(`node_modules/${name}/`)[1]);

  test('holds the compiled code, the types and the readme, and nothing else', () => {
    const files = filesOf('saiban');
    const expected = /^(?:package\.json|README\.md|LICENSE[\w-]*|dist\/[\w-]+\.(?:d\.)?m?[jt]s)$/;
    assert.deepEqual(files.filter((name) => !expected.test(name)), []);
    const needed = ['LICENSE-MIT', 'LICENSE-APACHE', 'README.md', 'dist/cli.js'];
    needed.push('dist/index.js', 'dist/index.d.ts', 'dist/index.mjs', 'dist/index.d.mts');
    assert.deepEqual(needed.filter((name) => !files.includes(name)), []);
  });

  test("the native library is in the platform's package", () => {
    const [name] = readdirSync(join(folder, 'node_modules/@saiban'));
    const files = ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'index.js', 'package.json', `saiban.${name}.node`];
    assert.deepEqual(filesOf(`@saiban/${name}`).toSorted(), files);
    const { os, cpu } = JSON.parse(readFileSync(join(folder, `node_modules/@saiban/${name}/package.json`), 'utf8'));
    assert.deepEqual([os, cpu], [[process.platform], [process.arch]]);
  });

  test('works with import', () => {
    const code = "import { Snowflake } from 'saiban'; console.log(typeof new Snowflake({ node: 1 }).generate())";
    assert.equal(output('node', ['--input-type=module', '--eval', code]), 'bigint\n');
  });

  test('works with require', () => {
    const code = "const { UlidFlake } = require('saiban'); console.log(new UlidFlake().generateText().length)";
    assert.equal(output('node', ['--input-type=commonjs', '--eval', code]), '13\n');
  });

  test('loads no helper, and no other package, on its own', () => {
    const code = "require('saiban'); console.log(JSON.stringify(Object.keys(require.cache)))";
    const loaded = JSON.parse(output('node', ['--input-type=commonjs', '--eval', code]));
    assert.ok(HELPERS.length > 0 && loaded.length > 0);
    const own = join(folder, 'node_modules/saiban/');
    const helpers = new Set(HELPERS.map((helper) => join(own, `dist/${helper}.js`)));
    const isOwn = (file) => file.startsWith(own) || file.startsWith(join(folder, 'node_modules/@saiban/'));
    assert.deepEqual(loaded.filter((file) => !isOwn(file) || helpers.has(file)), []);
  });

  test('installs no package of others, and depends on none', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, ['@saiban', 'saiban']);
    assert.equal(readdirSync(join(folder, 'node_modules/@saiban')).length, 1);
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(folder, 'node_modules/saiban/package.json'), 'utf8'),
    );
    assert.equal(dependencies, undefined);
    for (const name of Object.keys(peerDependencies)) assert.deepEqual(peerDependenciesMeta[name], { optional: true });
  });

  test('type-checks in programs that import, that require, and in all examples', () => {
    output(here('../node_modules/.bin/tsc'), ['--project', folder]);
  });

  test('a typed program that imports', () => {
    assert.equal(output('node', ['program.mjs']), 'import 00CMXB6TAK4SA 627498n true\n');
  });

  test('a typed program that requires; import gets the same classes', () => {
    assert.equal(output('node', ['program.cjs']), 'require 1741610183685074944n 7 true\n');
  });

  test('the documentation has examples', () => assert.ok(examples.length >= 15, String(examples.length)));

  for (const { name, prints } of examples) {
    test(`example ${name} prints the documented output`, () =>
      installed.checkOutput(output('node', [`${name}.mjs`]), prints));
  }

  const saiban = (...args) => run(join(folder, 'node_modules/.bin/saiban'), args);

  test('the command helps', () => {
    const { status, stdout } = saiban('--help');
    assert.equal(status, 0);
    assert.match(stdout, /inspect/);
  });

  test('the command inspects', () => {
    const { status, stdout } = saiban('inspect', '00CMXB6TAK4SA', '--json');
    assert.equal(status, 0);
    assert.match(stdout, /14246757444195114/);
    assert.match(stdout, /627498/);
  });

  test('the command makes IDs, the first of a pipe too', () => {
    const { status, stdout } = saiban('new', 'ulid-flake', '-n', '1000');
    assert.equal(status, 0);
    assert.equal(new Set(stdout.trim().split('\n')).size, 1000);
  });

  test('the command refuses bad input with a line and exit code 2', () => {
    const { status, stdout, stderr } = saiban('inspect', '3vgoe12ccb8g!');
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^.*position 12.*\n$/);
  });

  for (const redirection of ['>&-', '>/dev/full']) {
    test(`the command fails when its output cannot be written (${redirection})`, () => {
      const { status, stderr } = run('sh', [
        '-c',
        `exec "$@" ${redirection}`,
        'sh',
        join(folder, 'node_modules/.bin/saiban'),
        'new',
        'ulid',
      ]);
      assert.equal(status, 1, stderr);
      assert.match(stderr, /^saiban: stdout: .*\n$/);
    });
  }
});
