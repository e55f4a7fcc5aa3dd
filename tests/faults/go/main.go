// The faults of docs/faults.md for libraries in Go: bwmarrin/snowflake, Randflake's version 1.
//
// Usage: faults PLAN           what tests/faults/run does; prints a JSON line for each cell
//
//	faults serve LIBRARY  makes the requested IDs: tests/faults/processes.py
package main

import (
	"fmt"
	"os"
	"time"

	"saiban.example/faults/harness"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		serve(os.Args[2])
		return
	}
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: faults PLAN")
		os.Exit(2)
	}
	plan := harness.ReadPlan(os.Args[1])
	bwmarrin(plan)
	randflakeV1(plan)
}

func serve(library string) {
	if library == "bwmarrin" {
		node := newNode(0)
		harness.Serve(func() (int64, error) { return node.Generate().Int64(), nil })
	} else {
		harness.Serve(newV1(time.Now().Unix() - 1).Generate)
	}
}
