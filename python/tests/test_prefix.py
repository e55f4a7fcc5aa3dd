"""Text with a prefix: TypeID's published cases, and the prefix in every scheme's text."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
import saiban
from conftest import NOW_MS, ROOT, SECRET

TYPEID = json.loads((ROOT / "vectors/typeid.json").read_text())
CROCKFORD = set("0123456789abcdefghjkmnpqrstvwxyz")
LAYOUT = saiban.Layout.from_text("timestamp:48 node:16 sequence:16")
NARROW = saiban.Layout.from_text("timestamp:32@s sequence:8")
GENERATORS: dict[str, Any] = {
    "snowflake": lambda **given: saiban.Snowflake(node=7, **given),
    "randflake": lambda **given: saiban.Randflake(node=7, secret=SECRET, **given),
    "ulid-flake": saiban.UlidFlake,
    "flake": lambda **given: saiban.Flake(LAYOUT, node=7, **given),
    "narrow flake": lambda **given: saiban.Flake(NARROW, **given),
    "ulid": saiban.Ulid,
    "uuid-v1": lambda **given: saiban.Uuid(1, **given),
    "uuid-v4": lambda **given: saiban.Uuid(4, **given),
    "uuid-v7": saiban.Uuid,
    "objectid": saiban.ObjectId,
    "tick-id": lambda **given: saiban.TickId("descending", **given),
    "tsid": lambda **given: saiban.Tsid(node=7, **given),
    "xid": saiban.Xid,
}
TEXT = ("ulid", "objectid", "tick-id", "xid")


@pytest.mark.parametrize("case", TYPEID["valid"], ids=lambda case: case["typeid"])
def test_valid_type_ids_are_read_and_written(case: dict[str, str]) -> None:
    ids = saiban.Uuid(7, prefix=case["prefix"])
    found = uuid.UUID(case["uuid"])
    assert ids.from_text(case["typeid"]) == found
    assert ids.to_text(found) == case["typeid"]


@pytest.mark.parametrize("case", TYPEID["invalid"], ids=lambda case: case["typeid"])
def test_invalid_type_ids_are_refused(case: dict[str, str]) -> None:
    try:
        ids = saiban.Uuid(7, prefix=case["prefix"])
    except saiban.InvalidArgumentError:
        return
    with pytest.raises(saiban.SaibanError) as raised:
        ids.from_text(case["typeid"])
    assert raised.value.kind.startswith("TEXT_")


def test_the_published_cases_are_all_there() -> None:
    assert (len(TYPEID["valid"]), len(TYPEID["invalid"])) == (9, 19)
    impossible = [*"PREFIX 12345 pre.fix _prefix prefix_ order2".split(), "préfix", "  prefix", "a" * 64]
    for prefix in impossible:
        with pytest.raises(saiban.InvalidArgumentError, match="at most 63 characters"):
            saiban.Uuid(7, prefix=prefix)
    with pytest.raises(saiban.WrongTypeError, match="prefix must be text"):
        saiban.Uuid(7, prefix=b"order")


@pytest.mark.parametrize("name", GENERATORS)
def test_every_scheme_writes_and_reads_its_prefix(name: str) -> None:
    ids, plain = (GENERATORS[name](prefix=prefix) for prefix in ("sales_order", None))
    assert (ids.prefix, plain.prefix) == ("sales_order", None)
    for id in (ids.generate(), ids.try_generate() or ids.generate(), *ids.generate_many(3)):
        text = ids.to_text(id)
        assert text.startswith("sales_order_") and set(text.removeprefix("sales_order_")) <= CROCKFORD
        assert ids.from_text(text) == id
        assert isinstance(id, str) == (name in TEXT)
        if name in TEXT:
            assert id == text
        parts = ids.inspect(id)
        assert parts == ids.inspect(text)
        assert (parts.id, parts.text, parts.prefix) == (id, text, "sales_order")
        # The number does not depend on the text.
        bare = int.from_bytes(parts.id_bytes, "big")
        assert int(ids.to_text(id, "hex"), 16) == bare
        digits = text.removeprefix("sales_order_")
        number = saiban.decode(digits, "crockford", bits=parts.bits, lenient=True)
        assert number % 2**parts.bits == bare
    generated = ids.generate_text()
    assert len(generated) == len(ids.to_text(ids.generate())) and generated.startswith("sales_order_")
    assert not ids.generate_text("base62").startswith("sales_order_")
    for other in ("user_", "sales_orders_", ""):
        with pytest.raises(saiban.TextCharacterError, match="sales_order"):
            ids.from_text(other + generated.removeprefix("sales_order_"))
    assert repr(ids).endswith("prefix='sales_order')")


@pytest.mark.parametrize("name", ["ulid", "objectid", "xid"])
def test_bytes_are_of_the_number(name: str) -> None:
    ids, plain = GENERATORS[name](prefix="order"), GENERATORS[name]()
    bare = plain.generate()
    id = ids.from_bytes(plain.to_bytes(bare))
    assert id.startswith("order_") and ids.to_bytes(id) == plain.to_bytes(bare)
    assert len(ids.generate_bytes()) == len(plain.to_bytes(bare))
    with pytest.raises(saiban.TextCharacterError):
        ids.to_bytes(bare)


def test_text_is_taken_and_returned_wherever_an_id_is(clock: saiban.ManualClock) -> None:
    ids = saiban.Ulid(prefix="order", clock=clock)
    composed = ids.compose(timestamp_ms=1_469_918_176_385, random=0xD6764C61EFB99302BD5B)
    assert composed == "order_01aryz6s41tsv4rrffq69g5fav"
    assert ids.from_uuid(ids.to_uuid(composed)) == composed
    first, last = ids.range(NOW_MS, NOW_MS + 1)
    made = ids.generate_many(10)
    assert made == sorted(made) and first <= made[0] < made[-1] <= last
    room = bytearray(32)
    assert ids.fill(room) == 2
    assert ids.from_bytes(bytes(room[:16])) > made[-1]


def test_every_uuid_has_a_text() -> None:
    ids = saiban.Uuid(7, prefix="order")
    other = uuid.UUID("919108f7-52d1-4320-9bac-f847db4148a8")
    assert ids.from_text(ids.to_text(other)) == other
    with pytest.raises(saiban.IdOutOfRangeError):
        ids.inspect(other)


def test_the_error_of_a_refused_text_has_its_position_and_lenience_concerns_digits_alone() -> None:
    ids = saiban.Uuid(7, prefix="order")
    for text, position in (("order_01h455vb4pex5vsknk084sn02Q", 31), ("order_01h455vb4pex5vsknk084sn0!q", 30)):
        with pytest.raises(saiban.TextCharacterError) as raised:
            ids.from_text(text)
        assert raised.value.position == position
    lenient = ids.from_text("order_O1H455VB4PEX5VSKNKO84SNO2Q", lenient=True)
    assert lenient == ids.from_text("order_01h455vb4pex5vsknk084sn02q")
    with pytest.raises(saiban.TextCharacterError):
        ids.from_text("Order_01h455vb4pex5vsknk084sn02q", lenient=True)


def test_inspection_finds_the_id_of_a_prefixed_text() -> None:
    first = saiban.inspect("order_01h455vb4pex5vsknk084sn02q")[0]
    assert (first.scheme, first.timestamp_ms, first.prefix) == ("uuid-v7", 1_688_096_058_518, None)
    assert first.id == uuid.UUID("01890a5d-ac96-774b-bcce-b302099a8057")


def test_parts_have_the_text_with_the_prefix() -> None:
    parts = saiban.Parts(scheme="ulid", id="order_01arz3ndektsv4rrffq69g5fav", prefix="order")
    assert parts.id == parts.text == "order_01arz3ndektsv4rrffq69g5fav"
    assert parts != saiban.Parts(scheme="ulid", id="01ARZ3NDEKTSV4RRFFQ69G5FAV")
    with pytest.raises(saiban.TextCharacterError):
        saiban.Parts(scheme="ulid", id="01ARZ3NDEKTSV4RRFFQ69G5FAV", prefix="order")
    with pytest.raises(saiban.InvalidArgumentError):
        saiban.Parts(scheme="snowflake", id=5, prefix="Order")
