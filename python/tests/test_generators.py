"""Generators never repeat an ID, with any threads and clocks; and all ways to make IDs."""

from __future__ import annotations

import array
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import saiban
from conftest import NOW_MS, SECRET

MILLION = 1_000_000
THREADS = 4


def jumping(clock: saiban.ManualClock, stop: threading.Event) -> None:
    """Moves a clock both ways until the event stops it."""
    step = random.Random(20261121)
    highest = NOW_MS
    while not stop.is_set():
        highest += step.randrange(1, 2_000)
        clock.set(highest - step.randrange(5_000))
        clock.set(highest)
        # Lets other threads run, because this loop never waits.
        time.sleep(0)


def issue(ids: saiban.Generator, wanted: int, by_buffers: bool) -> list[int]:
    """Makes this many IDs, singly or by buffers. Tries again when it must wait for the clock."""
    made: list[int] = []
    buffer = array.array("q", bytes(8 * 1000))
    while len(made) < wanted:
        try:
            if by_buffers:
                made.extend(buffer[: ids.fill(buffer)])
            else:
                made.append(ids.generate())
        except (saiban.WouldWaitError, saiban.ClockBackwardError):
            time.sleep(0)
    return made[:wanted]


@pytest.mark.parametrize("scheme", ["snowflake", "randflake", "tsid", "ulid-flake", "ulid-flake scalable"])
def test_a_million_ids_on_four_threads_with_a_jumping_clock_are_distinct(scheme: str) -> None:
    clock = saiban.ManualClock(NOW_MS)
    ids: saiban.Generator
    if scheme == "snowflake":
        ids = saiban.Snowflake(node=7, clock=clock)
    elif scheme == "randflake":
        ids = saiban.Randflake(node=7, secret=SECRET, clock=clock)
    elif scheme == "tsid":
        ids = saiban.Tsid(node=7, clock=clock)
    else:
        ids = saiban.UlidFlake(scalability=7 if "scalable" in scheme else None, clock=clock)
    stop = threading.Event()
    mover = threading.Thread(target=jumping, args=(clock, stop))
    mover.start()
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            made = list(pool.map(lambda thread: issue(ids, MILLION // THREADS, thread % 2 == 0), range(THREADS)))
    finally:
        stop.set()
        mover.join()
    together = numpy.concatenate([numpy.array(part, dtype=numpy.int64) for part in made])
    assert len(together) == MILLION
    assert len(numpy.unique(together)) == MILLION


def test_time_ordered_ids_grow() -> None:
    for ids in (saiban.Snowflake(node=72), saiban.UlidFlake()):
        made = ids.generate_many(20)
        assert made == sorted(set(made))


def test_the_generator_sees_later_changes_of_its_clock(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=7, clock=clock)
    for _ in range(3):
        clock.advance(1)
        assert ids.inspect(ids.generate()).timestamp_ms == clock.now_ms()
    assert clock.now_ms() == NOW_MS + 3


@pytest.mark.parametrize("scheme", ["snowflake", "randflake", "ulid-flake"])
def test_try_generate_returns_none_when_the_tick_is_used_up(scheme: str, clock: saiban.ManualClock) -> None:
    ids: saiban.Generator = {
        "snowflake": lambda: saiban.Snowflake(node=7, clock=clock),
        "randflake": lambda: saiban.Randflake(node=7, secret=SECRET, clock=clock),
        "ulid-flake": lambda: saiban.UlidFlake(clock=clock),
    }[scheme]()
    made = set()
    while (id := ids.try_generate()) is not None:
        made.add(id)
    assert made
    assert {ids.inspect(id).timestamp_ms for id in made} == {NOW_MS}


def test_a_used_up_tick_is_an_error_where_the_clock_never_waits(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=7, clock=clock)
    assert len(set(ids.generate_many(4096))) == 4096
    assert ids.try_generate() is None
    with pytest.raises(saiban.WouldWaitError):
        ids.generate()
    clock.advance(1)
    assert ids.inspect(ids.generate()).timestamp_ms == NOW_MS + 1


def test_generate_many_makes_as_many_as_asked_for(ids: saiban.Generator) -> None:
    assert ids.generate_many(0) == []
    made = ids.generate_many(100)
    assert len(set(made)) == 100
    assert all(type(id) is int for id in made)


def test_generate_many_larger_than_a_chunk_on_the_system_clock() -> None:
    made = saiban.Randflake(nodes=range(1000, 1100), secret=SECRET).generate_many(100_000)
    assert len(set(made)) == 100_000


BUFFERS = {
    "array": array.array("q", bytes(8 * 64)),
    "memoryview": memoryview(bytearray(8 * 64)).cast("q"),
    "numpy": numpy.zeros(64, dtype=numpy.int64),
    "numpy, every second": numpy.zeros(128, dtype=numpy.int64)[::2],
}


@pytest.mark.parametrize("buffer", BUFFERS.values(), ids=BUFFERS.keys())
def test_fill_writes_ids_into_any_buffer(ids: saiban.Generator, buffer) -> None:
    assert ids.fill(buffer) == 64
    made = [int(id) for id in buffer]
    assert len(set(made)) == 64
    assert {ids.inspect(id).scheme for id in made} == {ids.scheme}


def test_fill_of_an_empty_buffer_writes_nothing(ids: saiban.Generator) -> None:
    assert ids.fill(array.array("q")) == 0


def test_fill_stops_early_and_leaves_the_rest_alone(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=7, clock=clock)
    buffer = numpy.full(5000, -1, dtype=numpy.int64)
    assert ids.fill(buffer) == 4096
    assert (buffer[:4096] >= 0).all()
    assert (buffer[4096:] == -1).all()
    with pytest.raises(saiban.WouldWaitError):
        ids.fill(buffer)


@pytest.mark.parametrize("step", [1, 2, -1])
@pytest.mark.parametrize("length", [2047, 2048, 2049, 8192, 50_000])
def test_fill_of_many_chunks_has_no_gap(clock: saiban.ManualClock, length: int, step: int) -> None:
    buffer = numpy.zeros(length * abs(step), dtype=numpy.int64)[::step]
    ids = saiban.Snowflake(nodes=range(64), clock=clock)
    assert ids.fill(buffer) == length
    assert (numpy.diff(buffer) > 0).all()


def test_fill_refuses_other_integers_and_dimensions(ids: saiban.Generator) -> None:
    for wrong in (numpy.zeros(4, numpy.uint64), numpy.zeros(4, numpy.int32), numpy.zeros(4), numpy.zeros((2, 2), int)):
        with pytest.raises(saiban.WrongTypeError):
            ids.fill(wrong)
        assert not wrong.any()


def test_other_threads_run_while_a_generator_waits() -> None:
    # The window begins later, so generate must wait. If it held the GIL meanwhile, the other thread
    # would run only after the ID was made.
    start = int(time.time() * 1000) + 1000
    ids = saiban.Snowflake(node=70, window=(start, start + 3_600_000), max_wait_ms=60_000)
    events: list[str] = []
    ready = threading.Event()

    def other() -> None:
        ready.wait()
        events.append("the other ran")

    thread = threading.Thread(target=other)
    thread.start()
    ready.set()
    id = ids.generate()
    events.append("the ID was made")
    thread.join()
    assert events == ["the other ran", "the ID was made"]
    assert ids.inspect(id).timestamp_ms >= start


def test_text_of_each_scheme_round_trips(ids: saiban.Generator) -> None:
    id = ids.generate()
    text = ids.to_text(id)
    assert ids.from_text(text) == id
    assert ids.inspect(text) == ids.inspect(id)
    assert ids.from_text(ids.generate_text()) != id
    for encoding in ("decimal", "hex", "binary", "crockford", "base32hex", "base36", "base58", "base62", "base64url"):
        assert saiban.decode(ids.to_text(id, encoding), encoding) == id
        assert ids.inspect(saiban.decode(ids.generate_text(encoding), encoding)).scheme == ids.scheme


def test_numpy_integers_are_integers(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=numpy.int16(7), clock=clock)
    assert ids.inspect(numpy.int64(1741610183685074945)).node == 7


def test_generators_have_a_common_base(ids: saiban.Generator) -> None:
    assert isinstance(ids, saiban.Generator)
    assert ids.scheme == ids.inspect(ids.generate()).scheme


def test_two_generators_of_the_same_node_share_their_cursor() -> None:
    first, second = saiban.Snowflake(node=71), saiban.Snowflake(node=71)
    made = [ids.generate() for _ in range(100) for ids in (first, second)]
    assert made == sorted(set(made))


@pytest.mark.parametrize("secret", [SECRET, bytearray(SECRET), memoryview(SECRET)], ids=["bytes", "bytearray", "view"])
def test_secrets_come_in_any_bytes(clock: saiban.ManualClock, secret) -> None:
    ids = saiban.Randflake(node=42, secret=secret, clock=clock)
    assert ids.compose(timestamp_ms=1_733_706_297_000, node=42, sequence=1) == 4594531474933654033


def test_a_scalable_compose_takes_the_generators_scalability_by_default(clock: saiban.ManualClock) -> None:
    ids = saiban.UlidFlake(scalability=5, clock=clock)
    assert ids.inspect(ids.compose(timestamp_ms=NOW_MS, random=1)).node == 5
    assert ids.inspect(ids.compose(timestamp_ms=NOW_MS, random=1, scalability=6)).node == 6
