// The faults of docs/faults.md, for what is written in Go: bwmarrin/snowflake and Randflake's version 1.
//
// Usage: faults PLAN     what tests/faults/run does; prints a JSON line for each cell
package main

import (
	"fmt"
	"os"

	"saiban.example/faults/harness"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: faults PLAN")
		os.Exit(2)
	}
	plan := harness.ReadPlan(os.Args[1])
	bwmarrin(plan)
	randflakeV1(plan)
}
