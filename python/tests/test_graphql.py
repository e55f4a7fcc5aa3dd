"""saiban.contrib.strawberry and .graphene: IDs keep their digits in GraphQL, and bad ones are refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from typing import Any, NewType

import graphene
import pytest
import saiban
import strawberry
from graphql import ExecutionResult
from integrations import BAD_SNOWFLAKES, CHANGED, ID, assert_examples_run, javascript, run_readme
from saiban.contrib import graphene as for_graphene
from saiban.contrib import graphql
from saiban.contrib import strawberry as for_strawberry
from saiban.contrib.graphene import IdScalar
from saiban.contrib.strawberry import SCALARS, RandflakeId, SnowflakeId, UlidFlakeId, id_scalar
from starlette.testclient import TestClient
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

ShortId = NewType("ShortId", int)
EventId = NewType("EventId", uuid.UUID)
LabelId = NewType("LabelId", str)


@strawberry.type
class Order:
    id: SnowflakeId
    customer: RandflakeId | None = None
    lines: list[UlidFlakeId] = strawberry.field(default_factory=list)
    short: ShortId | None = None
    event: EventId | None = None
    label: LabelId | None = None


@strawberry.input
class OrderInput:
    id: SnowflakeId
    customer: RandflakeId | None = None
    lines: list[UlidFlakeId] = strawberry.field(default_factory=list)
    short: ShortId | None = None
    event: EventId | None = None
    label: LabelId | None = None


#: The orders that a resolver got.
got: list[Any] = []


@strawberry.type
class Query:
    @strawberry.field
    def order(self, id: SnowflakeId) -> Order:
        got.append(id)
        return Order(id=id)

    @strawberry.field
    def save(self, order: OrderInput) -> Order:
        got.append(vars(order))
        return Order(**vars(order))

    @strawberry.field
    def broken(self) -> SnowflakeId | None:
        return 7.5  # type: ignore[return-value]

    @strawberry.field
    def plain(self) -> float:
        return ID


scalars = {
    **SCALARS,
    ShortId: id_scalar("snowflake", name="ShortId", prefix="order"),
    EventId: id_scalar("uuid-v7", name="EventId"),
    LabelId: id_scalar("ulid", name="LabelId"),
}
strawberries = strawberry.Schema(query=Query, config=StrawberryConfig(scalar_map=scalars))
client = TestClient(GraphQL(strawberries, graphql_ide=None))


class GrapheneShortId(IdScalar, scheme="snowflake", prefix="order"):
    class Meta:
        name = "ShortId"


class GrapheneEventId(IdScalar, scheme="uuid-v7", name="EventId"):
    pass


class GrapheneLabelId(IdScalar, scheme="ulid", name="LabelId"):
    """A label."""


class OrderFields:
    id = for_graphene.SnowflakeId(required=True)
    customer = for_graphene.RandflakeId()
    lines = graphene.List(graphene.NonNull(for_graphene.UlidFlakeId))
    short = GrapheneShortId()
    event = GrapheneEventId()
    label = GrapheneLabelId()


class GrapheneOrder(OrderFields, graphene.ObjectType):
    class Meta:
        name = "Order"


class GrapheneOrderInput(OrderFields, graphene.InputObjectType):
    class Meta:
        name = "OrderInput"


class GrapheneQuery(graphene.ObjectType):
    order = graphene.Field(GrapheneOrder, id=for_graphene.SnowflakeId(required=True))
    save = graphene.Field(GrapheneOrder, order=GrapheneOrderInput(required=True))
    broken = for_graphene.SnowflakeId()
    plain = graphene.Float()

    def resolve_order(self, info: Any, id: int) -> GrapheneOrder:
        got.append(id)
        return GrapheneOrder(id=id)

    def resolve_save(self, info: Any, order: Any) -> GrapheneOrder:
        got.append(dict(order))
        return GrapheneOrder(**order)

    def resolve_broken(self, info: Any) -> float:
        return 7.5

    def resolve_plain(self, info: Any) -> int:
        return ID


graphenes = graphene.Schema(query=GrapheneQuery)


def ask_strawberry(request: str) -> str:
    """Sends a request in JSON through HTTP; returns the response."""
    return client.post("/", content=request, headers={"Content-Type": "application/json"}).text


def ask_graphene(request: str) -> str:
    """Executes a request as servers with Graphene do; returns the response."""
    asked = json.loads(request)
    result: ExecutionResult = graphenes.execute(asked["query"], variable_values=asked.get("variables"))
    return json.dumps(result.formatted)


Ask = Callable[[str], str]


@pytest.fixture(params=[ask_strawberry, ask_graphene])
def ask(request: pytest.FixtureRequest) -> Ask:
    got.clear()
    ask: Ask = request.param
    return ask


BY_ID = "query ($id: SnowflakeId!) { order(id: $id) { id } }"
SAVE = "query ($order: OrderInput!) { save(order: $order) { id customer lines short event label } }"


def request(query: str, **variables: object) -> str:
    return json.dumps({"query": query, "variables": variables})


def message(answer: str) -> str:
    read = json.loads(answer)
    assert not read.get("data") or set(read["data"].values()) == {None}
    (error,) = read["errors"]
    return str(error["message"])


def test_an_id_that_javascript_sends_back_is_equal(ask: Ask) -> None:
    # The field `plain` is a number in JSON: JavaScript changes its digits.
    assert json.loads(javascript(ask(request("{ plain }"))))["data"]["plain"] == CHANGED
    first = javascript(ask(request(BY_ID, id=str(ID))))
    id = json.loads(first)["data"]["order"]["id"]
    assert id == str(ID)
    assert javascript(ask(javascript(request(BY_ID, id=id)))) == first
    assert got == [ID, ID]
    assert {type(id) for id in got} == {int}


def test_every_digit_is_kept_in_every_place_and_form(ask: Ask) -> None:
    event = uuid.UUID("01890a5d-ac96-774b-bcce-b302099a8057")
    label = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    order = {
        "id": str(ID),
        "customer": saiban.Randflake(node=1, secret=bytes(16)).to_text(-ID),
        "lines": [saiban.encode(ID, "crockford"), saiban.encode(1, "crockford")],
        "short": "order_1tzd9jmde9r00",
        "event": str(event),
        "label": label,
    }
    returned = javascript(ask(javascript(request(SAVE, order=order))))
    assert json.loads(returned) == {"data": {"save": order}}
    want = {"id": ID, "customer": -ID, "lines": [ID, 1], "short": ID, "event": event, "label": label}
    assert got == [want]


def test_literals_in_a_query_are_read(ask: Ask) -> None:
    for literal in (f'"{ID}"', f'"""{ID}"""'):
        assert json.loads(ask(request(f"{{ order(id: {literal}) {{ id }} }}")))["data"]["order"]["id"] == str(ID)
    ask(request('{ save(order: {id: 7, lines: ["0000000000001", 2]}) { id } }'))
    assert got[:2] == [ID, ID] and (got[2]["id"], got[2]["lines"]) == (7, [1, 2])


@pytest.mark.parametrize("integer", [0, 7, -7, 2**53 - 1, 1 - 2**53])
def test_integers_that_javascript_keeps_are_read(ask: Ask, integer: int) -> None:
    for asked in (request(BY_ID, id=integer), request(f"{{ order(id: {integer}) {{ id }} }}")):
        assert json.loads(ask(javascript(asked)))["data"]["order"]["id"] == str(integer)
    assert got == [integer, integer]


@pytest.mark.parametrize("integer", [2**53, -(2**53), ID, 2**63 - 1, 2**63, -(2**63) - 1, int("7" * 1000)])
def test_other_integers_are_refused(ask: Ask, integer: int) -> None:
    assert "outside the range from -(2^53 - 1)" in message(ask(request(BY_ID, id=integer)))
    literal = message(ask(request(f"{{ order(id: {integer}) {{ id }} }}")))
    assert re.search(r"outside the range from|\d is not an ID: give the ID as text in quotes", literal)
    assert got == []


@pytest.mark.parametrize(
    ("value", "reason"),
    [(value, reason) for value, reason in BAD_SNOWFLAKES.items() if value != "null" and "64-bit" not in reason],
    ids=lambda text: text[:30],
)
def test_bad_variables_are_refused_with_the_reason(ask: Ask, value: str, reason: str) -> None:
    asked = f'{{"query": "{BY_ID}", "variables": {{"id": {value}}}}}'
    assert re.search(reason, message(ask(asked)))
    assert got == []


@pytest.mark.parametrize(
    ("literal", "reason"),
    [
        ('"12x"', "no character 'x'"),
        ('""', "has 0 characters"),
        ("7.0", "7.0 is not an ID: give the ID as text in quotes"),
        ("true", "true is not an ID"),
        ("abc", "abc is not an ID"),
        ("{a: 7}", "a: 7.* is not an ID"),
        ("[7]", r"\[7\] is not an ID"),
        ("7" * 5000, "7 is not an ID"),
    ],
    ids=lambda text: text[:30],
)
def test_bad_literals_are_refused_with_the_reason_and_the_place(ask: Ask, literal: str, reason: str) -> None:
    answer = ask(request(f"{{ order(id: {literal}) {{ id }} }}"))
    assert re.search(reason, message(answer), re.S)
    assert json.loads(answer)["errors"][0]["locations"] == [{"line": 1, "column": 13}]
    assert got == []


def test_null_is_refused_where_the_id_is_required(ask: Ask) -> None:
    assert "null" in message(ask(request(BY_ID, id=None)))
    ask(request(SAVE, order={"id": "7", "customer": None}))
    assert got[0]["customer"] is None


def test_an_error_has_the_kind_and_the_position(ask: Ask) -> None:
    for asked in (request(BY_ID, id="12x"), request('{ order(id: "12x") { id } }')):
        (error,) = json.loads(ask(asked))["errors"]
        assert error["extensions"] == {"kind": "TEXT_CHARACTER", "position": 2}
    with pytest.raises(saiban.TextCharacterError) as ours:
        saiban.Snowflake(node=7).from_text("12x")
    assert error["message"] == str(ours.value)


def test_a_result_that_is_not_an_id_is_an_error_of_its_field(ask: Ask) -> None:
    (error,) = json.loads(ask(request("{ broken }")))["errors"]
    assert (error["path"], error["message"]) == (["broken"], "id must be an integer, not float")


def test_the_schema_names_and_describes_the_scalars() -> None:
    for schema in (str(strawberries), str(graphenes)):
        for name in ("SnowflakeId", "RandflakeId", "UlidFlakeId", "ShortId", "EventId", "LabelId"):
            assert re.search(rf"^scalar {name}$", schema, re.M)
        assert 'An ID as text, such as "order_1tzd9jmde9r00".' in schema
        assert "order(id: SnowflakeId!): Order" in schema


def test_wrong_declarations_are_refused_when_they_are_made() -> None:
    for options, error in (
        ({"scheme": "snowflakes"}, saiban.UnknownNameError),
        ({"scheme": "snowflake", "encoding": "base33"}, saiban.UnknownNameError),
        ({"scheme": "snowflake", "encoding": "base62", "prefix": "order"}, saiban.InvalidArgumentError),
        ({"scheme": "ulid", "encoding": "hex"}, saiban.InvalidArgumentError),
    ):
        with pytest.raises(error):
            id_scalar(name="Wrong", **options)
        with pytest.raises(error):
            type("Wrong", (IdScalar,), {}, **options)
    with pytest.raises(saiban.InvalidArgumentError, match=r'class Wrong\(IdScalar, scheme="snowflake", …\)'):
        type("Wrong", (IdScalar,), {}, prefix="order")


def test_the_readme_runs() -> None:
    space = run_readme("Strawberry and Graphene")
    assert space["schema"].execute_sync(f'{{ next(id: "{ID}") }}').data == {"next": str(ID + 1)}


def test_the_examples_run() -> None:
    assert_examples_run(for_strawberry, "id_scalar")
    assert_examples_run(for_graphene, "IdScalar")
    assert_examples_run(graphql, "IdFunctions")


def test_neither_framework_imports_the_other() -> None:
    for one, other in (("strawberry", "graphene"), ("graphene", "strawberry")):
        program = f"import sys, saiban.contrib.{one}; sys.exit({other!r} in sys.modules)"
        subprocess.run([sys.executable, "-c", program], check=True)
