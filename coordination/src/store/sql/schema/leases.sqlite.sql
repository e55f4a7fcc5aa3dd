-- saiban's leases, version 1. What is in these tables makes reuse of nodes safe: never delete rows by hand.
CREATE TABLE IF NOT EXISTS saiban_namespaces (
    name TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    max_ttl_us INTEGER NOT NULL,
    incarnation INTEGER NOT NULL,
    quarantine_until_us INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS saiban_slots (
    namespace TEXT NOT NULL,
    nodes_start INTEGER NOT NULL,
    nodes_end INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    token INTEGER NOT NULL,
    start_us INTEGER NOT NULL,
    end_us INTEGER NOT NULL,
    high_water_us INTEGER NOT NULL,
    holder TEXT NOT NULL,
    PRIMARY KEY (namespace, nodes_start),
    CONSTRAINT saiban_slots_nodes CHECK (nodes_start >= 0 AND nodes_end > nodes_start)
) STRICT;
