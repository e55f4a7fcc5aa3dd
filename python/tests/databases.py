"""Databases for Django projects: SQLite files, and real servers of PostgreSQL and MariaDB."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
import pymysql
import pytest
from stores import Server

KINDS = ("sqlite", "postgres", "mysql")
#: The holders of leases that have not been released.
HELD = "SELECT holder FROM saiban_slots WHERE end_us > 0"


class Databases:
    """Empty databases, as URLs of stores in them. Servers start when they are needed."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self._folder = folder
        self._running = running
        self._servers: dict[str, str] = {}
        self._numbers = itertools.count()

    def new(self, kind: str) -> str:
        name = f"shop{next(self._numbers)}"
        if kind == "sqlite":
            return f"sqlite://{self._folder}/{name}.sqlite3"
        if kind not in self._servers:
            self._servers[kind] = self._running.enter_context(Server(kind)).url
        url = self._servers[kind]
        rows(url, f"CREATE DATABASE {name}")
        return f"{url.rpartition('/')[0]}/{name}"


@pytest.fixture(scope="session")
def all_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    with ExitStack() as running:
        yield Databases(tmp_path_factory.mktemp("databases"), running)


def file_of(url: str) -> Path:
    """Returns the path of an SQLite database."""
    return Path(unquote(urlsplit(url).path))


def rows(url: str, sql: str, database: str | None = None) -> list[tuple[Any, ...]]:
    """Runs a query in this database, or in another one of its server. saiban's tables are in a
    separate file next to an SQLite database.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        connection = sqlite3.connect(f"{file_of(url)}{'-saiban-leases' if 'saiban_' in sql else ''}")
    else:
        user, password = unquote(parts.username), unquote(parts.password)
        login = {"host": parts.hostname, "port": parts.port, "user": user, "password": password}
        connect = psycopg.connect if parts.scheme == "postgres" else pymysql.connect
        name = {"postgres": "dbname", "mysql": "database"}[parts.scheme]
        connection = connect(**login, **{name: database or unquote(parts.path[1:])}, autocommit=True)
    with closing(connection), closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []


def names(url: str) -> set[str]:
    """Returns the databases of a server, or the files in the folder of an SQLite database."""
    if url.startswith("sqlite:"):
        return {file.name for file in file_of(url).parent.iterdir()}
    sql = "SELECT datname FROM pg_database" if url.startswith("postgres:") else "SHOW DATABASES"
    return {name for (name,) in rows(url, sql)}


def knows_leases(url: str) -> bool:
    """Returns whether the database has saiban's tables."""
    if url.startswith("sqlite:"):
        return f"{file_of(url).name}-saiban-leases" in names(url)
    sql = "SELECT table_schema FROM information_schema.tables WHERE table_name = 'saiban_slots'"
    return ({"postgres": "public", "mysql": unquote(urlsplit(url).path[1:])}[urlsplit(url).scheme],) in rows(url, sql)
