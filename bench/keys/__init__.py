"""Measures what primary keys of different kinds cost in PostgreSQL and SQLite, for `bench/keys/run`."""
