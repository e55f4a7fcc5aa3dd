"""ULID, UUID, ObjectId, tick IDs and Flake: no ID repeats, and the Python types of IDs."""

from __future__ import annotations

import array
import copy
import gc
import os
import pickle
import sys
import uuid
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
import saiban
from conftest import NOW_MS

THREADS = 4
EACH = 25_000
NOW = datetime.fromtimestamp(NOW_MS / 1000, UTC)
NARROW = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2020-02-02 node.region:4 node.host:6 sequence:12")
WIDE = saiban.Layout.from_text("timestamp:48 node:16 sequence:20 random:44")
STEPS = saiban.Layout.from_text("timestamp:48 random:80,step=1000")

#: A generator of each scheme, and the Python type of its IDs.
MAKERS: dict[str, tuple[Callable[..., saiban.Generator[Any]], type]] = {
    "ulid": (saiban.Ulid, str),
    "uuid-v1": (lambda **options: saiban.Uuid(1, **options), uuid.UUID),
    "uuid-v4": (lambda **options: saiban.Uuid(4, **options), uuid.UUID),
    "uuid-v7": (lambda **options: saiban.Uuid(7, **options), uuid.UUID),
    "objectid": (saiban.ObjectId, str),
    "xid": (saiban.Xid, str),
    "tick-id": (lambda **options: saiban.TickId("ascending", **options), str),
    "flake": (lambda **options: saiban.Flake(NARROW, nodes=range(700, 708), **options), int),
    "wide flake": (lambda **options: saiban.Flake(WIDE, node=701, **options), int),
    "growing flake": (lambda **options: saiban.Flake(STEPS, **options), int),
    "tsid": (lambda **options: saiban.Tsid(node=700, **options), int),
}
#: Schemes whose IDs ascend, even within a tick.
ASCENDING = [name for name in MAKERS if name not in ("uuid-v1", "uuid-v4")]


@pytest.fixture(params=MAKERS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def test_ids_made_on_four_threads_are_distinct(name: str) -> None:
    ids = MAKERS[name][0]()
    with ThreadPoolExecutor(THREADS) as pool:
        made = list(pool.map(lambda _: [ids.generate() for _ in range(EACH)], range(THREADS)))
    assert len(set().union(*made)) == THREADS * EACH


@pytest.mark.parametrize("name", ASCENDING)
def test_ids_of_a_generator_ascend_though_the_clock_steps_back(name: str, clock: saiban.ManualClock) -> None:
    ids = MAKERS[name][0](clock=clock)
    made = ids.generate_many(50)
    # A tick ID may be a millisecond ahead of the clock, but no more.
    clock.advance(0 if name == "tick-id" else -5_000)
    made += ids.generate_many(50)
    clock.set(NOW_MS + 1_000)
    made += ids.generate_many(50)
    assert made == sorted(set(made))
    texts = [
        ids.to_text(id, None if name not in ("flake", "wide flake", "growing flake") else "crockford") for id in made
    ]
    assert texts == sorted(texts)


def test_descending_tick_ids_descend() -> None:
    made = saiban.TickId("descending").generate_many(1000)
    assert made == sorted(set(made), reverse=True)
    assert {len(id) for id in made} == {23}


def test_the_oldest_tick_ids_come_first_by_default() -> None:
    ids = saiban.TickId()
    assert ids.order == "ascending"
    made = ids.generate_many(1000)
    assert made == sorted(made)


def test_every_method_makes_ids_of_the_scheme(name: str) -> None:
    make, kind = MAKERS[name]
    ids = make()
    made = [
        ids.generate(),
        *ids.generate_many(10),
        ids.from_text(ids.generate_text()),
        ids.try_generate() or ids.generate(),
    ]
    assert {type(id) for id in made} == {kind}
    assert len(set(made)) == len(made)
    for id in made:
        parts = ids.inspect(id)
        assert parts.id == id and type(parts.id) is kind
        assert parts.scheme == ids.scheme
        assert parts.text == ids.to_text(id)
        assert ids.inspect(parts.text) == parts
        assert ids.from_text(ids.to_text(id)) == id
        assert len(parts.id_bytes) == (parts.bits + 7) // 8


def test_text_in_any_encoding_is_the_numbers(name: str) -> None:
    ids = MAKERS[name][0]()
    parts = ids.inspect(ids.generate())
    number, form = int.from_bytes(parts.id_bytes), {"bits": parts.bits}
    for encoding in ("decimal", "hex", "binary", "crockford", "base32hex", "base36", "base58", "base62", "base64url"):
        text = ids.to_text(parts.id, encoding)
        assert saiban.decode(text, encoding, **form) == number
        assert saiban.encode(number, encoding, **form) == text


@pytest.mark.parametrize("name", ["ulid", "uuid-v1", "uuid-v4", "uuid-v7", "objectid", "xid", "tick-id", "wide flake"])
def test_fill_writes_the_bytes_of_wide_ids(name: str) -> None:
    ids = MAKERS[name][0]()
    size = len(ids.inspect(ids.generate()).id_bytes)
    assert size == {"objectid": 12, "xid": 12, "tick-id": 10}.get(name, 16)
    buffer = bytearray(size * 9_000)
    assert ids.fill(buffer) == 9_000
    made = [int.from_bytes(buffer[at : at + size]) for at in range(0, len(buffer), size)]
    assert len(set(made)) == 9_000
    if name in ASCENDING:
        assert made == sorted(made)
    read: Callable[[int], Any] = {
        "ulid": lambda number: saiban.encode(number, "crockford", bits=128),
        "objectid": lambda number: saiban.encode(number, "hex", bits=96, width=24),
        "xid": lambda number: saiban.encode(number, "xid", bits=96),
        "tick-id": lambda number: f"{number // 10_000:019}_{number % 10_000:04}",
        "wide flake": lambda number: number,
    }.get(name, lambda number: uuid.UUID(int=number))
    for number in made[:5]:
        assert int.from_bytes(ids.inspect(read(number)).id_bytes) == number
    assert ids.fill(bytearray()) == 0
    with pytest.raises(saiban.InvalidArgumentError, match="as its id_bytes has: 16 of most, of an ObjectId 12"):
        ids.fill(bytearray(size + 1))
    for wrong in (array.array("q", [0, 0]), bytes(size), [0] * size):
        with pytest.raises(saiban.WrongTypeError, match="buffer must be a writable, one-dimensional buffer of bytes"):
            ids.fill(wrong)


def test_version_4_takes_a_clock_and_does_not_read_it() -> None:
    assert saiban.Uuid(4, clock=saiban.ManualClock(0)).generate().version == 4


def test_layouts_of_ulid_flakes_have_no_name_as_presets_have() -> None:
    for name in ("ulid-flake", "ulid-flake-scalable"):
        assert saiban.Layout.from_text(name).name is None
    assert saiban.Layout.from_text("bwmarrin").name == "twitter"


def test_an_id_of_96_bits_fills_12_bytes_in_every_language() -> None:
    ids = saiban.Flake(
        saiban.Layout.from_text("timestamp:48 node:16 sequence:32"), node=710, clock=saiban.ManualClock(5)
    )
    buffer = bytearray(12 * 3)
    assert ids.fill(buffer) == 3
    made = [int.from_bytes(buffer[at : at + 12]) for at in range(0, 36, 12)]
    assert made == [(5 << 16 | 710) << 32 | sequence for sequence in range(3)]
    with pytest.raises(saiban.InvalidArgumentError, match="a part of an ID"):
        ids.fill(bytearray(16))


def test_a_flake_of_up_to_64_bits_fills_integers() -> None:
    ids = saiban.Flake(NARROW, node=710)
    buffer = array.array("q", bytes(8 * 20))
    assert ids.fill(buffer) == 20
    assert {ids.inspect(id).node for id in buffer} == {710}


def test_bytes_and_uuids_of_a_ulid_are_its_128_bits() -> None:
    ids = saiban.Ulid()
    # github.com/ulid/spec, and python-ulid's README
    text, content = "01ARZ3NDEKTSV4RRFFQ69G5FAV", bytes.fromhex("01563e3ab5d3d6764c61efb99302bd5b")
    assert (ids.to_bytes(text), ids.from_bytes(content)) == (content, text)
    assert ids.to_uuid(text) == uuid.UUID(bytes=content)
    assert ids.from_uuid(uuid.UUID(bytes=content)) == text
    assert ids.from_bytes(memoryview(content)) == text
    made = ids.generate_bytes()
    assert len(made) == 16
    assert ids.to_bytes(ids.from_bytes(made)) == made


def test_bytes_of_an_object_id_are_bsons() -> None:
    ids = saiban.ObjectId()
    text = "507f1f77bcf86cd799439011"
    assert ids.to_bytes(text).hex() == text
    assert ids.from_bytes(bytearray.fromhex(text)) == text
    made = ids.generate_bytes()
    assert (len(made), ids.to_bytes(made.hex())) == (12, made)


def test_a_uuid_is_the_standard_librarys(clock: saiban.ManualClock) -> None:
    for version in (1, 4, 7):
        ids = saiban.Uuid(version)
        id = ids.generate()
        assert type(id) is uuid.UUID
        assert (id.version, id.variant, id.is_safe) == (version, uuid.RFC_4122, uuid.SafeUUID.unknown)
        assert uuid.UUID(str(id)) == id and ids.to_text(id) == str(id)
        assert ids.version == version
        assert saiban.uuid_to_guid_bytes(id) == id.bytes_le
        assert saiban.uuid_from_guid_bytes(id.bytes_le) == id
        for form, text in (("simple", id.hex), ("braced", f"{{{id}}}"), ("urn", id.urn)):
            assert ids.to_text(id, form) == text
            assert ids.from_text(text, lenient=True) == id
            with pytest.raises(saiban.TextLengthError):
                ids.from_text(text)
    assert saiban.Uuid().version == 7
    one = saiban.Uuid(1, clock=clock).generate()
    assert (one.time - 0x01B21DD213814000) // 10_000 == NOW_MS


@pytest.mark.parametrize("bits", [0, 1, 2**30 - 1, 2**63, 2**64 - 1, 2**64, 2**127, 2**128 - 1])
def test_uuids_and_wide_numbers_have_all_their_bits(bits: int) -> None:
    assert saiban.uuid_from_guid_bytes(uuid.UUID(int=bits).bytes_le) == uuid.UUID(int=bits)
    assert saiban.decode(f"{bits:x}", "hex", bits=128) == bits
    wide = saiban.Flake(WIDE, node=701)
    assert wide.from_text(wide.to_text(bits)) == bits


def test_a_uuid_owns_its_attributes() -> None:
    ids, unknown = saiban.Uuid(4), uuid.SafeUUID.unknown
    gc.collect()
    before = sys.getrefcount(unknown)
    many = [ids.generate() for _ in range(1000)]
    during = sys.getrefcount(unknown)
    assert during == before + 1000
    for id in many:
        referents = gc.get_referents(id)
        assert unknown in referents and id.int in referents
    numbers = [sys.getrefcount(id.int) for id in many]
    assert max(numbers) <= 3
    first = many[0]
    assert weakref.ref(first)() is first
    assert copy.copy(first) == pickle.loads(pickle.dumps(first)) == first
    del many, first, id, referents
    after = sys.getrefcount(unknown)
    assert after == before


def test_uuids_of_rfc_9562_are_read_and_composed() -> None:
    time = datetime(2022, 2, 22, 14, 22, 22, tzinfo=timezone(timedelta(hours=-5)))
    one = saiban.Uuid(1).compose(time=time, clock_sequence=0x33C8, node=0x9F6BDECED846)
    assert str(one) == "c232ab00-9414-11ec-b3c8-9f6bdeced846"
    seven = saiban.Uuid(7).compose(time=time, random=0xCC3 << 62 | 0x18C4_DC0C_0C07_398F)
    assert str(seven) == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    four = uuid.UUID("919108f7-52d1-4320-9bac-f847db4148a8")
    parts = saiban.Uuid(4).inspect(four)
    assert (parts.time, parts.timestamp_ms) == (None, None)
    assert saiban.Uuid(4).compose(random=parts.random) == four
    assert saiban.Uuid(7).inspect(seven).time == time
    with pytest.raises(saiban.IdOutOfRangeError):
        saiban.Uuid(7).inspect(four)


def test_a_uuid_of_another_version_is_reported_by_its_version() -> None:
    for reads in (1, 4, 7):
        ids = saiban.Uuid(reads)
        for other in {1, 4, 7} - {reads}:
            id = saiban.Uuid(other).generate()
            message = f"of version {other}, and this generator reads version {reads}: ask inspect"
            for read, given in ((ids.inspect, id), (ids.to_text, id), (ids.inspect, str(id)), (ids.from_text, str(id))):
                with pytest.raises(saiban.IdOutOfRangeError, match=message):
                    read(given)
        with pytest.raises(saiban.IdOutOfRangeError, match=f"the nil UUID, .* reads version {reads}: ask inspect"):
            ids.inspect(uuid.UUID(int=0))
        with pytest.raises(saiban.IdOutOfRangeError, match="RFC 9562"):
            ids.inspect(uuid.UUID(int=1))


def test_a_time_is_given_as_milliseconds_or_as_a_datetime() -> None:
    instant = datetime(2025, 1, 1, 9, 0, 0, 123_999, timezone(timedelta(hours=9)))
    random = {"random": 1}
    for ids, rest in (
        (saiban.Ulid(), random),
        (saiban.Uuid(7), random),
        (saiban.Flake(STEPS), random),
        (saiban.Snowflake(node=1), {"node": 1, "sequence": 1}),
        (saiban.UlidFlake(), random),
    ):
        id = ids.compose(time=instant, **rest)
        assert id == ids.compose(timestamp_ms=NOW_MS + 123, **rest)
        assert ids.inspect(id).time == instant.replace(microsecond=123_000)
        for wrong, kind, message in (
            ({}, saiban.InvalidArgumentError, "time|UUID v7 is composed of timestamp_ms"),
            ({"time": instant, "timestamp_ms": 1}, saiban.InvalidArgumentError, "give one of them"),
            ({"time": datetime(2025, 1, 1)}, saiban.WrongTypeError, "time zone, .* not a naive one"),
            ({"time": date(2025, 1, 1)}, saiban.WrongTypeError, "time must be a datetime with a time zone, not date"),
            ({"time": NOW_MS}, saiban.WrongTypeError, "time must be a datetime with a time zone, not int"),
        ):
            with pytest.raises(kind, match=message):
                ids.compose(**wrong, **rest)


def test_microseconds_of_a_datetime_count_where_ticks_are_shorter_than_a_millisecond() -> None:
    instant = datetime(2025, 1, 1, 9, 0, 0, 123_987, timezone(timedelta(hours=9, microseconds=400)))
    expected = {"timestamp_ms": NOW_MS + 123, "submillisecond_ns": 587_000}
    fine = saiban.Layout.from_text("unused:1 timestamp:51@us node:6 sequence:6")
    for ids, rest in (
        (saiban.Uuid(1), {"clock_sequence": 1, "node": 2}),
        (saiban.TickId("ascending"), {"random": 3}),
        (saiban.TickId("descending"), {"random": 3}),
        (saiban.Flake(fine, node=1), {"node": 2, "sequence": 3}),
        (saiban.Snowflake(node=1, layout=fine), {"node": 2, "sequence": 3}),
    ):
        id = ids.compose(time=instant, **rest)
        assert id == ids.compose(**expected, **rest)
        parts = ids.inspect(id)
        assert {name: getattr(parts, name) for name in expected} == expected
        assert parts.time == instant
        assert ids.compose(timestamp_ms=NOW_MS + 123, **rest) != id
        for wrong, kind, message in (
            (
                {"time": instant, "submillisecond_ns": 0},
                saiban.InvalidArgumentError,
                "with timestamp_ms, not with time",
            ),
            ({"timestamp_ms": 1, "submillisecond_ns": 1_000_000}, saiban.InvalidArgumentError, "give 0 to 999999"),
            ({"timestamp_ms": 1, "submillisecond_ns": -(2**70)}, saiban.InvalidArgumentError, "give 0 to 999999"),
            (
                {"timestamp_ms": 1, "submillisecond_ns": 1.5},
                saiban.WrongTypeError,
                "submillisecond_ns must be an integer",
            ),
        ):
            with pytest.raises(kind, match=message):
                ids.compose(**wrong, **rest)


def test_compose_takes_the_parts_that_inspect_returns() -> None:
    layout = saiban.Layout.from_text(
        "constant:2,value=2 timestamp:46 node.region:3 node.host:5 rollback:2 sequence:20 random:30"
    )
    ids = saiban.Flake(layout, node=layout.node_of_parts({"region": 5, "host": 17}))
    parts = ids.inspect(ids.generate())
    assert parts.node_parts == {"region": 5, "host": 17} == layout.node_parts(parts.node)
    same = {name: getattr(parts, name) for name in ("timestamp_ms", "node", "sequence", "random", "rollback")}
    assert ids.compose(**same) == ids.compose(**same | {"node": parts.node_parts}) == parts.id
    assert ids.compose(time=parts.time) < parts.id
    snowflake = saiban.Snowflake(node=0, layout=NARROW)
    by_name = snowflake.compose(timestamp_ms=NOW_MS, node={"host": 7, "region": 1}, sequence=3)
    assert by_name == snowflake.compose(timestamp_ms=NOW_MS, node=71, sequence=3)
    assert snowflake.inspect(by_name).node_parts == {"region": 1, "host": 7}


def test_ids_of_100_ns_are_composed_again_from_their_parts() -> None:
    clock = saiban.ManualClock(NOW_MS)
    v1, ticks = saiban.Uuid(1, clock=clock), saiban.TickId("descending", clock=clock)
    for id in v1.generate_many(20):
        parts = v1.inspect(id)
        time = {"timestamp_ms": parts.timestamp_ms, "submillisecond_ns": parts.submillisecond_ns}
        assert v1.compose(**time, clock_sequence=parts.sequence, node=parts.node) == id
    for id in ticks.generate_many(20):
        parts = ticks.inspect(id)
        time = {"timestamp_ms": parts.timestamp_ms, "submillisecond_ns": parts.submillisecond_ns}
        assert ticks.compose(**time, random=parts.random) == id


@pytest.mark.parametrize("name", [name for name in MAKERS if name not in ("uuid-v1", "uuid-v4")])
def test_a_range_holds_the_ids_of_its_time_and_no_others(name: str, clock: saiban.ManualClock) -> None:
    ids = MAKERS[name][0](clock=clock)
    clock.set(NOW_MS + 30_000)
    made = ids.generate()
    inside = ids.range(NOW, NOW + timedelta(minutes=1))
    assert inside == ids.range(NOW_MS, NOW_MS + 60_000)
    assert {type(end) for end in inside} == {MAKERS[name][1]}
    assert inside[0] < made < inside[1]
    first, last = ids.inspect(inside[0]), ids.inspect(inside[1])
    assert first.timestamp_ms == NOW_MS
    assert NOW_MS + 59_000 <= last.timestamp_ms < NOW_MS + 60_000
    later = ids.range(NOW_MS + 60_000, NOW_MS + 61_000)
    assert made < inside[1] < later[0]
    # Bounds between two milliseconds are rounded outwards.
    half = timedelta(microseconds=500)
    assert ids.range(NOW + half, NOW + timedelta(minutes=1) - half) == inside


@pytest.mark.parametrize("name", [name for name in MAKERS if name not in ("uuid-v1", "uuid-v4")])
def test_an_empty_interval_within_a_millisecond_is_refused(name: str, clock: saiban.ManualClock) -> None:
    ids = MAKERS[name][0](clock=clock)
    early, late = NOW + timedelta(microseconds=1), NOW + timedelta(microseconds=5)
    for start, end in ((late, early), (early, early), (NOW, NOW), (late, NOW)):
        with pytest.raises(saiban.InvalidWindowError, match="is empty"):
            ids.range(start, end)
    assert ids.range(early, late) == ids.range(NOW_MS, NOW_MS + 1)


def test_schemes_that_are_not_time_ordered_have_no_range() -> None:
    for ids in (
        saiban.Uuid(1),
        saiban.Uuid(4),
        saiban.Randflake(node=1, secret=bytes(16)),
        saiban.Flake(saiban.Layout.from_text("node:8 timestamp:41 sequence:12"), node=1),
    ):
        with pytest.raises(saiban.NotTimeOrderedError, match="not in the order of their times"):
            ids.range(NOW_MS, NOW_MS + 1)
    for start, end in ((5, 5), (NOW, NOW_MS), (NOW_MS, NOW), (NOW_MS, 0)):
        with pytest.raises(saiban.InvalidWindowError, match="give an end after the start"):
            saiban.Ulid().range(start, end)
    for wrong in (datetime(2025, 1, 1), "2025-01-01", 1.5, None, date(2025, 1, 1)):
        with pytest.raises(saiban.WrongTypeError, match="with a time zone"):
            saiban.Ulid().range(wrong, NOW)


def in_children(act: Callable[[], list[str]], count: int) -> list[list[str]]:
    """Returns the results of this function in this many forked children."""
    found = []
    for _ in range(count):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                with os.fdopen(writing, "w") as pipe:
                    pipe.write("\n".join(act()))
                os._exit(0)
            finally:
                # After any other exception, too: only the parent runs the tests.
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            found.append(pipe.read().split("\n"))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return found


@pytest.mark.parametrize("name", ["ulid", "uuid-v1", "uuid-v4", "uuid-v7", "objectid"])
def test_children_and_their_parent_make_no_equal_ids(name: str) -> None:
    # The clock stands still, so all processes make IDs of one tick.
    clock = {} if name == "uuid-v4" else {"clock": saiban.ManualClock(NOW_MS)}
    ids = MAKERS[name][0](**clock)
    before = [ids.generate_text() for _ in range(1000)]
    made = in_children(lambda: [ids.generate_text() for _ in range(1000)], 4)
    made.append([ids.generate_text() for _ in range(1000)])
    assert len(set(before).union(*made)) == 6_000


@pytest.mark.parametrize("name", ["flake", "wide flake", "growing flake"])
def test_a_flake_of_process_scope_makes_no_ids_in_a_forked_child(name: str) -> None:
    ids = MAKERS[name][0](scope="process")
    ids.generate()

    def outcome() -> list[str]:
        try:
            return [str(ids.generate())]
        except saiban.SaibanError as error:
            return [error.kind]

    assert in_children(outcome, 1) == [["FORKED"]]
    assert ids.generate()


def test_stats_have_the_guarantee_of_the_ids(name: str) -> None:
    ids = MAKERS[name][0]()
    before = ids.stats().issued
    ids.generate_many(10)
    stats = ids.stats()
    assert stats.issued - before >= 10
    promise = {"flake": "unique", "wide flake": "unique", "growing flake": "unique_in_process", "tsid": "unique"}
    assert stats.guarantee == promise.get(name, "probable")


def test_reprs_have_the_arguments_of_a_generator(clock: saiban.ManualClock) -> None:
    shown = f"clock=saiban.ManualClock({NOW_MS}), max_wait_ms=5)"
    options: dict[str, Any] = {"clock": clock, "max_wait_ms": 5}
    assert repr(saiban.Ulid(**options)) == f"saiban.Ulid({shown}"
    assert repr(saiban.Uuid(7, **options)) == f"saiban.Uuid(version=7, {shown}"
    assert repr(saiban.TickId("descending", **options)) == f"saiban.TickId(order='descending', {shown}"
    layout = "layout=saiban.Layout.from_text('timestamp:48 random:80,step=1000')"
    assert repr(saiban.Flake(STEPS, **options)) == f"saiban.Flake({layout}, {shown}"


def test_classes_take_a_type_in_brackets() -> None:
    assert saiban.Generator[str].__args__ == (str,)
    assert saiban.Parts[uuid.UUID].__origin__ is saiban.Parts
