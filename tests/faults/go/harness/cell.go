package harness

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Made contains the IDs of one scenario. The IDs before the fault count only as earlier ones.
type Made struct {
	Before, After []int64
	Refused       int
}

// A Library has the name and version that its cells are printed with.
type Library struct {
	Name, Version string
}

type line struct {
	Library    string `json:"library"`
	Version    string `json:"version"`
	Fault      string `json:"fault"`
	Made       *int   `json:"made,omitempty"`
	Duplicates *int   `json:"duplicates,omitempty"`
	Refused    *int   `json:"refused,omitempty"`
	Note       string `json:"note"`
}

func distinct(ids []int64) int {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return len(slices.Compact(sorted))
}

// Cell counts exactly how many of the IDs repeat an earlier one, and prints the cell.
func (library Library) Cell(fault string, made Made, note string) {
	count := len(made.After)
	duplicates := count - (distinct(slices.Concat(made.Before, made.After)) - distinct(made.Before))
	library.print(line{Fault: fault, Made: &count, Duplicates: &duplicates, Refused: &made.Refused, Note: note})
}

// NotApplicable prints a cell that has a reason instead of a count.
func (library Library) NotApplicable(fault, reason string) {
	library.print(line{Fault: fault, Note: reason})
}

func (library Library) print(cell line) {
	cell.Library, cell.Version = library.Name, library.Version
	text, err := json.Marshal(cell)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// Follow asks for IDs at each reading of a trace; it goes to the next reading after an error.
func Follow(readings []Reading, made *Made, ask func(nowMs int64) (int64, error)) []int64 {
	var ids []int64
	for _, reading := range readings {
		for range reading[1] {
			id, err := ask(reading[0])
			if err != nil {
				made.Refused++
				break
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// Loop makes IDs on the system's clock as fast as it can.
func Loop(plan *Plan, generate func() (int64, error)) Made {
	var made Made
	for end := time.Now().Add(time.Duration(plan.Burst.Seconds) * time.Second); time.Now().Before(end); {
		if id, err := generate(); err == nil {
			made.After = append(made.After, id)
		} else {
			made.Refused++
		}
	}
	return made
}

// LoopNote describes Loop.
func LoopNote(plan *Plan) string {
	const note = "a loop of %d s on the system's clock; the lease began a second before the first ID"
	return fmt.Sprintf(note, plan.Burst.Seconds)
}

// Restarted uses one generator before each fault and another after it. start returns a function
// that makes IDs.
func Restarted(traces []Trace, start func(Trace) func(nowMs int64) (int64, error)) Made {
	var made Made
	for _, trace := range traces {
		made.Before = append(made.Before, Follow(trace.Before, &made, start(trace))...)
		made.After = append(made.After, Follow(trace.After, &made, start(trace))...)
	}
	return made
}

// Threads makes IDs in several goroutines at once. It counts errors as refused, and tries again.
func Threads(plan *Plan, generate func() (int64, error)) Made {
	var made Made
	var all sync.Mutex
	var running sync.WaitGroup
	for range plan.Threads.Threads {
		running.Add(1)
		go func() {
			defer running.Done()
			ids := make([]int64, 0, plan.Threads.IDs)
			refused := 0
			for len(ids) < plan.Threads.IDs {
				if id, err := generate(); err == nil {
					ids = append(ids, id)
				} else {
					refused++
				}
			}
			all.Lock()
			defer all.Unlock()
			made.After = append(made.After, ids...)
			made.Refused += refused
		}()
	}
	running.Wait()
	return made
}
