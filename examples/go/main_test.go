package main

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"saiban.example/orders/saiban"
)

func ofNode(t *testing.T, node int64) *saiban.Generator {
	t.Helper()
	ids, err := saiban.OfNode(node)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ids.Close() })
	return ids
}

func generate(t *testing.T, ids *saiban.Generator) saiban.ID {
	t.Helper()
	id, err := ids.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// fails checks that the error is saiban's error of this name, with a message.
func fails(t *testing.T, err error, name string) {
	t.Helper()
	var found *saiban.Error
	if !errors.As(err, &found) || found.Name != name || found.Message == "" {
		t.Errorf("the error is %v, not %s", err, name)
	}
}

func TestAnIDAbove2To53SurvivesJSON(t *testing.T) {
	made := order{generate(t, ofNode(t, node)), "tea"}
	if made.ID <= 1<<53 || saiban.ID(float64(made.ID|1)) == made.ID|1 {
		t.Fatalf("a float64 holds %d", made.ID)
	}
	text, err := json.Marshal(made)
	if err != nil || !strings.HasPrefix(string(text), `{"id":"`+made.ID.String()+`",`) {
		t.Fatalf("%s, %v", text, err)
	}
	var read order
	if err := json.Unmarshal(text, &read); err != nil || read != made {
		t.Errorf("%v was read as %v, %v", made, read, err)
	}
}

func TestTextThatIsNoIDIsAnError(t *testing.T) {
	read := order{ID: 7}
	for text, name := range map[string]string{
		`{"id":"12x"}`:                 "TEXT_CHARACTER",
		`{"id":""}`:                    "TEXT_LENGTH",
		`{"id":"007"}`:                 "TEXT_NOT_CANONICAL",
		`{"id":"9223372036854775808"}`: "TEXT_OVERFLOW",
		`{"id":"1\u00002"}`:            "TEXT_CHARACTER",
	} {
		fails(t, json.Unmarshal([]byte(text), &read), name)
	}
	if read.ID != 7 {
		t.Errorf("an error changed the ID to %d", read.ID)
	}
}

func TestEightGoroutinesMakeNoDuplicate(t *testing.T) {
	const goroutines, each = 8, 20000
	ids := ofNode(t, node)
	made := make([][]saiban.ID, goroutines)
	var running sync.WaitGroup
	for i := range made {
		i := i
		running.Add(1)
		go func() {
			defer running.Done()
			for len(made[i]) < each {
				id, err := ids.Generate()
				if err != nil {
					t.Error(err)
					return
				}
				made[i] = append(made[i], id)
			}
		}()
	}
	running.Wait()
	seen := make(map[saiban.ID]bool)
	for _, some := range made {
		for _, id := range some {
			seen[id] = true
		}
	}
	if len(seen) != goroutines*each {
		t.Errorf("%d different IDs, not %d", len(seen), goroutines*each)
	}
}

func TestEachGoroutineGetsItsOwnError(t *testing.T) {
	var running sync.WaitGroup
	for i := 0; i < 8; i++ {
		running.Add(1)
		go func() {
			defer running.Done()
			for attempt := 0; attempt < 3000; attempt++ {
				_, err := saiban.OfNode(1024)
				fails(t, err, "NODE_OUT_OF_RANGE")
				if !strings.Contains(err.Error(), "1024") {
					t.Errorf("%v is the message of another error", err)
				}
				runtime.Gosched()
				fails(t, new(saiban.ID).UnmarshalText([]byte("x")), "TEXT_CHARACTER")
			}
		}()
	}
	running.Wait()
}

func TestANodeIsLeasedFromAStore(t *testing.T) {
	url := "sqlite:" + t.TempDir() + "/ids.db"
	t.Setenv("SAIBAN_STORE", url)
	ids, err := generator()
	if err != nil {
		t.Fatal(err)
	}
	id := generate(t, ids)
	if parts, err := ids.Inspect(id); err != nil || parts.Time.Year() < 2024 || parts.Node > 1023 {
		t.Errorf("%v, %v", parts, err)
	}
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
	if err := show(); err != nil {
		t.Error(err)
	}
}

func TestAClosedGeneratorReturnsErrors(t *testing.T) {
	ids := ofNode(t, node)
	id := generate(t, ids)
	for range [2]int{} {
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := ids.Generate()
	fails(t, err, "INVALID_ARGUMENT")
	_, err = ids.Inspect(id)
	fails(t, err, "INVALID_ARGUMENT")
}

func TestTheGarbageCollectorFreesGenerators(t *testing.T) {
	for i := 0; i < 200; i++ {
		ids, err := saiban.OfNode(node)
		if err != nil {
			t.Fatal(err)
		}
		generate(t, ids)
		if i%20 == 0 {
			runtime.GC()
		}
	}
}
