"""saiban.contrib.sqlalchemy: the values of a column type whose IDs each process generates."""

from __future__ import annotations

import copy
import json
import pickle
import uuid
from typing import Annotated, Any

import pydantic
import pytest
import saiban
import sqlalchemy as sa
from integrations import CHANGED, ID, assert_examples_run, javascript, run_readme
from saiban.contrib import sqlalchemy as ours
from saiban.contrib.pydantic import SnowflakeId
from saiban.contrib.sqlalchemy import SaibanId
from saiban.contrib.texts import IdTexts
from sqlalchemy.dialects import mysql
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, Session, mapped_column
from sqlalchemy_models import Customer, Order, engine, hidden
from sqlmodel import Field, SQLModel

# Fixtures of other files.
__all__ = ["engine"]

Key = Annotated[int, mapped_column(SaibanId("snowflake"), primary_key=True)]


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


def test_sqlmodel_refuses_other_text_and_has_a_schema_of_text() -> None:
    with pytest.raises(pydantic.ValidationError, match="decimal text has no character 'x'"):
        Hero.model_validate({"id": "7x"})
    (text, null) = Hero.model_json_schema()["properties"]["id"]["anyOf"]
    assert (text["type"], null) == ("string", {"type": "null"})


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
