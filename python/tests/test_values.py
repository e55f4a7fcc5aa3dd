"""Value types are comparable, hashable, pickled and copied. Generators and clocks refuse this."""

from __future__ import annotations

import copy
import pickle
import uuid
from datetime import UTC, datetime

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
