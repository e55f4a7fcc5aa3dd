#!/usr/bin/env python3
"""Checks every vector against an independent implementation of the formats, which needs only Python
3.11.

Usage: verify.py [FILE...]        without FILE: all files of this folder

The last line is "N passed, N failed, N skipped". The exit code is 1 if anything failed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from verifier import corpus, coverage, operations, published  # noqa: E402
from verifier.schema import Schema  # noqa: E402

HERE = Path(__file__).resolve().parent
FILES = (
    *("snowflake.json", "randflake.json", "ulid-flake.json", "tsid.json"),
    *("flake.json", "flake-1.json", "flake-2.json", "ulid.json", "uuid.json", "objectid.json", "tick-id.json"),
    "xid.json",
    *("layout.json", "range.json", "encoding.json", "encoding-wide.json", "sparx.json", "published.json"),
)
CORPUS = "saiban-published-1"
SCHEMAS = {CORPUS: "published.schema.json"}
SHOWN = 20


def unique_pairs(pairs: list[tuple[str, object]]) -> dict:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError(f"a name stands twice among {[name for name, _ in pairs]}")
    return result


class Tally:
    def __init__(self) -> None:
        self.passed = self.failed = 0

    def record(self, name: str, problem: str | None) -> None:
        if problem is None:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= SHOWN:
            print(f"FAILED {name}: {problem}")
        elif self.failed == SHOWN + 1:
            print("... further failures are only counted")


def schema_of(document: object) -> tuple[str, Schema]:
    """Returns the schema of the format that a file names. The default is the vectors' schema."""
    named = document.get("format") if isinstance(document, dict) else None
    name = SCHEMAS.get(named, "schema.json") if isinstance(named, str) else "schema.json"
    return name, Schema(json.loads((HERE / name).read_text(encoding="utf-8")))


def verify_file(path: Path, tally: Tally) -> None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique_pairs)
    except (OSError, ValueError) as error:
        tally.record(path.name, str(error))
        return
    name, schema = schema_of(document)
    broken = list(schema.problems(document))
    tally.record(f"{path.name} fits {name}", "; ".join(broken[:3]) or None)
    if broken:
        return
    if document["format"] == CORPUS:
        verify_corpus(path.name, document, tally)
    else:
        verify_cases(path.name, document, tally)


def verify_cases(file: str, document: dict, tally: Tally) -> None:
    for name, problem in coverage.checks(document):
        tally.record(f"{file} {name}", problem)
    ops: dict[str, int] = {}
    for case in document["cases"]:
        ops[case["op"]] = ops.get(case["op"], 0) + 1
        tally.record(case["id"], operations.problem(document, case))
    counts = ", ".join(f"{count} {op}" for op, count in ops.items())
    print(f"{file}: {len(document['cases'])} cases ({counts})")


def verify_corpus(file: str, document: dict, tally: Tally) -> None:
    for name, problem in corpus.checks(document):
        tally.record(f"{file} {name}", problem)
    kinds: dict[str, int] = {}
    for entry in document["entries"]:
        kinds[entry["kind"]] = kinds.get(entry["kind"], 0) + 1
        tally.record(f"{file} {entry['text']}", corpus.problem(entry))
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"{file}: {len(document['entries'])} IDs ({counts})")


def main(arguments: list[str]) -> int:
    tally = Tally()
    for name, right in published.checks():
        tally.record(name, None if right else "the verifier does not give the published values")
    print(f"published examples: {tally.passed} of {tally.passed + tally.failed}")
    for path in [Path(argument) for argument in arguments] or [HERE / name for name in FILES]:
        verify_file(path, tally)
    print(f"{tally.passed} passed, {tally.failed} failed, 0 skipped")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
