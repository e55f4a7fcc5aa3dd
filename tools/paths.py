"""Maps changed files to the steps that they can break: what `.ci/run` runs and leaves out.

Each rule names files, and the groups and steps of steps.py that read them. The first matching rule
counts. A file without a rule can break everything. The quick steps (steps.py) always run.
"""

from __future__ import annotations

import fnmatch

EVERYTHING = ("everything",)
RUST_LINT = ("rustfmt", "clippy")
RUFF = ("ruff check", "ruff format")
CHAOS = ("one machine", "chaos")
PYTHON = ("python", *RUFF, "generated files", *CHAOS, "demo")
NODE = ("node", "tsc", "generated files", *CHAOS, "demo")
UNIFFI = ("generated files", "demo")
# The steps that test a server. It is built from all crates except the bindings.
SERVICE = ("openapi", "openapi, many requests", "grpc clients", "status page")

# In a pattern, * matches any text, including slashes.
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # pages: the quick steps check their code, links and commands
    ("docs/django-migration.md", ("python",)),
    ("docs/service.md", ("grpc clients", "status page")),
    ("docs/*.png", ("status page",)),
    ("docs/*.svg", ("generated files",)),
    ("docs/draw", ("generated files",)),
    ("docs/*", ()),
    ("README.md", ("rust", "python, published", "demo")),
    ("python/README.md", ("python", "python, published")),
    ("node/README.md", ("node", "node, published")),
    ("LICENSE-*", ("python", "node", "python, published", "node, published")),
    ("python/LICENSE-*", ("python", "python, published")),
    ("*README.md", ()),
    ("ARCHITECTURE.md", ()),
    ("CHANGELOG.md", ()),
    ("CONTRIBUTING.md", ()),
    (".devcontainer/*", ()),
    (".editorconfig", ()),
    # files of only some languages
    ("python/*", PYTHON),
    ("bindings/python/*", (*PYTHON, *RUST_LINT)),
    ("node/*", NODE),
    ("bindings/node/*", (*NODE, *RUST_LINT)),
    ("bindings/c/*", ("c", *RUST_LINT, "generated files", *CHAOS, "demo")),
    ("include/*", ("c", "generated files", "demo")),
    ("bindings/uniffi/kotlin/*", ("kotlin", *UNIFFI)),
    ("bindings/uniffi/swift/*", ("swift", *UNIFFI)),
    ("bindings/uniffi/*", ("kotlin", "swift", *RUST_LINT, *UNIFFI)),
    # files that only tests read
    ("service/tests/openapi/*", ("openapi", "openapi, many requests", *RUFF)),
    ("service/tests/clients/*", ("grpc clients", *RUFF)),
    ("service/tests/page/*", ("status page",)),
    ("examples/rust/*", (*RUST_LINT, "rust", "demo")),
    ("examples/django/*", (*RUFF, "demo")),
    ("examples/*", ("demo",)),
    ("fuzz/*", ("fuzz", "rustfmt", *RUFF)),
    ("bench/instructions/*", ("instructions", "rustfmt", *RUFF)),
    ("bench/*", ("benches and faults compile", "rustfmt", *RUFF)),
    ("tests/chaos/*", (*CHAOS, "rust", *RUST_LINT, *RUFF)),
    ("tests/parity/*", ("parity", "parity of 100,000", "rust", *RUST_LINT, *RUFF)),
    ("tests/faults/*", ("benches and faults compile", *RUFF)),
    ("tests/soak/*", ("soak", "rust", *RUST_LINT)),
    ("core/nostd/*", ("no_std program", "rustfmt")),
    # the command and the service, which contain no store, generator or encoder
    ("cli/*", ("rust", *RUST_LINT, "documentation examples", *SERVICE, "python", "node", "c", "soak", *CHAOS, "demo")),
    ("service/*", ("rust", *RUST_LINT, "documentation examples", *SERVICE, "c", "generated files", "demo")),
    ("coordination/tests/*", ("leases", *RUST_LINT)),
    ("coordination/benches/*", RUST_LINT),
    # files that everything depends on
    ("core/*", EVERYTHING),
    ("coordination/*", EVERYTHING),
    ("vectors/*", EVERYTHING),
    ("tests/servers/*", EVERYTHING),
    ("packaging/*", EVERYTHING),
    ("tools/times*", RUFF),
    ("tools/*", EVERYTHING),
    (".ci/*", EVERYTHING),
    (".cargo/*", EVERYTHING),
    ("Makefile", EVERYTHING),
    ("Cargo.toml", EVERYTHING),
    ("Cargo.lock", EVERYTHING),
    ("ruff.toml", RUFF),
    ("rustfmt.toml", ("rustfmt",)),
    (".gitignore", EVERYTHING),
)


def rule_of(file: str) -> tuple[str, tuple[str, ...]] | None:
    return next((rule for rule in RULES if fnmatch.fnmatchcase(file, rule[0])), None)


def broken_by(files: list[str]) -> tuple[set[str], list[str]]:
    """Returns the steps that changed files can break, and the files that can break everything."""
    names: set[str] = set()
    everything = []
    for file in files:
        _, steps = rule_of(file) or ("", EVERYTHING)
        if steps == EVERYTHING:
            everything.append(file)
        names |= set(steps)
    return names, everything
