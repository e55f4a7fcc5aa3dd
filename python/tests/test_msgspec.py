"""saiban.contrib.msgspec: IDs keep their digits in JSON, and bad ones are refused with the reason."""

from __future__ import annotations

import json
import pickle
import re

import msgspec
import pytest
import saiban
from integrations import BAD_SNOWFLAKES, CHANGED, ID, assert_examples_run, javascript, run_readme
from saiban.contrib import msgspec as ours
from saiban.contrib.msgspec import (
    IntId,
    RandflakeId,
    SnowflakeId,
    UlidFlakeId,
    dec_hook,
    enc_hook,
    schema_hook,
)


class TsidId(IntId, scheme="tsid"):
    pass


class ShortId(IntId, scheme="snowflake", encoding="base62"):
    pass


class OrderId(IntId, scheme="snowflake", prefix="order"):
    pass


class Order(msgspec.Struct):
    id: SnowflakeId
    customer: RandflakeId | None = None
    lines: list[TsidId] = []
    prices: dict[str, UlidFlakeId] = {}
    short: ShortId = ShortId(0)
    typed: OrderId = OrderId(0)


decoder = msgspec.json.Decoder(Order, dec_hook=dec_hook)
encoder = msgspec.json.Encoder(enc_hook=enc_hook)


def test_an_id_that_javascript_sends_back_is_equal() -> None:
    assert javascript(msgspec.json.encode({"id": ID}).decode()) == f'{{"id":{CHANGED}}}'  # what this module is for
    order = Order(
        SnowflakeId(ID),
        customer=RandflakeId(-ID),
        lines=[TsidId(ID), TsidId(1)],
        prices={"a": UlidFlakeId(ID)},
        short=ShortId(ID),
        typed=OrderId(ID),
    )
    returned = javascript(encoder.encode(order).decode())
    assert json.loads(returned) == {
        "id": str(ID),
        "customer": saiban.Randflake(node=1, secret=bytes(16)).to_text(-ID),
        "lines": [saiban.encode(ID, "crockford"), saiban.encode(1, "crockford")],
        "prices": {"a": saiban.encode(ID, "crockford")},
        "short": saiban.encode(ID, "base62"),
        "typed": "order_1tzd9jmde9r00",
    }
    assert decoder.decode(returned) == order
    assert type(decoder.decode(returned).id) is SnowflakeId


def test_without_the_hook_nothing_is_written() -> None:
    with pytest.raises(TypeError, match="SnowflakeId"):
        msgspec.json.encode(Order(SnowflakeId(ID)))


def test_text_and_integers_are_read() -> None:
    for value in (ID, str(ID)):
        assert decoder.decode(json.dumps({"id": value})).id == ID
        assert msgspec.convert({"id": value}, Order, dec_hook=dec_hook).id == ID
        assert SnowflakeId(value) == ID


def test_messagepack_is_text_too() -> None:
    packed = msgspec.msgpack.encode(SnowflakeId(ID), enc_hook=enc_hook)
    assert msgspec.msgpack.decode(packed) == str(ID)
    assert msgspec.msgpack.decode(packed, type=SnowflakeId, dec_hook=dec_hook) == ID
    assert msgspec.to_builtins({"id": SnowflakeId(ID)}, enc_hook=enc_hook) == {"id": str(ID)}
    assert encoder.encode({SnowflakeId(ID): SnowflakeId(ID)}).decode() == f'{{"{ID}":"{ID}"}}'


def test_in_python_it_is_an_int() -> None:
    id = SnowflakeId(ID)
    assert isinstance(id, int)
    assert id == ID
    assert {id: 1}[ID] == 1
    assert f"{id}" == str(ID)
    assert pickle.loads(pickle.dumps(id)) == ID
    assert type(pickle.loads(pickle.dumps(id))) is SnowflakeId


@pytest.mark.parametrize(("value", "reason"), BAD_SNOWFLAKES.items(), ids=lambda text: text[:30])
def test_bad_input_is_refused_with_the_reason(value: str, reason: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=rf"{reason}.* - at `\$\.id`"):
        decoder.decode(f'{{"id": {value}}}')
    with pytest.raises(saiban.SaibanError, match=reason):
        SnowflakeId(json.loads(value))


def test_the_schema_is_of_text() -> None:
    for type_ in (SnowflakeId, RandflakeId, TsidId, UlidFlakeId, ShortId, OrderId):
        struct = msgspec.defstruct("Row", [("id", type_)])
        schema = msgspec.json.schema(struct, schema_hook=schema_hook)["$defs"]["Row"]["properties"]["id"]
        assert schema["type"] == "string"
        assert re.search(schema["pattern"], schema["examples"][0])
        assert type_(schema["examples"][0]) == ID


def test_other_types_are_left_to_other_hooks() -> None:
    for call in (lambda: enc_hook(object()), lambda: dec_hook(set, 5), lambda: schema_hook(set)):
        with pytest.raises(NotImplementedError, match="IDs only, not"):
            call()


def test_wrong_declarations_are_refused_when_they_are_made() -> None:
    for scheme, options, error in (
        ("snowflakes", {}, saiban.UnknownNameError),
        ("snowflake", {"encoding": "base33"}, saiban.UnknownNameError),
        ("snowflake", {"prefix": "Order"}, saiban.InvalidArgumentError),
        ("ulid", {}, saiban.InvalidArgumentError),
        ("uuid-v7", {}, saiban.InvalidArgumentError),
    ):
        with pytest.raises(error):
            type("Wrong", (IntId,), {}, scheme=scheme, **options)


@pytest.mark.parametrize("base", [IntId, SnowflakeId])
@pytest.mark.parametrize("options", [{"prefix": "order"}, {"encoding": "base62"}])
def test_options_without_a_scheme_are_refused(base: type[IntId], options: dict[str, str]) -> None:
    with pytest.raises(saiban.InvalidArgumentError, match=r'no scheme.*class Order\(IntId, scheme="snowflake", …\)'):
        type("Order", (base,), {}, **options)


def test_a_class_without_a_scheme_is_refused_with_what_to_do() -> None:
    class Bare(IntId):
        pass

    for type_ in (IntId, Bare):
        reason = rf'{type_.__name__} has no scheme: .* class OrderId\(IntId, scheme="snowflake"\)'
        struct = msgspec.defstruct("Row", [("id", type_)])
        for call in (
            lambda type_=type_: type_(5),
            lambda struct=struct: msgspec.json.decode('{"id": "5"}', type=struct, dec_hook=dec_hook),
            lambda struct=struct: msgspec.json.schema(struct, schema_hook=schema_hook),
        ):
            with pytest.raises(ValueError, match=reason):
                call()


def test_a_subclass_inherits_its_scheme() -> None:
    class CustomerId(ShortId):
        pass

    assert msgspec.json.encode(CustomerId(ID), enc_hook=enc_hook) == msgspec.json.encode(ShortId(ID), enc_hook=enc_hook)


def test_the_readme_runs() -> None:
    space = run_readme("msgspec")
    assert space["order"].id > 2**53
    assert json.loads(space["text"]) == {"id": str(space["order"].id)}


def test_the_examples_run() -> None:
    assert_examples_run(ours, "IntId", "enc_hook", "dec_hook", "schema_hook")
