package main

import (
	"reflect"
	"time"

	"github.com/bwmarrin/snowflake"

	"saiban.example/faults/harness"
)

const (
	monotonic = "a node that runs reads Go's monotonic clock, which nobody sets"
	stepped   = "a new node, whose Epoch is 2 ms later, which gives the IDs of a clock that is 2 ms behind; real time, so that " +
		"on a busy machine fewer fall into the same milliseconds"
)

// A node for number 1, on a clock that is so many milliseconds behind.
func newNode(behindMs int64) *snowflake.Node {
	const epoch = 1288834974657
	snowflake.Epoch = epoch + behindMs
	node, err := snowflake.NewNode(1)
	if err != nil {
		panic(err)
	}
	return node
}

// Whether the time that a node counts from has a monotonic reading: the top bit of time.Time's first field.
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

// Real time takes the place of the traces' readings: as many IDs in as many milliseconds, the fault between them.
func restartedInThePast(traces []harness.Trace) harness.Made {
	dueMs := time.Now().UnixMilli()
	part := func(node *snowflake.Node, readings []harness.Reading) (ids []int64) {
		for _, reading := range readings {
			dueMs++
			for time.Now().UnixMilli() < dueMs {
			}
			for range reading[1] {
				ids = append(ids, node.Generate().Int64())
			}
		}
		return ids
	}
	var made harness.Made
	for _, trace := range traces {
		made.Before = append(made.Before, part(newNode(0), trace.Before)...)
		made.After = append(made.After, part(newNode(2), trace.After)...)
		dueMs += 10
	}
	return made
}

func restartedInOneMs(plan *harness.Plan) harness.Made {
	var made harness.Made
	for range plan.Restart.Ticks {
		untilNextMs()
		for _, ids := range []*[]int64{&made.Before, &made.After} {
			node := newNode(0)
			for range plan.Restart.IDs {
				*ids = append(*ids, node.Generate().Int64())
			}
		}
	}
	return made
}

func untilNextMs() {
	for now := time.Now().UnixMilli(); time.Now().UnixMilli() == now; {
	}
}
