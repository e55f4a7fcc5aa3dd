"""IDs from a real service, and leases of its store: with threads, forks, and bad input."""

from __future__ import annotations

import array
import asyncio
import copy
import hashlib
import os
import pickle
import threading
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import saiban
from stores import Server, new_namespace

TOKEN = "hunter2-hunter2-hunter2"

#: The default schemes of the service, and the Python types of their IDs.
SCHEMES: dict[str, type] = {"snowflake": int, "uuid-v7": uuid.UUID, "uuid-v4": uuid.UUID, "ulid": str, "objectid": str}

#: Limits that even a slow machine does not reach.
LASTING: dict[str, Any] = {"max_age_ms": 3_600_000, "wait_s": 60}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Server("saiban") as server:
        yield server.url


def remote(url: str, scheme: str = "snowflake", **options: Any) -> saiban.RemoteGenerator[Any]:
    return saiban.RemoteGenerator(url, scheme=scheme, **(LASTING | options))


def children(count: int, act: Callable[[], list[int]]) -> list[int]:
    """Returns the results of this function in this many forked children."""
    answers = []
    for _ in range(count):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writing, " ".join(map(str, act())).encode())
                os._exit(0)
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading) as output:
            answers += [int(word) for word in output.read().split()]
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return answers


@pytest.mark.parametrize(("scheme", "kind"), SCHEMES.items())
def test_ids_are_those_of_the_scheme(url: str, scheme: str, kind: type) -> None:
    ids = remote(url, scheme, block=100)
    assert (ids.scheme, ids.name, isinstance(ids, saiban.Generator)) == (scheme, scheme, True)
    made = [ids.generate(), *ids.generate_many(1000)]
    assert {type(each) for each in made} == {kind}
    assert len(set(made)) == 1001
    assert ids.inspect(made[0]).scheme == scheme
    assert ids.from_text(ids.to_text(made[0])) == made[0]
    assert len(ids.generate_text()) == len(ids.to_text(made[0]))
    until = ids.try_generate()
    while until is None:
        until = ids.try_generate()
    assert type(until) is kind
    buffer: Any = array.array("q", bytes(8 * 300)) if kind is int else bytearray(ids.inspect(made[0]).id_bytes * 300)
    assert ids.fill(buffer) == 300
    assert ids.stats().issued >= 1303
    status = ids.status()
    assert status.why is None
    assert status.calls >= 13


def test_a_coroutine_waits_for_the_service_without_a_thread(url: str) -> None:
    async def main() -> list[int]:
        return await asyncio.gather(*(ids.generate_async() for _ in range(500)))

    ids = remote(url, block=10)
    assert len(set(asyncio.run(main()))) == 500
    assert len({next(ids) for _ in range(20)}) == 20


def test_a_coroutine_waits_no_longer_than_the_options_say() -> None:
    with Server("saiban") as server:
        ids = remote(server.url, wait_s=1)
        ids.generate()
    # The service is gone.
    with pytest.raises(saiban.StoreUnavailableError):
        while True:
            asyncio.run(ids.generate_async())


def test_threads_share_a_remote_generator_and_get_different_ids(url: str) -> None:
    ids = remote(url, block=50)
    made: list[list[int]] = [[] for _ in range(4)]

    def make(mine: list[int]) -> None:
        mine += (ids.generate() for _ in range(1000))

    threads = [threading.Thread(target=make, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each for mine in made for each in mine}) == 4000


def test_a_forked_copy_has_different_ids(url: str) -> None:
    ids = remote(url, block=100)
    made = [ids.generate()]
    made += children(5, lambda: [ids.generate(), *ids.generate_many(150)])
    made += ids.generate_many(150)
    assert len(made) == len(set(made)) == 1 + 5 * 151 + 150


def test_ids_are_read_without_the_service() -> None:
    with Server("saiban") as server:
        ids = remote(server.url, block=10)
        server.order("stop")
        assert ids.inspect(1741610183685074945).node == 7
        assert ids.layout == saiban.Layout.TWITTER
        assert ids.range(1704067200000, 1704067200001)[0] <= 1741610183685074945
        server.order("start")
        assert ids.generate() > 0


def test_the_next_host_is_asked_when_one_is_gone() -> None:
    with Server("saiban") as gone, Server("saiban") as there:
        ids = remote(f"{gone.url},{there.url.removeprefix('saiban://')}", "uuid-v7", block=10)
        ids.generate()
        gone.order("kill")
        assert len(set(ids.generate_many(100))) == 100


def test_errors_of_the_service_are_raised_by_their_kind(url: str) -> None:
    with pytest.raises(saiban.UnknownNameError, match="nonsense"):
        remote(url, "nonsense")
    with pytest.raises(saiban.SaibanError, match="10000"):
        remote(url, block=20_000).generate()
    with pytest.raises(saiban.StoreUnavailableError, match="could not be reached"):
        remote("saiban://127.0.0.1:1", wait_s=1)


@pytest.mark.parametrize(
    "options",
    [
        {"block": 0},
        {"block": 100_001},
        {"max_age_ms": 0},
        {"wait_s": 0},
        {"url": "redis://host"},
        {"url": "saiban://hunter2@host"},
        {"url": "saiban://user:hunter2@host"},
        {"url": "saiban://host/path"},
        {"url": "saiban://:x@host?token_file=y"},
        {"scheme": ""},
    ],
)
def test_impossible_options_are_refused_before_anything_is_called(options: dict[str, Any]) -> None:
    given = {"url": "saiban://127.0.0.1:1", "scheme": "snowflake"} | options
    with pytest.raises(saiban.InvalidArgumentError) as refusal:
        saiban.RemoteGenerator(**given)
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize("options", [{"url": 5}, {"scheme": None}, {"block": "many"}, {"max_age_ms": 1.5}])
def test_arguments_of_another_type_are_refused(options: dict[str, Any]) -> None:
    given = {"url": "saiban://127.0.0.1:1", "scheme": "snowflake"} | options
    with pytest.raises(TypeError):
        saiban.RemoteGenerator(**given)


def test_a_generator_is_not_copied(url: str) -> None:
    ids = remote(url)
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make one where it is needed"):
            act(ids)


def test_a_token_is_required_by_a_service_with_tokens_and_shown_nowhere() -> None:
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    tokens = f'[{{ name = "shop", token_sha256 = "{digest}", scopes = ["generate", "lease"], schemes = ["ulid"] }}]'
    with Server("saiban", SAIBAN_SERVE_TOKENS=tokens) as server:
        known = server.url.replace("://", f"://:{TOKEN}@")
        ids = remote(known, "ulid")
        assert len(ids.generate()) == 26
        assert TOKEN not in repr(ids) + repr(ids.status())
        for wrong in (server.url, server.url.replace("://", "://:hunter2@")):
            with pytest.raises(saiban.StoreUnavailableError, match="token") as refusal:
                remote(wrong, "ulid")
            assert "hunter2" not in str(refusal.value)
            with pytest.raises(saiban.StoreUnavailableError, match="token"):
                saiban.Lease.acquire(wrong, create=True)
        with pytest.raises(saiban.StoreUnavailableError):
            remote(known, "snowflake")
        with saiban.Lease.acquire(known, namespace=new_namespace(), create=True) as lease:
            assert TOKEN not in repr(lease) + repr(lease.status())
            assert saiban.Snowflake(lease=lease).generate() > 0


def test_forked_copies_lease_different_nodes_from_a_service(url: str) -> None:
    with saiban.Lease.acquire(url, namespace=new_namespace(), create=True) as lease:
        ids = saiban.Snowflake(lease=lease)

        def node() -> list[int]:
            return [ids.inspect(ids.generate()).node or 0]

        nodes = node() + children(4, node) + node()
        assert nodes[0] == nodes[-1]
        assert len(set(nodes)) == 5
