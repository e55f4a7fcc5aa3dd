package main

import "time"

// A benchCase does one thing a number of times. It stores the result where the compiler must not
// remove it.
type benchCase struct {
	path, who, module string
	run               func(times int)
}

const (
	calibratingFor = 5 * time.Millisecond
	// The garbage collector also runs between the samples of cases that allocate. Its work within a
	// sample counts as that case's cost.
	atMost = 1 << 30
)

func took(run func(int), times int) time.Duration {
	begun := time.Now()
	run(times)
	return time.Since(begun)
}

// calibrate returns the number of repetitions that take about this long.
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

// measure returns nanoseconds for each case, a value a round. Every second round runs the cases in
// reverse order.
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
