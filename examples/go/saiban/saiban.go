// Package saiban makes Snowflake IDs with saiban's C library: as much of it as this example needs.
package saiban

/*
#cgo pkg-config: saiban
#include <saiban.h>
#include <stdlib.h>
*/
import "C"

import (
	"runtime"
	"strconv"
	"time"
	"unsafe"
)

// An Error is one of SAIBAN_ERROR_…: docs/errors.md has the cause and the remedy of each.
type Error struct {
	Name    string // such as CLOCK_BACKWARD
	Message string
}

func (e *Error) Error() string { return e.Name + ": " + e.Message }

// call calls a function of saiban.h and returns its error. The message of an error belongs to the
// thread of the operating system, and without the lock Go may continue on another one.
func call(function func() C.saiban_error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	code := function()
	if code == C.SAIBAN_OK {
		return nil
	}
	var message [C.SAIBAN_MESSAGE_CAPACITY]C.char
	C.saiban_last_error_message(&message[0], C.SAIBAN_MESSAGE_CAPACITY, nil)
	return &Error{C.GoString(C.saiban_error_name(C.int32_t(code))), C.GoString(&message[0])}
}

// An ID is a Snowflake ID. It is text in JSON, because many readers of JSON round above 2^53.
type ID int64

func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// MarshalText returns the ID as encoding/json writes it.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the text that MarshalText returns, and no other.
func (id *ID) UnmarshalText(text []byte) error {
	characters := C.CString(string(text))
	defer C.free(unsafe.Pointer(characters))
	var number C.int64_t
	err := call(func() C.saiban_error {
		return C.saiban_decode(characters, C.size_t(len(text)), C.SAIBAN_ENCODING_DECIMAL, C.SAIBAN_NOT_GIVEN,
			C.SAIBAN_STRICT, &number)
	})
	if err == nil {
		*id = ID(number)
	}
	return err
}

// A Generator makes Snowflake IDs. Any number of goroutines may use it at once. Close it after the
// last use.
type Generator struct {
	pointer *C.saiban_generator // memory of C; nil, which C refuses, when closed
}

// OfNode makes a generator with a node that no other machine has.
func OfNode(node int64) (*Generator, error) {
	return open(func(options *C.saiban_options) { options.node = C.int64_t(node) })
}

// OfStore makes a generator that leases its node from the store at this URL.
func OfStore(url string) (*Generator, error) {
	store := C.CString(url)
	defer C.free(unsafe.Pointer(store))
	return open(func(options *C.saiban_options) { options.store = store })
}

// open makes a generator. C may read the options, which are memory of Go, because they contain only
// numbers and pointers to memory of C.
func open(set func(*C.saiban_options)) (*Generator, error) {
	var options C.saiban_options
	err := call(func() C.saiban_error { return C.saiban_options_init(&options, C.sizeof_saiban_options) })
	if err != nil {
		return nil, err
	}
	set(&options)
	var pointer *C.saiban_generator
	if err := call(func() C.saiban_error { return C.saiban_snowflake_new(&options, &pointer) }); err != nil {
		return nil, err
	}
	generator := &Generator{pointer}
	runtime.SetFinalizer(generator, (*Generator).free)
	return generator, nil
}

// Generate returns a new ID. By default it waits up to 2 ms for a tick, and up to 2 s if other
// threads use up the ticks.
func (g *Generator) Generate() (ID, error) {
	var id C.int64_t
	err := call(func() C.saiban_error { return C.saiban_generate(g.pointer, &id) })
	runtime.KeepAlive(g) // The finalizer may not free the generator during the call.
	return ID(id), err
}

// Parts are what an ID contains.
type Parts struct {
	Time           time.Time
	Node, Sequence uint64
}

// Inspect returns the parts of an ID, which may be of another generator.
func (g *Generator) Inspect(id ID) (Parts, error) {
	var parts C.saiban_parts
	err := call(func() C.saiban_error { return C.saiban_generator_inspect(g.pointer, C.int64_t(id), &parts) })
	runtime.KeepAlive(g)
	return Parts{time.UnixMilli(int64(parts.timestamp_ms)), uint64(parts.node), uint64(parts.sequence)}, err
}

// Close releases the lease, if there is one, and frees the generator. No goroutine may use the
// generator at the same time; a later use returns an error. Without Close, the garbage collector
// frees the generator.
func (g *Generator) Close() error {
	var lease *C.saiban_lease
	if g.pointer != nil {
		C.saiban_generator_lease(g.pointer, &lease)
	}
	var err error
	if lease != nil {
		err = call(func() C.saiban_error { return C.saiban_lease_release(lease) })
		C.saiban_lease_free(lease)
	}
	g.free()
	return err
}

func (g *Generator) free() {
	runtime.SetFinalizer(g, nil)
	C.saiban_generator_free(g.pointer) // nil is allowed.
	g.pointer = nil
}
