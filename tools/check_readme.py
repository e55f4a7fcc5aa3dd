#!/usr/bin/env python3
"""Checks that the code of the README, and of the pages for users, is code that runs.

A block that follows `<!-- from FILE -->` must stand in that file line by line, at any depth of indentation; the
examples run those files. Every block of a programming language must have such a mark.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- from (?P<file>\S+) -->\n)?```(?P<language>\w+)\n(?P<code>.*?)```", re.DOTALL)
PROSE = {"text", "console"}
PAGES = ("README.md", "docs/leases.md", "docs/numbers.md")


def stands_in(code: str, program: str) -> bool:
    """Whether these lines stand in a program one after another, all indented alike."""
    wanted = textwrap.dedent(code).strip("\n").splitlines()
    lines = program.splitlines()
    return any(
        textwrap.dedent("\n".join(lines[start : start + len(wanted)])).splitlines() == wanted
        for start in range(len(lines) - len(wanted) + 1)
    )


def check(readme: str, read: callable) -> list[str]:
    """What is wrong with a README's blocks; `read` answers a file's text."""
    problems = []
    for block in BLOCK.finditer(readme):
        if block["language"] in PROSE:
            continue
        begins = block["code"].strip().splitlines()[0]
        if block["file"] is None:
            problems.append(f"the block that begins {begins!r} does not say which program it is from")
        elif not stands_in(block["code"], read(block["file"])):
            problems.append(f"the block that begins {begins!r} does not stand in {block['file']}")
    return problems


def main() -> int:
    pages = {page: check((ROOT / page).read_text(), lambda name: (ROOT / name).read_text()) for page in PAGES}
    for page, problems in pages.items():
        for problem in problems:
            print(f"{page}: {problem}", file=sys.stderr)
    return 1 if any(pages.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
