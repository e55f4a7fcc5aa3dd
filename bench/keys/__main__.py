"""Measures, after `bench/keys/run` has installed what is needed."""

from __future__ import annotations

import os
import platform
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import saiban
from collate import machine
from servers import CannotServe

from . import command, postgres, results, sqlite
from .inserts import BATCH, STOP, say


def printed(*words: str) -> str:
    return subprocess.run(words, cwd=command.ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def place() -> dict:
    """Describes the machine, its memory, and the file system of the databases."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    files = printed("df", "--output=fstype", tempfile.gettempdir()).splitlines()[-1]
    return machine.describe() | {"memory": f"{memory:.0f} GiB of memory", "files": files}


def measure(rows: int) -> results.Run:
    return results.Run(
        rows=rows,
        batch=BATCH,
        machine=place(),
        commit=printed("git", "describe", "--always", "--dirty", "--exclude=*"),
        versions={
            "saiban": saiban.__version__,
            "psycopg": psycopg.__version__,
            "SQLite": sqlite3.sqlite_version,
            "Python": platform.python_version(),
        },
        postgres=postgres.measure(rows),
        sqlite=sqlite.measure(rows),
    )


def save(run: results.Run) -> None:
    """Keeps the results, so that the page can be written again without measuring."""
    file = Path(os.environ["CARGO_TARGET_DIR"]) / "bench" / "keys" / "results.json"
    file.write_text(results.dump(run))
    say(f"the results are in {file}")


def main() -> int:
    options = command.options(sys.argv[1:])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: STOP.set())
    try:
        run = measure(options.rows)
    except CannotServe as error:
        say(f"PostgreSQL could not be started: {error}")
        return 1
    save(run)
    command.show(run, options.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
