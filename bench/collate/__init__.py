"""Collects what the languages' benches measured, and tells it: tables, bars, charts. `bench/run` is the program."""
