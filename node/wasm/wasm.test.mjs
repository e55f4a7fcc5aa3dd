// saiban as WebAssembly: what it lacks, and how Node, bundlers and a browser load it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { spawn, spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Counter, DailyCounter, Lease, ManualClock, RemoteGenerator, SharedCounter, Snowflake, Uuid } from 'saiban';
import { output } from './installed.mjs';

const { SAIBAN_TARBALL, SAIBAN_WASM_TARBALL, SAIBAN_NODE_BUNDLERS, CHROMIUM = '/usr/bin/chromium' } = process.env;
const bundlers = createRequire(join(SAIBAN_NODE_BUNDLERS, 'bundlers.cjs'));

test('what needs threads, files or connections is refused with the reason', async () => {
  const refused = {
    STORE_UNAVAILABLE: [
      () => Lease.acquire('memory:wasm'),
      () => Lease.acquire('postgres://127.0.0.1:1/ids'),
      () => Snowflake.open({ store: 'sqlite:ids.db' }),
      () => new SharedCounter('memory:wasm', { create: true }).generate(),
    ],
    STORE_UNSUPPORTED: [() => RemoteGenerator.open('saiban://127.0.0.1:1', { scheme: 'ulid' })],
    STATE_UNAVAILABLE: [
      async () => new Snowflake({ node: 1, state: 'ids.state' }),
      async () => new Snowflake({ node: 1, scope: 'machine' }),
    ],
    INVALID_ARGUMENT: [async () => new DailyCounter('memory:wasm', { create: true })],
  };
  for (const [code, calls] of Object.entries(refused)) {
    for (const call of calls) await assert.rejects(call, { code });
  }
});

test('generators have the scope of the process, wait for the clock, and repeat nothing', async () => {
  const ids = new Snowflake({ node: 7 });
  assert.equal(ids.stats().scope, 'process');
  // Three ticks' worth: the generator has to wait.
  const made = [...ids.generateMany(5000), ...ids.generateMany(5000), await ids.generateAsync()];
  assert.equal(new Set(made).size, 10_001);
  assert.ok(ids.stats().waits > 0);
  assert.equal(new Counter().generate(), 1n);
});

test('arrays of all kinds are filled in place, also parts of them', () => {
  const numbers = new BigInt64Array(12);
  const clock = new ManualClock(1_763_700_000_000);
  assert.equal(new Snowflake({ node: 7, clock }).fill(numbers.subarray(3, 9)), 6);
  assert.deepEqual(numbers.map((number) => (number === 0n ? 0n : 1n)), BigInt64Array.of(0n, 0n, 0n, 1n, 1n, 1n, 1n, 1n, 1n, 0n, 0n, 0n));
  const ids = new Uuid();
  const bytes = Buffer.alloc(64);
  assert.equal(ids.fill(bytes.subarray(16, 48)), 2);
  assert.deepEqual([bytes.subarray(0, 16), bytes.subarray(48)], [Buffer.alloc(16), Buffer.alloc(16)]);
  const id = ids.fromBytes(bytes.subarray(16, 32));
  assert.deepEqual(Buffer.from(ids.toBytes(id)), bytes.subarray(16, 32));
  // The memory grows meanwhile.
  for (let round = 0; round < 20; round += 1) assert.equal(new Set(ids.generateMany(20_000)).size, 20_000);
  const shared = new Uint8Array(new SharedArrayBuffer(32));
  assert.equal(ids.fill(shared), 2);
  assert.notDeepEqual(shared.slice(0, 16), shared.slice(16));
});

test('two processes draw different random IDs', () => {
  const program = "console.log([new (require('saiban').Uuid)({ version: 4 }).generate(), new (require('saiban').ObjectId)().generate()].join())";
  const made = [0, 1].flatMap(() => output(import.meta.dirname, process.execPath, ['-e', program]).trim().split(','));
  assert.equal(new Set(made).size, 4);
});

test("Node's guide names its size", () => {
  const code = readFileSync(createRequire(import.meta.url).resolve('@saiban/wasm'));
  const guide = readFileSync(process.env.SAIBAN_NODE_GUIDE, 'utf8');
  const [, whole, compressed] = guide.match(/It has\s+([\d.]+) MB; compressed, ([\d.]+) MB/);
  assert.deepEqual([whole, compressed], [code, gzipSync(code)].map(({ length }) => (length / 1e6).toFixed(1)));
});

/** Returns a promise and what settles it, as `Promise.withResolvers` does since Node 22. */
function settled() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

/** A program for Node and for pages, which calls `done` with what it has made. */
const PROGRAM = `
  import { Lease, Randflake, SaibanError, Snowflake, Ulid, Uuid, decode, inspect } from 'saiban';
  const ids = new Snowflake({ node: 7 });
  const code = (call) => { try { call(); } catch (error) { return error instanceof SaibanError && error.code; } };
  const lease = await Lease.acquire('memory:').catch((error) => error);
  const made = [...ids.generateMany(10_000), ids.generate(), await ids.generateAsync()];
  done(JSON.stringify({
    different: new Set(made).size,
    node: ids.inspect(made[0]).node,
    scope: ids.stats().scope,
    uuid: new Uuid({ version: 4 }).generate().length,
    bytes: new Uuid().generateBytes().length,
    ulid: new Ulid().fromUuid('01563e3a-b5d3-d676-4c61-efb99302bd5b'),
    randflake: inspect(new Randflake({ node: 5, secret: new Uint8Array(16) }).generateText(), { secret: new Uint8Array(16) }).length > 0,
    refused: code(() => decode('!', 'base62')),
    lease: lease.code,
  }));`;
const MADE = {
  different: 10_002,
  node: 7,
  scope: 'process',
  uuid: 36,
  bytes: 16,
  ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  randflake: true,
  refused: 'TEXT_CHARACTER',
  lease: 'STORE_UNAVAILABLE',
};

describe('loading', () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'loading-'));
  // Processes of the browser may still write.
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const page = join(folder, 'page');

  before(() => {
    mkdirSync(page);
    const head = `
      const done = (body) => void fetch('/made', { method: 'POST', body });
      addEventListener('error', ({ message }) => done(message));
      addEventListener('unhandledrejection', ({ reason }) => done(String(reason)));`;
    writeFileSync(join(page, 'page.mjs'), head + PROGRAM);
  });

  test('Node loads it where no native library is installed, and warns', () => {
    const program = join(folder, 'program.mjs');
    writeFileSync(program, `const done = console.log;${PROGRAM}`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    assert.equal(status, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), MADE);
    assert.match(stderr, /\[SAIBAN_WASM\] Warning: saiban runs as WebAssembly, because no native library is installed for \S+: there are no leases/);
    assert.equal(stderr.split('SAIBAN_WASM').length, 2);
  });

  test('Node prefers the native library, without a warning', () => {
    const own = join(folder, 'both');
    mkdirSync(own);
    writeFileSync(join(own, 'package.json'), '{ "name": "both", "private": true }');
    const flags = ['--offline', '--no-audit', '--no-fund'];
    output(own, 'npm', ['install', ...flags, SAIBAN_TARBALL, SAIBAN_WASM_TARBALL]);
    const program = "console.log(new (require('saiban').Snowflake)({ node: 7 }).stats().scope)";
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: own, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
    assert.deepEqual([stdout, stderr], ['machine\n', '']);
  });

  /** What each bundler makes a script of the page with. */
  const BUNDLERS = {
    esbuild: (entry, outfile) =>
      bundlers('esbuild').build({ entryPoints: [entry], outfile, bundle: true, platform: 'browser', format: 'esm', logLevel: 'silent' }),
    webpack: async (entry, outfile) => {
      const compiler = bundlers('webpack')({
        entry,
        mode: 'production',
        target: 'web',
        performance: false,
        experiments: { outputModule: true },
        output: { path: page, filename: outfile.slice(page.length + 1), module: true },
      });
      const stats = await promisify(compiler.run.bind(compiler))();
      assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString());
    },
    vite: async (entry, outfile) => {
      const { build } = await import(bundlers.resolve('vite'));
      await build({
        root: page,
        logLevel: 'silent',
        configFile: false,
        build: {
          outDir: '.',
          emptyOutDir: false,
          target: 'es2022',
          lib: { entry, formats: ['es'], fileName: () => outfile.slice(page.length + 1) },
        },
      });
    },
  };
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    test(`a page of ${name} makes IDs in Chromium`, { timeout: 120_000 }, async () => {
      await bundle(join(page, 'page.mjs'), join(page, `${name}.js`));
      const { promise: made, resolve: receive, reject: fail } = settled();
      const server = createServer(async (request, response) => {
        if (request.method === 'POST') receive(await text(request));
        const isScript = request.url === '/page.js';
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
        // A page may allow WebAssembly, and no code in strings.
        response.setHeader('content-security-policy', "script-src 'self' 'wasm-unsafe-eval'");
        response.end(isScript ? readFileSync(join(page, `${name}.js`)) : '<!DOCTYPE html><script type="module" src="/page.js"></script>');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const own = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, name)}`];
      const browser = spawn(CHROMIUM, [...own, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
      browser.once('error', fail);
      browser.once('exit', () => fail(new Error(`${CHROMIUM} ended before the page had made its IDs`)));
      const limit = setTimeout(() => fail(new Error('the page made no IDs in 100 s')), 100_000);
      try {
        assert.deepEqual(JSON.parse(await made), MADE);
      } finally {
        clearTimeout(limit);
        browser.kill('SIGKILL');
        server.closeAllConnections();
        server.close();
      }
    });
  }

  test('a bundle for a page without @saiban/wasm fails, and names it', async (context) => {
    // Not in a folder below packages that have it.
    const own = mkdtempSync(join(tmpdir(), 'saiban-wasm-'));
    context.after(() => rmSync(own, { recursive: true }));
    writeFileSync(join(own, 'package.json'), '{ "name": "without", "private": true }');
    writeFileSync(join(own, 'page.mjs'), "import { Uuid } from 'saiban'; console.log(new Uuid().generate());");
    output(own, 'npm', ['install', '--offline', '--no-audit', '--no-fund', SAIBAN_TARBALL]);
    const built = bundlers('esbuild').build({ entryPoints: [join(own, 'page.mjs')], bundle: true, write: false, platform: 'browser', logLevel: 'silent' });
    await assert.rejects(built, /Could not resolve "@saiban\/wasm"/);
  });
});
