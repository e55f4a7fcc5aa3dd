// The packed package under jest and vitest, loaded by import and by require. jest, and vitest's vm
// pools, load modules into other realms. Each test of runners/suite.js and timers.js is a test
// here.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { install, run } from './installed.mjs';

const runners = process.env.SAIBAN_NODE_RUNNERS;
const [suite, timers] = ['suite', 'timers'].map((name) =>
  readFileSync(new URL(`runners/${name}.js`, import.meta.url), 'utf8'),
);
let folder;

/** Runs a test runner; returns its results from a file in jest's JSON format. */
function results(name, args) {
  const { stdout, stderr } = run(folder, process.execPath, [...args, `--outputFile=${name}.json`], {
    env: {
      ...process.env,
      CI: 'true',
      NO_COLOR: '1',
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    },
  });
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch (error) {
    throw new Error(`${name} wrote no results:\n${stdout}${stderr}`, { cause: error });
  }
}

const script = (path) => join(runners, 'node_modules', path);
const vitest = (pool) => [
  script('vitest/vitest.mjs'),
  'run',
  '--globals',
  '--reporter=json',
  `--pool=${pool}`,
];
const RUNNERS = {
  jest: [
    script('jest/bin/jest.js'),
    '--json',
    '--injectGlobals',
    '--testEnvironment=node',
    '--testMatch=**/jest/*',
  ],
  'vitest, default pool': [...vitest('forks'), '--dir=vitest'],
  'vitest, vmThreads': [...vitest('vmThreads'), '--dir=vitest'],
  'vitest, vmForks': [...vitest('vmForks'), '--dir=vitest'],
};

describe('the package under test runners', () => {
  before(() => {
    assert.ok(runners, 'SAIBAN_NODE_RUNNERS must name the folder of the test runners: run ./test');
    // In the runners' folder, so that test files find the runners as usual.
    folder = mkdtempSync(join(runners, 'program-'));
    install(folder);
    const imports = "import * as saiban from 'saiban';\nimport vm from 'node:vm';\n";
    const requires = "const saiban = require('saiban');\nconst vm = require('node:vm');\n";
    // vitest's test files are ES modules.
    const require =
      "import { createRequire } from 'node:module';\n" +
      'const require = createRequire(import.meta.url);\n';
    mkdirSync(join(folder, 'jest'));
    writeFileSync(join(folder, 'jest/import.test.mjs'), imports + suite);
    writeFileSync(join(folder, 'jest/require.test.cjs'), requires + suite);
    mkdirSync(join(folder, 'vitest'));
    writeFileSync(join(folder, 'vitest/import.test.mjs'), imports + suite);
    writeFileSync(join(folder, 'vitest/require.test.mjs'), require + requires + suite);
    const jestTimers =
      'const FAKES = {\n' +
      "  'modern fake timers': () => jest.useFakeTimers(),\n" +
      "  'legacy fake timers': () => jest.useFakeTimers({ legacyFakeTimers: true }),\n" +
      '};\n' +
      'const restore = () => jest.useRealTimers();\n' +
      "const load = () => (jest.resetModules(), require('saiban'));\n";
    writeFileSync(join(folder, 'jest/timers.test.cjs'), jestTimers + timers);
    const vitestTimers =
      "const FAKES = { 'fake timers': () => vi.useFakeTimers() };\n" +
      'const restore = () => vi.useRealTimers();\n' +
      'const load = () => {\n' +
      '  for (const path of Object.keys(require.cache)) delete require.cache[path];\n' +
      "  return require('saiban');\n" +
      '};\n';
    writeFileSync(join(folder, 'vitest/timers.test.mjs'), require + vitestTimers + timers);
  });

  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  for (const [name, args] of Object.entries(RUNNERS)) {
    test(name, async (context) => {
      const { testResults } = results(name, args);
      const loaded = testResults.map((file) => file.name.match(/(import|require|timers)\.test/)[1]);
      assert.deepEqual(loaded.toSorted(), ['import', 'require', 'timers']);
      for (const [index, { message, assertionResults }] of testResults.entries()) {
        assert.ok(assertionResults.length > 0, message);
        for (const { title, status, failureMessages } of assertionResults) {
          await context.test(`${loaded[index]}: ${title}`, () =>
            assert.equal(status, 'passed', failureMessages.join('\n')),
          );
        }
      }
    });
  }
});
