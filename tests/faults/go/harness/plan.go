// Package harness has what every library's faults need: the plan, exact counts, and lines of JSON.
package harness

import (
	"encoding/json"
	"os"
)

// A Reading is what a clock shows, Unix milliseconds, and how many IDs are asked for meanwhile.
type Reading [2]int64

// A Trace is the clock's readings before and after a fault.
type Trace struct {
	Before, After []Reading
}

// A Plan is what tests/faults/plan.py asks of every library.
type Plan struct {
	Burst struct {
		IDs      int
		Seconds  int
		Readings []Reading
	}
	Step1s      Trace `json:"step_1s"`
	Step2ms     Trace `json:"step_2ms"`
	Oscillating Trace
	Restart     struct {
		StartMs int64 `json:"start_ms"`
		Ticks   int64
		IDs     int
	}
	Restart2ms []Trace `json:"restart_2ms"`
	Threads    struct {
		Threads, IDs int
	}
}

// ReadPlan reads the plan from a file, or ends the program.
func ReadPlan(path string) *Plan {
	plan := new(Plan)
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, plan)
	}
	if err != nil {
		panic(err)
	}
	return plan
}

// Traces names the faults that are a clock's.
func (plan *Plan) Traces() map[string]Trace {
	return map[string]Trace{"step_1s": plan.Step1s, "step_2ms": plan.Step2ms, "oscillating": plan.Oscillating}
}
