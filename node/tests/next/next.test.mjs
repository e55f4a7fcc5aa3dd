// The packed package in programs of Next.js, built by each of its two bundlers, with the documented
// setting and without it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { EXPRESSION, IMPORTS, SETTINGS } from '../bundler-settings.mjs';
import { install, run } from '../installed.mjs';

const next = join(process.env.SAIBAN_NODE_NEXT, 'node_modules/next/dist/bin/next');
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
let folder;

function build(bundler, setting) {
  rmSync(join(folder, '.next'), { recursive: true, force: true });
  writeFileSync(join(folder, 'next.config.mjs'), `export default { ${setting} };\n`);
  return run(folder, process.execPath, [next, 'build', bundler], { env });
}

/** Starts the built program with this command, and returns the response of its route. */
async function response(command) {
  const server = spawn(process.execPath, command, { cwd: folder, env: { ...env, PORT: '0' } });
  const exit = once(server, 'exit');
  let shown = '';
  try {
    for await (const chunk of server.stdout) {
      shown += chunk;
      const [, port] = shown.match(/http:\/\/localhost:(\d+)/) ?? [];
      if (port !== undefined && shown.includes('Ready')) return await (await fetch(`http://127.0.0.1:${port}/id`)).json();
    }
    throw new Error(`the server ended: ${shown}`);
  } finally {
    server.kill();
    await exit;
  }
}

describe('a program of Next.js', () => {
  before(() => {
    folder = mkdtempSync(join(process.env.SAIBAN_NODE_NEXT, 'program-'));
    install(folder);
    mkdirSync(join(folder, 'app/id'), { recursive: true });
    const route = `export const dynamic = 'force-dynamic';\nexport const GET = () => Response.json(${EXPRESSION});\n`;
    writeFileSync(join(folder, 'app/id/route.js'), IMPORTS + route);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const bundler of ['--turbopack', '--webpack']) {
    test(`${bundler} makes an ID with the setting ${SETTINGS['Next.js']}`, async (context) => {
      const root = process.env.SAIBAN_NODE_NEXT;
      const output = `output: 'standalone', outputFileTracingRoot: ${JSON.stringify(root)}`;
      const { status, stdout, stderr } = build(bundler, `${output}, ${SETTINGS['Next.js']}`);
      assert.equal(status, 0, stdout + stderr);
      assert.equal(await response([next, 'start', '--port', '0']), 'bigint');
      await context.test('and with what Next.js copies for it, where no package is installed', async () => {
        const moved = mkdtempSync(join(tmpdir(), 'saiban-standalone-'));
        cpSync(join(folder, '.next/standalone'), moved, { recursive: true });
        try {
          assert.equal(await response([join(moved, basename(folder), 'server.js')]), 'bigint');
        } finally {
          rmSync(moved, { recursive: true });
        }
      });
    });

  }

  test('--turbopack without the setting fails with an error that names it', () => {
    const { status, stdout, stderr } = build('--turbopack', '');
    assert.notEqual(status, 0, stdout);
    assert.match(stderr + stdout, /this program is a bundle that has no native library of saiban/);
    assert.ok((stderr + stdout).includes(`Next.js: ${SETTINGS['Next.js']};`), stderr);
  });

  test('--webpack without the setting makes an ID where the packages are installed', async () => {
    const { status, stdout, stderr } = build('--webpack', '');
    assert.equal(status, 0, stdout + stderr);
    assert.equal(await response([next, 'start', '--port', '0']), 'bigint');
  });
});
