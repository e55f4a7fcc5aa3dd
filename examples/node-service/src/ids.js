// The generators of this process: with a lease for each scheme that has nodes, which replaces
// numbering processes by hand, or with one node for all processes of this machine, which share a
// cursor.

import { Lease, Randflake, Snowflake, UlidFlake, Uuid } from 'saiban';

/**
 * Acquires leases from the store with this URL. With `create` it initialises missing namespaces;
 * use that once, on a server's first start. All processes that make or read Randflake IDs share
 * `secret`.
 */
export async function acquireIds({ store, secret, create }) {
  // A killed worker releases nothing; its nodes become free after a minute.
  const acquire = (scheme, options) => Lease.acquire(store, { namespace: scheme, scheme, create, ttlS: 60, ...options });
  const leases = await Promise.all([acquire('snowflake'), acquire('randflake', { secret }), acquire('ulid-flake')]);
  const [snowflake, randflake, ulidFlake] = leases;
  return {
    generators: {
      snowflake: new Snowflake({ lease: snowflake }),
      randflake: new Randflake({ lease: randflake, secret }),
      'ulid-flake': new UlidFlake({ lease: ulidFlake }),
      // Needs no lease, because random bits keep generators apart.
      'uuid-v7': new Uuid(),
    },
    /** Releases the nodes. If the store cannot be reached, the leases expire instead. */
    release: () => Promise.allSettled(leases.map((lease) => lease.release())),
  };
}

/** Returns generators with this node and without a lease. All workers of one machine may use it. */
export function idsOfNode({ node, secret }) {
  return {
    generators: {
      snowflake: new Snowflake({ node }),
      randflake: new Randflake({ node, secret }),
      'ulid-flake': new UlidFlake({ scalability: node }),
      'uuid-v7': new Uuid(),
    },
    release: async () => {},
  };
}
