"""saiban inside of frameworks. Each is imported by who uses it; none is needed otherwise."""
