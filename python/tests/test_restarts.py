"""A restarted program repeats no ID: where a new generator begins."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable

import pytest
import saiban
from conftest import NOW_MS, SECRET

NOW_S = NOW_MS // 1000


def test_on_the_system_clock_a_generator_begins_after_the_tick_in_which_it_was_built() -> None:
    now_ms = int(time.time() * 1000)
    ids = saiban.Snowflake(node=840, scope="process")
    assert ids.inspect(ids.generate()).timestamp_ms > now_ms
    now_s = int(time.time())
    hidden = saiban.Randflake(node=840, secret=SECRET, scope="process")
    # The current second has no ID for the generator without waiting.
    if (first := hidden.try_generate()) is not None:
        assert hidden.inspect(first).timestamp_ms > now_s * 1000
    assert hidden.inspect(hidden.generate()).timestamp_ms > now_s * 1000


def first_ids(make: Callable[[], saiban.Generator]) -> tuple[int, ...]:
    """Returns the first IDs of a new process, which ends at once."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, struct.pack("100q", *make().generate_many(100)))
            os._exit(0)
        except BaseException as error:
            os.write(writing, repr(error).encode())
        finally:
            # After any exception, too: only the parent runs the tests.
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as output:
        made = output.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, made
    return struct.unpack("100q", made)


#: Other tests lease free nodes of the usual layouts in this process, and its children must not use
#: those.
LAYOUT = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2021-04-04 node:10 sequence:12")


@pytest.mark.parametrize("scope", ["machine", "process"])
@pytest.mark.parametrize(
    ("make", "times"),
    [
        (lambda **options: saiban.Snowflake(node=841, layout=LAYOUT, **options), 20),
        (lambda **options: saiban.Randflake(node=841, secret=SECRET, **options), 3),
    ],
    ids=["snowflake", "randflake"],
)
def test_consecutive_processes_within_a_tick_repeat_nothing(make, times: int, scope: str) -> None:
    made = [id for _ in range(times) for id in first_ids(lambda: make(scope=scope))]
    assert len(set(made)) == times * 100


@pytest.mark.parametrize("index", range(3))
def test_not_before_is_the_last_time_that_was_used(clock: saiban.ManualClock, index: int) -> None:
    ids = [
        lambda: saiban.Snowflake(node=7, not_before=NOW_MS + 1_999, clock=clock),
        lambda: saiban.Randflake(node=7, secret=SECRET, not_before=NOW_S + 1, clock=clock),
        lambda: saiban.UlidFlake(not_before=NOW_MS + 1_999, clock=clock),
    ][index]()
    clock.set(NOW_MS + 1_999)
    with pytest.raises(saiban.SaibanError) as raised:
        ids.generate()
    assert raised.value.kind in ("WOULD_WAIT", "LEASE_NOT_BEGUN")
    clock.set(NOW_MS + 2_000)
    assert ids.inspect(ids.generate()).timestamp_ms == NOW_MS + 2_000


def test_not_before_leaves_nothing_to_wait_for_once_its_time_is_over() -> None:
    ids = saiban.Snowflake(node=842, not_before=int(time.time() * 1000) - 1_000, scope="process")
    assert ids.try_generate() is not None


def test_a_custom_clock_is_not_waited_for(clock: saiban.ManualClock) -> None:
    for ids in (
        saiban.Snowflake(node=7, clock=clock),
        saiban.Randflake(node=7, secret=SECRET, clock=clock),
        saiban.UlidFlake(clock=clock),
    ):
        assert ids.inspect(ids.try_generate()).timestamp_ms == NOW_MS
