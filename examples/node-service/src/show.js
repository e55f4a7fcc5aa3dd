// The story: starts the service on a free port, sends requests as a client would, prints what
// happens, and stops. SAIBAN_STORE names the store, or SAIBAN_NODE the node of all workers.
// `show.js load` only puts load on the service.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { givenBack, load } from './load.js';

const { SAIBAN_STORE: store, SAIBAN_NODE: node } = process.env;
assert.ok(store || node, 'SAIBAN_STORE names the store, or SAIBAN_NODE the node of all workers');
const service = spawn(process.execPath, [fileURLToPath(new URL('main.js', import.meta.url))], {
  env: { ...process.env, SAIBAN_SECRET: randomBytes(16).toString('hex'), PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => service.kill());
const ended = once(service, 'exit');
const first = once(createInterface(service.stdout), 'line');
const [line] = await Promise.race([first, ended.then(() => assert.fail('the service did not start'))]);
const [, origin] = line.match(/^listening on (http:.*)\/ids$/);
const whose = node ? `all have node ${node}` : `their nodes are leased from ${store.split(':')[0]}`;
console.log(`The service's four workers listen on a free port of this machine; ${whose}.\n`);

async function call(method, path, body) {
  const response = await fetch(origin + path, { method, ...(body && { body: JSON.stringify(body) }) });
  const answer = await response.text();
  const sent = body ? ` ${JSON.stringify(body)}` : '';
  console.log(`${method} ${path}${sent}\n  ${response.status} ${answer.length > 300 ? `${answer.slice(0, 300)}…` : answer.trim()}`);
  return { status: response.status, answer: JSON.parse(answer) };
}

async function story() {
  // Make one ID of each scheme, and read its text.
  for (const scheme of ['snowflake', 'randflake', 'ulid-flake', 'uuid-v7']) {
    const { status, answer } = await call('POST', '/ids', { scheme });
    assert.equal(status, 201);
    const [{ id, text }] = answer.ids;
    const read = await call('GET', `/ids/${text}?scheme=${scheme}`);
    assert.equal(read.status, 200);
    assert.equal(read.answer.id, id);
    assert.equal(read.answer.node === null, scheme === 'uuid-v7');
    console.log();
  }

  // JSON contains text; the client converts it to a bigint, never to a number.
  const { answer: one } = await call('POST', '/ids', { scheme: 'snowflake' });
  const text = one.ids[0].id;
  assert.equal(String(BigInt(text)), text);
  console.log(`  as a bigint: ${BigInt(text)}   as a number it may lose digits: ${Number(text)}`);
  assert.throws(() => JSON.stringify({ id: BigInt(text) }), TypeError);
  console.log('  and JSON.stringify refuses bigints: the service sends text.\n');

  // Many clients request more Snowflakes than a millisecond has.
  const crowd = await Promise.all(
    Array.from({ length: 12 }, () =>
      fetch(`${origin}/ids`, { method: 'POST', body: JSON.stringify({ scheme: 'snowflake', count: 1000 }) }),
    ),
  );
  const made = (await Promise.all(crowd.map((response) => response.json()))).flatMap(({ ids }) => ids.map(({ id }) => id));
  assert.equal(new Set(made).size, 12_000);
  console.log(`12 clients asked for 1000 Snowflake IDs each at once: ${new Set(made).size} different ones.\n`);

  // The service reports text that it cannot read.
  const { answer: guess } = await call('GET', '/ids/00CMXB6TAK4SA');
  assert.ok(guess.canBe.some(({ scheme, time }) => scheme === 'ulid-flake' && time === '2024-06-06T06:06:06.666Z'));
  console.log();
  for (const [path, code, position] of [
    ['/ids/3vgoe12ccb8g!?scheme=randflake', 'TEXT_CHARACTER', 12],
    ['/ids/3VGOE12CCB8GH?scheme=randflake', 'TEXT_NOT_CANONICAL', 1],
    ['/ids/99999999999999999999?scheme=snowflake', 'TEXT_OVERFLOW', undefined],
    ['/ids/8000000000000?scheme=ulid-flake', 'TEXT_OVERFLOW', undefined],
  ]) {
    const { status, answer } = await call('GET', path);
    assert.deepEqual([status, answer.code, answer.position], [400, code, position]);
  }
  const { status } = await call('POST', '/ids', { scheme: 'nanoid' });
  assert.equal(status, 400);
  console.log();
}

if (process.argv[2] !== 'load') await story();
await load(origin, node);
service.kill('SIGTERM');
assert.deepEqual(await ended, [0, null]);
if (!node) await givenBack(store);
console.log('The service has stopped; everything was as it should be.\n');
