"""saiban.contrib.sqlalchemy: which columns are generated."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from saiban.contrib.sqlalchemy import SaibanId
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.schema import CreateTable
from sqlalchemy_models import Customer, Order, engine

# Fixtures of other files.
__all__ = ["engine"]


def test_the_database_generates_no_ids() -> None:
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
