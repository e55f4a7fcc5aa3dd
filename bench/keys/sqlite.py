"""Measures keys in SQLite: a new file for each kind, in WAL mode."""

from __future__ import annotations

import re
import sqlite3
import tempfile
import uuid
from contextlib import closing
from pathlib import Path

from .generators import maker
from .inserts import Batch, insert
from .kinds import BASELINE, KINDS, Kind
from .results import Database, Figures

SETTINGS = ("journal_mode", "synchronous", "page_size", "cache_size", "wal_autocheckpoint", "mmap_size")
# The B-tree of a primary key that is no INTEGER.
INDEX = "sqlite_autoindex_entries_1"


def measure(rows: int) -> Database:
    """Measures all kinds of keys."""
    figures = {}
    for kind in KINDS:
        with tempfile.TemporaryDirectory(prefix="saiban-keys-") as folder:
            path = Path(folder) / "entries.sqlite3"
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                figures[kind.name] = _measure(connection, kind, rows)
                settings = _settings(connection)
    return Database(settings, figures)


def _measure(connection: sqlite3.Connection, kind: Kind, rows: int) -> Figures:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    # Column types cannot be parameters; these are constants of kinds.py.
    connection.execute(
        f"CREATE TABLE entries (id {kind.sqlite} PRIMARY KEY, number INTEGER NOT NULL, note TEXT NOT NULL)"
    )
    if kind.name == BASELINE:
        statement = "INSERT INTO entries (number, note) VALUES (?, ?)"
    else:
        statement = "INSERT INTO entries (id, number, note) VALUES (?, ?, ?)"

    def execute(batch: list[tuple]) -> None:
        connection.execute("BEGIN")
        connection.executemany(statement, batch)
        connection.execute("COMMIT")

    written = _written()
    pace = insert(f"SQLite, {kind.name}", rows, maker(kind.name), parameters=_rows, execute=execute)
    written = None if written is None else _written() - written
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return {**pace, "written_bytes": written, **_sizes(connection)}


def _rows(batch: Batch) -> list[tuple]:
    """Returns the rows of a batch. SQLite has no type for UUIDs, so they become 16 bytes."""
    columns = batch.columns()
    if batch.keys and isinstance(batch.keys[0], uuid.UUID):
        columns[0] = [key.bytes for key in batch.keys]
    return list(zip(*columns))


def _written() -> int | None:
    """Returns how many bytes this process has passed to the system to write; `None` if unknown."""
    try:
        found = re.search(r"^wchar: (\d+)$", Path("/proc/self/io").read_text(), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) if found else None


def _pragma(connection: sqlite3.Connection, name: str) -> int | str:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _sizes(connection: sqlite3.Connection) -> Figures:
    pages = _pragma(connection, "page_count")
    return {
        "pages": pages,
        "free_pages": _pragma(connection, "freelist_count"),
        "file_bytes": pages * _pragma(connection, "page_size"),
        **_trees(connection),
    }


def _trees(connection: sqlite3.Connection) -> Figures:
    """Returns the sizes of table and index, and how full the pages of the key's B-tree are.

    An INTEGER key has no index: the table is the B-tree. All are `None` if SQLite was built without
    dbstat.
    """
    if not connection.execute("SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')").fetchone()[0]:
        return dict.fromkeys(("index_bytes", "table_bytes", "density"))
    query = "SELECT name, pgsize, unused FROM dbstat WHERE aggregate = TRUE"
    trees = {name: (size, unused) for name, size, unused in connection.execute(query)}
    size, unused = trees.get(INDEX) or trees["entries"]
    return {
        "index_bytes": trees[INDEX][0] if INDEX in trees else 0,
        "table_bytes": trees["entries"][0],
        "density": 100 * (size - unused) / size,
    }


def _settings(connection: sqlite3.Connection) -> dict[str, str]:
    return {name: str(_pragma(connection, name)) for name in SETTINGS}
