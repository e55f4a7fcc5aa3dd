"""FastAPI and SQLAlchemy with Randflake keys, by hand and with saiban's helpers: both behave alike.

docs/frameworks.md has the number of the lines that are marked `counted`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
import saiban
import sqlalchemy as sa
from fastapi import APIRouter, Depends, FastAPI
from fastapi.testclient import TestClient
from integrations import ID, javascript
from pydantic import BaseModel, BeforeValidator, Field, PlainSerializer, WithJsonSchema
from saiban.contrib.pydantic import RandflakeId
from saiban.contrib.sqlalchemy import SaibanId
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool, connect_args={"check_same_thread": False})


def session() -> Iterator[Session]:
    with Session(engine) as session:
        yield session


Database = Annotated[Session, Depends(session)]


class Base(DeclarativeBase):
    pass


ids_by_hand = saiban.Randflake(node=4244, secret=bytes(range(16)))  # counted: FastAPI, key, by hand


class OrderByHand(Base):
    __tablename__ = "orders_by_hand"
    # counted: FastAPI, key, by hand
    id: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True, default=ids_by_hand.generate)
    # end of count
    parent: Mapped[int | None] = mapped_column(sa.ForeignKey("orders_by_hand.id"))


# counted: FastAPI, API, by hand
def read_id(value: Any) -> Any:
    return ids_by_hand.from_text(value) if isinstance(value, str) else value


IdByHand = Annotated[
    int,
    Field(strict=True, ge=-(2**63), lt=2**63),
    BeforeValidator(read_id),
    PlainSerializer(ids_by_hand.to_text, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": "^[0-9a-v]{1,13}$"}),
]
# end of count


class NewOrderByHand(BaseModel):
    parent: IdByHand | None = None  # counted: FastAPI, API, by hand


class ShownByHand(NewOrderByHand, from_attributes=True):
    id: IdByHand  # counted: FastAPI, API, by hand


by_hand = APIRouter()


@by_hand.post("/orders", status_code=201)
def create_by_hand(new: NewOrderByHand, database: Database) -> ShownByHand:
    database.add(order := OrderByHand(parent=new.parent))
    database.commit()
    return ShownByHand.model_validate(order)


@by_hand.get("/orders/{id}")
def show_by_hand(id: IdByHand, database: Database) -> ShownByHand:  # counted: FastAPI, API, by hand
    return ShownByHand.model_validate(database.get_one(OrderByHand, id))


ids = saiban.Randflake(node=4244, secret=bytes(range(16)))  # counted: FastAPI, key, with saiban


class OrderWithSaiban(Base):
    __tablename__ = "orders_with_saiban"
    # counted: FastAPI, key, with saiban
    id: Mapped[int] = mapped_column(SaibanId("randflake"), primary_key=True, default=ids.generate)
    # end of count
    parent: Mapped[int | None] = mapped_column(sa.ForeignKey("orders_with_saiban.id"))


class NewOrderWithSaiban(BaseModel):
    parent: RandflakeId | None = None  # counted: FastAPI, API, with saiban


class ShownWithSaiban(NewOrderWithSaiban, from_attributes=True):
    id: RandflakeId  # counted: FastAPI, API, with saiban


with_saiban = APIRouter()


@with_saiban.post("/orders", status_code=201)
def create_with_saiban(new: NewOrderWithSaiban, database: Database) -> ShownWithSaiban:
    database.add(order := OrderWithSaiban(parent=new.parent))
    database.commit()
    return ShownWithSaiban.model_validate(order)


@with_saiban.get("/orders/{id}")
def show_with_saiban(id: RandflakeId, database: Database) -> ShownWithSaiban:  # counted: FastAPI, API, with saiban
    return ShownWithSaiban.model_validate(database.get_one(OrderWithSaiban, id))


Base.metadata.create_all(engine)
app = FastAPI()
app.include_router(by_hand, prefix="/by-hand")
app.include_router(with_saiban, prefix="/with-saiban")
client = TestClient(app, headers={"Content-Type": "application/json"})

PROGRAMS = pytest.mark.parametrize(
    ("url", "model"),
    [("/by-hand/orders", OrderByHand), ("/with-saiban/orders", OrderWithSaiban)],
    ids=["by hand", "with saiban"],
)


@PROGRAMS
def test_an_id_goes_from_the_database_to_javascript_and_back(url: str, model: Any) -> None:
    for id in (ID, ID + 1, -ID):
        with Session(engine) as session:
            session.add(model(id=id))
            session.commit()
        read = client.get(f"{url}/{ids.to_text(id)}").text
        assert json.loads(read) == {"id": ids.to_text(id), "parent": None}
        sent = json.dumps({"parent": json.loads(javascript(read))["id"]})
        response = client.post(url, content=javascript(sent))
        assert response.status_code == 201, response.text
        with Session(engine) as session:
            child = session.scalars(sa.select(model).where(model.parent == id)).one()
        assert response.json() == {"id": ids.to_text(child.id), "parent": ids.to_text(id)}
    assert client.post(url, content="{}").json()["parent"] is None


@PROGRAMS
def test_text_that_is_no_id_is_refused_with_the_reason(url: str, model: Any) -> None:
    for value, reason in (
        ('"3f-5"', "no character '-'"),
        ('""', "has 0 characters"),
        ('"vvvvvvvvvvvvv"', "does not fit"),
        ("7.5", "integer"),
        ("true", "integer"),
        (f"{2**63}", "9223372036854775808|64-bit"),
    ):
        response = client.post(url, content=f'{{"parent": {value}}}')
        assert response.status_code == 422, response.text
        assert re.search(reason, response.json()["detail"][0]["msg"])
    response = client.get(f"{url}/3f-5")
    assert response.status_code == 422
    assert "no character '-'" in response.json()["detail"][0]["msg"]


def test_the_schemas_are_of_text() -> None:
    paths = app.openapi()["paths"]
    for url in ("/by-hand/orders/{id}", "/with-saiban/orders/{id}"):
        schema = paths[url]["get"]["parameters"][0]["schema"]
        assert (schema["type"], schema["pattern"]) == ("string", "^[0-9a-v]{1,13}$")
