"""Leases: distinct nodes from every store, with threads and asyncio, and what is refused."""

from __future__ import annotations

import asyncio
import copy
import pickle
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import saiban
from conftest import NOW_MS, SECRET
from stores import LAYOUT, SERVERS, UNREACHABLE, Server, acquire, new_namespace, snowflakes

#: Longer than any machine needs; only broken code waits this long.
PATIENCE_S = 60

FLAKE = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2021-03-04 node:10 sequence:12")
SCALABLE = saiban.Layout.from_text("unused:1 timestamp:43,epoch=2021-03-03 random:15,step=1 node:5")
OTHER = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2021-03-03 node:9 sequence:13")
WIDE = saiban.Layout.from_text("timestamp:48 node:16 sequence:16 random:16")
TSID = saiban.Layout.preset("tsid-256")

#: The options of a lease, and a generator with it.
SCHEMES: dict[str, tuple[dict[str, Any], Callable[[saiban.Lease], saiban.Generator]]] = {
    "snowflake": ({"layout": LAYOUT}, snowflakes),
    "another snowflake": ({"layout": OTHER}, lambda lease: saiban.Snowflake(lease=lease, layout=OTHER)),
    "randflake": (
        {"scheme": "randflake", "secret": SECRET},
        lambda lease: saiban.Randflake(lease=lease, secret=SECRET),
    ),
    "ulid-flake": (
        {"scheme": "ulid-flake", "layout": SCALABLE},
        lambda lease: saiban.UlidFlake(lease=lease, epoch_ms=SCALABLE.epoch_ms),
    ),
    "tsid": ({"scheme": "tsid", "layout": TSID}, lambda lease: saiban.Tsid(lease=lease, layout=TSID)),
    "flake": ({"scheme": "flake", "layout": FLAKE}, lambda lease: saiban.Flake(FLAKE, lease=lease)),
    "wide flake": ({"scheme": "flake", "layout": WIDE}, lambda lease: saiban.Flake(WIDE, lease=lease)),
}


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.01)


def outcome(act: Callable[[], object]) -> str:
    """Calls the function; returns the kind of its error, or OK."""
    try:
        act()
    except saiban.SaibanError as error:
        return error.kind
    return "OK"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Returns the URL of a store in a file."""
    return f"sqlite://{tmp_path}/ids.db"


@pytest.fixture(scope="module", params=["memory", "sqlite", *SERVERS])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Returns the URL of a store of each kind."""
    if request.param == "memory":
        yield "memory:tests"
    elif request.param == "sqlite":
        yield f"sqlite://{tmp_path_factory.mktemp('store')}/ids.db"
    else:
        with Server(request.param) as server:
            yield server.url


class TestEveryStore:
    def test_a_lease_excludes_others_from_its_nodes_until_it_is_released(self, store: str) -> None:
        options = {"namespace": new_namespace(), "nodes": 3, "create": True}
        first, second = acquire(store, **options), acquire(store, **options)
        assert len(first.nodes) == len(second.nodes) == 3
        assert not set(first.nodes) & set(second.nodes)
        makers = [snowflakes(lease) for lease in (first, second)]
        made = [ids.generate_many(100) for ids in makers]
        assert len({id for ids in made for id in ids}) == 200
        assert {makers[0].inspect(id).node for id in made[0]} <= set(first.nodes)
        assert {makers[1].inspect(id).node for id in made[1]} <= set(second.nodes)

        before = first.status()
        assert (before.state, before.nodes, before.grants, before.why) == ("active", first.nodes, 1, None)
        first.renew()
        until(lambda: first.status().renewals > before.renewals, "a renewal")
        assert first.status().end_ms >= before.end_ms

        given_back = first.nodes
        first.release()
        with pytest.raises(saiban.LeaseLostError, match="released"):
            makers[0].generate()
        with pytest.raises(saiban.LeaseLostError, match="released"):
            first.nodes  # noqa: B018
        assert first.status() == saiban.LeaseStatus(
            state="idle", nodes=None, end_ms=0, grants=1, renewals=first.status().renewals, why=None
        )
        assert set(makers[1].generate_many(10)).isdisjoint(made[1])
        assert set(given_back).isdisjoint(second.nodes)
        second.release()

    def test_a_namespace_is_created_only_on_request(self, store: str) -> None:
        name = new_namespace()
        with pytest.raises(saiban.NamespaceUnknownError, match=name):
            acquire(store, namespace=name, create=False)
        by_itself = store.startswith(("memory:", "sqlite:"))
        assert outcome(lambda: acquire(store, namespace=name)) == ("OK" if by_itself else "NAMESPACE_UNKNOWN")
        acquire(store, namespace=name, create=True).release()
        acquire(store, namespace=name, create=False).release()

    def test_a_namespace_is_for_equal_ids_only(self, store: str) -> None:
        name = new_namespace()
        acquire(store, namespace=name, create=True).release()
        for other, _ in list(SCHEMES.values())[1:]:
            with pytest.raises(saiban.NamespaceMismatchError, match=name):
                acquire(store, namespace=name, **other)


@pytest.mark.parametrize("name", SCHEMES)
class TestSchemes:
    def test_each_makes_ids_of_the_leases_nodes(self, name: str, url: str) -> None:
        options, make = SCHEMES[name]
        with acquire(url, **options) as lease:
            ids = make(lease)
            made = ids.generate_many(50)
            assert len(set(made)) == 50
            assert {ids.inspect(id).node for id in made} <= set(lease.nodes)
            assert ids.from_text(ids.generate_text()) not in made
            assert f"lease={lease!r}" in repr(ids)
        assert outcome(ids.generate) == "LEASE_LOST"

    def test_each_refuses_the_lease_of_another(self, name: str, url: str) -> None:
        with acquire(url, **SCHEMES[name][0]) as lease:
            kinds = {outcome(lambda make=make: make(lease)) for other, (_, make) in SCHEMES.items() if other != name}
        assert kinds == {"NAMESPACE_MISMATCH"}

    def test_each_refuses_nodes_or_a_time_beside_a_lease(self, name: str, url: str, tmp_path: Path) -> None:
        options, make = SCHEMES[name]
        beside: dict[str, Any] = {"window": (0, NOW_MS), "not_before": 1, "state": tmp_path / "state"}
        beside |= {"scalability": 1} if name == "ulid-flake" else {"node": 1, "nodes": range(0, 2)}
        with acquire(url, **options) as lease:
            ids = make(lease)
            own: dict[str, Any] = {} if "secret" in options else {"layout": options["layout"]}
            if name == "ulid-flake":
                own = {"epoch_ms": SCALABLE.epoch_ms}
            own |= {"secret": SECRET} if "secret" in options else {}
            for argument, value in beside.items():
                with pytest.raises(saiban.InvalidArgumentError, match="lease"):
                    type(ids)(lease=lease, **own, **{argument: value})


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"ttl_s": 0}, "a ttl of a second or more"),
            ({"ttl_s": -5}, "a ttl of a second or more"),
            ({"ttl_s": 3_601}, "would allow, 3600 s (max_ttl_s)"),
            ({"ttl_s": 2**62}, f"ttl_s is {2**62}: give"),
            ({"ttl_s": 2**63}, f"ttl_s is {2**63}: give"),
            ({"ttl_s": -(10**30)}, f"ttl_s is -{10**30}: give"),
            ({"nodes": 0}, "0 nodes cannot be leased"),
            ({"nodes": -(10**30)}, f"-{10**30} nodes"),
            ({"nodes": 1_025}, "1 to 1024"),
            ({"nodes": 10**30}, f"{10**30} nodes"),
            ({"namespace": ""}, "cannot name a namespace"),
            ({"namespace": "with space"}, "with space"),
            ({"namespace": "x" * 65}, "1 to 64"),
            ({"max_ttl_s": 0}, "2592000"),
            ({"max_ttl_s": 10**30}, f"max_ttl_s is {10**30}"),
            ({"scheme": "ulid"}, "has no nodes to lease"),
            ({"scheme": "flake"}, "give it"),
            ({"scheme": "randflake"}, "give it"),
            ({"secret": SECRET}, "not encrypted"),
            ({"layout": saiban.Layout.MASTODON}, "no node field"),
        ],
    )
    def test_impossible_options_are_refused_with_limits(self, url: str, options: dict[str, Any], words: str) -> None:
        with pytest.raises(saiban.InvalidArgumentError) as refusal:
            acquire(url, **options)
        assert words in str(refusal.value)
        assert repr(SECRET) not in str(refusal.value)

    @pytest.mark.parametrize(
        "options",
        [
            {"namespace": 5},
            {"nodes": "4"},
            {"nodes": True},
            {"ttl_s": 1.5},
            {"scheme": 5},
            {"layout": 5},
            {"secret": "secret"},
            {"create": 1},
            {"max_ttl_s": "1"},
            {"max_clock_skew_s": "1"},
            {"holder": b"me"},
            {"wait_s": None, "holder": 5},
        ],
    )
    def test_wrong_types_are_named(self, url: str, options: dict[str, Any]) -> None:
        with pytest.raises(saiban.WrongTypeError) as refusal:
            acquire(url, **options)
        assert any(name in str(refusal.value) for name in options)

    @pytest.mark.parametrize("given", [None, 5, b"memory:x", Path("/tmp/ids.db")])
    def test_a_url_is_text(self, given: object) -> None:
        with pytest.raises(saiban.WrongTypeError, match="url must be text"):
            acquire(given)

    @pytest.mark.parametrize("given", ["", "nonsense", "http://user:hunter2@host/", "postgres://user:hunter2@["])
    def test_a_url_of_no_store_is_refused_without_its_password(self, given: str) -> None:
        with pytest.raises(
            saiban.InvalidArgumentError, match=r"give a URL that begins with|the store's URL cannot be read"
        ) as refusal:
            acquire(given)
        assert "hunter2" not in str(refusal.value)

    @pytest.mark.parametrize("given", UNREACHABLE)
    def test_an_unreachable_store_is_reported_without_its_password(self, given: str) -> None:
        with pytest.raises(saiban.StoreUnavailableError) as refusal:
            acquire(given, wait_s=1)
        assert "127.0.0.1:1" in str(refusal.value)
        assert "hunter2" not in str(refusal.value)

    def test_a_place_where_no_file_can_be_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        for place in (tmp_path / "missing/ids.db", tmp_path / "folder", Path("/proc/ids.db")):
            with pytest.raises(saiban.StoreUnavailableError, match=str(place)):
                acquire(f"sqlite://{place}", wait_s=1)

    def test_a_file_that_is_no_database_is_left_as_it_is(self, tmp_path: Path) -> None:
        file = tmp_path / "letters.txt"
        file.write_text("Dear Ada, " * 1_000)
        with pytest.raises(saiban.StoreCorruptError):
            acquire(f"sqlite://{file}")
        assert file.read_text() == "Dear Ada, " * 1_000

    def test_a_namespace_without_a_free_node_is_full_in_every_store(self, url: str) -> None:
        small = {"scheme": "flake", "layout": saiban.Layout.from_text("timestamp:41 node:5 sequence:12")}
        with acquire(url, nodes=32, **small), pytest.raises(saiban.NamespaceFullError):
            acquire(url, **small)
        acquire(url, **small).release()

    @pytest.mark.parametrize("make", [make for _, make in SCHEMES.values()], ids=SCHEMES)
    def test_the_lease_of_a_generator_must_be_a_lease(self, make: Callable[[Any], object]) -> None:
        with pytest.raises(saiban.WrongTypeError, match="lease must be a saiban\\.Lease"):
            make("memory:x")

    def test_a_lease_has_no_constructor(self) -> None:
        with pytest.raises(TypeError):
            saiban.Lease()


class TestLeases:
    def test_the_repr_of_a_lease_shows_no_secret(self) -> None:
        lease = acquire("memory:shown", scheme="randflake", secret=SECRET, nodes=2)
        first = lease.nodes.start
        assert repr(lease) == f"saiban.Lease(namespace='default', nodes=range({first}, {first + 2}))"
        lease.release()
        assert repr(lease) == "saiban.Lease(namespace='default', nodes=None)"

    def test_a_lease_cannot_be_copied(self) -> None:
        with acquire("memory:copied") as lease:
            for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match="a lease cannot be pickled or copied"):
                    attempt(lease)

    def test_a_status_is_a_value(self, url: str) -> None:
        with acquire(url) as lease:
            status = lease.status()
        same = pickle.loads(pickle.dumps(status))
        assert (same, hash(same), repr(same)) == (status, hash(status), repr(status))
        assert eval(repr(status)) == status
        lost = saiban.LeaseStatus(state="lost", nodes=None, end_ms=0, grants=1, renewals=2, why="it's another's")
        assert eval(repr(lost)) == pickle.loads(pickle.dumps(lost)) == lost != status
        with pytest.raises(saiban.InvalidArgumentError):
            saiban.LeaseStatus(state="away", nodes=None, end_ms=0, grants=1, renewals=2, why=None)
        with pytest.raises(AttributeError):
            status.state = "idle"

    def test_with_releases_the_lease_and_propagates_errors(self, url: str) -> None:
        with pytest.raises(ZeroDivisionError), acquire(url, nodes=1024) as lease:
            raise ZeroDivisionError
        assert lease.status().state == "idle"
        lease.release()
        with acquire(url, nodes=1024):
            pass

    def test_a_lease_is_released_when_its_last_generator_is_dropped(self, url: str) -> None:
        ids = snowflakes(acquire(url, nodes=1024))
        assert ids.generate() > 0
        assert outcome(lambda: acquire(url)) == "NAMESPACE_FULL"
        del ids
        until(lambda: outcome(lambda: acquire(url)) == "OK", "the nodes")

    def test_threads_share_a_lease(self, url: str) -> None:
        with acquire(url, nodes=4) as lease:
            ids = saiban.Snowflake(lease=lease, layout=LAYOUT, shards=4)
            made: list[list[int]] = []
            threads = [threading.Thread(target=lambda: made.append(ids.generate_many(20_000))) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len({id for each in made for id in each}) == 80_000

    def test_a_lost_lease_stops_its_generators_until_there_is_a_new_one(self, tmp_path: Path) -> None:
        file = tmp_path / "ids.db"
        lease = acquire(f"sqlite://{file}")
        ids = snowflakes(lease)
        before, lost = set(ids.generate_many(100)), lease.nodes
        with sqlite3.connect(file) as rows:
            rows.execute("UPDATE saiban_slots SET fence = fence + 1, token = 1 WHERE nodes_start = ?", (lost.start,))
        rows.close()
        lease.renew()
        until(lambda: lease.status().grants == 2 and lease.status().state == "active", "a new lease")
        assert lease.nodes != lost
        made = ids.generate_many(100)
        assert before.isdisjoint(made)
        assert {ids.inspect(id).node for id in made} == set(lease.nodes)

    def test_a_lease_that_ends_reports_why_and_continues_when_its_store_does(self) -> None:
        with Server("etcd") as server:
            lease = acquire(server.url, ttl_s=3, create=True)
            ids = snowflakes(lease)
            made: list[int] = []

            def one() -> None:
                made.append(ids.generate())

            until(lambda: outcome(one) == "OK", "an ID")
            server.order("stop")
            until(lambda: outcome(one) != "OK", "the end of the lease")
            with pytest.raises((saiban.LeaseExpiredError, saiban.LeaseLostError), match="could not be reached"):
                ids.generate()
            until(lambda: lease.status().nodes is None, "the lease to tell so")
            with pytest.raises(saiban.StoreUnavailableError):
                lease.nodes  # noqa: B018
            server.order("start")
            until(lambda: outcome(one) == "OK", "a new lease")
            assert len(set(made)) == len(made)
            assert lease.status().grants > 1
            lease.release()


class TestWaiting:
    """Waits for a store that does not reply block no other thread."""

    def test_threads_go_on_while_one_acquires(self) -> None:
        counted = 0

        def attempt() -> None:
            with pytest.raises(saiban.StoreUnavailableError):
                acquire(UNREACHABLE[0], wait_s=1)

        thread = threading.Thread(target=attempt)
        thread.start()
        while thread.is_alive():
            counted += 1
        # 0 or 1, if the attempt had blocked this thread.
        assert counted > 100

    def test_the_event_loop_goes_on_while_a_lease_is_acquired(self) -> None:
        async def main() -> int:
            task = asyncio.create_task(saiban.Lease.acquire_async(UNREACHABLE[0], wait_s=1))
            counted = 0
            while not task.done():
                await asyncio.sleep(0)
                counted += 1
            with pytest.raises(saiban.StoreUnavailableError):
                task.result()
            return counted

        assert asyncio.run(main()) > 100

    def test_asyncio_releases_the_lease(self, url: str) -> None:
        async def main() -> saiban.Lease:
            async with await saiban.Lease.acquire_async(url, namespace="async", layout=LAYOUT, nodes=2) as lease:
                assert len(lease.nodes) == 2
                ids = snowflakes(lease)
                made = await asyncio.gather(*(asyncio.to_thread(ids.generate_many, 1_000) for _ in range(4)))
                assert len({id for each in made for id in each}) == 4_000
            assert outcome(ids.generate) == "LEASE_LOST"
            with pytest.raises(ZeroDivisionError):
                async with await saiban.Lease.acquire_async(url, namespace="async", layout=LAYOUT) as other:
                    raise ZeroDivisionError
            return other

        assert asyncio.run(main()).status().state == "idle"

    def test_a_lease_of_a_cancelled_task_is_released(self, url: str) -> None:
        async def main() -> None:
            task = asyncio.create_task(saiban.Lease.acquire_async(url, layout=LAYOUT, nodes=1024))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(main())
        until(lambda: outcome(lambda: acquire(url, nodes=1024)) == "OK", "the nodes")

    def test_asyncio_takes_the_same_arguments(self, url: str) -> None:
        async def attempt(**options: Any) -> None:
            await saiban.Lease.acquire_async(url, **options)

        with pytest.raises(saiban.InvalidArgumentError, match="0 nodes"):
            asyncio.run(attempt(nodes=0))
        with pytest.raises(TypeError):
            asyncio.run(attempt(node=1))
