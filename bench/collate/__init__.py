"""Collects the results of all languages and writes tables, targets and charts for `bench/run`."""
