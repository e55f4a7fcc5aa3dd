#!/usr/bin/env python3
"""Checks the figures in pages against the measurements and the code that they come from.

A comment after a figure names its source:

- `46.1<!-- ns python.snowflake.generate -->` is saiban's median in docs/benchmarks/results.json.
- `312<!-- ns python.snowflake.generate[snowflake-id] -->` is that of the library with these words.
- `0 of 1,000<!-- faults ferroid: fork ×4 -->` is a cell of docs/faults.md: the row with this
  library (without its version), and the column.
- `49 %<!-- share ferroid: fork ×4 -->` is the share of duplicates in this cell, of which "<1 %" is
  the smallest above "0 %".
- `14<!-- lines Express, API, by hand -->` is the number of lines that tests mark with this name: by
  a comment `counted: Express, API, by hand` at the end of a line, or before lines that end with a
  comment `end of count`. Comments and blank lines do not count. Where a test marks other lines of
  Express, and none with this name, the number is 0.

A figure that differs from its source is a problem.

    tools/figures.py            lists the problems of all pages
    tools/figures.py --write    corrects the figures instead: after `make bench`, `make faults`, and changes
                                of marked lines
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from collate import results, tables, targets

RESULTS = "docs/benchmarks/results.json"
FAULTS = "docs/faults.md"
FIGURE = re.compile(
    r"(?P<figure>n/a|<?[0-9][0-9,.]*(?: of [0-9,]+| %)?)"
    r"(?P<mark><!-- (?P<kind>ns|faults|share|lines) (?P<name>.+?) -->)"
)
NS = re.compile(rf"(?P<path>{results.PATH.pattern})(?:\[(?P<who>[^\]]*)\])?")
CELL = re.compile(r"\s*\|\s*")
COUNTED = re.compile(r"(?P<code>.*?)\s*(?:#|//) (?:counted: (?P<name>[^#]+)|end of count)")
COMMENT = re.compile(r"\s*(?:# |//|/\*|\* )")


def share(cell: str | None) -> str | None:
    """Returns the share of a cell such as "3 of 1,000", in percent; other cells as they are."""
    if cell is None or " of " not in cell:
        return cell
    duplicates, ids = (int(count.replace(",", "")) for count in cell.split(" (")[0].split(" of "))
    percent = round(100 * duplicates / ids)
    return "<1 %" if duplicates and not percent else f"{percent} %"


def counted(code: str) -> Counter[str]:
    """Returns the numbers of the lines that this code marks, by name."""
    lines: Counter[str] = Counter()
    region = None
    for line in code.splitlines():
        mark = COUNTED.fullmatch(line)
        if mark and mark["code"]:
            lines[mark["name"]] += 1
        elif mark:
            region = mark["name"]
        elif region and line.strip() and not COMMENT.match(line):
            lines[region] += 1
    return lines


class Sources:
    """The measurements that the figures come from."""

    def __init__(self, run: results.Run, faults: str, lines: Counter[str] | None = None) -> None:
        self.run = run
        self.lines = lines or Counter()
        self.cells: dict[str, str] = {}
        columns: list[str] = []
        for line in faults.splitlines():
            name, *cells = CELL.split(line.strip("| "))
            if name == "library":
                columns = cells
            library = name.replace("*", "").split(" · ")[0].split(",")[0].split(" (")[0]
            for column, cell in zip(columns, cells, strict=False):
                # The first row of a library is its default configuration.
                self.cells.setdefault(f"{library}: {column}", cell.replace("*", ""))

    @classmethod
    def read(cls) -> Sources:
        marked = ["git", "grep", "-lE", "(#|//) counted: ", "--", ":!tools"]
        files = subprocess.run(marked, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        lines = sum((counted((ROOT / file).read_text()) for file in files), Counter())
        return cls(results.load((ROOT / RESULTS).read_text()), (ROOT / FAULTS).read_text(), lines)

    def figure(self, kind: str, name: str) -> str | None:
        """Returns the figure of this source, or `None` without such a measurement."""
        if kind == "faults":
            return self.cells.get(name)
        if kind == "share":
            return share(self.cells.get(name))
        if kind == "lines":
            stack = name.split(",")[0] + ","
            return str(self.lines[name]) if any(marked.startswith(stack) for marked in self.lines) else None
        wanted = NS.fullmatch(name)
        try:
            who = wanted["who"]
            case = targets.subject(self.run, wanted["path"]).median
            return tables.ns(case if who is None else targets.fastest(self.run, wanted["path"], who))
        except (targets.Missing, TypeError):
            return None


def corrected(text: str, sources: Sources) -> tuple[str, list[str]]:
    """Returns the page with corrected figures, and the problems before."""
    problems = []

    def correct(found: re.Match[str]) -> str:
        figure = sources.figure(found["kind"], found["name"])
        if figure == found["figure"]:
            return found[0]
        problems.append(f"{found[0]}: {'nothing of this name was measured' if figure is None else f'it is {figure}'}")
        return found[0] if figure is None else figure + found["mark"]

    return FIGURE.sub(correct, text), problems


def check(pages: Iterable[str]) -> list[tuple[str, str]]:
    """Returns the problems of these pages."""
    sources = Sources.read()
    return [(page, problem) for page in pages for problem in corrected((ROOT / page).read_text(), sources)[1]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="correct the figures")
    is_writing = parser.parse_args().write
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    sources = Sources.read()
    is_wrong = False
    for page in listed.splitlines():
        text, problems = corrected((ROOT / page).read_text(), sources)
        for problem in problems:
            print(f"{page}: {problem}", file=sys.stderr)
        if is_writing and problems:
            (ROOT / page).write_text(text)
        is_wrong |= bool(problems)
    return 1 if is_wrong and not is_writing else 0


if __name__ == "__main__":
    sys.exit(main())
