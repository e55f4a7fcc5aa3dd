"""Node ranges, with and without shards: threads that share a generator share no ID."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import saiban
from conftest import SECRET

THREADS = 4
MILLION = 1_000_000


def on_threads(ids: saiban.Generator, wanted: int) -> list[list[int]]:
    """Returns the IDs that each of four threads makes at one time."""
    together = threading.Barrier(THREADS)

    def make(_: int) -> list[int]:
        together.wait()
        return ids.generate_many(wanted)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(make, range(THREADS)))


@pytest.mark.parametrize("shards", [1, 4])
def test_a_million_ids_of_a_node_range_on_four_threads_are_distinct(shards: int) -> None:
    nodes = range(2_000, 2_064)
    ids = saiban.Randflake(nodes=nodes, secret=SECRET, shards=shards)
    made = numpy.concatenate([numpy.array(part) for part in on_threads(ids, MILLION // THREADS)])
    assert len(numpy.unique(made)) == MILLION
    found = {ids.inspect(int(id)).node for id in made[::97]}
    assert found <= set(nodes)
    assert ids.stats().issued >= MILLION


def test_threads_have_different_shards(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(nodes=range(16, 20), shards=4, clock=clock)
    made = on_threads(ids, 1_000)
    nodes = [{ids.inspect(id).node for id in part} for part in made]
    assert sorted(node for (node,) in nodes) == [16, 17, 18, 19]
    assert all(part == sorted(part) for part in made)
    assert ids.stats().issued == 4_000


def test_shards_divide_nodes_as_evenly_as_they_can(clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(nodes=range(10), shards=4, clock=clock)
    # Each thread uses up two nodes of its shard, which has two or three nodes of 4096 IDs.
    made = on_threads(ids, 2 * 4096)
    nodes = [{ids.inspect(id).node for id in part} for part in made]
    assert all(len(part) == 2 for part in nodes)
    assert len(set.union(*nodes)) == 8
