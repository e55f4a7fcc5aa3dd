// The packed package in programs of Next.js, built by each of its two bundlers. With the documented
// setting a route makes an ID, without it the build fails with an error that names the setting.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Starts the built program, and returns the response of its route. */
async function response() {
  const server = spawn(process.execPath, [next, 'start', '--port', '0'], { cwd: folder, env });
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
    test(`${bundler} makes an ID with the setting ${SETTINGS['Next.js']}`, async () => {
      const { status, stdout, stderr } = build(bundler, SETTINGS['Next.js']);
      assert.equal(status, 0, stdout + stderr);
      assert.equal(await response(), 'bigint');
    });

    test(`${bundler} without the setting fails with an error that names it`, () => {
      const { status, stdout, stderr } = build(bundler, '');
      assert.notEqual(status, 0, stdout);
      assert.match(stderr + stdout, /this program is a bundle that has no native library of saiban/);
      assert.ok((stderr + stdout).includes(`Next.js: ${SETTINGS['Next.js']};`), stderr);
    });
  }
});
