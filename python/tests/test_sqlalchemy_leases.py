"""saiban.contrib.sqlalchemy: the leases of engines, in their stores, processes and threads."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import saiban
import sqlalchemy as sa
from databases import HELD, Databases, all_databases, rows
from saiban.contrib.sqlalchemy import SaibanId, engine_store, generators
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session
from sqlalchemy_models import Base, Customer, Order, engine
from test_leases import outcome, until

# Fixtures of other files.
__all__ = ["all_databases", "engine"]

PROCESS = """
import sys
from sqlalchemy import Column, MetaData, Table, create_engine
from saiban.contrib.sqlalchemy import SaibanId
rows = Table("rows", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True))
engine = create_engine(sys.argv[1])
with engine.begin() as connection:
    print(connection.execute(rows.insert()).inserted_primary_key[0], flush=True)
sys.stdin.read()
"""


def test_two_processes_have_different_nodes(engine: sa.Engine) -> None:
    sa.Table("rows", sa.MetaData(), sa.Column("id", SaibanId("snowflake"), primary_key=True)).create(engine)
    url = engine.url.render_as_string(hide_password=False)
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([sys.executable, "-c", PROCESS, url], **pipes) for _ in range(2)]
    ids = [int(process.stdout.readline()) for process in processes]  # type: ignore[union-attr]
    nodes = {saiban.inspect(id, scheme="snowflake")[0].node for id in ids}
    assert len(nodes) == 2
    for process in processes:
        process.communicate("")
        assert process.returncode == 0


@pytest.mark.parametrize(("kind", "driver"), [("postgres", "postgresql+psycopg"), ("mysql", "mysql+pymysql")])
def test_a_server_stores_the_leases_of_its_ids(all_databases: Databases, kind: str, driver: str) -> None:
    store = all_databases.new(kind)
    engine = sa.create_engine(sa.make_url(store).set(drivername=driver))
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(customer := Customer(orders=[Order() for _ in range(1000)]))
        session.commit()
        session.expire_all()
        order = customer.orders[0]
        assert session.scalar(sa.select(Order).where(Order.id == order.id, Order.event == order.event)) is order
        assert len({order.id for order in customer.orders}) == 1000
        assert {order.state for order in customer.orders} == {"new"}
    assert len(rows(store, HELD)) == 2  # of Snowflakes, and of TSIDs
    table = sa.Table("rows", sa.MetaData(), sa.Column("id", SaibanId("snowflake"), primary_key=True))
    table.create(engine)
    url = engine.url.render_as_string(hide_password=False)
    done = subprocess.run([sys.executable, "-c", PROCESS, url], input="", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Session(engine) as session:
        ids = [session.scalars(sa.select(Customer.id)).one(), int(done.stdout)]
    assert len({saiban.inspect(id, scheme="snowflake")[0].node for id in ids}) == 2
    engine.dispose()


def test_columns_and_engines_of_one_database_share_a_lease(engine: sa.Engine) -> None:
    other = sa.create_engine(engine.url)
    ids = []
    for each in (engine, other):
        with Session(each) as session:
            session.add_all(rows := [Customer(), Customer()])
            session.commit()
            ids += [row.id for row in rows]
    assert len({saiban.inspect(id, scheme="snowflake")[0].node for id in ids}) == 1
    assert len(set(ids)) == 4


def test_a_store_that_fails_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "shop.db-saiban-leases").mkdir()
    engine = sa.create_engine(f"sqlite:///{tmp_path}/shop.db")
    Base.metadata.create_all(engine)
    for _ in range(2):  # and again, not only the first time
        with Session(engine) as session, pytest.raises(StatementError, match="StoreUnavailableError"):
            session.add(Customer())
            session.flush()
    (tmp_path / "shop.db-saiban-leases").rmdir()
    with Session(engine) as session:
        session.add(Customer())
        session.flush()


def test_threads_that_begin_at_once_share_a_lease(engine: sa.Engine) -> None:
    ids: list[int] = []
    start = threading.Barrier(8)
    table = sa.Table("rows", sa.MetaData(), sa.Column("id", SaibanId("snowflake"), primary_key=True))
    table.create(engine)

    def insert() -> None:
        start.wait()
        with engine.begin() as connection:
            ids.append(connection.execute(table.insert()).inserted_primary_key[0])

    threads = [threading.Thread(target=insert) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids)) == 8
    assert len({saiban.inspect(id, scheme="snowflake")[0].node for id in ids}) == 1


def test_a_forked_process_has_its_own_node(engine: sa.Engine) -> None:
    program = f"""
import os, saiban, warnings
from sqlalchemy import Column, MetaData, Table, create_engine
from saiban.contrib.sqlalchemy import SaibanId
rows = Table("rows", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True))
engine = create_engine({str(engine.url)!r})
def insert():
    with engine.begin() as connection:
        return connection.execute(rows.insert()).inserted_primary_key[0]
rows.create(engine)
ids = [insert()]
engine.dispose()
read, write = os.pipe()
if os.fork() == 0:
    engine.dispose(close=False)
    os.write(write, str(insert()).encode())
    os._exit(0)
os.wait()
ids += [int(os.read(read, 99)), insert()]
print(*(saiban.inspect(id, scheme="snowflake")[0].node for id in ids))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before, child, after = done.stdout.split()
    assert before == after != child


def test_a_forked_process_waits_for_its_lease_outside_the_event_loop(tmp_path: Path) -> None:
    program = f"""
import asyncio, os, saiban, threading
from types import SimpleNamespace
from sqlalchemy import Column, MetaData, Table
from sqlalchemy.ext.asyncio import create_async_engine
from saiban.contrib.sqlalchemy import SaibanId
rows = Table("rows", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True))
engine = create_async_engine("sqlite+aiosqlite:///{tmp_path}/shop.db")
async def insert():
    async with engine.begin() as connection:
        await connection.run_sync(rows.create, checkfirst=True)
        id = (await connection.execute(rows.insert())).inserted_primary_key[0]
    await engine.dispose()
    return saiban.inspect(id, scheme="snowflake")[0].node
node = asyncio.run(insert())
if os.fork() == 0:
    threads, acquire = [], saiban.Lease.acquire
    def spy(*arguments, **options):
        threads.append(threading.current_thread())
        return acquire(*arguments, **options)
    saiban.Lease = SimpleNamespace(acquire=spy)
    other = asyncio.run(insert())
    print(other != node, [thread is not threading.main_thread() for thread in threads], flush=True)
    os._exit(0)
os.wait()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "True [True]\n", done.stderr


def test_engines_with_options_share_the_lease_of_their_engine(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire, leases = saiban.Lease.acquire, []

    def spy(*arguments: Any, **options: Any) -> saiban.Lease:
        leases.append(arguments)
        return acquire(*arguments, **options)

    monkeypatch.setattr(saiban, "Lease", SimpleNamespace(acquire=spy))
    for number in range(3):
        with engine.execution_options(request=number).execution_options(more=1).begin() as connection:
            connection.execute(sa.insert(Customer).values())
        del connection
        gc.collect()  # the engine of this request
    assert len(leases) == 1


def test_the_lease_ends_with_its_engine(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/gone.db")
    table = sa.Table("t", sa.MetaData(), sa.Column("id", SaibanId("ulid-flake", namespace="gone"), primary_key=True))
    table.create(engine)
    with engine.begin() as connection:
        connection.execute(table.insert())
    store = engine_store(engine)

    def acquire() -> saiban.Lease:
        return saiban.Lease.acquire(store, namespace="gone", scheme="ulid-flake", wait_s=10)

    others = [acquire() for _ in range(31)]
    with pytest.raises(saiban.NamespaceFullError):
        acquire()
    engine.dispose()
    del engine, connection
    gc.collect()
    until(lambda: outcome(lambda: others.append(acquire())) == "OK", "the node of an engine that went")
    for lease in others:
        lease.release()


def test_an_invalid_store_is_reported_with_what_to_correct() -> None:
    engine = sa.create_engine("sqlite://")
    column = sa.Column("id", SaibanId("snowflake", store="oracle://app:HIDDEN@db/shop"), primary_key=True)
    table = sa.Table("t", sa.MetaData(), column)
    with engine.begin() as connection:
        table.create(connection)
        with pytest.raises(StatementError, match=r"oracle.*give a URL.*Correct SaibanId\(…, store=…\)") as refused:
            connection.execute(table.insert())
    assert isinstance(refused.value.orig, saiban.InvalidArgumentError)
    assert "default" not in str(refused.value)
    assert "HIDDEN" not in str(refused.value)


def test_a_column_leases_from_its_own_store(tmp_path: Path) -> None:
    store = f"sqlite:{tmp_path}/leases.db"
    engine = sa.create_engine("sqlite://")
    column = sa.Column("id", SaibanId("snowflake", store=store, namespace="orders"), primary_key=True)
    table = sa.Table("t", sa.MetaData(), column)
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(table.insert())
    assert (tmp_path / "leases.db").exists()
    assert store not in repr(column) + repr(column.type) + repr(vars(column.type))


def test_sqlalchemy_with_asyncio(tmp_path: Path) -> None:
    async def insert() -> list[int]:
        engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/shop.db")
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
        async with AsyncSession(engine) as session:
            session.add_all(customers := [Customer() for _ in range(100)])
            await session.commit()
            ids = [await session.run_sync(lambda _, row=row: row.id) for row in customers]
        assert engine_store(engine) == f"sqlite://{tmp_path}/shop.db-saiban-leases"
        await engine.dispose()
        return ids

    assert len(set(asyncio.run(insert()))) == 100


def test_the_event_loop_runs_while_asyncio_waits_for_a_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, turns = generators._make, threading.Event()

    def slow(*arguments: Any, **options: Any) -> Any:
        assert turns.wait(30), "the event loop is blocked"
        return make(*arguments, **options)

    monkeypatch.setattr(generators, "_make", slow)

    async def insert() -> None:
        engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/shop.db")
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
            asyncio.get_running_loop().call_later(0.1, turns.set)
            await connection.execute(sa.insert(Customer).values())
        await engine.dispose()

    asyncio.run(insert())


STORES = {
    "postgresql+psycopg://app:s%40crt@db:5433/shop": "postgres://app:s%40crt@db:5433/shop",
    "postgresql+psycopg://app:s@db/shop?sslmode=verify-full&sslrootcert=/ca": "postgres://app:s@db/shop?sslmode=verify-full&sslrootcert=/ca",
    "postgresql+psycopg:///shop?host=/run/postgresql": "postgres:///shop?host=/run/postgresql",
    "mysql+pymysql://app:s@db/shop?charset=utf8mb4": "mysql://app:s@db/shop",
    "mariadb+pymysql://app:s@db:3307/shop?ssl_ca=/ca": "mysql://app:s@db:3307/shop?ssl-ca=/ca&ssl-mode=VERIFY_CA",
    "postgresql+asyncpg://app:s@db/shop?ssl=verify-full&prepared_statement_cache_size=9": "postgres://app:s@db/shop?sslmode=verify-full",
    "postgresql+psycopg2://app:s@db/shop?application_name=shop": "postgres://app:s@db/shop",
    "mysql+mysqldb://app:s@db/shop": "mysql://app:s@db/shop",
    "mysql+aiomysql://app:s@db/shop?unix_socket=/run/my.sock": "mysql://app:s@localhost/shop?socket=/run/my.sock",
    "sqlite:////srv/a b.db": "sqlite:///srv/a%20b.db-saiban-leases",
    "sqlite:///file:/srv/shop.db?uri=true&mode=rw": "sqlite:///srv/shop.db-saiban-leases",
    "sqlite://": "memory:sqlalchemy",
    "sqlite:///:memory:": "memory:sqlalchemy",
    "sqlite:///file:shop?mode=memory&cache=shared&uri=true": "memory:sqlalchemy",
}


@pytest.mark.parametrize(("url", "store"), STORES.items())
def test_the_store_is_in_the_engines_database(url: str, store: str) -> None:
    assert engine_store(unconnected(url)) == store


def unconnected(url: str) -> Any:
    """Returns an engine that needs no driver."""
    parsed = sa.make_url(url)
    return SimpleNamespace(url=parsed, dialect=parsed.get_dialect()())


def test_a_symbolic_link_has_the_store_of_its_target(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "shop.db")
    assert engine_store(sa.create_engine(f"sqlite:///{tmp_path}/link.db")).endswith("/shop.db-saiban-leases")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql+psycopg://app:HIDDEN@db/shop?service=shop", "'service' is not supported by saiban's own"),
        ("postgresql+psycopg://app:HIDDEN@/shop?host=a&host=b", "'host' has several servers: give one"),
        ("postgresql+psycopg://app:HIDDEN@db", "'database' is empty"),
        ("mysql+pymysql://app:HIDDEN@db/shop?read_default_file=/my.cnf", "'read_default_file' is not supported"),
    ],
)
def test_unsupported_options_are_refused_by_name(url: str, reason: str) -> None:
    with pytest.raises(saiban.InvalidArgumentError, match=reason) as refused:
        engine_store(unconnected(url))
    assert "store='postgres://" in str(refused.value)
    assert "HIDDEN" not in str(refused.value)


def test_another_database_is_refused_with_what_to_give() -> None:
    with pytest.raises(saiban.InvalidArgumentError, match=r"oracle has no store of leases.*store='postgres://"):
        engine_store(unconnected("oracle://app:HIDDEN@db"))
