"""Compares line by line, and prints a report in the format of all tests of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Row = list[str]
# The subject of the lines, a name that states the property, and a check of one line.
Test = tuple[str, str, Callable[[Row], bool]]


def run(tests: list[Test], path: str, what: str) -> int:
    """Checks every line of saiban's file in the tests of its subject; returns the exit code."""
    compared = [0] * len(tests)
    wrong: list[list[Row]] = [[] for _ in tests]
    of_subject: dict[str, list[int]] = {}
    for number, (subject, _, _) in enumerate(tests):
        of_subject.setdefault(subject, []).append(number)
    with Path(path).open(encoding="ascii") as lines:
        for line in lines:
            subject, *row = line.rstrip("\n").split("\t")
            for number in of_subject.get(subject, []):
                compared[number] += 1
                if not tests[number][2](row):
                    wrong[number].append(row)
    failed = 0
    for (_, name, _), count, bad in zip(tests, compared, wrong, strict=True):
        right = count > 0 and not bad
        failed += not right
        print(f"{'ok' if right else 'FAILED'} {name}: {count - len(bad)} of {count} {what}")
        for row in bad[:3]:
            print(f"   {row}")
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0
