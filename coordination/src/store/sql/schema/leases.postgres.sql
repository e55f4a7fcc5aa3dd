-- saiban's leases, version 1. What is in these tables makes reuse of nodes safe: never delete rows by hand.
CREATE TABLE IF NOT EXISTS saiban_namespaces (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    nodes BIGINT NOT NULL,
    max_ttl_us BIGINT NOT NULL,
    incarnation BIGINT NOT NULL,
    quarantine_until_us BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS saiban_slots (
    namespace VARCHAR(64) NOT NULL,
    nodes_start BIGINT NOT NULL,
    nodes_end BIGINT NOT NULL,
    fence BIGINT NOT NULL,
    token BIGINT NOT NULL,
    start_us BIGINT NOT NULL,
    end_us BIGINT NOT NULL,
    high_water_us BIGINT NOT NULL,
    holder TEXT NOT NULL,
    PRIMARY KEY (namespace, nodes_start),
    CONSTRAINT saiban_slots_nodes CHECK (nodes_start >= 0 AND nodes_end > nodes_start)
);
