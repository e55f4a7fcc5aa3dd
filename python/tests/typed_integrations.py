"""A typed program with the integrations. mypy --strict checks this file, and test_types.py runs it."""

import uuid
from typing import Annotated, assert_type

import msgspec
import strawberry
from pydantic import BaseModel
from saiban.contrib import strawberry as graphql
from saiban.contrib.graphene import IdScalar
from saiban.contrib.msgspec import IntId, dec_hook, enc_hook
from saiban.contrib.msgspec import SnowflakeId as SnowflakeText
from saiban.contrib.pydantic import IdText, RandflakeId, SnowflakeId, UlidFlakeId
from saiban.contrib.sqlalchemy import SaibanId, engine_store
from sqlalchemy import create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from strawberry.schema.config import StrawberryConfig


class Order(BaseModel):
    id: SnowflakeId
    others: tuple[RandflakeId, UlidFlakeId] = (1, 3)
    short: Annotated[int, IdText("snowflake", encoding="base62")] = 0
    receipt: Annotated[str, IdText("ulid")] = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    event: Annotated[uuid.UUID, IdText("uuid-v7", prefix="event")] | None = None


class ShortId(IntId, scheme="snowflake", encoding="base62"):
    pass


class Event(msgspec.Struct):
    id: SnowflakeText
    short: ShortId


class OrderId(IdScalar, scheme="snowflake", prefix="order"):
    pass


@strawberry.type
class Query:
    @strawberry.field
    def order(self, id: graphql.SnowflakeId) -> graphql.SnowflakeId | None:
        number: int = id
        return graphql.SnowflakeId(number + 1)


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "rows"
    id: Mapped[int] = mapped_column(SaibanId("snowflake"), primary_key=True)
    text: Mapped[str] = mapped_column(SaibanId("tsid", text=True, generate=True, namespace="texts"))


def integrations() -> list[int]:
    order = Order(id=5)
    assert_type(order.id, int)
    assert_type(order.others, tuple[int, int])
    assert_type(order.receipt, str)
    assert_type(order.event, uuid.UUID | None)
    event = Event(SnowflakeText(6), ShortId("6"))
    assert_type(event.id, SnowflakeText)
    number: int = event.id
    schema = strawberry.Schema(query=Query, config=StrawberryConfig(scalar_map=graphql.SCALARS))
    assert schema.execute_sync('{ order(id: "5") }').data == {"order": "6"}
    assert_type(
        msgspec.json.decode(msgspec.json.encode(event, enc_hook=enc_hook), type=Event, dec_hook=dec_hook), Event
    )
    engine = create_engine("sqlite://")
    assert_type(engine_store(engine), str)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(row := Row())
        session.commit()
        assert_type(row.id, int)
        assert_type(row.text, str)
        assert_type(session.get_one(Row, row.id).id, int)
        return [order.id, number, row.id]
