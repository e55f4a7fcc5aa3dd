package main

import "time"

// A case does one thing so many times, and keeps what came of it where the compiler cannot leave it
// out.
type benchCase struct {
	path, who, module string
	run               func(times int)
}

const (
	calibratingFor = 5 * time.Millisecond
	// Go's collector works between the goes of those that allocate, too; what it does in a go is that
	// case's own.
	atMost = 1 << 30
)

func took(run func(int), times int) time.Duration {
	begun := time.Now()
	run(times)
	return time.Since(begun)
}

// How many times take about so long.
func calibrate(run func(int), wanted time.Duration) int {
	times := 16
	for times < atMost {
		if spent := took(run, times); spent >= calibratingFor {
			return max(1, int(float64(times)*float64(wanted)/float64(spent)))
		}
		times *= 2
	}
	return times
}

// Nanoseconds each, a value for every round: all cases once a round, every second one the other way
// around.
func measure(cases []benchCase, rounds int, each time.Duration) [][]float64 {
	times := make([]int, len(cases))
	for index, one := range cases {
		times[index] = calibrate(one.run, each)
	}
	ns := make([][]float64, len(cases))
	for round := range rounds {
		for place := range cases {
			index := place
			if round%2 == 1 {
				index = len(cases) - 1 - place
			}
			spent := took(cases[index].run, times[index])
			ns[index] = append(ns[index], float64(spent.Nanoseconds())/float64(times[index]))
		}
	}
	return ns
}
