"""Generators' own leases: the options store and namespace, and the property lease."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import saiban
from conftest import NOW_MS, SECRET
from stores import LAYOUT, acquire, new_namespace, snowflakes
from test_lease_processes import made_in_child
from test_leases import FLAKE, SCALABLE, SCHEMES, TSID, WIDE, outcome, until

#: A generator of each scheme that can have a lease. SCHEMES has the options to acquire it.
MAKERS: dict[str, Callable[..., saiban.Generator]] = {
    "snowflake": lambda **given: saiban.Snowflake(layout=LAYOUT, **given),
    "randflake": lambda **given: saiban.Randflake(secret=SECRET, **given),
    "ulid-flake": lambda **given: saiban.UlidFlake(epoch_ms=SCALABLE.epoch_ms, **given),
    "tsid": lambda **given: saiban.Tsid(layout=TSID, **given),
    "flake": lambda **given: saiban.Flake(FLAKE, **given),
    "wide flake": lambda **given: saiban.Flake(WIDE, **given),
}
#: A layout with two nodes, so that a lease that is not released is noticed soon.
TWO_NODES = saiban.Layout.from_text("timestamp:41,epoch=2021-03-06 node:1 sequence:20")

#: Locks the database in its argument until it reads a line.
HOLDER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
input()
"""


def two_nodes(**given: Any) -> saiban.Flake:
    return saiban.Flake(TWO_NODES, **given)


@pytest.fixture(params=["memory", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Returns the URL of a store of this test alone."""
    return f"memory:own-{new_namespace()}" if request.param == "memory" else f"sqlite://{tmp_path}/ids.db"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ids.db"


@pytest.mark.parametrize("name", MAKERS)
class TestSchemes:
    def test_generators_of_one_store_have_different_nodes(self, name: str, url: str) -> None:
        make = MAKERS[name]
        first, second = (make(store=url, namespace="orders") for _ in range(2))
        assert first.lease.nodes != second.lease.nodes
        made = [ids.generate_many(50) for ids in (first, second)]
        assert len({id for each in made for id in each}) == 100
        for ids, each in zip((first, second), made, strict=True):
            status = ids.lease.status()
            assert (status.state, status.grants, status.why) == ("active", 1, None)
            assert status.nodes == ids.lease.nodes and len(status.nodes) == 1
            assert time.time() * 1000 < status.end_ms <= time.time() * 1000 + 610_000
            assert {ids.inspect(id).node for id in each} == set(ids.lease.nodes)
            assert f"lease={ids.lease!r}" in repr(ids)
            assert repr(ids.lease).startswith("saiban.Lease(namespace='orders', ")
            assert url not in repr(ids)

        first.lease.release()
        assert outcome(first.generate) == "LEASE_LOST"
        assert first.lease.status().state == "idle"
        assert second.generate() not in made[1]

    def test_the_lease_of_a_generator_is_for_its_ids(self, name: str, url: str) -> None:
        make, (options, _) = MAKERS[name], SCHEMES[name]
        ids = make(store=url)
        with acquire(url, **options) as by_hand:
            assert set(by_hand.nodes).isdisjoint(ids.lease.nodes)
        for other in MAKERS.values():
            assert outcome(lambda other=other: other(store=url)) == ("OK" if other is make else "NAMESPACE_MISMATCH")

    def test_each_refuses_nodes_or_a_time_beside_a_store(self, name: str, url: str, tmp_path: Path) -> None:
        make = MAKERS[name]
        beside: dict[str, Any] = {"window": (0, NOW_MS), "not_before": 1, "state": tmp_path / "state"}
        beside |= {"scalability": 1} if name == "ulid-flake" else {"node": 1, "nodes": range(0, 2)}
        for argument, value in beside.items():
            with pytest.raises(saiban.InvalidArgumentError, match="lease"):
                make(store=url, **{argument: value})

    def test_each_refuses_a_lease_and_a_store(self, name: str, url: str) -> None:
        make, (options, _) = MAKERS[name], SCHEMES[name]
        with (
            acquire(url, **options) as lease,
            pytest.raises(saiban.InvalidArgumentError, match="both a lease and a store"),
        ):
            make(lease=lease, store=url)

    def test_each_refuses_a_namespace_without_a_store(self, name: str) -> None:
        make = MAKERS[name]
        with pytest.raises(saiban.InvalidArgumentError, match="give the store's URL"):
            make(namespace="orders")

    def test_a_forked_child_has_a_different_node(self, name: str, file: Path) -> None:
        make = MAKERS[name]
        ids = make(store=f"sqlite://{file}")
        made = [ids.generate_many(10), made_in_child(ids, 10), ids.generate_many(10)]
        assert len({id for each in made for id in each}) == 30
        nodes = [{ids.inspect(id).node for id in each} for each in made]
        assert nodes[0] == nodes[2] == set(ids.lease.nodes)
        assert nodes[1].isdisjoint(nodes[0])
        assert ids.lease.status().grants == 1


class TestRefusals:
    def test_the_namespace_of_randflakes_takes_no_snowflake(self, url: str) -> None:
        hidden = saiban.Randflake(secret=SECRET, store=url, namespace="orders")
        with pytest.raises(saiban.NamespaceMismatchError, match="orders"):
            saiban.Snowflake(store=url, namespace="orders")
        with pytest.raises(saiban.NamespaceMismatchError):
            saiban.Randflake(secret=bytes(16), store=url, namespace="orders")
        assert hidden.generate()

    @pytest.mark.parametrize("given", ["", "ids.db", "http://user:hunter2@host/", "postgres://user:hunter2@["])
    def test_a_url_of_no_store_is_refused_without_its_password(self, given: str) -> None:
        with pytest.raises(saiban.InvalidArgumentError) as refusal:
            saiban.Snowflake(store=given)
        assert "hunter2" not in str(refusal.value)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"namespace": "with space"}, "with space"),
            ({"namespace": ""}, "cannot name a namespace"),
            ({"layout": saiban.Layout.MASTODON}, "no node field"),
        ],
    )
    def test_impossible_leases_are_refused(self, url: str, options: dict[str, Any], words: str) -> None:
        with pytest.raises(saiban.InvalidArgumentError, match=words):
            saiban.Snowflake(store=url, **options)

    @pytest.mark.parametrize(
        "options", [{"store": 5}, {"store": Path("ids.db")}, {"store": "memory:x", "namespace": 5}]
    )
    def test_wrong_types_are_named(self, options: dict[str, Any]) -> None:
        *_, wrong = options
        with pytest.raises(saiban.WrongTypeError, match=f"{wrong} must be text"):
            saiban.Snowflake(**options)

    def test_classes_without_nodes_take_no_store(self) -> None:
        for scheme in (saiban.Ulid, saiban.Uuid, saiban.ObjectId, saiban.Xid, saiban.TickId):
            with pytest.raises(TypeError, match="unexpected keyword argument 'store'"):
                scheme(store="memory:x")

    def test_a_namespace_without_a_free_node_is_full(self, url: str) -> None:
        kept = [two_nodes(store=url) for _ in range(2)]
        with pytest.raises(saiban.NamespaceFullError):
            two_nodes(store=url)
        kept[0].lease.release()
        kept[0] = two_nodes(store=url)
        assert kept[0].lease.nodes != kept[1].lease.nodes


class TestLease:
    def test_a_generator_shows_the_lease_that_it_was_given(self, url: str) -> None:
        with acquire(url) as lease:
            assert snowflakes(lease).lease is lease
        own = saiban.Snowflake(layout=LAYOUT, store=url)
        assert isinstance(own.lease, saiban.Lease) and own.lease is own.lease

    def test_a_generator_without_a_lease_shows_none(self) -> None:
        for ids in (saiban.Snowflake(node=7), saiban.UlidFlake(), saiban.Ulid(), saiban.Uuid(4)):
            assert ids.lease is None
        with pytest.raises(AttributeError):
            saiban.Ulid().lease = None

    def test_the_lease_of_a_generator_is_released_when_the_generator_goes(self, url: str) -> None:
        ids = [two_nodes(store=url) for _ in range(2)]
        assert outcome(lambda: two_nodes(store=url)) == "NAMESPACE_FULL"
        del ids[0]
        until(lambda: outcome(lambda: two_nodes(store=url)) == "OK", "the node of a generator that went")
        assert ids[0].generate() > 0

    def test_the_lease_of_a_generator_outlives_it_while_it_is_referenced(self, url: str) -> None:
        lease = two_nodes(store=url).lease
        assert lease.status().state == "active"
        assert two_nodes(lease=lease).generate() > 0
        assert lease.status().state == "active"
        lease.release()

    def test_a_generator_that_could_not_be_made_leaves_no_node_taken(self, url: str) -> None:
        for _ in range(3):
            until(lambda: outcome(lambda: two_nodes(store=url, node=1)) == "INVALID_ARGUMENT", "a node to be refused")


class TestWaiting:
    def test_other_threads_go_on_while_a_generator_acquires(self, file: Path) -> None:
        url = f"sqlite://{file}"
        saiban.Snowflake(layout=LAYOUT, store=url).lease.release()
        made: list[saiban.Snowflake] = []
        begun = threading.Event()

        def make() -> None:
            begun.set()
            made.append(saiban.Snowflake(layout=LAYOUT, store=url))

        command = [sys.executable, "-c", HOLDER, str(file)]
        with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            assert holder.stdout is not None and holder.stdin is not None
            assert holder.stdout.readline() == "held\n"
            thread = threading.Thread(target=make)
            thread.start()
            begun.wait()
            counted = 0
            while counted < 1_000_000:
                counted += 1
            # If the attempt blocked this thread, it would have timed out by now.
            assert thread.is_alive() and not made
            holder.stdin.write("\n")
            holder.stdin.flush()
            thread.join()
        assert made[0].generate() > 0

    def test_the_event_loop_goes_on_in_a_thread_of_asyncio(self, url: str) -> None:
        async def main() -> tuple[int, bool]:
            ids = await asyncio.to_thread(saiban.Snowflake, layout=LAYOUT, store=url)
            id = ids.generate()
            return id, ids.inspect(id).node in ids.lease.nodes

        id, is_its_own = asyncio.run(main())
        assert id > 0 and is_its_own
