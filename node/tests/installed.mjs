// Installs the packed package in a folder, as a user would. SAIBAN_TARBALL names the tarball, which
// ./test packs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program in this folder; returns its exit code and output. */
export function run(folder, command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options });
  assert.equal(result.error, undefined);
  return result;
}

/** Returns the output of a program, which must succeed. */
export function output(folder, command, args) {
  const { status, stdout, stderr } = run(folder, command, args);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** Makes this folder a project that has saiban installed. */
export function install(folder) {
  const tarball = process.env.SAIBAN_TARBALL;
  assert.ok(
    tarball && existsSync(tarball),
    'SAIBAN_TARBALL must name the packed package: run ./test',
  );
  writeFileSync(join(folder, 'package.json'), '{ "name": "program", "private": true }');
  output(folder, 'npm', [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    tarball,
  ]);
}

/**
 * Checks the output of an example against the lines of its comments; `…` stands for any text.
 */
export function checkOutput(printed, prints, name = '') {
  const lines = printed.split('\n').slice(0, -1);
  assert.equal(lines.length, prints.length, `${name}\n${lines.join('\n')}`);
  prints.forEach((expected, index) => {
    const [start, end = ''] = expected.split('…');
    const line = lines[index];
    if (!expected.includes('…')) assert.equal(line, expected, name);
    else assert.ok(line.startsWith(start) && line.endsWith(end), `${line} is not ${expected}`);
  });
}
