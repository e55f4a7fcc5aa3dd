-- saiban's counters, version 1. What is in these tables keeps numbers from coming twice: never delete rows of counters by hand. Days long gone may be deleted.
CREATE TABLE IF NOT EXISTS saiban_counters (
    name TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    incarnation INTEGER NOT NULL,
    next INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS saiban_counter_days (
    counter TEXT NOT NULL,
    day INTEGER NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (counter, day)
) STRICT;
