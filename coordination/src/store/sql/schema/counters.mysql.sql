-- saiban's counters, version 1. What is in these tables keeps numbers from coming twice: never delete rows of counters by hand. Days long gone may be deleted.
CREATE TABLE IF NOT EXISTS saiban_counters (
    name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    fingerprint TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    incarnation BIGINT NOT NULL,
    next BIGINT NOT NULL
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS saiban_counter_days (
    counter VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    day BIGINT NOT NULL,
    next BIGINT NOT NULL,
    PRIMARY KEY (counter, day)
) ENGINE = InnoDB;
