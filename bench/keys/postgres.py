"""Measures keys in PostgreSQL: a new server for each kind, on the disk, with fsync."""

from __future__ import annotations

import psycopg
from psycopg import sql
from servers.postgres import Postgres

from .generators import maker
from .inserts import insert
from .kinds import BASELINE, KINDS, Kind
from .results import Database, Figures

SETTINGS = (
    "server_version",
    "shared_buffers",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_compression",
    "max_wal_size",
    "min_wal_size",
    "checkpoint_timeout",
    "autovacuum",
    "block_size",
    "server_encoding",
)
CHECKPOINT = "checkpoint starting"  # in the log
# The types of the driver's values where they differ from the column's type.
SENT = {"char(26)": "text"}


class Defaults(Postgres):
    """A server with PostgreSQL's defaults instead of the small memory and WAL of tests.

    Debian changes none of these. The last of several values of a setting counts.
    """

    def command(self) -> list[str]:
        settings = ["shared_buffers=128MB", "max_wal_size=1GB", "min_wal_size=80MB", "log_checkpoints=on"]
        return [*super().command(), *(part for each in settings for part in ("-c", each))]

    def checkpoints(self) -> int:
        """Returns how many checkpoints have started."""
        return self.log.read_text(errors="replace").count(CHECKPOINT)


def measure(rows: int) -> Database:
    """Measures all kinds of keys. Raises `CannotServe` if a server does not start."""
    figures = {}
    for kind in KINDS:
        with Defaults(durable=True) as server, psycopg.connect(server.url, autocommit=True) as connection:
            figures[kind.name] = _measure(server, connection, kind, rows)
            settings = _settings(connection)
    return Database(settings, figures)


def _measure(server: Defaults, connection: psycopg.Connection, kind: Kind, rows: int) -> Figures:
    connection.execute(
        sql.SQL("CREATE TABLE entries (id {} PRIMARY KEY, number integer NOT NULL, note text NOT NULL)").format(
            sql.SQL(kind.postgres)
        )
    )
    statement = _statement(kind)

    def execute(columns: list[list]) -> None:
        with connection.transaction():
            connection.execute(statement, columns)

    connection.execute("CHECKPOINT")
    wal, images, checkpoints = _wal(connection), _images(connection), server.checkpoints()
    pace = insert(
        f"PostgreSQL, {kind.name}", rows, maker(kind.name), parameters=lambda batch: batch.columns(), execute=execute
    )
    return {
        **pace,
        "wal_bytes": _wal(connection) - wal,
        "full_page_images": _images(connection) - images,
        "checkpoints": server.checkpoints() - checkpoints,
        **_sizes(connection),
    }


def _statement(kind: Kind) -> sql.Composed:
    """Returns the statement that inserts a batch: one array for each column, in binary form."""
    columns = {"number": "integer[]", "note": "text[]"}
    if kind.name != BASELINE:
        columns = {"id": f"{SENT.get(kind.postgres, kind.postgres)}[]", **columns}
    return sql.SQL("INSERT INTO entries ({}) SELECT * FROM unnest({})").format(
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(sql.SQL("%b::") + sql.SQL(array) for array in columns.values()),
    )


def _number(connection: psycopg.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def _wal(connection: psycopg.Connection) -> int:
    """Returns the position in the WAL, in bytes."""
    return _number(connection, "SELECT pg_current_wal_insert_lsn() - '0/0'")


def _images(connection: psycopg.Connection) -> int:
    """Returns how many pages the WAL contains whole."""
    # A session otherwise reports its statistics about once a second.
    connection.execute("SELECT pg_stat_force_next_flush()")
    return _number(connection, "SELECT wal_fpi FROM pg_stat_wal")


def _sizes(connection: psycopg.Connection) -> Figures:
    return {
        "index_bytes": _number(connection, "SELECT pg_relation_size('entries_pkey')"),
        "table_bytes": _number(connection, "SELECT pg_relation_size('entries')"),
        "leaf_density": _density(connection),
    }


def _density(connection: psycopg.Connection) -> float | None:
    """Returns how full the leaf pages of the index are, in percent; `None` without pgstattuple."""
    if not connection.execute("SELECT name FROM pg_available_extensions WHERE name = 'pgstattuple'").fetchone():
        return None
    connection.execute("CREATE EXTENSION pgstattuple")
    return float(connection.execute("SELECT avg_leaf_density FROM pgstatindex('entries_pkey')").fetchone()[0])


def _settings(connection: psycopg.Connection) -> dict[str, str]:
    query = "SELECT name, current_setting(name) FROM unnest(%s::text[]) AS name"
    settings = dict(connection.execute(query, [list(SETTINGS)]).fetchall())
    query = "SELECT datcollate FROM pg_database WHERE datname = current_database()"
    return settings | {"collation": connection.execute(query).fetchone()[0]}
