package main

import (
	"reflect"
	"time"

	"github.com/bwmarrin/snowflake"

	"saiban.example/faults/harness"
)

const (
	monotonic = "a running node reads Go's monotonic clock, which cannot be set"
	stepped   = "a new node, whose Epoch is 2 ms later, which gives the IDs of a clock that is 2 ms behind; the system's clock"
)

// newNode returns node 1 with a later Epoch, as if its clock were this many milliseconds behind.
func newNode(behindMs int64) *snowflake.Node {
	const epoch = 1288834974657
	snowflake.Epoch = epoch + behindMs
	node, err := snowflake.NewNode(1)
	if err != nil {
		panic(err)
	}
	return node
}

// isMonotonic reports whether the node's start time has a monotonic reading: the top bit of the
// first field of time.Time.
func isMonotonic(node *snowflake.Node) bool {
	return reflect.ValueOf(node).Elem().FieldByName("epoch").Field(0).Uint()>>63 == 1
}

func bwmarrin(plan *harness.Plan) {
	library := harness.Library{Name: "bwmarrin/snowflake", Version: "v0.3.0"}
	if !isMonotonic(newNode(0)) {
		panic("this version of bwmarrin/snowflake does not read the monotonic clock: its notes are wrong")
	}
	for _, fault := range []string{"step_1s", "step_2ms", "oscillating"} {
		library.NotApplicable(fault, monotonic)
	}
	library.Cell("restart_2ms", restartedInThePast(plan.Restart2ms), stepped)
	library.Cell("restart", restartedInOneMs(plan), "a new node in the same millisecond, in one process")

	var burst harness.Made
	node := newNode(0)
	for range plan.Burst.IDs {
		burst.After = append(burst.After, node.Generate().Int64())
	}
	library.Cell("burst", burst, "one node, the system's clock")
	library.NotApplicable("fork", "Go programs cannot fork")
	generate := func() (int64, error) { return node.Generate().Int64(), nil }
	library.Cell("threads", harness.Threads(plan, generate), "goroutines with one node")
}

// inTime repeats the attempt until every ID falls into its intended millisecond of real time, which
// the scheduler may prevent. The attempt reports whether that is so.
func inTime(attempt func() ([2][]int64, bool)) [2][]int64 {
	for range 1000 {
		if ids, ok := attempt(); ok {
			return ids
		}
	}
	panic("this machine is too busy for a millisecond to be had undisturbed")
}

func restartedInThePast(traces []harness.Trace) (made harness.Made) {
	for _, trace := range traces {
		ids := inTime(func() (ids [2][]int64, ok bool) {
			dueMs := time.Now().UnixMilli()
			for half, readings := range [][]harness.Reading{trace.Before, trace.After} {
				node := newNode(int64(2 * half))
				for _, reading := range readings {
					dueMs++
					for time.Now().UnixMilli() < dueMs {
					}
					for range reading[1] {
						ids[half] = append(ids[half], node.Generate().Int64())
					}
					if time.Now().UnixMilli() != dueMs {
						return ids, false
					}
				}
			}
			return ids, true
		})
		made.Before = append(made.Before, ids[0]...)
		made.After = append(made.After, ids[1]...)
	}
	return made
}

func restartedInOneMs(plan *harness.Plan) (made harness.Made) {
	for range plan.Restart.Ticks {
		ids := inTime(func() (ids [2][]int64, ok bool) {
			start := time.Now().UnixMilli()
			for time.Now().UnixMilli() == start {
			}
			for half := range ids {
				node := newNode(0)
				for range plan.Restart.IDs {
					ids[half] = append(ids[half], node.Generate().Int64())
				}
			}
			return ids, time.Now().UnixMilli() == start+1
		})
		made.Before = append(made.Before, ids[0]...)
		made.After = append(made.After, ids[1]...)
	}
	return made
}
