// Load: many clients send requests to the four workers while one of them is killed. No ID may
// repeat across workers.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { Lease, Snowflake } from 'saiban';

const CLIENTS = 8;
const ROUNDS = 30;
const COUNT = 100;
const SCHEMES = ['snowflake', 'randflake', 'ulid-flake'];

/**
 * Posts on a new connection, which goes to the next worker. Returns null if that worker was killed
 * meanwhile.
 */
function post(origin, body) {
  return new Promise((resolve) => {
    const asked = request(`${origin}/ids`, { method: 'POST', agent: false }, async (response) => {
      try {
        const answer = JSON.parse((await response.toArray()).join(''));
        resolve({ status: response.statusCode, answer });
      } catch {
        resolve(null);
      }
    });
    // A request to a killed worker may never get a response.
    asked.setTimeout(10_000, () => asked.destroy());
    asked.on('error', () => resolve(null)).end(JSON.stringify(body));
  });
}

/**
 * Puts load on the service and kills one of its workers. `node` is the node that all workers share;
 * without it, each has its own.
 */
export async function load(origin, node) {
  const made = Object.fromEntries(SCHEMES.map((scheme) => [scheme, []]));
  const workers = new Map();
  const reader = new Snowflake({ node: 0 });
  let lost = 0;
  const ask = async (scheme) => {
    const said = await post(origin, { scheme, count: COUNT });
    if (said === null) {
      lost += 1;
      return;
    }
    assert.equal(said.status, 201, JSON.stringify(said.answer));
    const { worker, ids } = said.answer;
    made[scheme].push(...ids.map(({ id }) => id));
    if (scheme === 'snowflake') workers.set(worker, reader.inspect(BigInt(ids[0].id)).node);
  };
  const client = async () => {
    for (let round = 0; round < ROUNDS; round += 1) await ask(SCHEMES[round % SCHEMES.length]);
  };
  const crowd = () => Promise.all(Array.from({ length: CLIENTS }, client));

  await crowd();
  assert.equal(workers.size, 4, 'four workers answer');
  const [killed] = workers.keys();
  const going = crowd();
  process.kill(killed, 'SIGKILL');
  await going;
  // The replacement worker must serve requests too; with leases it has another node.
  while (workers.size < 5) await ask('snowflake');
  await crowd();

  for (const scheme of SCHEMES) assert.equal(new Set(made[scheme]).size, made[scheme].length, `an ID of ${scheme} came twice`);
  assert.equal(workers.size, 5);
  assert.equal(new Set(workers.values()).size, node === undefined ? 5 : 1, [...workers.values()].join(' '));
  const total = SCHEMES.reduce((sum, scheme) => sum + made[scheme].length, 0);
  assert.ok(total > CLIENTS * ROUNDS * COUNT * 2, String(total));
  console.log(`${CLIENTS} clients asked 4 workers for ${total} IDs while one was killed (${lost} requests lost): all different.`);
  const whose = node === undefined ? 'each from its lease' : 'the same for all, and no lease';
  console.log(`  nodes of the workers, ${whose}: ${[...workers.values()].join(', ')}\n`);
}

/**
 * Checks, after the service has stopped, that its nodes are free, except the killed worker's, whose
 * lease has not expired.
 */
export async function givenBack(store) {
  const acquire = () => Lease.acquire(store, { namespace: 'ulid-flake', scheme: 'ulid-flake', ttlS: 60 });
  const leases = [];
  while (leases.length < 31) leases.push(await acquire());
  await Promise.all(leases.map((lease) => lease.release()));
  console.log('  SIGTERM: the workers gave their leases back, and 31 of 32 nodes of Ulid-Flake are free at once.\n');
}
