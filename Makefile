# The commands of saiban's development. `make demo` and `make test` do their own set-up on a fresh
# Debian machine.

.DEFAULT_GOAL := help
.PHONY: help demo demo-fleet test verify verify-targets lint soak chaos bench bench-quick bench-leases bench-numbers bench-service bench-keys mutants faults fuzz dist release-dry-run setup doctor

# One folder for what Rust builds, whichever language asks for it.
export CARGO_TARGET_DIR ?= $(CURDIR)/target

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: ## run the examples of every language, Django first; each reads the others' IDs (six minutes the first time)
	tools/demo

demo-fleet: ## run the examples that have many processes, and servers
	tools/demo --fleet

test: ## set up, lint, and run the tests of every language (LANGUAGES="rust c" or STEPS="rust,clippy" narrows it)
	tools/test.py

verify: ## all of that and what takes longer: published packages, fuzzing, chaos, the demos
	tools/test.py --verify

verify-targets: ## two hours: the core's tests on other processors, Windows and WebAssembly; Python and Node on ARM
	SETUP_FOR=verify-targets LANGUAGES="rust node" tools/setup
	tools/targets
	packaging/dist --targets aarch64-unknown-linux-gnu python npm
	tools/arm64

lint: ## set up, then rustfmt, clippy, ruff, tsc, and: are the generated files up to date?
	tools/test.py setup lint

soak: ## 10 minutes: every scheme on 4 threads with a jumping clock, and every ID compared (up to 8 GB of disk)
	cargo run --release --locked -p saiban-soak -- --minutes 10 --ids 500000000 --temp-dir "$(CARGO_TARGET_DIR)"

chaos: ## a quarter of an hour: workers in four languages, on every store and on one machine, all of them failing; no ID may repeat (1 GB of disk)
	tests/chaos/run $(if $(SEED),--seed $(SEED))

bench: ## what an ID costs, beside rivals, in every language: writes docs/benchmarks (some minutes, and the builds)
	bench/run --write
	tools/figures.py --write

bench-quick: ## the same within five minutes, once all is built; prints, and writes nothing
	bench/run --quick

bench-leases: ## what leases cost on every store: writes docs/leases-cost.md (fifteen minutes)
	cargo bench --locked -p saiban-coordination --bench leases -- --write $(CURDIR)/docs/leases-cost.md

bench-numbers: ## how many numbers a second counters hand out: writes docs/numbers-cost.md (three minutes)
	cargo bench --locked -p saiban-coordination --bench numbers -- --write $(CURDIR)/docs/numbers-cost.md

bench-keys: ## what primary keys cost PostgreSQL and SQLite: writes docs/benchmarks/keys.md (one to three hours, 4 GB of disk)
	bench/keys/run --write

# ferroid's server has a .proto file, and what compiles it is no part of it.
RIVALS = $(CARGO_TARGET_DIR)/rivals
bench-service: ## load on saiban serve, ferroid-tonic-server and Redis: writes docs/service-cost.md (ten minutes)
	cargo build --release --locked -p saiban-cli
	cargo install --locked --root $(RIVALS) --features bin protox@0.10.0
	PROTOC=$(RIVALS)/bin/protox cargo install --locked --root $(RIVALS) ferroid-tonic-server@2.0.0
	cargo run --release --locked --manifest-path bench/Cargo.toml -p saiban-bench-service -- --saiban $(CARGO_TARGET_DIR)/release/saiban \
		--ferroid $(RIVALS)/bin/ferroid-tonic-server --write $(CURDIR)/docs/service-cost.md

mutants: ## take the rules of uniqueness out one by one: a test must notice each
	tools/mutants.py

faults: ## what faults do to the IDs of saiban and of other libraries: writes docs/faults.md (some ten minutes, needs Go too)
	tests/faults/run

fuzz: ## run every fuzz target for ten minutes, two at once (FUZZ="60 text" for a minute of one)
	fuzz/run $(or $(FUZZ),600)

release-dry-run: ## make what a release publishes for this machine, publish it in registries on this machine, and install it from there
	packaging/dry-run

dist: ## make what a release publishes, in target/dist: packages of every language, for five targets (hours; DIST="--targets T python" makes less)
	packaging/dist $(DIST)

setup: ## install what is missing (Debian packages, pinned tools, a Swift toolchain)
	tools/setup

doctor: ## show what is missing on this machine, and the command that installs it; installs nothing
	@tools/setup --doctor
