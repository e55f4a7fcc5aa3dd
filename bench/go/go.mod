module saiban.example/bench

go 1.23.0

require (
	github.com/bwmarrin/snowflake v0.3.0
	github.com/google/uuid v1.6.0
	gosuda.org/randflake v1.8.0
)
