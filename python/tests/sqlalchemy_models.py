"""Tables for the tests of saiban.contrib.sqlalchemy."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
import saiban
import sqlalchemy as sa
from saiban.contrib.sqlalchemy import SaibanId
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

# No other test uses this secret, so no other generator shares this generator's cursor.
SECRET = bytes(range(100, 116))
hidden = saiban.Randflake(node=7, secret=SECRET)


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
