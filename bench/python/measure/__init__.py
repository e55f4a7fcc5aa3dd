"""The cost of IDs in Python: saiban, other packages and baselines, in one process."""
