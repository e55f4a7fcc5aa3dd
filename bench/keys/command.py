"""The options of `bench/keys/run`, and its output."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import page
from .inserts import say
from .results import Run

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "benchmarks" / "keys.md"
ROWS = 10_000_000
ABOUT = """Measures what primary keys of different kinds cost in PostgreSQL and SQLite, and prints tables.

Each kind of key gets the same rows, in a database of its own, which is then removed. The disk needs
room for one of them. TMPDIR chooses the disk.
"""


def row_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of rows: give 1 or more")
    return int(text)


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench/keys/run", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rows", type=row_count, default=ROWS, metavar="N", help=f"rows of each table, by default {ROWS:,}"
    )
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--read", type=Path, metavar="FILE", help="measure nothing, read this results.json")
    return parser.parse_args(arguments)


def show(run: Run, write: bool) -> None:
    """Prints the tables, and writes the page if `write` is set."""
    print(page.about(run), page.tables(run), sep="\n\n")
    if write:
        PAGE.write_text(page.page(run))
        say(f"{PAGE.relative_to(ROOT)} is written")
