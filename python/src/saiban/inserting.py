"""Inserts rows with IDs, and makes another ID if the table already has one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from typing import Any, TypeVar

from saiban.exceptions import InvalidArgumentError

__all__ = ["insert_unique", "insert_unique_async", "is_unique_conflict"]

Id = TypeVar("Id")
Inserted = TypeVar("Inserted")

#: SQLSTATE of a unique violation, in PostgreSQL and compatible databases.
_UNIQUE_VIOLATION = "23505"
#: The numbers of SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID.
_SQLITE = {2067, 1555, 2579}
#: The numbers of MySQL's ER_DUP_ENTRY and ER_DUP_ENTRY_WITH_KEY_NAME.
_MYSQL = {1062, 1586}


def is_unique_conflict(error: BaseException) -> bool:
    """Returns whether this is a database's error for a duplicate key or other unique value.

    It recognises errors of sqlite3, psycopg (2 and 3), asyncpg, pymysql, mysqlclient,
    mysql-connector, aiosqlite and aiomysql, also inside Django's and SQLAlchemy's IntegrityError.
    Errors of other constraints are not conflicts.

    >>> import sqlite3, saiban
    >>> table = sqlite3.connect(":memory:")
    >>> _ = table.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    >>> _ = table.execute("INSERT INTO orders VALUES (1)")
    >>> try:
    ...     table.execute("INSERT INTO orders VALUES (1)")
    ... except sqlite3.IntegrityError as error:
    ...     saiban.is_unique_conflict(error)
    True
    """
    is_integrity = any(base.__name__ == "IntegrityError" for base in type(error).__mro__)
    # The driver's error, which a framework has wrapped in its own IntegrityError. Any other error
    # with a conflict as its cause is not a conflict.
    of_driver = [getattr(error, "orig", None), error.__cause__] if is_integrity else []
    if any(cause is not None and cause is not error and is_unique_conflict(cause) for cause in of_driver):
        return True
    for state in ("sqlstate", "pgcode"):
        if getattr(error, state, None) == _UNIQUE_VIOLATION:
            return True
    if getattr(error, "sqlite_errorcode", None) in _SQLITE:
        return True
    return is_integrity and bool(error.args) and error.args[0] in _MYSQL


def insert_unique(
    generate: Callable[[], Id],
    insert: Callable[[Id], Inserted],
    *,
    attempts: int = 5,
    savepoint: Callable[[], AbstractContextManager[Any]] = nullcontext,
    is_conflict: Callable[[Exception], bool] = is_unique_conflict,
) -> Inserted:
    """Makes an ID and inserts it. If the table already has the ID, it makes and inserts another
    one, at most `attempts` times in all.

    It is for IDs that are unique by chance, or only in one partition of a table: tick IDs, UUID v4,
    short codes. Other errors are not retried. Returns the result of `insert`.

    generate: makes an ID. insert: inserts it.
    savepoint: for a transaction, which a failed statement would abort (PostgreSQL). It begins a
    savepoint for each insert: `transaction.atomic` of Django, `connection.transaction` of psycopg,
    `session.begin_nested` of SQLAlchemy.
    is_conflict: decides which errors are conflicts, if `is_unique_conflict` does not recognise
    them.

    Raises the error of the last conflict, with a note, if all attempts met one; every other error
    as it is, with the conflict before it as its context if it has none; InvalidArgumentError for
    attempts below 1.

    >>> import sqlite3, saiban
    >>> table = sqlite3.connect(":memory:")
    >>> _ = table.execute("CREATE TABLE events (partition TEXT, key TEXT, PRIMARY KEY (partition, key))")
    >>> ids = saiban.TickId("descending")
    >>> for _ in range(3):
    ...     insert = lambda key: table.execute("INSERT INTO events VALUES ('ada', ?)", [key])
    ...     _ = saiban.insert_unique(ids.generate, insert)
    >>> table.execute("SELECT count(*) FROM events").fetchone()
    (3,)
    """
    conflict: Exception | None = None
    for attempt in range(1, _checked(attempts) + 1):
        id = generate()
        try:
            with savepoint():
                return insert(id)
        except Exception as error:
            if not is_conflict(error):
                _tell(error, conflict, savepoint)
                raise
            if attempt == attempts:
                error.add_note(_note(attempts))
                raise
            conflict = error
    raise AssertionError("attempts was checked")


async def insert_unique_async(
    generate: Callable[[], Id],
    insert: Callable[[Id], Awaitable[Inserted]],
    *,
    attempts: int = 5,
    savepoint: Callable[[], AbstractAsyncContextManager[Any]] = nullcontext,
    is_conflict: Callable[[Exception], bool] = is_unique_conflict,
) -> Inserted:
    """Like insert_unique, for an awaitable `insert` and an `async with` savepoint.

    >>> import asyncio, saiban
    >>> async def insert(id):
    ...     return id
    >>> asyncio.run(saiban.insert_unique_async(iter([7]).__next__, insert))
    7
    """
    conflict: Exception | None = None
    for attempt in range(1, _checked(attempts) + 1):
        id = generate()
        try:
            async with savepoint():
                return await insert(id)
        except Exception as error:
            if not is_conflict(error):
                _tell(error, conflict, savepoint)
                raise
            if attempt == attempts:
                error.add_note(_note(attempts))
                raise
            conflict = error
    raise AssertionError("attempts was checked")


def _checked(attempts: int) -> int:
    if attempts < 1:
        raise InvalidArgumentError(f"attempts is {attempts}: give 1 or more")
    return attempts


def _tell(error: Exception, conflict: Exception | None, savepoint: Callable[[], object]) -> None:
    """Adds to an error a note about the conflict before it, which may have caused it."""
    if conflict is None or error is conflict:
        return
    if error.__cause__ is None and error.__context__ is None:
        # The conflict is the context, since as the cause it would make this error a conflict.
        error.__context__ = conflict
    if savepoint is nullcontext:
        error.add_note(
            f"the ID before it conflicted with a row that the table has: {conflict}. If a conflict fails the rest of "
            "its transaction (PostgreSQL), give a savepoint"
        )


def _note(attempts: int) -> str:
    return (
        f"{attempts} generated IDs conflicted with rows that the table has: check that the conflict is about the ID, "
        "and how many IDs the layout has for each time"
    )
