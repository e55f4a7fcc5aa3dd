module saiban.example/faults-v2

go 1.23

// tests/faults/run adds gosuda.org/randflake/v2, at its latest version, where a module proxy has it.
require saiban.example/faults v0.0.0

replace saiban.example/faults => ../go
