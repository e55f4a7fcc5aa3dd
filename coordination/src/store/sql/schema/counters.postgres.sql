-- saiban's counters, version 1. What is in these tables keeps numbers from coming twice: never delete rows of counters by hand. Days long gone may be deleted.
CREATE TABLE IF NOT EXISTS saiban_counters (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    incarnation BIGINT NOT NULL,
    next BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS saiban_counter_days (
    counter VARCHAR(64) NOT NULL,
    day BIGINT NOT NULL,
    next BIGINT NOT NULL,
    PRIMARY KEY (counter, day)
);
