"""saiban.contrib.pydantic: IDs keep their digits in JSON, and bad ones are refused with the reason."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any, NewType, get_args

import pytest
import saiban
from fastapi import FastAPI, Query
from fastapi.testclient import TestClient
from integrations import BAD_SNOWFLAKES, CHANGED, ID, assert_examples_run, javascript, run_readme
from pydantic import BaseModel, TypeAdapter, ValidationError
from saiban.contrib import pydantic as ours
from saiban.contrib import schemas, schemes, texts
from saiban.contrib.pydantic import IdText, RandflakeId, SnowflakeId, UlidFlakeId

TsidId = Annotated[int, IdText("tsid")]


class Order(BaseModel):
    id: SnowflakeId
    customer: RandflakeId | None = None
    lines: list[TsidId] = []
    prices: dict[UlidFlakeId, int] = {}
    short: Annotated[int, IdText("snowflake", encoding="base62")] = 0
    typed: Annotated[int, IdText("snowflake", prefix="order")] = 0


app = FastAPI()


@app.get("/orders/{id}")
def read(id: SnowflakeId, near: Annotated[list[SnowflakeId], Query()] = []) -> Order:  # noqa: B006
    assert type(id) is int
    return Order(id=id, lines=near)


@app.post("/orders")
def create(order: Order) -> Order:
    return order


@app.get("/plain/{id}")
def plain(id: int) -> dict[str, int]:
    return {"id": id}


client = TestClient(app, raise_server_exceptions=False, headers={"Content-Type": "application/json"})


def test_an_id_that_javascript_sends_back_is_equal() -> None:
    assert javascript(json.dumps({"id": ID})) == f'{{"id":{CHANGED}}}'  # what this module is for
    sent = client.get(f"/orders/{ID}").text
    returned = javascript(sent)
    answer = client.post("/orders", content=returned)
    assert answer.status_code == 200
    assert Order.model_validate_json(answer.text).id == ID
    assert client.get(f"/orders/{json.loads(returned)['id']}").text == sent


def test_every_digit_is_kept_in_every_place_and_form() -> None:
    order = Order(id=ID, customer=-ID, lines=[ID, 1], prices={ID: 5}, short=ID, typed=ID)
    assert order.model_dump() == {
        "id": ID,
        "customer": -ID,
        "lines": [ID, 1],
        "prices": {ID: 5},
        "short": ID,
        "typed": ID,
    }
    returned = javascript(order.model_dump_json())
    assert json.loads(returned) == {
        "id": str(ID),
        "customer": saiban.Randflake(node=1, secret=bytes(16)).to_text(-ID),
        "lines": [saiban.encode(ID, "crockford"), saiban.encode(1, "crockford")],
        "prices": {saiban.encode(ID, "crockford"): 5},
        "short": saiban.encode(ID, "base62"),
        "typed": "order_1tzd9jmde9r00",
    }
    assert Order.model_validate_json(returned) == order
    assert Order.model_validate(order.model_dump(mode="json")) == order


def test_the_framework_alone_would_lose_digits() -> None:
    returned = javascript(client.get(f"/plain/{ID}").text)
    assert json.loads(returned)["id"] == CHANGED


def test_text_and_integers_are_read() -> None:
    for value in (ID, str(ID)):
        assert Order.model_validate({"id": value}).id == ID
        assert Order.model_validate_json(json.dumps({"id": value})).id == ID
        assert client.post("/orders", json={"id": value}).json()["id"] == str(ID)
    assert client.get("/orders/7", params={"near": [saiban.encode(8, "decimal"), "9"]}).json()["lines"] == [
        saiban.encode(8, "crockford"),
        saiban.encode(9, "crockford"),
    ]


@pytest.mark.parametrize(("value", "reason"), BAD_SNOWFLAKES.items(), ids=lambda text: text[:30])
def test_bad_input_is_refused_with_the_reason(value: str, reason: str) -> None:
    answer = client.post("/orders", content=f'{{"id": {value}}}')
    assert answer.status_code == 422, answer.text
    (error,) = answer.json()["detail"]
    assert error["loc"] == ["body", "id"]
    assert re.search(reason, error["msg"]), error["msg"]
    assert error["type"].startswith("saiban_")
    with pytest.raises(ValidationError, match=reason):
        Order.model_validate_json(f'{{"id": {value}}}')
    with pytest.raises(ValidationError, match=reason):
        Order.model_validate({"id": json.loads(value)})


@pytest.mark.parametrize("text", ["x", "7.0", "07", "+7", "%20", "９", "true", "null", "0x7", str(2**63), "7" * 1_000])
def test_bad_paths_and_queries_are_refused(text: str) -> None:
    for answer, where in (
        (client.get(f"/orders/{text}"), "path"),
        (client.get(f"/orders/7?near={text}"), "query"),
    ):
        assert answer.status_code == 422, answer.text
        (error,) = answer.json()["detail"]
        assert error["loc"][0] == where
        assert error["type"].startswith("saiban_")


def test_an_error_has_the_kind_and_the_position() -> None:
    with pytest.raises(ValidationError) as refused:
        Order(id="12{x}")  # type: ignore[arg-type]
    (error,) = refused.value.errors()
    assert error["type"] == "saiban_text_character"
    assert error["ctx"]["position"] == 2
    assert "{" in error["msg"]
    with pytest.raises(saiban.TextCharacterError) as ours_alone:
        saiban.Snowflake(node=7).from_text("12{x}")
    assert error["msg"] == str(ours_alone.value)


class Draft(BaseModel):
    id: SnowflakeId = None  # type: ignore[assignment]


@app.get("/draft")
def draft() -> Draft:
    return Draft()


def test_a_default_of_none_is_null() -> None:
    assert Draft().model_dump_json() == Draft.model_construct(id=None).model_dump_json() == '{"id":null}'
    answer = client.get("/draft")
    assert (answer.status_code, answer.json()) == (200, {"id": None})


def test_the_schema_is_of_text() -> None:
    schemas = [Order.model_json_schema(mode=mode)["properties"]["id"] for mode in ("validation", "serialization")]
    schemas.append(app.openapi()["paths"]["/orders/{id}"]["get"]["parameters"][0]["schema"])
    for schema in schemas:
        assert schema["type"] == "string"
        assert re.search(schema["pattern"], schema["examples"][0])
        assert Order(id=schema["examples"][0]).id == ID


# Made by the test: a generator that lives longer would share its cursor with those of other tests.
GENERATORS: dict[str, Callable[[], saiban.Generator[Any]]] = {
    "snowflake": lambda: saiban.Snowflake(node=7),
    "randflake": lambda: saiban.Randflake(node=7, secret=bytes(16)),
    "ulid-flake": saiban.UlidFlake,
    "tsid": lambda: saiban.Tsid(node=7),
    "ulid": saiban.Ulid,
    "uuid": saiban.Uuid,
    "uuid-v1": lambda: saiban.Uuid(1),
    "uuid-v4": lambda: saiban.Uuid(4),
    "uuid-v7": lambda: saiban.Uuid(7),
    "objectid": saiban.ObjectId,
    "tick-id": saiban.TickId,
    "xid": saiban.Xid,
}
FORMS = [{}, {"prefix": "order"}, {"encoding": "base62"}, {"encoding": "base64url"}, {"encoding": "decimal"}]


@pytest.mark.parametrize("scheme", GENERATORS)
def test_ids_of_every_scheme_match_their_schema_and_are_read_back(scheme: Any) -> None:
    generator = GENERATORS[scheme]()
    ids = generator.generate_many(20)
    kind: Any = type(ids[0])
    for form in FORMS:
        if kind is str and form:
            continue
        adapter = TypeAdapter(Annotated[kind, IdText(scheme, **form)])
        schema = adapter.json_schema()
        for id in ids:
            text = adapter.dump_python(id, mode="json")
            assert re.fullmatch(schema["pattern"].strip("^$"), text), (text, schema)
            assert adapter.validate_python(text) == id
            assert adapter.validate_json(adapter.dump_json(id)) == id
        assert adapter.validate_python(schema["examples"][0])
    canonical = TypeAdapter(Annotated[kind, IdText(scheme)]).dump_python(ids[0], mode="json")
    assert canonical == generator.to_text(ids[0])


def test_text_ids_have_their_prefix_in_python_too() -> None:
    adapter = TypeAdapter(Annotated[str, IdText("ulid", prefix="receipt")])
    id = saiban.Ulid(prefix="receipt").generate()
    assert adapter.validate_python(id) == id
    assert adapter.dump_json(id).decode() == f'"{id}"'
    assert re.search(adapter.json_schema()["pattern"], id)
    with pytest.raises(ValidationError, match='does not begin with "receipt"'):
        adapter.validate_python(saiban.Ulid().generate())


def test_extremes_match_the_schema() -> None:
    for scheme in ("snowflake", "randflake", "tsid"):
        for form in FORMS:
            reader = texts.IdTexts(scheme, **form)  # type: ignore[arg-type]
            for id in (0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63)):
                assert re.search(reader.json_schema()["pattern"], reader.write(id))
                assert reader.read(reader.write(id)) == id


def characters(pattern: str) -> set[str]:
    """Returns the characters in the brackets of a pattern."""
    (brackets,) = re.findall(r"\[.*?\]", pattern)
    return {character for character in map(chr, range(128)) if re.fullmatch(brackets, character)}


@pytest.mark.parametrize("encoding", get_args(saiban.Encoding))
def test_the_schema_has_the_characters_of_the_encoding_and_no_others(encoding: Any) -> None:
    numbers = [0, 2**64 - 1, *(digit << shift for digit in range(64) for shift in range(8))]
    written = "".join(saiban.encode(number, encoding, bits=128) for number in numbers)
    sign = {"-"} if encoding == "decimal" else set()
    for scheme in ("snowflake", "uuid-v4"):
        pattern = texts.IdTexts(scheme, encoding=encoding).json_schema()["pattern"]  # type: ignore[arg-type]
        assert characters(pattern) == set(written) | sign


@pytest.mark.parametrize(
    ("scheme", "options", "pattern"),
    [
        ("snowflake", {}, "^[-0-9]{1,20}$"),
        ("snowflake", {"prefix": "order"}, "^order_[0-9a-hjkmnp-tv-z]{13}$"),
        ("snowflake", {"encoding": "base62"}, "^[0-9A-Za-z]{1,11}$"),
        ("randflake", {}, "^[0-9a-v]{1,13}$"),
        ("tsid", {}, "^[0-9A-HJKMNP-TV-Z]{13}$"),
        ("uuid-v7", {}, "^[-0-9a-f]{36}$"),
        ("uuid-v7", {"encoding": "base58"}, "^[1-9A-HJ-NP-Za-km-z]{1,22}$"),
        ("ulid", {"prefix": "receipt"}, "^receipt_[0-9a-hjkmnp-tv-z]{26}$"),
        ("xid", {}, "^[0-9a-v]{20}$"),
    ],
)
def test_the_pattern_has_the_characters_and_the_lengths(scheme: Any, options: Any, pattern: str) -> None:
    assert texts.IdTexts(scheme, **options).json_schema()["pattern"] == pattern


@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_both_orders_of_tick_ids_match_the_schema(order: Any) -> None:
    id = saiban.TickId(order).generate()
    assert re.search(texts.IdTexts("tick-id").json_schema()["pattern"], id)


def test_a_uuid_of_another_version_is_read_in_every_form() -> None:
    for id in (uuid.uuid4(), uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)):
        for form in FORMS:
            adapter = TypeAdapter(Annotated[uuid.UUID, IdText("uuid-v7", **form)])  # type: ignore[arg-type]
            text = adapter.dump_python(id, mode="json")
            assert adapter.validate_python(text) == adapter.validate_python(id) == id
            assert re.search(adapter.json_schema()["pattern"], text)


def test_wrong_declarations_are_refused_when_they_are_made() -> None:
    for make, error in (
        (lambda: IdText("snowflakes"), saiban.UnknownNameError),  # type: ignore[arg-type]
        (lambda: IdText("snowflake", encoding="base33"), saiban.UnknownNameError),  # type: ignore[arg-type]
        (lambda: IdText("snowflake", encoding="base62", prefix="order"), saiban.InvalidArgumentError),
        (lambda: IdText("snowflake", prefix="Order"), saiban.InvalidArgumentError),
        (lambda: IdText("ulid", encoding="hex"), saiban.InvalidArgumentError),
    ):
        with pytest.raises(error):
            make()


OrderNumber = NewType("OrderNumber", int)
OrderName = NewType("OrderName", str)


@pytest.mark.parametrize(
    ("source", "scheme", "reason"),
    [
        (str, "snowflake", "annotates str: annotate int"),
        (float, "snowflake", "annotates float: annotate int"),
        (bool, "snowflake", "annotates bool: annotate int"),
        (HTTPStatus, "snowflake", "annotates HTTPStatus: annotate int"),
        (OrderName, "snowflake", "annotates str: annotate int"),
        (int | None, "snowflake", r"annotates .*None.*: annotate int.* as Annotated\[int, …\] \| None"),
        (list[int], "snowflake", "annotates .*int.*: annotate int"),
        (Any, "snowflake", "annotates .*Any: annotate int"),
        (int, "ulid", "annotates int: annotate str"),
        (int, "uuid-v7", "annotates int: annotate UUID"),
    ],
)
def test_another_annotated_type_is_refused(source: Any, scheme: Any, reason: str) -> None:
    with pytest.raises(saiban.WrongTypeError, match=reason):
        TypeAdapter(Annotated[source, IdText(scheme)])


def test_a_new_type_and_an_optional_id_are_annotated() -> None:
    adapter = TypeAdapter(Annotated[NewType("LineNumber", OrderNumber), IdText("snowflake")] | None)
    assert adapter.validate_json(adapter.dump_json(ID)) == ID
    assert adapter.validate_json(adapter.dump_json(None)) is None


def test_the_readme_runs() -> None:
    space = run_readme("FastAPI and Pydantic")
    answer = TestClient(space["app"]).get(f"/orders/{ID}")
    assert answer.json() == {"id": str(ID), "customer": saiban.encode(5, "base62")}
    assert TestClient(space["app"]).get("/orders/5x").status_code == 422


def test_the_examples_run() -> None:
    assert_examples_run(ours, "IdText")
    assert_examples_run(texts, "IdTexts")
    assert_examples_run(schemas, "json_schema")
    assert_examples_run(schemes, "has_nodes")


def test_saiban_imports_no_framework() -> None:
    program = "import sys, saiban, saiban.contrib; print(sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert "saiban" in loaded
    assert not re.search("pydantic|msgspec|sqlalchemy|fastapi|graphql|strawberry|graphene|pytest", loaded)


class Finding(BaseModel):
    parts: saiban.Parts[Any]
    more: list[saiban.Parts] = []


#: An ID of each form, of a wide layout with named parts and of a negative number.
FOUND = [
    *(saiban.inspect(text)[0] for text in ("1741610183685074945", "01ARZ3NDEKTSV4RRFFQ69G5FAV", str(uuid.uuid4()))),
    saiban.Ulid(prefix="receipt").inspect("receipt_01arz3ndektsv4rrffq69g5fav"),
    saiban.TickId("descending").inspect("2584375270088175776_381"),
    saiban.inspect(-2, scheme="tsid")[0],
    saiban.inspect(2**127, bits=128, layouts=["timestamp:48 node.rack:60 node.host:3 random:17"])[0],
]


@pytest.mark.parametrize("parts", FOUND, ids=str)
def test_the_parts_of_an_id_are_a_field(parts: saiban.Parts[Any]) -> None:
    finding = Finding(parts=parts, more=[parts])
    assert finding.model_dump()["parts"] is parts
    written = finding.model_dump_json()
    assert json.loads(written)["parts"] == parts.as_dict() == finding.model_dump(mode="json")["more"][0]
    assert Finding.model_validate_json(written) == finding
    assert Finding.model_validate(json.loads(written)) == finding
    schema = Finding.model_json_schema(mode="serialization")
    assert schema == Finding.model_json_schema()
    assert schema["properties"]["parts"]["properties"].keys() == parts.as_dict().keys()


def test_wrong_parts_are_refused_with_the_reason() -> None:
    written = FOUND[0].as_dict()
    for change, reason in (
        ({"id": "x"}, "invalid literal"),
        ({"id": str(2**64)}, "not a .* of any scheme|ID"),
        ({"scheme": "snowflakes"}, "snowflake"),
        ({"node": -1}, "out of range"),
        ({"bits": None}, "integer"),
    ):
        with pytest.raises(ValidationError, match=reason):
            Finding.model_validate({"parts": written | change})
    with pytest.raises(ValidationError):
        Finding(parts=5)  # type: ignore[arg-type]


def test_fastapi_and_its_schema_have_parts() -> None:
    api = FastAPI()

    @api.get("/inspect/{id}")
    def find(id: str) -> list[saiban.Parts[Any]]:
        return saiban.inspect(id)

    with TestClient(api) as caller:
        assert caller.get("/inspect/1741610183685074945").json()[0] == FOUND[0].as_dict()
        assert "submillisecond_ns" in caller.get("/openapi.json").text
