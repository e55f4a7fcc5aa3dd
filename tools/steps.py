"""What `make test` and `make lint` run, in this order. To add a step, add a line here.

A step passes when its command exits with 0 and `count` finds at least one test that passed and none that failed.
`check` counts the command itself as one test. Commands run in the repository's root and do their own building; the
scripts of the languages (python/test, node/test, …) end in a line `N passed, N failed, N skipped`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import counting
from counting import Counts

LANGUAGES = ("rust", "python", "node", "kotlin", "swift", "c")


def check(_output: str) -> Counts:
    """For a command whose exit code is all it has to say: a success is one test passed."""
    return Counts(passed=1)


def no_tests(_output: str) -> Counts:
    """For preparations: they can fail, but a success is no test passed."""
    return Counts()


EXIT_CODE_ONLY = (check, no_tests)


@dataclass(frozen=True)
class Step:
    name: str
    group: str
    command: str  # a shell's command line
    languages: tuple[str, ...] = ()  # left out when LANGUAGES lacks one of these
    needs: tuple[str, ...] = ()  # programs; a missing one is a failure that names the step's language
    count: Callable[[str], Counts | None] = counting.closing
    timeout_s: int = 900


RUST = ("cargo",)
PYTHON = ("python3", "cargo")
NODE = ("node", "npm", "cargo")
KOTLIN = ("javac", "mvn", "cargo")
C = ("gcc", "g++", "valgrind", "pkg-config", "cargo")

# tools/setup installs the pinned version there; test.py always sets CARGO_TARGET_DIR.
RUFF = '"$CARGO_TARGET_DIR/tools/ruff/bin/ruff"'

# The Python and Node bindings are libraries that only their interpreter can load: their own tests do.
# Leases have a step of their own, with servers.
CRATES = "--workspace --exclude saiban-python --exclude saiban-node --exclude saiban-coordination"

STEPS = (
    Step("setup", "setup", "tools/setup", count=no_tests, timeout_s=1200),
    # lint: what needs no build first
    Step("tools", "lint", "python3 -m unittest discover -s tools/tests", count=counting.unittest),
    Step("tree", "lint", "python3 tools/check_tree.py", count=check),
    Step("readme", "lint", "python3 tools/check_readme.py", count=check),
    Step(
        "rustfmt",
        "lint",
        "cargo fmt --all --check && cargo fmt --check --manifest-path fuzz/Cargo.toml"
        " && cargo fmt --check --manifest-path bench/service/Cargo.toml"
        " && cargo fmt --check --manifest-path bench/instructions/Cargo.toml"
        " && cargo fmt --check --manifest-path bench/python/floor/Cargo.toml"
        " && cargo fmt --check --manifest-path bench/rust/Cargo.toml",
        ("rust",),
        RUST,
        check,
    ),
    Step("ruff check", "lint", RUFF + " check .", ("python",), count=check),
    Step("ruff format", "lint", RUFF + " format --check .", ("python",), count=check),
    Step(
        "clippy",
        "lint",
        "cargo clippy --locked --workspace --all-targets -- -D warnings",
        ("rust",),
        RUST,
        check,
    ),
    # the core, and what all languages are tested against
    Step(
        "rust",
        "rust",
        f"cargo test --locked --no-fail-fast {CRATES} --features saiban/json,saiban/uuid",
        ("rust",),
        RUST,
        counting.cargo,
    ),
    Step(
        "rust without features",
        "rust",
        "cargo check -p saiban --no-default-features && cargo check -p saiban --no-default-features --features alloc",
        ("rust",),
        RUST,
        check,
    ),
    Step(
        "oldest Rust",
        "rust",
        "tools/rust oldest check --locked -p saiban --features json,uuid --all-targets"
        " && tools/rust oldest check --locked -p saiban --no-default-features",
        ("rust",),
        RUST,
        check,
    ),
    # microcontrollers: thumbv6m has no compare-and-swap either
    Step(
        "without 64-bit atomics",
        "rust",
        "for target in thumbv6m-none-eabi thumbv7m-none-eabi; do for features in '' json,uuid; do"
        ' tools/rust for $target check --locked -p saiban --no-default-features --features "$features" || exit 1;'
        " done; done",
        ("rust",),
        RUST,
        check,
    ),
    # usize has 32 bits, and the tests run on this machine's own processor
    Step(
        "32 bits",
        "rust",
        "tools/rust for i686-unknown-linux-gnu test --locked --no-fail-fast -p saiban"
        " --features json,uuid --lib --tests",
        ("rust",),
        RUST,
        counting.cargo,
    ),
    # that nothing became slower, told without a stopwatch
    Step("instructions", "rust", "bench/instructions/run", ("rust",), (*RUST, "valgrind")),
    # on real servers, which the tests start
    Step(
        "leases",
        "rust",
        "cargo test --locked --no-fail-fast -p saiban-coordination",
        ("rust",),
        RUST,
        counting.cargo,
        timeout_s=1500,
    ),
    # ten minutes of it: make soak
    Step("soak", "rust", "cargo run -q --locked -p saiban-soak -- --ids 1000000", ("rust",), RUST),
    Step(
        "every order of threads",
        "rust",
        'RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR="$CARGO_TARGET_DIR/loom" '
        "cargo test --locked -p saiban --features loom --test loom",
        ("rust",),
        RUST,
        counting.cargo,
    ),
    # ten minutes for each target: make fuzz
    Step("fuzz", "rust", "fuzz/run 10", ("rust",), ("cargo", "g++")),
    Step("no_std program", "rust", "sh core/nostd/run", ("rust",), RUST, check),
    Step("vectors verified", "vectors", "python3 vectors/verify.py"),
    Step("vectors up to date", "vectors", "cargo run -q -p saiban-vectors -- --check", ("rust",), RUST, check),
    # one suite for each language
    Step("c", "c", "bindings/c/test", ("c",), C),
    Step(
        "c, published",
        "c",
        'bindings/c/install "$CARGO_TARGET_DIR/published/c"'
        ' && tools/check_published.py "$CARGO_TARGET_DIR"/published/c/{include,lib/libsaiban.*}',
        ("c",),
        C,
        check,
    ),
    # a wheel of the source distribution is built from nothing
    Step("python", "python", "python/test", ("python",), PYTHON, timeout_s=1500),
    Step(
        "python, published",
        "python",
        'python/build-wheel && tools/check_published.py "$CARGO_TARGET_DIR"/wheels/*.whl',
        ("python",),
        PYTHON,
        check,
    ),
    Step("node", "node", "node/test", ("node",), NODE),
    # what the step before packed
    Step(
        "node, published",
        "node",
        'tools/check_published.py "$CARGO_TARGET_DIR"/npm/*.tgz',
        ("node",),
        NODE,
        check,
    ),
    # whatever its OpenAPI document allows, and much that it does not
    Step("openapi", "python", "service/tests/openapi/test", ("rust", "python"), PYTHON),
    # the .proto file, and clients whose stubs are generated from it
    Step(
        "grpc clients",
        "python",
        "service/tests/clients/test",
        ("rust", "python", "node"),
        (*PYTHON, "node", "npm", "curl"),
        counting.unittest,
    ),
    # in a browser
    Step("status page", "node", "service/tests/page/test", ("rust", "node"), NODE),
    Step("kotlin", "kotlin", "bindings/uniffi/kotlin/test", ("kotlin",), KOTLIN),
    Step("swift", "swift", "bindings/uniffi/swift/test", ("swift",), RUST),
    # what crosses languages
    Step("parity", "parity", "tests/parity/test", ("python", "node"), (*PYTHON, *NODE)),
    # workers of three languages and real servers, all of them failing; some minutes of it: make chaos
    Step("chaos", "parity", "tests/chaos/run --short", ("rust", "python", "node"), (*PYTHON, *NODE)),
    # every example runs, and reads what the others made
    Step("examples", "examples", "tools/demo", LANGUAGES, count=check, timeout_s=1200),
    # last, when everything that the generators need is built
    Step("tsc", "lint", "npm --prefix node run --silent typecheck", ("node",), NODE, check),
    Step("generated files", "lint", "tools/check-generated"),
)


@dataclass(frozen=True)
class Generator:
    """Makes files that are committed. tools/check-generated runs it and fails when a file changes."""

    command: str
    languages: tuple[str, ...]


GENERATORS = (
    Generator("cargo run -q -p saiban-vectors", ("rust",)),
    Generator("cargo run -q -p saiban-service-generate", ("rust",)),
    Generator("docs/draw", ("rust",)),
    Generator("bindings/c/generate-header", ("c",)),
    Generator("python/generate-stubs", ("python",)),
    Generator("node/generate", ("node",)),
    Generator("bindings/uniffi/generate", ("kotlin", "swift")),
)
