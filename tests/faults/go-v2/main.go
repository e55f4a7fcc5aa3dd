// The faults of docs/faults.md for Randflake's version 2 in Go.
//
// Usage: faults-v2 PLAN             what tests/faults/run does; prints a JSON line for each cell
//
//	faults-v2 serve LIBRARY    makes the requested IDs: tests/faults/processes.py
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"gosuda.org/randflake/v2"

	"saiban.example/faults/harness"
)

const told = "a Clock that the test sets"

var secret = []byte("super-secret-key")

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "gosuda.org/randflake/v2" {
				return module.Version
			}
		}
	}
	return "unknown"
}

// generator returns a function that makes IDs for node 42 under a lease that begins in this second.
func generator(startS int64, clock randflake.Clock) func() (int64, error) {
	start := randflake.UnixSeconds(startS)
	lease := randflake.Lease{NodeID: 42, Start: start, EndExclusive: start + 600}
	made, err := randflake.New(randflake.Config{Lease: lease, Secret: secret, Clock: clock})
	if err != nil {
		panic(err)
	}
	return made.Generate
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		harness.Serve(generator(time.Now().Unix()-1, nil))
		return
	}
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: faults-v2 PLAN")
		os.Exit(2)
	}
	plan := harness.ReadPlan(os.Args[1])
	library := harness.Library{Name: "gosuda.org/randflake/v2 (Go)", Version: version()}
	var nowMs int64
	clock := func() (randflake.UnixSeconds, error) { return randflake.UnixSeconds(nowMs / 1000), nil }
	for fault, trace := range plan.Traces() {
		generate := generator(trace.Before[0][0]/1000-1, clock)
		ask := func(reading int64) (int64, error) {
			nowMs = reading
			return generate()
		}
		var made harness.Made
		made.Before = harness.Follow(trace.Before, &made, ask)
		made.After = harness.Follow(trace.After, &made, ask)
		library.Cell(fault, made, told)
	}

	var restart harness.Made
	for tick := range plan.Restart.Ticks {
		nowMs = plan.Restart.StartMs + 1000*tick
		for _, ids := range []*[]int64{&restart.Before, &restart.After} {
			generate := generator(nowMs/1000, clock)
			readings := []harness.Reading{{nowMs, int64(plan.Restart.IDs)}}
			ask := func(int64) (int64, error) { return generate() }
			*ids = append(*ids, harness.Follow(readings, &restart, ask)...)
		}
	}
	library.Cell("restart", restart, "a new generator, with a new lease that begins in the same second, "+told)
	past := harness.Restarted(plan.Restart2ms, func(trace harness.Trace) func(int64) (int64, error) {
		generate := generator(trace.Before[0][0]/1000, clock)
		return func(reading int64) (int64, error) {
			nowMs = reading
			return generate()
		}
	})
	library.Cell("restart_2ms", past, "as restart in one tick, with the clock set back between the two generators")

	library.Cell("burst", harness.Loop(plan, generator(time.Now().Unix()-1, nil)), harness.LoopNote(plan))
	library.NotApplicable("fork", "Go programs cannot fork")
	threads := harness.Threads(plan, generator(time.Now().Unix()-1, nil))
	library.Cell("threads", threads, "goroutines with one generator and its lease as above, the system's clock")
}
