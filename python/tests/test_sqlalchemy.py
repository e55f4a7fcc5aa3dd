"""saiban.contrib.sqlalchemy: a column type whose IDs each process generates with a node of its own."""

from __future__ import annotations

import asyncio
import copy
import gc
import json
import os
import pickle
import subprocess
import sys
import threading
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
import saiban
import sqlalchemy as sa
from databases import HELD, Databases, all_databases, rows
from integrations import CHANGED, ID, assert_examples_run, javascript, run_readme
from saiban.contrib import sqlalchemy as ours
from saiban.contrib.pydantic import SnowflakeId
from saiban.contrib.sqlalchemy import SaibanId, engine_store, generators
from saiban.contrib.texts import IdTexts
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, Session, mapped_column, relationship
from sqlalchemy.schema import CreateTable
from sqlmodel import Field, SQLModel

# Fixtures of other files.
__all__ = ["all_databases"]

# No other test has this secret, so that this generator shares its cursor with none.
SECRET = bytes(range(100, 116))
hidden = saiban.Randflake(node=7, secret=SECRET)

Key = Annotated[int, mapped_column(SaibanId("snowflake"), primary_key=True)]


class Base(DeclarativeBase):
    pass


class WithId:
    id: Mapped[int] = mapped_column(SaibanId("snowflake"), primary_key=True)


class Customer(WithId, Base):
    __tablename__ = "customers"
    orders: Mapped[list[Order]] = relationship(back_populates="customer")


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[str] = mapped_column(SaibanId("tsid", text=True), primary_key=True)
    customer_id: Mapped[int | None] = mapped_column(sa.ForeignKey("customers.id"))
    tracking: Mapped[int] = mapped_column(SaibanId("randflake"), default=hidden.generate, unique=True)
    receipt: Mapped[str] = mapped_column(SaibanId("ulid", generate=True))
    event: Mapped[uuid.UUID] = mapped_column(SaibanId("uuid-v7", generate=True))
    upstream: Mapped[int | None] = mapped_column(SaibanId("snowflake"))
    state: Mapped[str] = mapped_column(sa.String(9), server_default="new")
    customer: Mapped[Customer | None] = relationship(back_populates="orders")
    __mapper_args__ = {"eager_defaults": True}  # noqa: RUF012


@pytest.fixture
def engine(tmp_path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/shop.db")
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys = ON"))
    Base.metadata.create_all(engine)
    return engine


def test_an_id_goes_from_the_database_to_javascript_and_back(engine: sa.Engine) -> None:
    from pydantic import BaseModel

    class Shown(BaseModel, from_attributes=True):
        id: SnowflakeId

    with Session(engine) as session:
        customer = Customer(id=ID)
        session.add(customer)
        session.commit()
        assert json.loads(javascript(json.dumps({"id": customer.id})))["id"] == CHANGED
        returned = Shown.model_validate_json(javascript(Shown.model_validate(customer).model_dump_json()))
        assert session.get(Customer, returned.id) is customer
        assert session.scalar(sa.select(Customer).where(Customer.id == str(ID))) is customer


def test_a_thousand_rows_have_a_thousand_ids_and_their_foreign_keys(engine: sa.Engine) -> None:
    with Session(engine) as session:
        customer = Customer(orders=[Order() for _ in range(1000)])
        session.add(customer)
        session.commit()
        assert len({order.id for order in customer.orders}) == 1000
        assert {order.customer_id for order in customer.orders} == {customer.id}
        assert {order.state for order in customer.orders} == {"new"}
        order = customer.orders[0]
        assert type(customer.id) is int
        assert saiban.inspect(order.id, scheme="tsid")
        assert saiban.Ulid().inspect(order.receipt).scheme == "ulid"
        assert order.event.version == 7
        assert order.upstream is None
        assert hidden.inspect(order.tracking).node == 7
        session.expire_all()
        assert session.scalar(sa.select(Order).where(Order.id == order.id)) is order
        assert session.scalar(sa.select(Order).where(Order.tracking == hidden.to_text(order.tracking))) is order


def test_core_inserts_many_rows(engine: sa.Engine) -> None:
    customers = sa.Table(
        "rows", sa.MetaData(), sa.Column("id", SaibanId("snowflake"), primary_key=True), sa.Column("n", sa.Integer)
    )
    with engine.begin() as connection:
        customers.create(connection)
        connection.execute(customers.insert(), [{"n": n} for n in range(1000)])
        made = connection.execute(customers.insert().values(n=5)).inserted_primary_key[0]
        rows = connection.execute(sa.select(customers.c.id)).scalars().all()
    assert len(set(rows)) == 1001
    assert made in rows


def test_every_declaration_of_a_column_generates() -> None:
    class Typed(MappedAsDataclass, DeclarativeBase):
        type_annotation_map = {SnowflakeId: SaibanId("snowflake", generate=True)}  # noqa: RUF012

    class ByAnnotation(Typed):
        __tablename__ = "by_annotation"
        id: Mapped[Key] = mapped_column(init=False)

    class ByMap(Typed):
        __tablename__ = "by_map"
        id: Mapped[SnowflakeId] = mapped_column(init=False, primary_key=True)
        other: Mapped[SnowflakeId] = mapped_column(init=False)

    ByAnnotation.__table__.metadata.create_all(engine := sa.create_engine("sqlite://"))
    with Session(engine) as session:
        session.add_all([first := ByAnnotation(), second := ByMap()])
        session.execute(sa.insert(ByAnnotation).values([{}, {}]))
        session.commit()
        assert len({first.id, second.id, second.other}) == 3
        assert len(session.scalars(sa.select(ByAnnotation.id)).all()) == 3


def test_one_id_for_many_rows_is_refused(engine: sa.Engine) -> None:
    orders = Order.__table__
    with Session(engine) as session:
        session.add(Customer(orders=[Order(), Order()]))
        session.flush()
        rows = sa.select(orders.c.tracking, orders.c.event)
        with pytest.raises(StatementError, match="would give all rows one ID"):
            session.execute(sa.insert(Order).from_select(["tracking", "event"], rows))


def test_a_missing_customer_is_refused(engine: sa.Engine) -> None:
    with Session(engine) as session, pytest.raises(IntegrityError, match="FOREIGN KEY"):
        session.add(Order(customer_id=5))
        session.flush()


def test_a_type_can_be_copied_and_pickled() -> None:
    for type_ in (SaibanId("snowflake", encoding="base62"), SaibanId("uuid-v7")):
        for copied in (copy.copy(type_), copy.deepcopy(type_), pickle.loads(pickle.dumps(type_))):
            assert vars(copied).keys() == vars(type_).keys()
            assert copied.process_result_value(ID, mysql.dialect()) == type_.process_result_value(ID, mysql.dialect())


def test_the_database_numbers_nothing() -> None:
    for dialect in (postgresql.dialect(), mysql.dialect()):
        for table in (Customer, Order):
            ddl = str(CreateTable(table.__table__).compile(dialect=dialect))
            assert "id BIGINT NOT NULL" in ddl
            assert "SERIAL" not in ddl
            assert "AUTO_INCREMENT" not in ddl
    assert "event UUID NOT NULL" in str(CreateTable(Order.__table__).compile(dialect=postgresql.dialect()))
    assert "receipt VARCHAR(26) NOT NULL" in str(CreateTable(Order.__table__).compile(dialect=postgresql.dialect()))
    assert Customer.__table__.c.id.autoincrement is False


def test_only_primary_keys_without_another_origin_are_generated() -> None:
    fixed = sa.Column("id", SaibanId("snowflake"), primary_key=True, default=5)
    reference = sa.Column("id", SaibanId("snowflake"), sa.ForeignKey("customers.id"), primary_key=True)
    server = sa.Column("id", SaibanId("snowflake"), primary_key=True, server_default=sa.text("f()"))
    for column, is_ours in (
        (sa.Column("id", SaibanId("snowflake"), primary_key=True), True),
        (sa.Column("id", SaibanId("snowflake", generate=True)), True),
        (sa.Column("id", SaibanId("snowflake", generate=False), primary_key=True), False),
        (sa.Column("id", SaibanId("snowflake")), False),
        (fixed, False),
        (reference, False),
        (server, False),
    ):
        sa.Table("customers", metadata := sa.MetaData(), sa.Column("id", sa.BigInteger, primary_key=True))
        table = sa.Table("t", metadata, column)
        for found in (table, table.to_metadata(sa.MetaData())):
            assert (found.c.id.default is not None and found.c.id.default.arg != 5) == is_ours
    foreign = sa.Table(
        "t",
        sa.MetaData(),
        sa.Column("id", SaibanId("snowflake"), primary_key=True),
        sa.ForeignKeyConstraint(["id"], ["customers.id"]),
    )
    assert foreign.c.id.default is None


@pytest.mark.parametrize("primary_key", [True, False])
def test_a_foreign_key_is_generated_on_request(primary_key: bool) -> None:
    for make in (
        lambda type_: [sa.Column("id", type_, sa.ForeignKey("customers.id"), primary_key=primary_key)],
        lambda type_: [
            sa.Column("id", type_, primary_key=primary_key),
            sa.ForeignKeyConstraint(["id"], ["customers.id"]),
        ],
    ):
        table = sa.Table("t", sa.MetaData(), *make(SaibanId("snowflake", generate=True)))
        assert table.c.id.default is not None


def keys() -> dict[str, Any]:
    """Returns tables whose primary keys have no column with primary_key=True."""

    class Declared(DeclarativeBase):
        pass

    class Single(Declared):
        __tablename__ = "single"
        id: Mapped[int] = mapped_column(SaibanId("snowflake"))
        __table_args__ = (sa.PrimaryKeyConstraint("id", name="single_key"),)

    class Composite(Declared):
        __tablename__ = "composite"
        shop: Mapped[int] = mapped_column(sa.Integer)
        id: Mapped[int] = mapped_column(SaibanId("snowflake"))
        __table_args__ = (sa.PrimaryKeyConstraint("shop", "id"),)

    later = sa.Table("later", Declared.metadata, sa.Column("id", SaibanId("snowflake")))
    later.append_constraint(sa.PrimaryKeyConstraint("id"))
    return {"single": Single.__table__, "composite": Composite.__table__, "later": later}


@pytest.mark.parametrize("name", ["single", "composite", "later"])
def test_a_key_of_a_constraint_is_generated(name: str) -> None:
    table = keys()[name]
    for dialect in (postgresql.dialect(), mysql.dialect()):
        ddl = str(CreateTable(table).compile(dialect=dialect))
        assert "id BIGINT NOT NULL" in ddl
        assert "AUTO_INCREMENT" not in ddl
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        table.create(connection)
        row = {"shop": 1} if "shop" in table.c else {}
        assert connection.execute(table.insert().values(row)).inserted_primary_key.id > 2**53


def test_a_reflected_key_is_generated(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE reflected (id BIGINT NOT NULL, n INT, PRIMARY KEY (id))")
    metadata = sa.MetaData()

    @sa.event.listens_for(metadata, "column_reflect")
    def _(inspector: object, table: object, column: dict[str, Any]) -> None:
        if column["name"] == "id":
            column["type"] = SaibanId("snowflake")

    table = sa.Table("reflected", metadata, autoload_with=engine)
    with engine.begin() as connection:
        assert connection.execute(table.insert().values(n=1)).inserted_primary_key[0] > 2**53
    assert "SERIAL" not in str(CreateTable(table).compile(dialect=postgresql.dialect()))


@pytest.mark.parametrize(
    "make",
    [
        lambda: [sa.Column("id", SaibanId("snowflake", generate=False))],
        lambda: [sa.Column("id", SaibanId("snowflake"), server_default=sa.text("f()"))],
        lambda: [sa.Column("id", SaibanId("snowflake"), sa.ForeignKey("customers.id"))],
        lambda: [sa.Column("id", SaibanId("snowflake")), sa.ForeignKeyConstraint(["id"], ["customers.id"])],
        # The column takes its type from customers.id.
        lambda: [sa.Column("id", sa.ForeignKey("customers.id"))],
    ],
    ids=["generate", "server", "foreign", "constraint", "type"],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_key_of_a_constraint_keeps_its_other_origin(make: Any, order: int) -> None:
    sa.Table("customers", metadata := sa.MetaData(), sa.Column("id", SaibanId("snowflake", generate=True)))
    column, *others = make()
    table = sa.Table("t", metadata, column, *[*others, sa.PrimaryKeyConstraint("id")][::order])
    assert isinstance(table.c.id.type, SaibanId)
    assert table.primary_key.columns.keys() == ["id"]
    assert table.c.id.default is None
    assert "SERIAL" not in str(CreateTable(table).compile(dialect=postgresql.dialect()))


#: A value that is no Snowflake, and the reason.
BAD: list[tuple[Any, str]] = [
    ("", "has 0 characters"),
    ("x", "no character 'x'"),
    ("12x", "position 2"),
    (" 7", "no character ' '"),
    ("+7", "no character"),
    ("07", "not canonical"),
    ("7.0", "no character"),
    ("７", "no character"),
    ("\0", "no character"),
    ("7' OR 1=1 --", "no character"),
    ("7" * 100_000, "has 100000 characters"),
    (str(2**63), "does not fit"),
    (2**63, "64-bit integer"),
    (-(2**63) - 1, "64-bit integer"),
    (7.0, "not float"),
    (True, "not bool"),
    (b"7", "not bytes"),
    (uuid.uuid4(), "not UUID"),
    (object(), "not object"),
]


@pytest.mark.parametrize(("value", "reason"), BAD, ids=lambda value: str(value)[:20])
def test_bad_values_are_refused_with_the_reason(engine: sa.Engine, value: Any, reason: str) -> None:
    with Session(engine) as session:
        with pytest.raises(StatementError, match=reason) as refused:
            session.scalar(sa.select(Customer).where(Customer.id == value))
        assert isinstance(refused.value.orig, saiban.SaibanError)
        with pytest.raises(StatementError, match=reason):
            session.execute(sa.insert(Customer).values(id=value))


FORMS: list[tuple[dict[str, Any], str]] = [
    ({"scheme": "snowflake", "text": True}, str(ID)),
    ({"scheme": "snowflake", "encoding": "base62"}, saiban.encode(ID, "base62")),
    ({"scheme": "tsid", "prefix": "order"}, "order_1tzd9jmde9r00"),
    ({"scheme": "randflake", "text": True}, saiban.encode(ID, "base32hex")),
]


@pytest.mark.parametrize(("options", "text"), FORMS, ids=[text for _, text in FORMS])
def test_text_in_python_is_a_number_in_the_database(options: dict[str, Any], text: str) -> None:
    engine = sa.create_engine("sqlite://")
    table = sa.Table("t", sa.MetaData(), sa.Column("id", SaibanId(**options, generate=False), primary_key=True))
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(table.insert().values(id=text))
        assert connection.exec_driver_sql("SELECT id FROM t").scalar() == ID
        for value in (text, ID):
            assert connection.execute(sa.select(table.c.id).where(table.c.id == value)).scalar() == text
        assert connection.execute(sa.select(sa.func.max(table.c.id))).scalar() == text


def test_types_of_other_options_are_cached_apart() -> None:
    url = "postgres://app:HIDDEN@db/shop"
    types = [
        SaibanId("snowflake"),
        SaibanId("tsid"),
        SaibanId("snowflake", text=True),
        SaibanId("snowflake", encoding="base62"),
        SaibanId("snowflake", encoding="hex"),
        SaibanId("snowflake", prefix="order"),
        SaibanId("snowflake", generate=True),
        SaibanId("snowflake", store=url),
        SaibanId("snowflake", namespace="orders"),
    ]
    assert len({type_._static_cache_key for type_ in types}) == len(types)
    assert SaibanId("snowflake", encoding="hex")._static_cache_key == types[4]._static_cache_key
    assert "HIDDEN" not in repr([type_._static_cache_key for type_ in types])


def test_a_cached_statement_reads_with_its_own_options() -> None:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        for options, text in ({"scheme": "snowflake"}, ID), *FORMS:
            query = sa.select(sa.literal_column(str(ID), SaibanId(**options)))  # type: ignore[arg-type]
            assert connection.execute(query).scalar() == text
            query = sa.select(sa.literal(text, SaibanId(**options)) == sa.literal_column(str(ID)))  # type: ignore[arg-type]
            assert connection.execute(query).scalar()


@pytest.mark.parametrize("scheme", ["ulid", "uuid-v7", "objectid", "xid", "tsid", "snowflake", "ulid-flake"])
def test_every_scheme_generates_and_reads(scheme: Any) -> None:
    engine = sa.create_engine("sqlite://")
    table = sa.Table("t", sa.MetaData(), sa.Column("id", SaibanId(scheme), primary_key=True))
    with engine.begin() as connection:
        table.create(connection)
        id = connection.execute(table.insert()).inserted_primary_key[0]
        assert connection.execute(sa.select(table.c.id)).scalar() == id
        text = IdTexts(scheme).write(id)
        assert connection.execute(sa.select(table.c.id).where(table.c.id == text)).scalar() == id


def test_a_scheme_with_a_secret_needs_a_default() -> None:
    engine = sa.create_engine("sqlite://")
    table = sa.Table("t", sa.MetaData(), sa.Column("id", SaibanId("randflake"), primary_key=True))
    table.create(engine)
    with engine.begin() as connection, pytest.raises(StatementError, match=r"secret.*default=ids\.generate"):
        connection.execute(table.insert())


def test_wrong_declarations_are_refused_when_they_are_made() -> None:
    for make, error in (
        (lambda: SaibanId("snowflakes"), saiban.UnknownNameError),  # type: ignore[arg-type]
        (lambda: SaibanId("snowflake", encoding="base33"), saiban.UnknownNameError),  # type: ignore[arg-type]
        (lambda: SaibanId("snowflake", encoding="base62", prefix="order"), saiban.InvalidArgumentError),
        (lambda: SaibanId("snowflake", prefix="Order"), saiban.InvalidArgumentError),
        (lambda: SaibanId("ulid", encoding="hex"), saiban.InvalidArgumentError),
        (lambda: SaibanId("ulid", prefix="receipt"), saiban.InvalidArgumentError),
        (lambda: SaibanId("ulid", store="memory:x"), saiban.InvalidArgumentError),
        (lambda: SaibanId("uuid-v7", namespace="events"), saiban.InvalidArgumentError),
        (lambda: SaibanId("snowflake", namespace=""), saiban.InvalidArgumentError),
        (lambda: SaibanId("snowflake", namespace="my orders"), saiban.InvalidArgumentError),
    ):
        with pytest.raises(error):
            make()


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


def test_a_uuid_is_text_with_the_options_of_text() -> None:
    for options in ({"text": True}, {"encoding": "base58"}, {"prefix": "event"}):
        engine = sa.create_engine("sqlite://")
        column = sa.Column("id", SaibanId("uuid-v7", **options), primary_key=True)  # type: ignore[arg-type]
        table = sa.Table("t", sa.MetaData(), column)
        with engine.begin() as connection:
            table.create(connection)
            id = connection.execute(table.insert()).inserted_primary_key[0]
            assert type(id) is str
            assert connection.execute(sa.select(table.c.id)).scalar() == id
            assert connection.execute(sa.select(table.c.id).where(table.c.id == id)).scalar() == id


@pytest.mark.parametrize("options", [{}, {"text": True}, {"encoding": "base58"}, {"prefix": "event"}], ids=str)
def test_a_column_of_uuids_has_uuids_of_every_version(options: dict[str, Any]) -> None:
    class Base(DeclarativeBase):
        pass

    class Event(Base):
        __tablename__ = "events"
        id: Mapped[Any] = mapped_column(SaibanId("uuid-v7", **options), primary_key=True)
        n: Mapped[int]

    engine = sa.create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(new := Event(n=0))
        session.flush()
        texts = IdTexts("uuid-v7", **{name: value for name, value in options.items() if name != "text"})
        assert new.id == (texts.write(new.id) if options else texts.read(new.id))
        for old in (uuid.uuid4(), uuid.uuid1(), uuid.UUID(int=0)):
            # A row from before the column had this type.
            session.connection().exec_driver_sql("INSERT INTO events VALUES (?, 5)", (old.hex,))
            event = session.get_one(Event, old)
            assert event.n == 5
            if not options:
                assert event.id == old
            assert session.scalar(sa.select(Event.n).where(Event.id == event.id)) == 5
            event.n = 6
            session.commit()
            assert session.scalar(sa.select(Event.n).where(Event.id == old)) == 6
            session.delete(event)
            session.flush()
    for value, error in (("!", saiban.SaibanError), (5, saiban.WrongTypeError)):
        with Session(engine) as session, pytest.raises(StatementError) as refused:
            session.scalar(sa.select(Event).where(Event.id == value))
        assert isinstance(refused.value.orig, error)


def test_text_columns_are_searched_with_patterns(engine: sa.Engine) -> None:
    with Session(engine) as session:
        session.add(Customer(orders=[Order(receipt="01ARZ3NDEKTSV4RRFFQ69G5FAV")]))
        session.flush()
        receipt = Order.receipt
        for condition in (
            receipt.like("01AR%"),
            receipt.ilike("01ar%"),
            receipt.startswith("01AR"),
            receipt.istartswith("01ar"),
            receipt.contains("KTS"),
            receipt.icontains("kts", autoescape=True),
            receipt.endswith("FAV"),
            receipt.iendswith("fav"),
            receipt == "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            receipt.in_(["01ARZ3NDEKTSV4RRFFQ69G5FAV"]),
            ~receipt.like("02%"),
            receipt.not_like("02%"),
            receipt.not_ilike("02%"),
            ~receipt.startswith("02"),
            ~receipt.contains("XYZ"),
            ~receipt.endswith("XYZ"),
        ):
            assert session.scalar(sa.select(Order.receipt).where(condition)) == "01ARZ3NDEKTSV4RRFFQ69G5FAV"
            assert session.scalar(sa.select(Order.receipt).where(~condition)) is None
        with pytest.raises(StatementError, match="has 4 characters"):
            session.scalar(sa.select(Order).where(receipt == "01AR"))


def test_a_type_names_its_type_in_python() -> None:
    types: list[tuple[SaibanId, type]] = [
        (SaibanId("snowflake"), int),
        (SaibanId("snowflake", text=True), str),
        (SaibanId("uuid-v7"), uuid.UUID),
        (SaibanId("uuid-v7", prefix="event"), str),
        (SaibanId("ulid"), str),
    ]
    for type_, python_type in types:
        assert type_.python_type is python_type


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
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


def test_tables_can_be_pickled_and_their_copies_generate(engine: sa.Engine) -> None:
    column = sa.Column("id", SaibanId("snowflake", encoding="base62"), primary_key=True)
    table = sa.Table("t", sa.MetaData(), column)
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(table.insert())  # A generator is made before the table is pickled.
        copied = pickle.loads(pickle.dumps(table.metadata)).tables["t"]
        id = connection.execute(copied.insert()).inserted_primary_key[0]
        assert len(connection.scalars(sa.select(table.c.id)).all()) == 2
        assert connection.scalars(sa.select(copied.c.id).where(copied.c.id == id)).one() == id


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
    others.append(acquire())
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


def test_another_store_leases_where_it_is_named(tmp_path: Path) -> None:
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
        assert turns.wait(30), "the loop stands still"
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


class Hero(SQLModel, table=True):
    id: SnowflakeId | None = Field(default=None, primary_key=True, sa_type=SaibanId("snowflake"))  # type: ignore[call-overload]
    team_id: SnowflakeId | None = Field(default=None, sa_type=SaibanId("snowflake"), foreign_key="hero.id")  # type: ignore[call-overload]


def test_sqlmodel_takes_the_type_and_shows_text() -> None:
    engine = sa.create_engine("sqlite://")
    SQLModel.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(first := Hero())
        session.flush()
        session.add(second := Hero(team_id=first.id))
        session.commit()
        session.refresh(second)
        assert type(first.id) is int
        assert second.team_id == first.id
        assert json.loads(second.model_dump_json()) == {"id": str(second.id), "team_id": str(first.id)}
        returned = Hero.model_validate(json.loads(javascript(second.model_dump_json())))
        assert (returned.id, returned.team_id) == (second.id, first.id)


def test_inserts_of_ids_that_are_there_are_repeated(engine: sa.Engine) -> None:
    with Session(engine) as session:
        session.add(Customer(id=ID))
        session.commit()
        ids = iter([ID, ID + 1])

        def insert(id: int) -> Customer:
            session.add(customer := Customer(id=id))
            session.flush()
            return customer

        customer = saiban.insert_unique(lambda: next(ids), insert, savepoint=session.begin_nested)
        session.commit()
        assert customer.id == ID + 1
        assert session.scalars(sa.select(Customer.id).order_by(Customer.id)).all() == [ID, ID + 1]


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


def test_a_link_stands_for_the_database_that_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "shop.db")
    assert engine_store(sa.create_engine(f"sqlite:///{tmp_path}/link.db")).endswith("/shop.db-saiban-leases")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql+psycopg://app:HIDDEN@db/shop?service=shop", "'service' is not supported by saiban's own"),
        ("postgresql+psycopg://app:HIDDEN@/shop?host=a&host=b", "'host' names several servers"),
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


def test_the_readme_runs() -> None:
    class Base(DeclarativeBase):
        pass

    space = run_readme("SQLAlchemy", Base=Base, Mapped=Mapped, mapped_column=mapped_column)
    engine = sa.create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(order := space["Order"]())
        session.commit()
        assert order.id > 2**53


def test_the_examples_run() -> None:
    assert_examples_run(ours, *ours.__all__)
