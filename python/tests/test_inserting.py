"""Inserts with retries, and IDs that databases make, with the usual clients."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pymysql
import pytest
import redis
import saiban
from stores import Server
from tables import EVENTS, TABLE, Programs


def statements(execute: Callable[[str], object]) -> Callable[[], AbstractContextManager[None]]:
    """Returns a savepoint made of SQL statements, for clients without one."""

    @contextmanager
    def savepoint() -> Iterator[None]:
        execute("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            execute("ROLLBACK TO SAVEPOINT attempt")
            raise
        finally:
            execute("RELEASE SAVEPOINT attempt")

    return savepoint


def inserts_are_tried_again(connection: Any, placeholder: str, savepoint: Callable[[], Any], error: type) -> None:
    """Checks inserts with retries within a transaction, for any client."""
    cursor = connection.cursor()
    programs = Programs()

    def insert(topic: str, amount: int) -> Callable[[str], None]:
        sql = f"INSERT INTO events VALUES ({placeholder}, {placeholder}, {placeholder})"
        return lambda key: cursor.execute(sql, [topic, key, amount]) and None

    cursor.execute(TABLE)
    connection.commit()
    for _ in range(EVENTS):
        saiban.insert_unique(programs.generate, insert("orders", 1), savepoint=savepoint)
    assert programs.made > EVENTS, "no conflict"

    # Other errors end the first try, and the transaction stays usable.
    before = programs.made
    with pytest.raises(error):
        saiban.insert_unique(programs.generate, insert("orders", -1), savepoint=savepoint)
    assert programs.made == before + 1
    # If every ID exists already, the number of tries is limited, and the last error is raised.
    insert("kept", 1)("one")
    with pytest.raises(error) as refusal:
        saiban.insert_unique(programs.generate, lambda _: insert("kept", 1)("one"), attempts=3, savepoint=savepoint)
    assert saiban.is_unique_conflict(refusal.value)
    assert "3 generated IDs conflicted" in refusal.value.__notes__[0]
    assert programs.made == before + 4
    connection.commit()
    cursor.execute("SELECT count(*) FROM events")
    assert cursor.fetchone()[0] == EVENTS + 1


def test_sqlite3() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        inserts_are_tried_again(connection, "?", statements(connection.execute), sqlite3.IntegrityError)


def test_psycopg_and_ids_that_postgresql_makes() -> None:
    with Server("postgres") as server, closing(psycopg.connect(server.url)) as connection:
        inserts_are_tried_again(connection, "%s", connection.transaction, psycopg.IntegrityError)
        asyncio.run(psycopg_and_asyncio(server.url))

        connection.execute(saiban.Layout.DISCORD.postgres_function("discord_id", node=5))
        connection.execute("CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT discord_id(), n integer)")
        connection.execute("INSERT INTO orders (n) SELECT generate_series(1, 10000)")
        ids = [id for (id,) in connection.execute("SELECT id FROM orders ORDER BY n")]
        assert ids == sorted(set(ids))
        snowflake = saiban.Snowflake(node=0, layout=saiban.Layout.DISCORD)
        assert {snowflake.inspect(id).node for id in ids} == {5}


async def psycopg_and_asyncio(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url) as connection:

        async def insert(key: str) -> str:
            await connection.execute("INSERT INTO events VALUES ('asyncio', %s, 1)", [key])
            return key

        keys = iter(["one", "one", "two"])
        assert [
            await saiban.insert_unique_async(keys.__next__, insert, savepoint=connection.transaction) for _ in range(2)
        ] == ["one", "two"]


def test_pymysql() -> None:
    with Server("mysql") as server:
        url = urlsplit(server.url)
        login = {"host": url.hostname, "port": url.port, "user": url.username, "password": url.password}
        with closing(pymysql.connect(**login, database=url.path[1:])) as connection:
            savepoint = statements(connection.query)
            inserts_are_tried_again(connection, "%s", savepoint, pymysql.MySQLError)


def test_redis_makes_ids() -> None:
    with Server("redis") as server, closing(redis.Redis.from_url(server.url, decode_responses=True)) as client:
        client.hset("ids", "node", 7)
        script = client.register_script(saiban.Layout.TWITTER.redis_script())
        client.function_load(saiban.Layout.TWITTER.redis_library("snowflake"))
        calls = [lambda: script(["ids"], [1000]), lambda: client.fcall("snowflake", 1, "ids", 1000)]
        ids: list[int] = []
        for call in calls * 1000:
            try:
                ids += map(int, call())
            except redis.ResponseError as error:
                assert str(error).startswith("SAIBAN_WAIT "), error
            if len(ids) >= 20_000:
                break
        assert len(ids) >= 20_000
        assert ids == sorted(set(ids))
        snowflake = saiban.Snowflake(node=0)
        assert {snowflake.inspect(id).node for id in ids} == {7}


def test_another_error_that_follows_a_conflict_is_no_conflict() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE codes (code INTEGER PRIMARY KEY)")
        connection.execute("INSERT INTO codes VALUES (1)")

        def insert(code: int) -> None:
            try:
                connection.execute("INSERT INTO codes VALUES (?)", [code])
            except sqlite3.IntegrityError as error:
                raise LookupError("the order is gone") from error

        codes = iter([1, 2])
        with pytest.raises(LookupError):
            saiban.insert_unique(codes.__next__, insert)
        assert next(codes) == 2


def test_another_error_has_a_note_of_the_conflict_before_it() -> None:
    class Aborted(Exception):
        """PostgreSQL's error for statements after a conflict without a savepoint."""

    def attempts(**options: Any) -> tuple[Aborted, list[Exception]]:
        errors = [sqlite3.IntegrityError("duplicate"), Aborted("the transaction is aborted")]
        errors[0].sqlite_errorcode = 2067
        raised = iter(errors)

        def insert(_: int) -> None:
            raise next(raised)

        async def insert_async(_: int) -> None:
            insert(_)

        with pytest.raises(Aborted) as refusal:
            if options.pop("is_async", False):
                asyncio.run(saiban.insert_unique_async(int, insert_async, **options))
            else:
                saiban.insert_unique(int, insert, **options)
        return refusal.value, errors

    for is_async in (False, True):
        error, [conflict, _] = attempts(is_async=is_async)
        assert error.__context__ is conflict
        assert "duplicate" in error.__notes__[0] and "savepoint" in error.__notes__[0]
        # The error itself is not a conflict.
        assert not saiban.is_unique_conflict(error)
    error, [conflict, _] = attempts(savepoint=lambda: nullcontext())
    assert error.__context__ is conflict
    assert not hasattr(error, "__notes__")


def test_psycopg_without_a_savepoint_has_a_note_of_the_conflict() -> None:
    with Server("postgres") as server, closing(psycopg.connect(server.url)) as connection:
        connection.execute(TABLE)
        keys = iter(["one", "one", "two"])

        def add() -> None:
            insert = "INSERT INTO events VALUES ('orders', %s, 1)"
            saiban.insert_unique(keys.__next__, lambda key: connection.execute(insert, [key]) and None)

        add()
        with pytest.raises(psycopg.errors.InFailedSqlTransaction) as refusal:
            add()
        assert isinstance(refusal.value.__context__, psycopg.errors.UniqueViolation)
        assert "give a savepoint" in refusal.value.__notes__[0]
