package main

import (
	"reflect"
	"time"

	"github.com/bwmarrin/snowflake"

	"saiban.example/faults/harness"
)

const stepped = "only after a restart: a node that runs reads Go's monotonic clock, which never steps. The clock's step " +
	"comes with a new node, whose Epoch is later by as much as the clock is behind, which gives the same IDs"

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
	library.Cell("step_1s", steppedBack(plan.Step1s, 1000), stepped)
	library.Cell("step_2ms", steppedBack(plan.Step2ms, 2), stepped)
	library.NotApplicable("oscillating", "a node reads Go's monotonic clock, which does not oscillate")
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

// Real time takes the place of the trace's readings: as many IDs in as many milliseconds, the fault between them.
func steppedBack(trace harness.Trace, byMs int64) harness.Made {
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
	made.Before = part(newNode(0), trace.Before)
	made.After = part(newNode(byMs), trace.After)
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
