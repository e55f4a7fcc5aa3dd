// Tests of the integrations with the real frameworks: installs the packed package beside the
// frameworks of frameworks/package.json. Each frameworks/*.mjs is a suite of tests.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { documented, usesFramework } from './examples.mjs';
import { checkOutput, install, output, run } from './installed.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const frameworks = process.env.SAIBAN_NODE_FRAMEWORKS;
assert.ok(frameworks, 'SAIBAN_NODE_FRAMEWORKS must name the folder of the frameworks: run ./test');

// Below the frameworks' folder, where Node finds the frameworks for the package and the suites.
const folder = mkdtempSync(join(frameworks, 'program-'));
after(() => rmSync(folder, { recursive: true, force: true }));
install(folder);
cpSync(here('frameworks'), folder, { recursive: true, filter: (source) => !/^package|^\.npmrc/.test(basename(source)) });

// Without this variable, Prisma downloads a program that no test needs.
const PRISMA = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' };
const prisma = join(frameworks, 'node_modules/prisma/build/index.js');
const generated = run(folder, process.execPath, [prisma, 'generate', '--schema', 'prisma/schema.prisma'], {
  env: { ...process.env, ...PRISMA },
});
assert.equal(generated.status, 0, generated.stdout + generated.stderr);

const suites = readdirSync(folder).filter((name) => name.endsWith('.mjs') && name !== 'shop.mjs');
for (const suite of suites) await import(pathToFileURL(join(folder, suite)).href);

const examples = documented.filter(usesFramework);
const compiled = examples.map(({ name, code }) => {
  writeFileSync(join(folder, `${name}.mts`), `${code}\nexport {};\n`);
  return `${name}.mts`;
});

test('the examples and the typed programs type-check with the types of the frameworks', () => {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022'],
    module: 'node20',
    types: ['node'],
    typeRoots: [here('../node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    experimentalDecorators: true,
    // Errors in the frameworks' own types do not matter here.
    skipLibCheck: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }));
  output(folder, here('../node_modules/.bin/tsc'), ['--project', folder]);
  for (const { name, prints } of examples) checkOutput(output(folder, 'node', [`${name}.mjs`]), prints, name);
  for (const program of ['typed.mjs', 'typed.cjs']) assert.equal(output(folder, 'node', [program]), 'typed\n');
});

test('every helper has an example', () => {
  const helpers = readdirSync(join(folder, 'node_modules/saiban/dist')).filter((name) =>
    /^(?:drizzle|express|fastify|knex|mongoose|prisma|typeorm|zod)\.js$/.test(name),
  );
  const named = documented.map(({ code }) => code).join('\n');
  for (const helper of helpers) assert.ok(named.includes(`'saiban/${helper.slice(0, -3)}'`), helper);
  assert.ok(helpers.length >= 8 && compiled.length >= 6, String([helpers, compiled]));
});
