"""The steps of `make test`, `make verify` and `make lint`. To add a step, add it here and to
paths.py.

A step passes if its command exits with 0 and `count` finds at least one passed test and no failed
one. `check` counts the command itself as one test. Commands run in the repository's root. The
scripts of the languages (python/test, node/test, …) print a last line `N passed, N failed, N
skipped`. They build with tools/build, which has nothing left to do after the step "build".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import counting
from counting import Counts

LANGUAGES = ("rust", "python", "node", "kotlin", "swift", "c")


def check(_output: str) -> Counts:
    """Counts a successful command as one passed test."""
    return Counts(passed=1)


def no_tests(_output: str) -> Counts:
    """Counts no test; for preparations, which can only fail."""
    return Counts()


EXIT_CODE_ONLY = (check, no_tests)


@dataclass(frozen=True)
class Step:
    name: str
    group: str
    command: str  # a shell's command line
    languages: tuple[str, ...] = ()  # left out when LANGUAGES lacks one of these
    needs: tuple[str, ...] = ()  # programs; if one is missing, the step fails and names its language
    count: Callable[[str], Counts | None] = counting.closing
    timeout_s: int = 900
    # Runs without another step at the same time, because it changes the checkout or uses all cores.
    is_alone: bool = False
    # If it fails, the steps after it do not run.
    is_preparation: bool = False
    # Builds what other steps use; only steps that use none of it run at the same time.
    is_build: bool = False
    # Uses what a step with `is_build` builds, or the folder that Cargo locks meanwhile.
    needs_build: bool = True
    # Needs only Python, and no preparation.
    is_quick: bool = False


RUST = ("cargo",)
PYTHON = ("python3", "cargo")
NODE = ("node", "npm", "cargo")
KOTLIN = ("javac", "mvn", "cargo")
C = ("gcc", "g++", "valgrind", "pkg-config", "cargo")

# tools/setup installs the pinned version in this folder; test.py always sets CARGO_TARGET_DIR.
RUFF = '"$CARGO_TARGET_DIR/tools/ruff/bin/ruff"'
# As in tools/build: without the generator, one line whose dependencies take two minutes.
WORKSPACE = "--workspace --exclude saiban-uniffi-bindgen"
CORE_FEATURES = "json,serde,uuid"
# The folders with a workspace of their own.
FORMATTED = "core/frameworks fuzz bench/service bench/instructions bench/python/baseline bench/rust"


def core_tests(target: str, options: str = "") -> str:
    """Returns the command that runs the core's tests on another target."""
    features = f"--features {CORE_FEATURES}"
    return f"tools/rust for {target} test --locked --no-fail-fast {options} -p saiban {features} --lib --tests"


# The steps of `make test`, with the long ones first. Three run at a time, because steps wait for
# servers and clocks: of two cores, two steps left a sixth idle.
STEPS = (
    Step("setup", "setup", "tools/setup", count=no_tests, timeout_s=1200, is_alone=True, is_preparation=True),
    Step("tools", "lint", "python3 -m unittest discover -s tools/tests", count=counting.unittest, is_quick=True),
    Step("tree", "lint", "python3 tools/check_tree.py", count=check, is_quick=True),
    Step("circles", "lint", "python3 tools/check_circles.py", count=check, is_quick=True),
    Step("words", "lint", "python3 tools/check_words.py", count=check, is_quick=True),
    Step("readme", "lint", "python3 tools/check_readme.py", count=check, is_quick=True),
    # the build that all steps below use
    Step("build", "setup", "tools/build", (), RUST, no_tests, 1500, is_preparation=True, is_build=True),
    Step(
        "build of the tests",
        "setup",
        "tools/rust_tests.py --no-run",
        ("rust",),
        RUST,
        no_tests,
        1500,
        is_preparation=True,
        is_build=True,
    ),
    # the tests of each language
    Step("python", "python", "python/test", ("python",), (*PYTHON, "node"), timeout_s=1500),
    Step(
        "rust", "rust", "tools/rust_tests.py --programs 2 --except saiban-coordination", ("rust",), RUST, counting.cargo
    ),
    # tests with real servers, which the tests start
    Step(
        "leases",
        "rust",
        "tools/rust_tests.py --programs 3 --package saiban-coordination",
        ("rust",),
        RUST,
        counting.cargo,
    ),
    Step("c", "c", "bindings/c/test", ("c",), (*C, "cmake", "meson")),
    Step("node", "node", "node/test", ("node",), NODE),
    Step("kotlin", "kotlin", "bindings/uniffi/kotlin/test", ("kotlin",), KOTLIN),
    Step("swift", "swift", "bindings/uniffi/swift/test", ("swift",), RUST),
    Step(
        "clippy",
        "lint",
        f"cargo clippy --locked {WORKSPACE} --all-targets -- -D warnings",
        ("rust",),
        RUST,
        check,
    ),
    Step(
        "every order of threads",
        "rust",
        'RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR="$CARGO_TARGET_DIR/loom" '
        "cargo test --locked -p saiban --features loom --test loom",
        ("rust",),
        RUST,
        counting.cargo,
        needs_build=False,
    ),
    Step(
        "documentation examples",
        "rust",
        f"cargo test --locked --no-fail-fast {WORKSPACE} --features saiban/json,saiban/serde,saiban/uuid --doc",
        ("rust",),
        RUST,
        counting.cargo,
    ),
    Step("parity", "parity", "tests/parity/test", ("python", "node"), (*PYTHON, *NODE)),
    # tests in a browser
    Step("status page", "node", "service/tests/page/test", ("rust", "node"), NODE),
    # requests that its OpenAPI document allows, and many that it forbids
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
    # shortened; make soak runs for ten minutes
    Step("soak", "rust", '"$(tools/build saiban-soak)/saiban-soak" --ids 1000000', ("rust",), RUST),
    Step(
        "oldest Rust",
        "rust",
        "tools/rust oldest check --locked -p saiban --features json,serde,uuid --all-targets"
        " && tools/rust oldest check --locked -p saiban --no-default-features",
        ("rust",),
        RUST,
        check,
        needs_build=False,
    ),
    # microcontrollers: thumbv6m has no compare-and-swap either
    Step(
        "without 64-bit atomics",
        "rust",
        "for target in thumbv6m-none-eabi thumbv7m-none-eabi; do for features in '' json,serde,uuid; do"
        ' tools/rust for $target check --locked -p saiban --no-default-features --features "$features" || exit 1;'
        " done; done",
        ("rust",),
        RUST,
        check,
        needs_build=False,
    ),
    Step(
        "rust without features",
        "rust",
        "cargo check -p saiban --no-default-features && cargo check -p saiban --no-default-features --features alloc",
        ("rust",),
        RUST,
        check,
    ),
    Step("no_std program", "rust", "sh core/nostd/run", ("rust",), RUST, check, needs_build=False),
    Step("vectors verified", "vectors", "python3 vectors/verify.py", needs_build=False),
    Step(
        "vectors up to date",
        "vectors",
        '"$(tools/build saiban-vectors)/saiban-vectors" --check',
        ("rust",),
        RUST,
        check,
    ),
    Step(
        "rustfmt",
        "lint",
        f"cargo fmt --all --check && for one in {FORMATTED}; do"
        " cargo fmt --check --manifest-path $one/Cargo.toml || exit 1; done",
        ("rust",),
        RUST,
        check,
        needs_build=False,
    ),
    Step("ruff check", "lint", RUFF + " check .", ("python",), count=check, needs_build=False),
    Step("ruff format", "lint", RUFF + " format --check .", ("python",), count=check, needs_build=False),
    # processes of four languages that share a node; make chaos runs for minutes
    Step(
        "one machine",
        "parity",
        "tests/chaos/run --short --part machine",
        ("rust", "python", "node", "c"),
        (*PYTHON, *NODE, *C),
        is_alone=True,
    ),
    # last, because the generators need the builds of earlier steps
    Step("tsc", "lint", "npm --prefix node run --silent typecheck", ("node",), NODE, check),
    Step("generated files", "lint", "tools/check-generated --quick", is_alone=True),
)

# The additional steps of `make verify`: published packages, and long tests that seldom fail.
VERIFY = (
    Step(
        "python, published",
        "python",
        'tools/check_published.py "$(python/build-wheel)" && python/test-package',
        ("python",),
        PYTHON,
        timeout_s=1500,
    ),
    # a 32-bit target, where usize has 32 bits; the tests run on this machine's processor
    Step(
        "32 bits",
        "rust",
        core_tests("i686-unknown-linux-gnu"),
        ("rust",),
        RUST,
        counting.cargo,
        needs_build=False,
    ),
    # UniFFI's generator takes two minutes to compile. If the sources of Kotlin and Swift do not
    # match the library, their tests fail too: UniFFI compares checksums of both.
    Step("generated by UniFFI", "lint", "tools/check-generated --slow", ("kotlin", "swift"), RUST, is_alone=True),
    # the tests of Django once more, with another version of it
    Step("oldest Django", "python", "python/test -m oldest_django", ("python",), (*PYTHON, "node")),
    Step("node, published", "node", "tools/check_published.py $(node/pack --registry)", ("node",), NODE, check),
    # programs with Spring Boot 4 and 3, with Ktor and Exposed, and one that Gradle builds
    Step(
        "jvm frameworks",
        "kotlin",
        "SETUP_FOR=verify LANGUAGES=kotlin tools/setup && export SAIBAN_BUILD=tests"
        " && for one in spring ktor gradle; do examples/$one/run setup && examples/$one/run test || exit 1; done",
        ("kotlin",),
        (*KOTLIN, "node"),
        counting.total,
        timeout_s=1500,
    ),
    # Next.js is large, and its four builds take a minute
    Step("Next.js", "node", "node/tests/next/test", ("node",), NODE),
    Step(
        "c, published",
        "c",
        'bindings/c/install "$CARGO_TARGET_DIR/published/c"'
        ' && tools/check_published.py "$CARGO_TARGET_DIR/published/c"',
        ("c",),
        C,
        check,
        needs_build=False,
    ),
    # programs in other languages that use the C library
    Step(
        "go and c#",
        "c",
        "SETUP_FOR=verify LANGUAGES=c tools/setup && export SAIBAN_BUILD=tests && for one in go csharp; do"
        " examples/$one/run setup && examples/$one/run test || exit 1; done",
        ("c",),
        C,
        counting.total,
    ),
    # GitHub's workflows; needs Go 1.24 or later
    Step(
        "workflows",
        "lint",
        "SETUP_FOR=verify LANGUAGES=c tools/setup && . tools/versions.env && PATH=$PATH:/usr/local/go/bin"
        " go run github.com/rhysd/actionlint/cmd/actionlint@v$ACTIONLINT_VERSION .github/workflows/*.yml",
        count=check,
        needs_build=False,
    ),
    # sqlx, Diesel, SeaORM and axum take minutes to compile
    Step(
        "rust frameworks",
        "rust",
        'CARGO_TARGET_DIR="$CARGO_TARGET_DIR/frameworks"'
        " cargo test --locked --manifest-path core/frameworks/Cargo.toml",
        ("rust",),
        (*RUST, "node"),
        counting.cargo,
        needs_build=False,
    ),
    # workspaces of their own, which make bench and make faults run
    Step(
        "benches and faults compile",
        "rust",
        "for one in bench tests/faults/rust; do"
        " cargo check --locked --workspace --all-targets --manifest-path $one/Cargo.toml || exit 1; done",
        ("rust",),
        RUST,
        check,
    ),
    # shortened; make fuzz runs each target for ten minutes
    Step("fuzz", "rust", "fuzz/run 10", ("rust",), ("cargo", "g++"), needs_build=False),
    # a performance check that counts instructions
    Step("instructions", "rust", "bench/instructions/run", ("rust",), (*RUST, "valgrind"), needs_build=False),
    Step(
        "parity of 100,000",
        "parity",
        "SAIBAN_PARITY_COUNT=100000 tests/parity/test",
        ("python", "node"),
        (*PYTHON, *NODE),
    ),
    Step(
        "openapi, many requests",
        "python",
        "SAIBAN_OPENAPI_EXAMPLES=400 service/tests/openapi/test",
        ("rust", "python"),
        PYTHON,
    ),
    # Runs every example, which reads the IDs of the others. Servers come second, because both use
    # the same folders. The build is that of the tests, so that nothing is compiled again.
    Step(
        "demo",
        "examples",
        "export SAIBAN_BUILD=tests; tools/demo && tools/demo --fleet",
        LANGUAGES,
        count=check,
        timeout_s=1200,
    ),
    # workers under leases, and real servers, with faults in all of them; make chaos runs for some
    # minutes
    Step(
        "chaos",
        "parity",
        "tests/chaos/run --short --part leases",
        ("rust", "python", "node", "c"),
        (*PYTHON, *NODE, *C),
        is_alone=True,
    ),
)


@dataclass(frozen=True)
class Generator:
    """Generates committed files. tools/check-generated runs it and fails if a file changes."""

    command: str
    languages: tuple[str, ...]
    is_slow: bool = False  # `make verify` runs it, `make test` does not


GENERATORS = (
    Generator('"$(tools/build saiban-vectors)/saiban-vectors"', ("rust",)),
    Generator('"$(tools/build saiban-service-generate)/saiban-service-generate"', ("rust",)),
    Generator("docs/draw", ("rust",)),
    Generator("bindings/c/generate-header", ("c",)),
    Generator("python/generate-stubs", ("python",)),
    Generator("node/generate", ("node",)),
    Generator("bindings/uniffi/generate", ("kotlin", "swift"), is_slow=True),
)
