// This process's IDs: a lease for each scheme that has nodes, so that nobody numbers processes, and
// the generators under them. Or one node for all processes of this machine, which share its
// counter.

import { Lease, Randflake, Snowflake, UlidFlake, Uuid } from 'saiban';

/**
 * Acquires the leases from the store of this URL. `create` makes what the store has not: say so
 * once, on a server's first start. `secret` is shared by all who make or read Randflake IDs.
 */
export async function acquireIds({ store, secret, create }) {
  // A worker that is killed releases nothing: its nodes are free again after a minute.
  const acquire = (scheme, options) => Lease.acquire(store, { namespace: scheme, scheme, create, ttlS: 60, ...options });
  const leases = await Promise.all([acquire('snowflake'), acquire('randflake', { secret }), acquire('ulid-flake')]);
  const [snowflake, randflake, ulidFlake] = leases;
  return {
    generators: {
      snowflake: new Snowflake({ lease: snowflake }),
      randflake: new Randflake({ lease: randflake, secret }),
      'ulid-flake': new UlidFlake({ lease: ulidFlake }),
      // Needs no lease: random bits keep it apart.
      'uuid-v7': new Uuid(),
    },
    /** Gives the nodes back; where the store cannot be told they are free when the leases end. */
    release: () => Promise.allSettled(leases.map((lease) => lease.release())),
  };
}

/** Generators with this node and no lease: all workers of one machine may use it. */
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
