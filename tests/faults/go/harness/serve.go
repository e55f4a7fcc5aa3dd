package harness

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"time"
)

// Serve is one of several processes with one node: see tests/faults/processes.py.
func Serve(generate func() (int64, error)) {
	out := bufio.NewWriter(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var count, patienceMs int
		if _, err := fmt.Sscan(lines.Text(), &count, &patienceMs); err != nil {
			panic(err)
		}
		ids := make([]int64, 0, count)
		refused := int64(0)
		for end := time.Now().Add(time.Duration(patienceMs) * time.Millisecond); len(ids) < count && (refused == 0 || time.Now().Before(end)); {
			if id, err := generate(); err == nil {
				ids = append(ids, id)
			} else {
				refused++
			}
		}
		for _, numbers := range [][]int64{{int64(len(ids)), refused}, ids} {
			if err := binary.Write(out, binary.LittleEndian, numbers); err != nil {
				panic(err)
			}
		}
		if err := out.Flush(); err != nil {
			panic(err)
		}
	}
}
