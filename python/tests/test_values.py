"""Value types are comparable, hashable, pickled and copied. Generators and clocks refuse this."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from typing import get_args

import pytest
import saiban
from conftest import NOW_MS

OURS = saiban.Layout([("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16)], epoch_ms=1_577_836_800_000)
NAMED = saiban.Layout.from_text("constant:2,value=0 timestamp:46@10ms node.a:4 node.b:4 sequence:8 random:64")
NARROW = saiban.Layout.from_text("timestamp:24@s sequence:8")
NODE = NAMED.node_of_parts({"a": 1, "b": 2})
VALUES = {
    "parts of a snowflake": saiban.Snowflake(node=0).inspect(1741610183685074945),
    "parts of our own layout": saiban.Snowflake(node=0, layout=OURS).inspect(1741610183685074945),
    "parts of a ulid-flake": saiban.UlidFlake().inspect(14246757444195114),
    "parts of a rollback layout": saiban.Parts(
        scheme="snowflake", id=1, timestamp_ms=2, node=3, sequence=4, rollback=5
    ),
    "parts under a secret": saiban.Parts(scheme="randflake", id=1, timestamp_ms=2, node=3, sequence=4, secret_index=0),
    "parts of a UUID": saiban.Uuid(7).inspect("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
    "parts of a UUID without time": saiban.Uuid(4).inspect("919108f7-52d1-4320-9bac-f847db4148a8"),
    "parts of a ULID": saiban.Ulid().inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    "parts of an ObjectId": saiban.ObjectId().inspect("507f1f77bcf86cd799439011"),
    "parts of a UUID v1": saiban.Uuid(1).inspect("c232ab01-9414-11ec-b3c8-9f6bdeced846"),
    "parts of short ticks": saiban.Flake(saiban.Layout.from_text("timestamp:56@us sequence:8")).inspect(2**40 + 3),
    "parts of a tick ID": saiban.TickId("descending").inspect("8584375324854775807_042"),
    "parts of a wide flake": saiban.Flake(NAMED, node=NODE).inspect(2**100 + 5),
    "parts of a narrow flake": saiban.Flake(NARROW).inspect(77),
    "parts with a prefix": saiban.Snowflake(node=0, prefix="order").inspect(1741610183685074945),
    "parts of text with a prefix": saiban.Ulid(prefix="order").inspect("order_01arz3ndektsv4rrffq69g5fav"),
    "parts of a wide flake with a prefix": saiban.Flake(NAMED, node=NODE, prefix="order").inspect(2**100 + 5),
    "parts of a narrow flake with a prefix": saiban.Flake(NARROW, prefix="order").inspect(77),
    "stats": saiban.Snowflake(node=0).stats(),
    "other stats": saiban.Stats(
        issued=5, waits=4, rollbacks=3, time_left_ms=2**53, guarantee="probable", scope="machine"
    ),
    "a layout with rollback bits": saiban.Layout.TWITTER.with_rollback_bits(2),
    "a preset": saiban.Layout.SONYFLAKE,
    "a layout of our own": OURS,
    "a layout with options": NAMED,
    "a capacity": NAMED.capacity,
    "a rate": NAMED.ids_per_second,
    "a place": NAMED.places[2],
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_values_pickle(value, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(value, protocol))
    assert again == value
    assert hash(again) == hash(value)
    assert repr(again) == repr(value)
    assert type(again) is type(value)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_values_are_copied(value) -> None:
    assert copy.copy(value) == value
    assert copy.deepcopy([value]) == [value]
    assert {value: 1}[copy.copy(value)] == 1


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_the_repr_of_a_value_is_its_source(value) -> None:
    assert eval(repr(value), {"saiban": saiban, "uuid": uuid, **vars(saiban.values)}) == value


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_values_cannot_be_changed(value) -> None:
    named = {saiban.Capacity: "ids", saiban.Rate: "in_all", saiban.Place: "bits"}
    name = ({saiban.Layout: "epoch_ms", saiban.Stats: "issued", saiban.Parts: "id"} | named)[type(value)]
    with pytest.raises(AttributeError):
        setattr(value, name, 0)


def test_different_values_differ() -> None:
    assert len(set(VALUES.values())) == len(VALUES)
    assert VALUES["a preset"] != "sonyflake"


def test_generators_and_clocks_cannot_be_copied(ids: saiban.Generator, clock: saiban.ManualClock) -> None:
    for act in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="make one where it is needed"):
            act(ids)
        with pytest.raises(TypeError, match="would not see the copy's time"):
            act(clock)


def test_parts_have_a_time_in_utc() -> None:
    parts = saiban.UlidFlake().inspect(14246757444195114)
    assert parts.time == datetime(2024, 6, 6, 6, 6, 6, 666_000, tzinfo=UTC)
    assert parts.time.tzinfo is UTC
    assert (parts.scheme, parts.random, parts.node, parts.sequence) == ("ulid-flake", 627498, None, None)


@pytest.mark.parametrize("timestamp_ms", [2**62, -(2**62), 253_402_300_800_000])
def test_a_time_that_no_datetime_has_is_none(timestamp_ms: int) -> None:
    assert saiban.Parts(scheme="snowflake", id=0, timestamp_ms=timestamp_ms).time is None


def test_times_before_1970_and_at_the_end_of_9999() -> None:
    last = saiban.Parts(scheme="snowflake", id=0, timestamp_ms=253_402_300_799_999).time
    assert last == datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
    early = saiban.Parts(scheme="snowflake", id=0, timestamp_ms=-1).time
    assert early == datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)


def test_a_datetime_has_microseconds_and_the_nanoseconds_have_the_rest() -> None:
    parts = saiban.TickId("ascending").inspect("0638996766900001239_0042")
    assert (parts.timestamp_ms, parts.submillisecond_ns) == (1_764_079_890_000, 123_900)
    assert parts.time == datetime(2025, 11, 25, 14, 11, 30, 123, tzinfo=UTC)
    early = saiban.Parts(scheme="flake", id=1, timestamp_ms=-1, submillisecond_ns=999_999)
    assert early.time == datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert saiban.Ulid().inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").submillisecond_ns is None


def test_every_id_has_its_bytes_and_bits() -> None:
    wanted = {
        "1741610183685074945": (64, "182b713c0fc07001"),
        "507f1f77bcf86cd799439011": (96, "507f1f77bcf86cd799439011"),
        "0638996712000000000_0042": (77, None),
    }
    for text, (bits, octets) in wanted.items():
        parts = saiban.inspect(text)[0]
        assert (parts.bits, len(parts.id_bytes)) == (bits, -(-bits // 8))
        assert octets in (None, parts.id_bytes.hex())


#: IDs for `saiban inspect`, with more options.
INSPECTED: dict[str, list[str]] = {
    "1741610183685074945": [],
    "01ARZ3NDEKTSV4RRFFQ69G5FAV": [],
    "017f22e2-79b0-7cc3-98c4-dc0c0c07398f": [],
    "919108f7-52d1-4320-9bac-f847db4148a8": [],
    "c232ab00-9414-11ec-b3c8-9f6bdeced846": [],
    "507f1f77bcf86cd799439011": [],
    "0638996766900001234_0042": [],
    "9m4e2mr0ui3e8a215n4g": [],
    "4594531474933654033": ["--layout", "timestamp:4 node.rack:56 node.host:3 sequence:1"],
    "ffffffff-ffff-ffff-ffff-ffffffffffff": [],
}


@pytest.mark.parametrize("text", INSPECTED)
def test_the_dictionary_of_parts_is_json_as_the_command_writes_it(text: str) -> None:
    options = INSPECTED[text]
    command = [sys.executable, "-m", "saiban", "inspect", text, "--json", *options]
    (line,) = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    written = json.loads(line)["candidates"]
    found = [parts.as_dict() for parts in saiban.inspect(text, layouts=options[1:])]
    assert len(found) == len(written) > 0
    for ours, theirs in zip(json.loads(json.dumps(found)), written):
        octets = ours.pop("id_bytes")
        assert int(octets, 16) == int(theirs["id"]) % 2**64 or int(octets, 16) == int(theirs["id"])
        assert ours.pop("prefix") is None
        # The command writes IDs of every scheme as numbers, and larger numbers as numbers.
        is_number = ours["id"].lstrip("-").isdigit()
        assert ours["id"] == (theirs["id"] if is_number else theirs["text"])
        assert ours["random"] == (None if theirs["random"] is None else str(theirs["random"]))
        for name in ("node", "sequence"):
            part = theirs[name]
            assert ours[name] == (part if part is None or int(part) < 2**53 else str(part))
        # The command also has names for the parts of the node in presets, and shows layouts without
        # a name.
        if theirs["layout"] is None or " " in theirs["layout"]:
            assert {name: int(part) for name, part in ours["node_parts"].items()} == (theirs["node_parts"] or {})
        assert ours["layout"] in (theirs["layout"], None)
        same = ours.keys() - {"id", "random", "node", "sequence", "node_parts", "layout"}
        assert {name: ours[name] for name in same} == {name: theirs[name] for name in same}


def test_the_dictionary_of_parts_keeps_every_digit() -> None:
    parts = saiban.Parts(
        scheme="flake", id=2**100, bits=128, node=2**53, sequence=2**53 - 1, node_parts={"a": 2**60, "b": 1}, random=7
    )
    found = parts.as_dict()
    assert (found["id"], found["bits"], found["id_bytes"]) == (str(2**100), 128, f"{2**100:032x}")
    assert (found["node"], found["sequence"], found["random"]) == (str(2**53), 2**53 - 1, "7")
    assert found["node_parts"] == {"a": str(2**60), "b": 1}
    assert (found["time"], found["timestamp_ms"], found["rollback"]) == (None, None, None)
    assert saiban.Parts(scheme="snowflake", id=0, timestamp_ms=-1).as_dict()["time"] == "1969-12-31T23:59:59.999Z"
    # JavaScript's dates do not have this year either.
    assert saiban.Parts(scheme="snowflake", id=0, timestamp_ms=2**62).as_dict()["time"] is None
    ulid = saiban.Ulid(prefix="receipt").inspect("receipt_01arz3ndektsv4rrffq69g5fav").as_dict()
    assert (ulid["id"], ulid["text"], ulid["prefix"]) == (ulid["text"], "receipt_01arz3ndektsv4rrffq69g5fav", "receipt")
    seven = saiban.Uuid(prefix="order").inspect(uuid.UUID("01890a5d-ac96-774b-bcce-b302099a8057")).as_dict()
    assert seven["id"] == "01890a5d-ac96-774b-bcce-b302099a8057"
    assert seven["text"] == "order_01h455vb4pex5vsknk084sn02q"


def test_a_uuid_is_an_id_of_128_bits() -> None:
    given = uuid.UUID("01563e3a-b5d3-d676-4c61-efb99302bd5b")
    text = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    ulids = saiban.Ulid()
    assert ulids.to_text(given) == saiban.encode(given, "crockford") == text
    assert ulids.inspect(given) == ulids.inspect(text)
    assert (ulids.to_bytes(given), ulids.to_uuid(given)) == (given.bytes, given)
    assert saiban.Ulid(prefix="receipt").to_text(given) == f"receipt_{text.lower()}"
    assert saiban.Parts(scheme="ulid", id=given) == saiban.Parts(scheme="ulid", id=text)
    assert any(parts == ulids.inspect(given) for parts in saiban.inspect(given))
    wide = saiban.Flake("timestamp:48 random:80")
    assert wide.to_text(given) == wide.to_text(given.int)
    assert wide.inspect(given) == wide.inspect(given.int)
    for encoding in get_args(saiban.Encoding):
        if encoding != "xid":
            assert saiban.encode(given, encoding) == saiban.encode(given.int, encoding, bits=128)
    assert saiban.encode(given, "hex", bits=128, width=32) == given.hex


def test_a_uuid_is_no_id_of_fewer_bits() -> None:
    given = uuid.UUID("01563e3a-b5d3-d676-4c61-efb99302bd5b")
    for ids, wanted in (
        (saiban.ObjectId(), "text"),
        (saiban.Xid(), "text"),
        (saiban.TickId(), "text"),
        (saiban.Snowflake(node=7, clock=saiban.ManualClock(NOW_MS)), "an integer"),
        (saiban.Flake("timestamp:48 random:79"), "an integer"),
    ):
        for act in (ids.to_text, ids.inspect):
            with pytest.raises(saiban.WrongTypeError, match=f"id must be {wanted}.*, not UUID"):
                act(given)  # type: ignore[arg-type]
    with pytest.raises(saiban.IdOutOfRangeError, match="the IDs have 64"):
        saiban.encode(given, "hex", bits=64)
    with pytest.raises(saiban.WrongTypeError, match="value must be an integer, not str"):
        saiban.encode(str(given), "hex")  # type: ignore[arg-type]


def test_presets_are_known_by_name() -> None:
    for name in ("twitter", "discord", "instagram", "sonyflake", "sonyflake_v2"):
        layout = saiban.Layout.preset(name)
        assert layout == getattr(saiban.Layout, name.upper())
        assert layout.name == name
        assert saiban.Layout(layout.fields, epoch_ms=layout.epoch_ms, tick_us=layout.tick_us) == layout
    assert OURS.name is None


def test_a_layout_has_its_limits() -> None:
    assert (OURS.max_node, OURS.tick_us, OURS.epoch_ms) == (63, 1000, 1_577_836_800_000)
    assert OURS.last_ms == 1_577_836_800_000 + 2**41 - 1


def test_reprs_read_well(clock: saiban.ManualClock) -> None:
    assert repr(clock) == f"saiban.ManualClock({NOW_MS})"
    ids = saiban.Snowflake(nodes=range(8), window=(NOW_MS, NOW_MS + 9), clock=clock)
    assert repr(ids) == (
        "saiban.Snowflake(nodes=range(0, 8), layout=saiban.Layout.TWITTER, "
        f"window=({NOW_MS}, {NOW_MS + 9}), clock=saiban.ManualClock({NOW_MS}))"
    )
    ids = saiban.Snowflake(
        nodes=range(8),
        not_before=NOW_MS,
        rollback="error",
        shards=2,
        scope="process",
        clock=clock,
        max_jump_s=60,
        max_wait_ms=5,
    )
    assert repr(ids) == (
        f"saiban.Snowflake(nodes=range(0, 8), layout=saiban.Layout.TWITTER, not_before={NOW_MS}, rollback='error', "
        f"shards=2, scope='process', clock=saiban.ManualClock({NOW_MS}), max_jump_s=60, max_wait_ms=5)"
    )
    randflake = saiban.Randflake(node=1, secret=bytes(16), clock=clock)
    assert repr(randflake).startswith("saiban.Randflake(node=1, secret=<hidden>")
    assert repr(saiban.UlidFlake()) == "saiban.UlidFlake(entropy_size=1, epoch_ms=1704067200000)"


def test_inspect_names_what_an_id_can_be() -> None:
    found = saiban.inspect("00CMXB6TAK4SA")
    assert found[0] == saiban.UlidFlake().inspect(14246757444195114)
    assert next(parts.scheme for parts in saiban.inspect(1741610183685074945, scheme="snowflake")) == "snowflake"
    secret = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
    hidden = saiban.inspect("3vgoe12ccb8gh", secret=secret, scheme="randflake")
    assert [(parts.node, parts.sequence) for parts in hidden] == [(42, 1)]
    assert saiban.inspect(4594531474933654033, scheme="randflake") == []


def test_pairs_may_be_lists_as_json_has_them() -> None:
    fields = [["unused", 1], ["timestamp", 41], ["node", 10], ["sequence", 12]]
    assert saiban.Layout(fields) == saiban.Layout([tuple(field) for field in fields])
    ids = saiban.Snowflake(node=1, window=[1_700_000_000_000, 1_800_000_000_000], clock=saiban.ManualClock(0))
    assert "window=(1700000000000, 1800000000000)" in repr(ids)
