"""Clock steps back: the policies, and layouts with rollback bits."""

from __future__ import annotations

import random

import pytest
import saiban
from conftest import NOW_MS, SECRET

BITS = saiban.Layout.TWITTER.with_rollback_bits(2)
#: A layout with two rollback values, and four IDs for each in a millisecond.
SMALL = saiban.Layout(
    [("unused", 18), ("timestamp", 41), ("node", 2), ("rollback", 1), ("sequence", 2)], epoch_ms=NOW_MS - 10_000
)


def makers(clock: saiban.ManualClock, policy: str) -> list[saiban.Generator]:
    return [
        saiban.Snowflake(node=7, rollback=policy, clock=clock),
        saiban.Randflake(node=7, secret=SECRET, rollback=policy, clock=clock),
        saiban.UlidFlake(rollback=policy, clock=clock),
    ]


@pytest.mark.parametrize("index", range(3))
def test_the_policy_error_refuses_a_stepped_back_clock_at_once_and_continues_when_it_returns(
    clock: saiban.ManualClock, index: int
) -> None:
    ids = makers(clock, "error")[index]
    before = ids.generate()
    clock.advance(-5_000)
    for act in (ids.generate, ids.try_generate, lambda: ids.generate_many(2)):
        with pytest.raises(saiban.ClockBackwardError, match="is 5000 ms behind the last ID"):
            act()
    clock.set(NOW_MS + 1)
    assert ids.generate() != before


@pytest.mark.parametrize("policy", ["hold", None])
def test_the_policy_hold_continues_in_the_reached_tick_and_then_refuses(
    clock: saiban.ManualClock, policy: str | None
) -> None:
    ids = saiban.Snowflake(node=7, rollback=policy, clock=clock)
    made = [ids.generate()]
    clock.advance(-5_000)
    made += ids.generate_many(4095)
    assert {ids.inspect(id).timestamp_ms for id in made} == {NOW_MS}
    assert len(set(made)) == 4096
    with pytest.raises(saiban.ClockBackwardError):
        ids.generate()
    clock.set(NOW_MS + 1)
    assert ids.inspect(ids.generate()).timestamp_ms == NOW_MS + 1


@pytest.mark.parametrize("policy", ["bits", None])
def test_rollback_bits_distinguish_ids_before_and_after_a_step_back(
    clock: saiban.ManualClock, policy: str | None
) -> None:
    ids = saiban.Snowflake(node=7, layout=BITS, rollback=policy, clock=clock)
    clock.set(NOW_MS - 5_000)
    early = ids.generate()
    clock.set(NOW_MS)
    before = ids.generate()
    clock.set(NOW_MS - 5_000)
    after = ids.generate()
    assert len({early, before, after}) == 3
    found = [ids.inspect(id) for id in (early, before, after)]
    assert [parts.rollback for parts in found] == [0, 0, 1]
    # The generator continues at the clock's time, not in the last tick.
    assert [parts.timestamp_ms for parts in found] == [NOW_MS - 5_000, NOW_MS, NOW_MS - 5_000]
    assert ids.stats().rollbacks == 1


def test_past_its_last_value_a_rollback_field_holds_instead_of_repeating(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=1, layout=SMALL, clock=clock)
    made = ids.generate_many(4)
    clock.advance(-1_000)
    made += ids.generate_many(4)
    assert [ids.inspect(id).rollback for id in made] == [0] * 4 + [1] * 4
    # Both rollback values have used the earlier ticks. One bit covers 2^1 - 1 steps back; this is
    # one more.
    clock.advance(-1_000)
    with pytest.raises((saiban.WouldWaitError, saiban.ClockBackwardError)):
        ids.generate()
    clock.set(NOW_MS - 999)
    made += ids.generate_many(4)
    assert len(set(made)) == 12


def test_no_trace_of_the_clock_repeats_an_id_of_a_rollback_layout(clock: saiban.ManualClock) -> None:
    walk = random.Random(3)
    ids = saiban.Snowflake(nodes=range(2), layout=SMALL, clock=clock)
    made: list[int] = []
    highest = NOW_MS
    for _ in range(30_000):
        highest += walk.randrange(3)
        clock.set(highest - walk.randrange(6))
        try:
            made.append(ids.generate())
        except (saiban.WouldWaitError, saiban.ClockBackwardError):
            continue
    assert len(made) > 5_000
    assert len(set(made)) == len(made)
    assert {ids.inspect(id).rollback for id in made} == {0, 1}


def test_a_rollback_layout_splits_ids_as_it_joins_them() -> None:
    ids = saiban.Snowflake(node=0, layout=BITS)
    for rollback in range(4):
        id = ids.compose(timestamp_ms=NOW_MS, node=200, sequence=9, rollback=rollback)
        parts = ids.inspect(id)
        assert (parts.timestamp_ms, parts.node, parts.sequence, parts.rollback) == (NOW_MS, 200, 9, rollback)
        assert ids.inspect(ids.to_text(id)) == parts
    plain = ids.compose(timestamp_ms=NOW_MS, node=200, sequence=9)
    assert plain == ids.compose(timestamp_ms=NOW_MS, node=200, sequence=9, rollback=0)
    # The two rollback bits are the lowest bits of Twitter's node.
    assert saiban.Snowflake(node=900).inspect(plain).node == 800


def test_a_layout_gives_up_node_bits_for_the_rollback_field() -> None:
    assert BITS.fields == (("unused", 1), ("timestamp", 41), ("node", 8), ("rollback", 2), ("sequence", 12))
    assert (BITS.max_node, BITS.max_rollback, BITS.name) == (255, 3, None)
    assert (BITS.epoch_ms, BITS.tick_us) == (saiban.Layout.TWITTER.epoch_ms, 1000)
    assert saiban.Layout.TWITTER.max_rollback == 0
    assert saiban.Layout(BITS.fields, epoch_ms=BITS.epoch_ms) == BITS


def test_ids_of_layouts_without_rollback_bits_have_no_rollback_value(ids: saiban.Generator) -> None:
    parts = ids.inspect(ids.generate())
    assert (parts.rollback, parts.secret_index) == (None, None)
