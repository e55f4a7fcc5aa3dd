package main

import (
	"time"

	"github.com/bwmarrin/snowflake"
	"github.com/google/uuid"
	"gosuda.org/randflake"
)

const (
	randflakeModule = "gosuda.org/randflake"
	snowflakeModule = "github.com/bwmarrin/snowflake"
	uuidModule      = "github.com/google/uuid"
)

var (
	keptNumber int64
	keptText   string
	keptUUID   uuid.UUID
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The format has 131,072 IDs a second and node, fewer than a generator can make. So many generators
// take turns that none runs out of IDs.
const (
	randflakeNodes = 64
	randflakeTurn  = 4096
)

func randflakes() func(times int) {
	var generators []*randflake.Generator
	now := time.Now().Unix()
	for node := range int64(randflakeNodes) {
		generators = append(generators, must(randflake.NewGenerator(node, now-1, now+3600, []byte("super-secret-key"))))
	}
	turn := 0
	return func(times int) {
		for times > 0 {
			generator := generators[turn%len(generators)]
			turn++
			for range min(times, randflakeTurn) {
				id, err := generator.Generate()
				if err != nil {
					panic(err)
				}
				keptNumber = id
			}
			times -= randflakeTurn
		}
	}
}

func randflakeInspect() func(times int) {
	now := time.Now().Unix()
	generator := must(randflake.NewGenerator(42, now-1, now+3600, []byte("super-secret-key")))
	id := must(generator.Generate())
	return func(times int) {
		for range times {
			_, _, sequence, err := generator.Inspect(id)
			if err != nil {
				panic(err)
			}
			keptNumber = sequence
		}
	}
}

// snowflakeNode has 21 bits of sequence instead of 12, because Twitter's 4096 IDs a millisecond are
// fewer than a node can make.
func snowflakeNode() *snowflake.Node {
	snowflake.NodeBits, snowflake.StepBits = 1, 21
	return must(snowflake.NewNode(1))
}

func uuids(generate func() (uuid.UUID, error)) func(times int) {
	return func(times int) {
		for range times {
			id, err := generate()
			if err != nil {
				panic(err)
			}
			keptUUID = id
		}
	}
}

// pooled reads random bytes for many UUIDs at once, which the package does only on request.
func pooled(run func(times int)) func(times int) {
	return func(times int) {
		uuid.EnableRandPool()
		run(times)
		uuid.DisableRandPool()
	}
}

func cases() []benchCase {
	node := snowflakeNode()
	return []benchCase{
		{"go.randflake.generate", randflakeModule, randflakeModule, randflakes()},
		{"go.randflake.inspect", randflakeModule, randflakeModule, randflakeInspect()},
		{"go.snowflake.generate", "bwmarrin/snowflake", snowflakeModule, func(times int) {
			for range times {
				keptNumber = node.Generate().Int64()
			}
		}},
		{"go.snowflake.generate_text", "bwmarrin/snowflake, Base58", snowflakeModule, func(times int) {
			for range times {
				keptText = node.Generate().Base58()
			}
		}},
		{"go.uuid4.generate", "google/uuid", uuidModule, uuids(uuid.NewRandom)},
		{"go.uuid4.generate", "google/uuid, EnableRandPool", uuidModule, pooled(uuids(uuid.NewRandom))},
		{"go.uuid7.generate", "google/uuid", uuidModule, uuids(uuid.NewV7)},
		{"go.uuid7.generate", "google/uuid, EnableRandPool", uuidModule, pooled(uuids(uuid.NewV7))},
	}
}
