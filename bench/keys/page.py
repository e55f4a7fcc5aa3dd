"""Formats the tables, and the page docs/benchmarks/keys.md. Measures nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from collate.tables import ns, table, times

from .kinds import BASELINE, KINDS
from .results import Database, Figures, Run

WIDTH = 100
UNKNOWN = "unknown"
SYNCHRONOUS = {"0": "OFF", "1": "NORMAL", "2": "FULL", "3": "EXTRA"}


def count(value: float) -> str:
    return f"{value:,.0f}"


def rate(value: float) -> str:
    """Formats rows per second with three digits."""
    return count(float(f"{value:.3g}"))


def megabytes(value: float) -> str:
    """Formats a number of bytes as MB, with about three digits."""
    return ns(value / 1e6)


def percent(value: float) -> str:
    return f"{value:.0f} %"


def index_megabytes(value: float) -> str:
    return megabytes(value) if value else "none"


@dataclass(frozen=True)
class Column:
    """A column of a table. With `compares`, it also shows the ratio to bigserial."""

    head: str
    figure: str
    form: Callable[[float], str]
    compares: bool = False


POSTGRES = (
    Column("rows a second", "rows_per_s", rate, True),
    Column("in the last 10 %", "last_rows_per_s", rate, True),
    Column("index, MB", "index_bytes", megabytes, True),
    Column("leaf pages filled", "leaf_density", percent),
    Column("table, MB", "table_bytes", megabytes, True),
    Column("WAL, MB", "wal_bytes", megabytes, True),
    Column("full-page images", "full_page_images", count, True),
    Column("checkpoints", "checkpoints", count),
)
SQLITE = (
    Column("rows a second", "rows_per_s", rate, True),
    Column("in the last 10 %", "last_rows_per_s", rate, True),
    Column("file, MB", "file_bytes", megabytes, True),
    Column("index, MB", "index_bytes", index_megabytes),
    Column("table, MB", "table_bytes", megabytes, True),
    Column("key's pages filled", "density", percent),
    Column("pages", "pages", count),
    Column("free pages", "free_pages", count),
    Column("written, MB", "written_bytes", megabytes, True),
)


def ratio(value: float, baseline: float | None) -> str:
    """Returns the ratio to bigserial's figure, or "" if that is nothing."""
    return f" ({times(value / baseline)})" if baseline else ""


def cell(column: Column, figures: Figures, baseline: Figures | None) -> str:
    """Formats a figure; `baseline` is `None` in the row of bigserial."""
    value = figures[column.figure]
    if value is None:
        return UNKNOWN
    compared = ratio(value, baseline[column.figure]) if column.compares and baseline else ""
    return column.form(value) + compared


def key_table(database: Database, columns: tuple[Column, ...], types: dict[str, str]) -> str:
    """Formats the table of a database; `types` are the types of the key's column."""
    rows = []
    for kind in KINDS:
        figures = database.figures[kind.name]
        baseline = None if kind.name == BASELINE else database.figures[BASELINE]
        cells = [cell(column, figures, baseline) for column in columns]
        rows.append([kind.title, f"`{types[kind.name]}`", *cells])
    heads = ["key", "column", *(column.head for column in columns)]
    return table(heads, set(range(2, len(heads))), rows)


def tables(run: Run) -> str:
    """Formats both tables, with headings."""
    postgres = key_table(run.postgres, POSTGRES, {kind.name: kind.postgres for kind in KINDS})
    sqlite = key_table(run.sqlite, SQLITE, {kind.name: f"{kind.sqlite} PRIMARY KEY" for kind in KINDS})
    return f"## PostgreSQL\n\n{postgres}\n\n## SQLite\n\n{sqlite}"


def wrapped(text: str) -> str:
    """Wraps a paragraph or a bullet, whose following lines are indented."""
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(
        " ".join(text.split()), WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def bullets(*texts: str) -> str:
    return "\n".join(wrapped(f"- {text}") for text in texts)


def about(run: Run) -> str:
    """Returns the machine, the versions, and what was measured."""
    machine = run.machine
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    return wrapped(
        f"{machine['date']}, commit {run.commit}: {run.rows:,} rows a table, {run.batch:,} rows a transaction."
        f" {machine['cores']} cores of {machine['model']}, {machine['memory']}, {machine['system']};"
        f" the databases' files: {machine['files']}. Load before: {machine['load']}. {versions}."
    )


def meaning() -> str:
    """Describes mechanisms only, so that the text is right whatever the figures are."""
    return bullets(
        """**Ascending keys** (bigserial, Snowflake, UUID v7, ULID) go to the right end of the index. The changed
        pages are few, and stay in memory. When PostgreSQL splits the last page of an index for a larger key, it
        leaves the old page nearly full: 90 % by default.""",
        """**Random keys** (Randflake, UUID v4) go to pages all over the index. In PostgreSQL, a full page splits
        into two pages of about half its entries, which later keys fill again. SQLite shares the entries out among
        neighbouring pages. Once the index has many more pages than a transaction has rows, most rows change a page
        of their own.""",
        """**Full-page images.** After each checkpoint, PostgreSQL writes a page whole into the WAL when the page
        first changes. Inserts that change more pages therefore write more images, and more of them the more
        often checkpoints happen.""",
        """**SQLite writes whole pages.** A transaction writes each changed page to the WAL file, and a checkpoint
        copies these pages into the database file. *Written* is the sum of both.""",
        """**An `INTEGER PRIMARY KEY` in SQLite** is the rowid: the table is sorted by it, and there is no index.
        Random integers therefore spread the rows themselves over the whole table. For a `BLOB` or `TEXT` key,
        SQLite appends the rows to the table by rowid, and adds an index.""",
        """**The size of a key** counts in each entry of the index: 8 bytes for `bigint`, 16 for a UUID, 26
        characters for a ULID as text. SQLite stores small integers, such as its own rowids, in fewer bytes.""",
        """**The last 10 %** of the rows are inserted when the index is largest. If an index outgrows the memory
        for it, random keys must also read pages from the disk. How soon that happens depends on the machine.""",
    )


def limits() -> str:
    return bullets(
        """One connection inserts. With many connections, ascending keys of all of them go to one page, and keys of
        several generators ascend only as well as their clocks agree. Neither is measured.""",
        "Reads, updates and deletes are not measured.",
        """Each kind of key ran once, in the order of the table. Small differences can be noise, and another machine
        gives other figures.""",
    )


def listed(settings: dict[str, str]) -> str:
    return ", ".join(f"`{name}` {value}" for name, value in settings.items())


def method(run: Run) -> str:
    sqlite = run.sqlite.settings | {"synchronous": SYNCHRONOUS[run.sqlite.settings["synchronous"]]}
    return bullets(
        """All tables have the columns of the primary key, an `integer`, and a text of 32 characters, and get the same
        integers and texts.""",
        f"""One connection inserts {run.batch:,} rows a transaction. In PostgreSQL, that is one
        `INSERT … SELECT … FROM unnest(…)` with an array for each column. In SQLite, it is one `executemany` of
        Python's module `sqlite3`.""",
        """The time is that of the transactions, including the driver. Keys and rows are made before each
        transaction, and their time does not count.""",
        """Each kind of key gets a new PostgreSQL server and a new SQLite file. PostgreSQL runs a checkpoint before
        the first row. *WAL*, *full-page images* and *checkpoints* count from then until the last commit, for the
        whole server.""",
        f"""PostgreSQL has its default settings, except for the collation, which compares code points:
        {listed(run.postgres.settings)}.""",
        f"SQLite has its default settings, except for WAL mode and `synchronous`: {listed(sqlite)}.",
        """SQLite's tables are ordinary ones, as `CREATE TABLE` makes them without `WITHOUT ROWID`. The sizes are
        from after a last checkpoint.""",
        """*Leaf pages filled* is from `pgstatindex`. *Key's pages filled* is from `dbstat`, for the index, or for
        the table if there is no index. *Written* is `wchar` of `/proc/self/io`, until the last commit.""",
        "MB are millions of bytes. In parentheses: the ratio to bigserial.",
    )


def page(run: Run) -> str:
    """Returns the whole page."""
    intro = wrapped(
        """How do random primary keys change insert throughput, index size and WAL, compared with ascending keys?
        `make bench-keys` measures that and writes this page ([bench/keys](../../bench/keys))."""
    )
    parts = [
        "# What a primary key costs the database",
        intro,
        about(run),
        tables(run),
        "## What the figures mean",
        meaning(),
        "## What they do not show",
        limits(),
        "## How it is measured",
        method(run),
    ]
    return "\n\n".join(parts) + "\n"
