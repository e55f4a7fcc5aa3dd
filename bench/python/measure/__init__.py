"""What IDs cost in Python: saiban, other packages and floors, each in turn in one process."""
