"""generate_async makes IDs, and waits without blocking the event loop; and generators as iterators."""

from __future__ import annotations

import asyncio
import threading
import uuid
from pathlib import Path
from typing import Any

import pytest
import saiban
from conftest import NOW_MS, SECRET
from stores import acquire, new_namespace, snowflakes
from test_fork import in_child

#: Layouts of these tests. Other tests in this process use nodes of the usual layouts.
OURS = "unused:1 timestamp:41,epoch=2021-03-07 node:10 sequence:12"
#: A second has 16 IDs of a node.
SECONDS = "unused:1 timestamp:35@s,epoch=2021-03-07 node:24 sequence:4"
#: A tick has 16 IDs of a node, and the current tick lasts until 2027.
YEARS = "unused:1 timestamp:16@1000d node:24 sequence:4"


def used_up(**options: Any) -> saiban.Snowflake:
    """Returns a generator whose next ID is in the next tick of YEARS."""
    ids = saiban.Snowflake(node=7, layout=YEARS, not_before=0, **options)
    while ids.try_generate() is not None:
        pass
    return ids


def test_a_thousand_waits_at_once_get_different_ids() -> None:
    async def main(ids: saiban.Generator) -> list[int]:
        return await asyncio.gather(*(ids.generate_async() for _ in range(10_000)))

    for ids in (saiban.Snowflake(node=7, layout=OURS), saiban.UlidFlake()):
        assert len(set(asyncio.run(main(ids)))) == 10_000


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        (lambda: saiban.Ulid(), str),
        (lambda: saiban.Uuid(7), uuid.UUID),
        (lambda: saiban.TickId(), str),
        (lambda: saiban.Randflake(node=7, secret=SECRET, clock=saiban.ManualClock(NOW_MS)), int),
    ],
)
def test_ids_are_those_of_generate(ids: Any, kind: type) -> None:
    made = asyncio.run(ids().generate_async())
    assert type(made) is kind


def test_the_loop_and_its_threads_are_free_during_a_wait() -> None:
    async def main() -> tuple[list[int], int]:
        waiting, turns = asyncio.gather(*(ids.generate_async() for _ in range(17))), 0
        while not waiting.done():
            await asyncio.sleep(0.001)
            turns += 1
            assert threading.active_count() <= before
        return waiting.result(), turns

    ids = saiban.Snowflake(node=7, layout=SECONDS, not_before=0, max_wait_ms=60_000)
    before = threading.active_count()
    made, turns = asyncio.run(main())
    assert len({ids.inspect(id).timestamp_ms for id in made}) > 1
    assert turns > 1


def test_a_wait_beyond_the_limit_is_refused() -> None:
    for options, limit in (({"max_wait_ms": 5}, "5 ms"), ({}, "2000 ms")):
        with pytest.raises(saiban.WouldWaitError, match=limit):
            asyncio.run(used_up(**options).generate_async())


def test_a_manual_clock_never_waits() -> None:
    ids = saiban.Snowflake(node=7, layout=SECONDS, clock=saiban.ManualClock(NOW_MS))
    assert len({asyncio.run(ids.generate_async()) for _ in range(16)}) == 16
    with pytest.raises(saiban.WouldWaitError):
        asyncio.run(ids.generate_async())


def test_a_cancelled_wait_takes_no_id() -> None:
    async def main() -> None:
        ids = used_up(max_wait_ms=10**12)
        issued = ids.stats().issued
        waiting = asyncio.ensure_future(ids.generate_async())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert ids.stats().issued == issued

    asyncio.run(main())


def test_errors_are_those_of_generate() -> None:
    lease = acquire(f"memory:{new_namespace()}")
    ids = snowflakes(lease)
    assert asyncio.run(ids.generate_async()) > 0
    lease.release()
    with pytest.raises(saiban.LeaseLostError, match="released"):
        asyncio.run(ids.generate_async())


def test_a_state_file_is_written_in_a_thread(tmp_path: Path) -> None:
    async def main() -> list[int]:
        ids = saiban.Snowflake(node=8, layout=OURS, state=tmp_path / "ids.state")
        return await asyncio.gather(*(ids.generate_async() for _ in range(100)))

    assert len(set(asyncio.run(main()))) == 100


def test_a_forked_child_acquires_its_own_lease_in_a_thread(tmp_path: Path) -> None:
    ids = saiban.Snowflake(store=f"sqlite:{tmp_path}/ids.db", layout=OURS)
    assert ids.lease is not None
    parent = ids.lease.nodes

    def node() -> str:
        made = asyncio.run(ids.generate_async())
        assert ids.inspect(made).node not in parent
        return "made"

    assert in_child(node) == "OK"
    assert ids.inspect(asyncio.run(ids.generate_async())).node in parent


def test_a_generator_is_an_iterator() -> None:
    ids = saiban.Snowflake(node=9, layout=OURS)
    assert iter(ids) is ids
    pairs = list(zip("abc", ids))
    assert [name for name, _ in pairs] == ["a", "b", "c"]
    assert len({id for _, id in pairs} | {next(ids)}) == 4
    assert isinstance(next(saiban.Ulid()), str)
    assert isinstance(next(saiban.Uuid()), uuid.UUID)


def test_an_iteration_raises_what_generate_raises() -> None:
    ids = saiban.Snowflake(node=7, clock=saiban.ManualClock(NOW_MS))
    made = []
    with pytest.raises(saiban.WouldWaitError):
        for id in ids:
            made.append(id)
    assert len(made) == 4096


def test_counters_are_iterators() -> None:
    counter = saiban.Counter(start=2**63 - 3, step=2)
    assert [number for _, number in zip("ab", counter)] == [2**63 - 3, 2**63 - 1]
    with pytest.raises(saiban.CounterExhaustedError):
        next(counter)
    shared = saiban.SharedCounter(f"memory:{new_namespace()}", start=2, step=5)
    assert list(zip("ab", shared)) == [("a", 2), ("b", 7)]
    daily = saiban.DailyCounter(f"memory:{new_namespace()}")
    assert [number.number for _, number in zip("ab", daily)] == [1, 2]
