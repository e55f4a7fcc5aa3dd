"""A column type for SQLAlchemy: IDs that are generated on INSERT, without a round trip.

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(SaibanId("snowflake"), primary_key=True)

Each process leases its own node from the database of its engine, when it inserts the first row. The
type also works in a Table, with SQLModel (`sa_type`), with asyncio, and in migrations of Alembic,
which contain only the scheme's name.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID
from weakref import WeakKeyDictionary, WeakValueDictionary

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnDefault,
    Engine,
    ForeignKey,
    PrimaryKeyConstraint,
    String,
    Uuid,
    event,
)
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.types import TypeDecorator, TypeEngine

import saiban
from saiban import _native
from saiban.contrib import stores
from saiban.contrib.hidden import Hidden, HiddenText
from saiban.contrib.texts import IdTexts

if TYPE_CHECKING:
    from sqlalchemy import Dialect
    from sqlalchemy.ext.asyncio import AsyncEngine

    from saiban._schemes import _Encoding, _Scheme

__all__ = ["SaibanId", "engine_store", "include_name"]


class SaibanId(TypeDecorator[Any]):
    """A column of IDs: BIGINT for integers, UUID for UUIDs, VARCHAR for ULIDs, ObjectIds and XIDs.

    A primary key without a default and a foreign key gets its IDs from saiban. Foreign keys take
    the type of the column that they refer to. For the generator of your own, or another layout or
    secret, give the column a default: `default=ids.generate`. In a composite key, give
    `generate=False` to the columns whose values come from elsewhere.

    scheme: the scheme's name, such as "snowflake". Columns read and compare IDs, and their text.
    text: IDs are text in Python: the scheme's canonical text, or with encoding the number in this
    encoding (see saiban.encode), or with prefix that prefix and the number. The column is the
    same; a default returns text (`default=ids.generate_text`).
    generate: whether missing values are generated; by default, as said, for primary keys.
    store: the URL of the store that leases nodes, in place of the engine's database (see
    engine_store). saiban creates the namespace in the engine's database, SQLite files and memory
    only.
    namespace: the namespace of leases, by default the scheme's name.

    Raises UnknownNameError for an unknown scheme or encoding; InvalidArgumentError for an invalid
    prefix, an encoding together with a prefix, either for IDs that are text, and a store or namespace
    for IDs without nodes. SQLAlchemy
    raises StatementError for errors of saiban in a statement, which are its `orig`: those of
    Generator.from_text for a value that is no ID, of Lease.acquire and Generator.generate for an
    INSERT.

    >>> from sqlalchemy import Column, MetaData, Table, create_engine
    >>> from saiban.contrib.sqlalchemy import SaibanId
    >>> orders = Table("orders", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True))
    >>> engine = create_engine("sqlite://")
    >>> with engine.begin() as connection:
    ...     orders.create(connection)
    ...     id = connection.execute(orders.insert()).inserted_primary_key[0]
    >>> id > 2**53
    True
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger
    cache_ok = True

    # The options are not keyword-only: SQLAlchemy caches statements by the attributes that have the
    # names of positional arguments, so that it would mix up types of other options.
    def __init__(
        self,
        scheme: _Scheme,
        text: bool = False,
        encoding: _Encoding | None = None,
        prefix: str | None = None,
        generate: bool | None = None,
        store: str | None = None,
        namespace: str | None = None,
    ) -> None:
        super().__init__()
        self._texts = IdTexts(scheme, encoding=encoding, prefix=prefix)
        if self._texts.type is str and prefix is not None:
            raise saiban.InvalidArgumentError(f"prefix is {prefix!r}, but IDs of {scheme} are text: leave it out")
        if (store is not None or namespace is not None) and not _has_nodes(scheme):
            raise saiban.InvalidArgumentError(f"IDs of {scheme} have no node to lease: give no store and no namespace")
        self.scheme, self.encoding, self.prefix = scheme, encoding, prefix
        self.text = text or encoding is not None or prefix is not None
        self.generate, self.namespace = generate, namespace
        self.store = None if store is None else HiddenText(store)
        if self._texts.type is not int:
            width = _native.schemes()[scheme]["width"]
            self.impl = Uuid() if self._texts.type is not str else String(width)

    def __repr__(self) -> str:
        # Migrations contain this: what the column depends on, and no store.
        return f"SaibanId({self.scheme!r})"

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self._read(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return self._write(value) if self.text and value is not None else value

    # A column may have older UUIDs, of any version. IdTexts reads these only with a prefix.

    def _read(self, value: Any) -> Any:
        if self._texts.type is UUID and self.prefix is None:
            if isinstance(value, UUID):
                return value
            if isinstance(value, str):
                return UUID(int=saiban.decode(value, self.encoding or "hyphenated", bits=128))
        return self._texts.read(value)

    def _write(self, id: Any) -> str:
        if self._texts.type is UUID and self.prefix is None:
            return saiban.encode(id.int, self.encoding or "hyphenated", bits=128)
        return self._texts.write(id)


def _has_nodes(scheme: str) -> bool:
    return "lease" in _native.schemes()[scheme]["options"]


def engine_store(engine: Engine | AsyncEngine) -> str:
    """Returns the URL of the store of leases in an engine's database, with its password: for
    saiban.Lease.acquire, for `store` of a generator, and for `saiban lease ls --store`.

    PostgreSQL, MySQL and MariaDB are themselves the store, and a SQLite database has it in a file
    beside it, with `-saiban-leases` after its name. Of SQLite in memory, leases are in memory.
    saiban knows the engine's URL, and none of `connect_args`, `creator` and `do_connect`.

    Raises InvalidArgumentError for another database, and for an option of the URL that saiban's own
    connection cannot have.

    >>> from sqlalchemy import create_engine
    >>> from saiban.contrib.sqlalchemy import engine_store
    >>> engine_store(create_engine("postgresql+psycopg://app:secret@db/shop"))
    'postgres://app:secret@db/shop'
    """
    url, dialect = engine.url, engine.dialect
    database = url.database or ""
    try:
        if dialect.name == "sqlite":
            if database in ("", ":memory:", "file::memory:") or url.query.get("mode") == "memory":
                return stores.memory_store("sqlalchemy")
            return stores.sqlite_store(database)
        if dialect.name == "postgresql":
            return stores.postgres_store(_libpq(stores.hidden(dialect.create_connect_args(url)[1])))
        if dialect.name in ("mysql", "mariadb"):
            driver = "MySQLdb" if dialect.driver == "mysqldb" else dialect.driver
            return stores.mysql_store(stores.hidden(dialect.create_connect_args(url)[1]), driver=driver)
    except stores.UnusableOptionError as error:
        reason = f"the engine's {error}"
    else:
        reason = f"{dialect.name} has no store of leases"
    raise saiban.InvalidArgumentError(
        f"no nodes can be leased from the engine's database: {reason}. Give SaibanId(…, store='postgres://…'), or "
        "another store"
    )


def _libpq(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the parameters of other drivers by libpq's names."""
    names = {"database": "dbname", "ssl": "sslmode"}
    return {names.get(name, name): value for name, value in given.items() if not name.startswith("prepared_statement")}


#: The tables of leases and counters, which saiban creates in a database that is a store.
_TABLES = {"saiban_namespaces", "saiban_slots", "saiban_counters", "saiban_counter_days"}


def include_name(name: str | None, type_: str, parents: Mapping[str, str | None]) -> bool:
    """Returns False for saiban's own tables: for `context.configure(include_name=include_name)` in
    Alembic's env.py, because a migration that is autogenerated would drop them otherwise.

    name: the name of a schema, a table, a column or another part of the database. type_: "table",
    and so on. parents: the names of what contains it.

    >>> from saiban.contrib.sqlalchemy import include_name
    >>> include_name("saiban_slots", "table", {}), include_name("orders", "table", {})
    (False, True)
    """
    return type_ != "table" or name not in _TABLES


class _Made:
    """A generator, which lives as long as an engine that uses it."""

    def __init__(self, scheme: Any, store: Hidden[str] | None, namespace: str, create: bool | None) -> None:
        new = _native.schemes()[scheme]["generator"]
        try:
            if store is None:
                self.generator: saiban.Generator[Any] = new()
            else:
                lease = saiban.Lease.acquire(store.reveal(), scheme=scheme, namespace=namespace, create=create)
                self.generator = new(lease=lease)
        except saiban.InvalidArgumentError as error:
            # Of a secret or a layout, which a column does not have.
            raise saiban.InvalidArgumentError(
                f"the column cannot generate IDs of {scheme}: {error}. Give the column a default, of your own "
                "generator: default=ids.generate"
            ) from error


#: A scheme, its store and its namespace.
_Key: TypeAlias = tuple[str, Hidden[str] | None, str]
#: The generators of this process, which all columns of one key share.
_made: WeakValueDictionary[_Key, _Made] = WeakValueDictionary()
#: The generators that a thread is making. It may wait for a store, and other threads wait for it.
_making: dict[_Key, Future[_Made]] = {}
_lock = threading.Lock()


def _get_or_make(key: _Key, create: bool | None) -> _Made:
    with _lock:
        made = _made.get(key)
        if made is not None:
            return made
        is_ours = key not in _making
        making = _making.setdefault(key, Future())
    if is_ours:
        try:
            made = _made[key] = _Made(*key, create)
            making.set_result(made)
        except BaseException as error:
            making.set_exception(error)
        finally:
            _making.pop(key, None)
    return making.result()


def _forget_the_threads_of_the_parent() -> None:
    global _lock
    # Another thread of the parent may have held the lock, and does not exist here.
    _lock = threading.Lock()
    _making.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_the_threads_of_the_parent)


class _Generate:
    """The default of a column: new IDs, from a generator for each engine."""

    def __init__(self, column: SaibanId) -> None:
        self._column = column
        self._made: WeakKeyDictionary[Engine, _Made] = WeakKeyDictionary()

    def __call__(self, context: DefaultExecutionContext) -> Any:
        if getattr(getattr(context.compiled, "statement", None), "select", None) is not None:
            # SQLAlchemy asks for one value, for all rows.
            raise saiban.InvalidArgumentError("INSERT FROM SELECT would give all rows one ID: select IDs too")
        engine = context.root_connection.engine
        made = self._made.get(engine)
        if made is None:
            made = self._made[engine] = self._make(context)
        id = made.generator.generate()
        return self._column._write(id) if self._column.text else id

    def _make(self, context: DefaultExecutionContext) -> _Made:
        column, store, create = self._column, None, None
        if _has_nodes(column.scheme):
            # The engine's database belongs to the program: its namespace is created.
            create = True if column.store is None else None
            store = Hidden(column.store or engine_store(context.engine))
        key = (column.scheme, store, column.namespace or column.scheme)
        make = functools.partial(_get_or_make, key, create)
        if not context.dialect.is_async:
            return make()
        # Waits for the store in another thread, so that the event loop runs on.
        connection: Any = context.root_connection.connection.dbapi_connection
        made: _Made = connection.run_async(lambda _: asyncio.to_thread(make))
        return made


@event.listens_for(SaibanId, "before_parent_attach")
def _joins_column(type_: SaibanId, column: object) -> None:
    if isinstance(column, Column):
        event.listen(column, "before_parent_attach", functools.partial(_joins_table, type_))


def _joins_table(type_: SaibanId, column: Column[Any], table: object) -> None:
    if type_.generate or (type_.generate is None and column.primary_key and not column.foreign_keys):
        _add_default(type_, column)
    if column.primary_key:
        _number_nothing(column)


@event.listens_for(PrimaryKeyConstraint, "after_parent_attach")
def _becomes_key(key: PrimaryKeyConstraint, table: object) -> None:
    # The columns may have joined the table before: with a named key, and with a reflected one.
    for column in key.columns:
        type_ = column.type
        if isinstance(type_, SaibanId):
            if type_.generate is None and not column.foreign_keys:
                _add_default(type_, column)
            _number_nothing(column)


@event.listens_for(ForeignKey, "before_parent_attach")
def _refers(key: ForeignKey, column: object) -> None:
    # A foreign key may come after its column, in a ForeignKeyConstraint.
    if isinstance(column, Column) and isinstance(column.type, SaibanId) and column.type.generate is None:
        if isinstance(getattr(column.default, "arg", None), _Generate):
            column.default = None


def _add_default(type_: SaibanId, column: Column[Any]) -> None:
    if column.default is None and column.server_default is None:
        column.default = ColumnDefault(_Generate(type_))


def _number_nothing(column: Column[Any]) -> None:
    """Prevents SERIAL and AUTO_INCREMENT, with which the database would number the rows."""
    if column.autoincrement == "auto":
        column.autoincrement = False
