package main

import (
	"time"

	"gosuda.org/randflake"

	"saiban.example/faults/harness"
)

const told = "a TimeSource that the test sets"

var secret = []byte("super-secret-key")

// newV1 returns a generator for node 42 with a lease from this second, as in the package's README.
func newV1(startS int64) *randflake.Generator {
	generator, err := randflake.NewGenerator(42, startS, startS+600, secret)
	if err != nil {
		panic(err)
	}
	return generator
}

func randflakeV1(plan *harness.Plan) {
	library := harness.Library{Name: "gosuda.org/randflake (Go)", Version: "v1.8.0"}
	var nowMs int64
	clock := func() int64 { return nowMs / 1000 }
	for fault, trace := range plan.Traces() {
		generator := newV1(trace.Before[0][0]/1000 - 1)
		generator.TimeSource = clock
		ask := func(reading int64) (int64, error) {
			nowMs = reading
			return generator.Generate()
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
			generator := newV1(nowMs / 1000)
			generator.TimeSource = clock
			readings := []harness.Reading{{nowMs, int64(plan.Restart.IDs)}}
			ask := func(int64) (int64, error) { return generator.Generate() }
			*ids = append(*ids, harness.Follow(readings, &restart, ask)...)
		}
	}
	library.Cell("restart", restart, "a new generator, with a new lease that begins in the same second, "+told)
	past := harness.Restarted(plan.Restart2ms, func(trace harness.Trace) func(int64) (int64, error) {
		generator := newV1(trace.Before[0][0] / 1000)
		generator.TimeSource = clock
		return func(reading int64) (int64, error) {
			nowMs = reading
			return generator.Generate()
		}
	})
	library.Cell("restart_2ms", past, "as restart in one tick, with the clock set back between the two generators")

	library.Cell("burst", harness.Loop(plan, newV1(time.Now().Unix()-1).Generate), harness.LoopNote(plan))
	library.NotApplicable("fork", "Go programs cannot fork")
	threads := harness.Threads(plan, newV1(time.Now().Unix()-1).Generate)
	library.Cell("threads", threads, "goroutines with one generator and its lease as above, the system's clock")
}
