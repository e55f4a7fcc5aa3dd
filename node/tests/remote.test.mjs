// IDs from a real service, and leases of its store: prefetched IDs, waits, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect as picture } from 'node:util';
import { serialize } from 'node:v8';
import { Generator, Layout, Lease, RemoteGenerator, Snowflake } from 'saiban';
import { refused, refuses } from './lease-tools.mjs';
import { withServer } from './servers.mjs';

/** Limits that even a slow machine does not reach. */
const LASTING = { maxAgeMs: 3_600_000, waitS: 60 };

const open = (url, scheme, more = {}) => RemoteGenerator.open(url, { scheme, ...LASTING, ...more });

/** The default schemes of the service, with the type and the bytes of their IDs. */
const SCHEMES = { snowflake: ['bigint', 0], 'uuid-v7': ['string', 16], 'uuid-v4': ['string', 16], ulid: ['string', 16], objectid: ['string', 12] };

test('IDs are those of the scheme', () =>
  withServer('saiban', async ({ url }) => {
    for (const [scheme, [kind, bytes]] of Object.entries(SCHEMES)) {
      const ids = await open(url, scheme, { block: 100 });
      assert.ok(ids instanceof Generator && ids.scheme === scheme && ids.name === scheme);
      const made = [await ids.generateAsync(), ...(await ids.generateManyAsync(1000))];
      assert.equal(new Set(made).size, 1001);
      assert.ok(made.every((id) => typeof id === kind));
      const parts = ids.inspect(made[0]);
      assert.equal(parts.scheme, scheme);
      assert.equal(ids.fromText(ids.toText(made[0])), made[0]);
      // Prefetched IDs are available without a wait.
      const more = [ids.generate(), ids.tryGenerate(), ids.fromText(ids.generateText()), ...ids.generateMany(2)];
      const array = bytes ? new Uint8Array(bytes * 2) : new BigInt64Array(2);
      assert.equal(ids.fill(array), 2);
      assert.equal(new Set([...made, ...more]).size, 1006);
      const { prefetched, calls, dropped, why } = ids.status();
      assert.ok(prefetched > 0 && calls >= 10 && dropped === 0 && why === null && Object.isFrozen(ids.status()));
      assert.ok(ids.stats().issued >= 1008);
      assert.throws(() => serialize(ids), /cannot be copied/);
    }
    const ids = await open(url, 'snowflake', { block: 100 });
    assert.ok(ids.layout instanceof Layout && ids.layout.text === Layout.TWITTER.text);
    assert.equal(ids.compose({ timestampMs: 1704067200000, node: 7, sequence: 0 }), 1741610183685074944n);
    assert.throws(() => ids.compose({ timestampMs: 1704067200000, node: 7 }), { code: 'INVALID_ARGUMENT', message: /sequence is missing/ });
    assert.throws(() => ids.compose({ timestampMs: 1704067200000, nod: 7 }), { code: 'WRONG_TYPE' });
    assert.equal((await open(url, 'ulid')).layout, null);
    const { generate, generateAsync } = ids;
    // The first call waits for a block, and the others take its IDs.
    assert.equal(new Set([await generateAsync(), ...Array.from({ length: 3 }, generate)]).size, 4);
    assert.ok(ids.isValid(String(generate())) && !ids.isValid('7x'));
    const shown = picture(ids, { breakLength: Infinity });
    assert.equal(shown, `RemoteGenerator { scheme: 'snowflake', name: 'snowflake', layout: ${picture(Layout.TWITTER, { breakLength: Infinity })} }`);
  }));

test('a request for more than is prefetched waits without blocking', () =>
  withServer('saiban', async ({ url, order }) => {
    const ids = await open(url, 'snowflake', { block: 10, waitS: 1 });
    await order('stop');
    const error = await refused(async () => {
      for (let tries = 0; tries < 100; tries += 1) ids.generate();
    });
    assert.ok(['WOULD_WAIT', 'STORE_UNAVAILABLE'].includes(error.code), error.message);
    await refuses('STORE_UNAVAILABLE', /could not be reached|not answered/, () => ids.generateAsync());
    assert.equal(Number(ids.inspect(1741610183685074945n).node), 7);
    await order('start');
    const made = await ids.generateManyAsync(95);
    assert.equal(new Set(made).size, 95);
    const many = await Promise.all(Array.from({ length: 100 }, () => ids.generateAsync()));
    assert.equal(new Set([...made, ...many]).size, 195);
  }));

test('errors of the service have their kind', () =>
  withServer('saiban', async ({ url }) => {
    await refuses('UNKNOWN_NAME', /nonsense/, open(url, 'nonsense'));
    const large = await open(url, 'snowflake', { block: 20_000 });
    await refuses('INVALID_ARGUMENT', /10000/, () => large.generateAsync());
    await refuses('STORE_UNAVAILABLE', /could not be reached/, open('saiban://127.0.0.1:1', 'ulid', { waitS: 1 }));
    await refuses('INVALID_ARGUMENT', /10000000/, async () => (await open(url, 'ulid')).generateManyAsync(10_000_001));
  }));

test('impossible options are refused before anything is called', async () => {
  const url = 'saiban://127.0.0.1:1';
  for (const more of [{ block: 0 }, { block: 100_001 }, { block: 2n ** 70n }, { maxAgeMs: 0 }, { waitS: 0 }]) {
    await refuses('INVALID_ARGUMENT', /give/, open(url, 'ulid', more));
  }
  for (const wrong of ['redis://host', 'saiban://hunter2@host', 'saiban://u:hunter2@host', 'saiban://host/path']) {
    const error = await refused(open(wrong, 'ulid'));
    assert.equal(error.code, 'INVALID_ARGUMENT');
    assert.ok(!error.message.includes('hunter2'), error.message);
  }
  const untyped = [[5, { scheme: 'ulid' }], [url, {}], [url, { scheme: 'ulid', blok: 1 }], [url, { scheme: 'ulid', block: 1.5 }]];
  for (const given of untyped) {
    await assert.rejects(RemoteGenerator.open(...given), (error) => /TYPE|ARGUMENT/.test(error.code));
  }
  assert.throws(() => new RemoteGenerator({}, 'ulid'), /RemoteGenerator.open/);
});

test('a lease of a service is a lease of its store', () =>
  withServer('saiban', async ({ url }) => {
    const lease = await Lease.acquire(url, { namespace: 'remote', create: true });
    const other = await Lease.acquire(url, { namespace: 'remote' });
    assert.notDeepEqual(lease.nodes, other.nodes);
    const ids = new Snowflake({ lease });
    assert.equal(Number(ids.inspect(await ids.generateAsync()).node), Number(lease.nodes[0]));
    await lease.release();
    await other.release();
  }));
