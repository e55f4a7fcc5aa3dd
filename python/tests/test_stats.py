"""The statistics of a generator."""

from __future__ import annotations

import array
import time

import pytest
import saiban
from conftest import NOW_MS, SECRET


def test_stats_count_what_was_issued(clock: saiban.ManualClock) -> None:
    for ids in (
        saiban.Snowflake(nodes=range(2), clock=clock),
        saiban.Randflake(node=7, secret=SECRET, clock=clock),
    ):
        assert ids.stats().issued == 0
        ids.generate()
        ids.try_generate()
        ids.generate_many(8)
        ids.fill(array.array("q", bytes(8 * 20)))
        clock.advance(1_000)
        ids.generate_text()
        assert ids.stats().issued == 31
        # Statistics, inspection and composition issue no ID.
        ids.inspect(ids.to_text(1))
        assert ids.stats() == ids.stats()


def test_stats_count_random_ids_too(clock: saiban.ManualClock) -> None:
    ids = saiban.UlidFlake(clock=clock)
    for count in range(1, 10):
        clock.advance(1)
        ids.generate()
        assert ids.stats().issued == count


def test_generators_that_share_a_cursor_count_the_same_ids() -> None:
    # A layout of this test alone, because IDs of a node under other tests' leases count too.
    layout = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2022-04-04 node:10 sequence:12")
    first, second = (saiban.Snowflake(node=850, layout=layout) for _ in range(2))
    first.generate_many(10)
    second.generate_many(10)
    assert first.stats().issued == second.stats().issued == 20


def test_stats_count_steps_back_and_each_once(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=7, clock=clock)
    for count in range(1, 4):
        ids.generate()
        clock.advance(-10)
        ids.generate_many(5)
        assert ids.stats().rollbacks == count
        clock.advance(20)
        ids.generate()


def test_stats_count_waits() -> None:
    # The window begins later, so generate must wait.
    start = int(time.time() * 1000) + 200
    ids = saiban.Snowflake(node=851, window=(start, start + 3_600_000), max_wait_ms=60_000)
    assert ids.stats().waits == 0
    ids.generate()
    assert ids.stats().waits >= 1
    assert 0 < ids.stats().time_left_ms <= 3_600_000


@pytest.mark.parametrize("index", range(3))
def test_the_time_left_is_the_windows_or_the_formats(clock: saiban.ManualClock, index: int) -> None:
    def make(seconds: int | None) -> saiban.Generator:
        ms = None if seconds is None else (NOW_MS - 5_000, NOW_MS + seconds * 1000)
        s = None if seconds is None else (NOW_MS // 1000 - 5, NOW_MS // 1000 + seconds)
        return [
            lambda: saiban.Snowflake(node=7, window=ms, clock=clock),
            lambda: saiban.Randflake(node=7, secret=SECRET, window=s, clock=clock),
            lambda: saiban.UlidFlake(window=ms, clock=clock),
        ][index]()

    last_ms = [saiban.Layout.TWITTER.last_ms + 1, 2_803_741_824_000, 1_704_067_200_000 + 2**43][index]
    assert make(None).stats().time_left_ms == last_ms - NOW_MS
    ids = make(9)
    assert ids.stats().time_left_ms == 9_000
    clock.advance(10_000)
    assert ids.stats().time_left_ms == 0
    with pytest.raises(saiban.LeaseExpiredError):
        ids.generate()


def test_generators_report_the_guarantee_of_their_ids(clock: saiban.ManualClock) -> None:
    assert saiban.Snowflake(node=7, clock=clock).stats().guarantee == "unique"
    assert saiban.Randflake(node=7, secret=SECRET, clock=clock).stats().guarantee == "unique"
    assert saiban.UlidFlake(scalability=7, clock=clock).stats().guarantee == "unique"
    assert saiban.UlidFlake(clock=clock).stats().guarantee == "unique_in_process"
    assert saiban.UlidFlake(clock=clock, allow_collisions=True).stats().guarantee == "probable"


def test_stats_can_be_matched() -> None:
    match saiban.Stats(issued=3, waits=2, rollbacks=1, time_left_ms=5, guarantee="probable", scope="process"):
        case saiban.Stats(issued=issued, guarantee="probable", scope="process"):
            assert issued == 3
        case other:
            pytest.fail(f"{other!r} matched nothing")
