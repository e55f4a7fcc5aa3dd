// Leases that are refused: the right kind of error, a message with the limits, and no secret.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format, inspect as picture } from 'node:util';
import { Layout, Lease } from 'saiban';
import { folder, memory, refused, secret } from './lease-tools.mjs';

const BAD = [
  ['ttl of 0', 'INVALID_ARGUMENT', /ttl/, { ttlS: 0 }],
  ['ttl below 0', 'INVALID_ARGUMENT', /ttl/, { ttlS: -1n }],
  ['ttl longer than the namespace allows', 'INVALID_ARGUMENT', /7200 s \(ttlS\).*3600 s \(maxTtlS\)/, { ttlS: 7200 }],
  ['ttl beyond 64 bits', 'INVALID_ARGUMENT', /ttlS is 1180591620717411303424: give.*maxTtlS/, { ttlS: 2n ** 70n }],
  ['a maxTtlS beyond 64 bits', 'INVALID_ARGUMENT', /maxTtlS is 1180591620717411303424/, { maxTtlS: 2n ** 70n }],
  ['0 nodes', 'INVALID_ARGUMENT', /nodes/, { nodes: 0 }],
  ['more nodes than the layout has', 'INVALID_ARGUMENT', /1025 nodes.*1 to 1024/, { nodes: 1025 }],
  ['more nodes than any may have', 'INVALID_ARGUMENT', /65536|65,536/, { nodes: 65537, scheme: 'randflake', secret }],
  ['nodes below 0', 'INVALID_ARGUMENT', /nodes/, { nodes: -1 }],
  ['nodes beyond 64 bits', 'INVALID_ARGUMENT', /^1180591620717411303424 nodes/, { nodes: 2n ** 70n }],
  ['nodes far below 0', 'INVALID_ARGUMENT', /^-1180591620717411303424 nodes/, { nodes: -(2n ** 70n) }],
  ['no name', 'INVALID_ARGUMENT', /name/, { namespace: '' }],
  ['a name with other characters', 'INVALID_ARGUMENT', /name/, { namespace: 'our orders' }],
  ['a name of 65 characters', 'INVALID_ARGUMENT', /64/, { namespace: 'n'.repeat(65) }],
  ['a maxTtlS of 0', 'INVALID_ARGUMENT', /maxTtlS/, { maxTtlS: 0 }],
  ['a scheme without nodes', 'INVALID_ARGUMENT', /no nodes to lease/, { scheme: 'ulid' }],
  ['a scheme that is none', 'UNKNOWN_NAME', /snoflake/, { scheme: 'snoflake' }],
  ['a Flake without a layout', 'INVALID_ARGUMENT', /layout/, { scheme: 'flake' }],
  ['a layout without nodes', 'INVALID_ARGUMENT', /node/, { scheme: 'flake', layout: Layout.MASTODON }],
  ['a Randflake without a secret', 'INVALID_ARGUMENT', /secret/, { scheme: 'randflake' }],
  ['a secret of a Snowflake', 'INVALID_ARGUMENT', /secret/, { secret }],
  ['a secret of 15 bytes', 'INVALID_SECRET', /15 bytes.*16/, { scheme: 'randflake', secret: secret.subarray(1) }],
];
for (const [name, code, message, options] of BAD) {
  test(`${code}: ${name}`, async () => {
    const error = await refused(Lease.acquire('memory:bad-input', options));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    assert.ok(!format('%o', error).includes(secret.toString('hex')));
  });
}
const NO_URLS = ['', 'orders', 'sqlite', '://', 'mongodb://u:hunter2@host/db', 'postgres://u:hunter2@:99999/db', 'http://u:hunter2@host'];
for (const url of NO_URLS) {
  test(`INVALID_ARGUMENT: the URL ${JSON.stringify(url)}`, async () => {
    const error = await refused(Lease.acquire(url, { waitS: 1 }));
    assert.equal(error.code, 'INVALID_ARGUMENT', error.message);
    assert.ok(!format('%o', error).includes('hunter2'));
  });
}
for (const [name, url, options] of [
  ['a URL that is no text', 7, {}],
  ['no URL', undefined, {}],
  ['an option that is none', 'memory:', { ttl: 60 }],
  ['a ttl as text', 'memory:', { ttlS: '60' }],
  ['a ttl with a fraction', 'memory:', { ttlS: 1.5 }],
  ['a secret as text', 'memory:', { scheme: 'randflake', secret: secret.toString('hex') }],
  ['a layout as text', 'memory:', { layout: 'twitter' }],
  ['create as text', 'memory:', { create: 'yes' }],
  ['options that are none', 'memory:', 'orders'],
]) {
  test(`WRONG_TYPE: ${name}`, async () => {
    await assert.rejects(Lease.acquire(url, options), (error) => {
      assert.equal(error.code, 'WRONG_TYPE');
      assert.ok(!error.message.includes(secret.toString('hex')));
      return true;
    });
  });
}

for (const url of [
  'postgres://user:hunter2@127.0.0.1:1/db',
  'mysql://user:hunter2@127.0.0.1:1/db',
  'redis://user:hunter2@127.0.0.1:1',
  'etcd://user:hunter2@127.0.0.1:1',
  'zookeeper://127.0.0.1:1',
]) {
  const kind = url.split(':')[0];
  test(`a store that cannot be reached is waited for while the event loop goes on: ${kind}`, { timeout: 120_000 }, async () => {
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    const error = await refused(Lease.acquire(url, { waitS: 1 }));
    clearInterval(ticking);
    assert.equal(error.code, 'STORE_UNAVAILABLE', error.message);
    assert.match(error.message, /127\.0\.0\.1:1/);
    assert.ok(!format('%o', error).includes('hunter2'));
    assert.ok(ticks > 3, String(ticks));
  });
}

test('a file that is no database, a folder and a path to nowhere are refused', async () => {
  const [text, directory] = [join(folder, 'text'), join(folder, 'directory')];
  writeFileSync(text, 'these are my notes, and no database at all. '.repeat(100));
  mkdirSync(directory);
  for (const path of [text, directory, join(folder, 'no/such/folder/ids.sqlite3'), '/proc/ids.sqlite3']) {
    const error = await refused(Lease.acquire(`sqlite://${path}`, { waitS: 1 }));
    assert.match(error.code, /^STORE_(UNAVAILABLE|CORRUPT|UNSUPPORTED)$/, error.message);
    assert.ok(error.message.includes(path), error.message);
  }
});

test('messages name options as they are called here', async () => {
  const unknown = await refused(Lease.acquire(memory(), { create: false }));
  assert.equal(unknown.code, 'NAMESPACE_UNKNOWN');
  assert.match(unknown.message, /create: true/);
  await assert.rejects(Lease.acquire(memory(), null), { code: 'WRONG_TYPE', message: /options.*is null: give .*namespace, nodes, ttlS/ });
});

test('a lease shows its namespace, nodes and state', async () => {
  const lease = await Lease.acquire(memory(), { namespace: 'orders', nodes: 2 });
  assert.equal(picture(lease), `Lease { namespace: 'orders', nodes: [ ${lease.nodes.join(', ')} ], state: 'active' }`);
  await lease.release();
  assert.equal(format('%o', lease), "Lease { namespace: 'orders', nodes: null, state: 'idle' }");
  assert.equal(picture(await Lease.acquire(memory())).slice(0, 30), "Lease { namespace: 'default', ");
});

test('neither secret nor password shows in a lease', async () => {
  const lease = await Lease.acquire(memory(), { scheme: 'randflake', secret });
  const all = { showHidden: true, depth: 9 };
  const shown = [picture(lease, all), format('%o %O %j', lease, lease, lease.status()), Object.keys(lease).join()];
  for (const text of shown) for (const hidden of ['dffd', '3a5', '223, 253']) assert.ok(!text.includes(hidden), text);
});
