// A service with orders as JSON. Their IDs are made by saiban's C library.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"saiban.example/orders/saiban"
)

// The node of the Go service, which no other service of the fleet may use.
const node = 8

type order struct {
	ID   saiban.ID `json:"id"`
	Item string    `json:"item"`
}

// generator leases a node from the store in the environment variable SAIBAN_STORE; without a store
// it has a fixed node.
func generator() (*saiban.Generator, error) {
	if url := os.Getenv("SAIBAN_STORE"); url != "" {
		return saiban.OfStore(url)
	}
	return saiban.OfNode(node)
}

func show() error {
	ids, err := generator()
	if err != nil {
		return err
	}
	defer ids.Close()
	id, err := ids.Generate()
	if err != nil {
		return err
	}
	text, err := json.Marshal(order{id, "tea"})
	if err != nil {
		return err
	}
	fmt.Printf("  an order as JSON: %s\n", text)

	var read order
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	parts, err := ids.Inspect(read.ID)
	if err != nil {
		return err
	}
	fmt.Printf("  its ID is of %s, node %d\n", parts.Time.UTC().Format("2006-01-02T15:04:05.000Z07:00"), parts.Node)
	return nil
}

func main() {
	log.SetFlags(0)
	if err := show(); err != nil {
		log.Fatal(err)
	}
}
