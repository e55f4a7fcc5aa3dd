// Package harness has the common parts of all Go libraries' faults: the plan, exact counts, JSON.
package harness

import (
	"encoding/json"
	"os"
)

// A Reading is a time of the clock in Unix milliseconds, and the number of IDs requested at it.
type Reading [2]int64

// A Trace contains the clock's readings before and after a fault.
type Trace struct {
	Before, After []Reading
}

// A Plan is the plan that tests/faults/plan.py makes for all harnesses.
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

// Traces returns the faults of the clock by name.
func (plan *Plan) Traces() map[string]Trace {
	return map[string]Trace{"step_1s": plan.Step1s, "step_2ms": plan.Step2ms, "oscillating": plan.Oscillating}
}
