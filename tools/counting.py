"""Reads how many tests passed, failed and were skipped from what test programs print.

Each reader takes the whole output (for `junit`, the text of one XML file) and returns Counts. It
returns None for output without a result, so that an aborted run does not look like one without
failures.

The test scripts of the languages use it as a program:

    tools/count swift output.log            prints "12 passed, 0 failed, 1 skipped"
    tools/count junit target/surefire-reports/*.xml
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# The lines with which test programs report a failed test: cargo, pytest, node, XCTest and Swift
# Testing, Maven.
FAILED_TEST = re.compile(
    r"^(---- .* stdout ----|FAILED \S|ERROR \S|not ok |\s*✖ |Test Case .* failed |✘ Test |\[ERROR\] +\S+[.:]\S+:\d+)"
)
# A line of a backtrace in Rust. JavaScript's have parentheses, or a URL.
FRAME = re.compile(r"^\s+\d+: |^\s+at [./\w-]+\.rs:\d|^stack backtrace:$")
SHOWN_OF_A_TEST = 12  # lines that a failed test printed
SHOWN_OF_ALL = 40


@dataclass(frozen=True)
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def closings(output: str) -> list[Counts]:
    """Every line `N passed, N failed, N skipped`."""
    lines = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped\s*$", ANSI.sub("", output), re.M)
    return [Counts(*map(int, line)) for line in lines]


def closing(output: str) -> Counts | None:
    """The last line `N passed, N failed, N skipped`."""
    found = closings(output)
    return found[-1] if found else None


def total(output: str) -> Counts | None:
    """The sum of all lines `N passed, N failed, N skipped`, each of another program."""
    found = closings(output)
    return sum(found, Counts()) if found else None


def cargo(output: str) -> Counts | None:
    """`cargo test`: one line for each test program and for the doc tests; `ignored` is skipped."""
    found = re.findall(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", ANSI.sub("", output), re.M)
    return sum((Counts(*map(int, line)) for line in found), Counts()) if found else None


def pytest(output: str) -> Counts | None:
    """pytest's summary line. An error outside a test is a failure, an expected failure a skip."""
    for line in reversed(ANSI.sub("", output).splitlines()):
        if not re.search(r"\bin \d[\d.]*s\b", line):
            continue
        words = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", line)}
        if not words.keys() & {"passed", "failed", "skipped", "error", "errors", "xfailed", "xpassed"}:
            continue
        return Counts(
            words.get("passed", 0) + words.get("xpassed", 0),
            words.get("failed", 0) + words.get("error", 0) + words.get("errors", 0),
            words.get("skipped", 0) + words.get("xfailed", 0),
        )
    return None


def unittest(output: str) -> Counts | None:
    """Python's unittest: `Ran 5 tests in …` and the verdict below it."""
    text = ANSI.sub("", output)
    ran = re.findall(r"^Ran (\d+) tests? in ", text, re.M)
    verdict = re.findall(r"^(?:OK|FAILED|NO TESTS RAN)\b.*$", text, re.M)
    if not ran or not verdict:
        return None
    words = {word: int(number) for word, number in re.findall(r"([a-z ]+)=(\d+)", verdict[-1])}
    words = {word.strip(): number for word, number in words.items()}
    failed = words.get("failures", 0) + words.get("errors", 0) + words.get("unexpected successes", 0)
    skipped = words.get("skipped", 0) + words.get("expected failures", 0)
    # Subtests can make one test fail more than once, so the difference may be negative.
    return Counts(max(int(ran[-1]) - failed - skipped, 0), failed, skipped)


def node(output: str) -> Counts | None:
    """`node --test`, reporters tap (`# pass 3`) and spec (`ℹ pass 3`); several runs add up."""
    words: dict[str, int] = {}
    for word, number in re.findall(
        r"^(?:#|ℹ) (pass|fail|cancelled|skipped|todo) (\d+)\s*$", ANSI.sub("", output), re.M
    ):
        words[word] = words.get(word, 0) + int(number)
    if "pass" not in words:
        return None
    return Counts(
        words["pass"],
        words.get("fail", 0) + words.get("cancelled", 0),
        words.get("skipped", 0) + words.get("todo", 0),
    )


def swift(output: str) -> Counts | None:
    """`swift test`: XCTest and Swift Testing, which report one after the other."""
    text = ANSI.sub("", output)
    xctest = re.findall(r"^Test Case '[^']*' (passed|failed|skipped) \(", text, re.M)
    # Matches "✔ Test adds() passed after 0.001 seconds." and "✘ Test "a name" skipped.", but not
    # the summary "Test run with 3 tests passed", whose name has no quotes or parentheses.
    name = r'^\S+ Test (?:".*"|\S+\(.*\)) '
    testing = re.findall(name + r"(passed|failed) after [\d.]+ seconds", text, re.M)
    testing += re.findall(name + r"(skipped)[.:]", text, re.M)
    if not xctest and not testing:
        return None
    results = xctest + testing
    return Counts(results.count("passed"), results.count("failed"), results.count("skipped"))


def go(output: str) -> Counts | None:
    """`go test -v`; a test counts once, with its subtests."""
    found = re.findall(r"^--- (PASS|FAIL|SKIP): ", output, re.M)
    return Counts(found.count("PASS"), found.count("FAIL"), found.count("SKIP")) if found else None


def junit(text: str) -> Counts | None:
    """One JUnit XML file, as Maven's surefire and pytest write them."""
    counts = Counts()
    for case in ElementTree.fromstring(text).iter("testcase"):
        inside = {child.tag for child in case}
        if inside & {"failure", "error"}:
            counts += Counts(failed=1)
        elif "skipped" in inside:
            counts += Counts(skipped=1)
        else:
            counts += Counts(passed=1)
    return counts


def failed_tests(output: str) -> tuple[str, ...]:
    """The failed tests in the output, those of cargo and node with the first lines they printed."""
    shown, left = [], 0
    for line in ANSI.sub("", output).splitlines():
        if FAILED_TEST.match(line):
            shown.append(line)
            left = SHOWN_OF_A_TEST if line.startswith("----") or "✖" in line else 0
        elif left and line.strip() and not FRAME.match(line):
            left = 0 if line.startswith("failures:") else left - 1
            shown += [line] if left else []
    return tuple(shown[:SHOWN_OF_ALL])


READERS: dict[str, Callable[[str], Counts | None]] = {
    reader.__name__: reader for reader in (closing, total, cargo, pytest, unittest, node, swift, go, junit)
}


def main(arguments: list[str]) -> int:
    if len(arguments) < 1 or arguments[0] not in READERS:
        print(f"usage: count {'|'.join(READERS)} [FILE…]  (standard input without a file)", file=sys.stderr)
        return 2
    reader = READERS[arguments[0]]
    texts = [Path(name).read_text(errors="replace") for name in arguments[1:]] or [sys.stdin.read()]
    results = [reader(text) for text in texts]
    if None in results:
        print("count: no test result in the output", file=sys.stderr)
        print(Counts(failed=1))
        return 1
    total = sum((result for result in results if result is not None), Counts())
    print(total)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
