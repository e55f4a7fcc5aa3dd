// The cost of IDs in Go, for its usual packages; saiban has no package for Go. Prints a line of
// JSON for each case.
package main

import (
	"encoding/json"
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

type line struct {
	Path    string    `json:"path"`
	Who     string    `json:"who"`
	Version string    `json:"version"`
	Ns      []float64 `json:"ns"`
}

// versions returns the versions that go.mod pins.
func versions() map[string]string {
	found := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			found[module.Path] = strings.TrimPrefix(module.Version, "v")
		}
	}
	return found
}

func main() {
	rounds := flag.Int("rounds", 15, "how often each case is measured")
	ms := flag.Int("ms", 20, "about how long each sample of a case takes")
	flag.Parse()

	out := json.NewEncoder(os.Stdout)
	runtimeVersion := "Go " + strings.TrimPrefix(runtime.Version(), "go")
	told := map[string]map[string]string{"machine": {"language": "go", "runtime": runtimeVersion}}
	if err := out.Encode(told); err != nil {
		panic(err)
	}
	all, pinned := cases(), versions()
	for index, ns := range measure(all, *rounds, time.Duration(*ms)*time.Millisecond) {
		one := all[index]
		if err := out.Encode(line{one.path, one.who, pinned[one.module], ns}); err != nil {
			panic(err)
		}
	}
}
