"""What fork copies does not go on: os.fork, and multiprocessing with each of its ways to start."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable

import pytest
import saiban
from conftest import SECRET

MAKERS: dict[str, Callable[[], saiban.Generator]] = {
    "snowflake": lambda: saiban.Snowflake(node=801),
    "randflake": lambda: saiban.Randflake(node=801, secret=SECRET),
    "ulid-flake": saiban.UlidFlake,
    "scalable ulid-flake": lambda: saiban.UlidFlake(scalability=21),
}


def outcome(act: Callable[[], object]) -> str:
    """The kind of the error that comes of it, or OK."""
    try:
        act()
    except saiban.SaibanError as error:
        return error.kind
    return "OK"


def in_child(act: Callable[[], object]) -> str:
    """What comes of it in a child made by fork."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, outcome(act).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        answer = said.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return answer


@pytest.fixture(params=MAKERS.values(), ids=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[[], saiban.Generator]:
    return request.param


def test_a_generator_copied_by_fork_makes_no_ids(make: Callable[[], saiban.Generator]) -> None:
    ids = make()
    before = ids.generate()
    assert in_child(ids.generate) == "FORKED"
    assert in_child(ids.try_generate) == "FORKED"
    assert in_child(lambda: ids.generate_many(10)) == "FORKED"
    assert in_child(lambda: ids.inspect(before)) == "OK"
    assert ids.generate() != before


def test_a_child_is_refused_its_parents_nodes(make: Callable[[], saiban.Generator]) -> None:
    ids = make()
    ids.generate()
    assert in_child(make) == "NODE_IN_USE"
    assert in_child(lambda: saiban.Snowflake(node=802).generate()) == "OK"


def test_collisions_are_allowed_where_asked_for() -> None:
    ids = saiban.UlidFlake(scalability=22, allow_collisions=True)
    ids.generate()
    assert in_child(ids.generate) == "OK"
    assert in_child(lambda: saiban.UlidFlake(scalability=22, allow_collisions=True).generate()) == "OK"
    assert in_child(lambda: saiban.UlidFlake(scalability=22)) == "NODE_IN_USE"


PARENTS = saiban.Snowflake(node=803)


def work(node: int) -> tuple[str, list[int]]:
    own = saiban.Snowflake(node=node)
    return outcome(PARENTS.generate), own.generate_many(1000)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_a_pool_make_ids_of_their_own(method: str) -> None:
    # A process that was spawned has imported this module anew, and its PARENTS is its own.
    expected = "FORKED" if method == "fork" else "OK"
    context = multiprocessing.get_context(method)
    with context.Pool(4, maxtasksperchild=1) as pool:
        done = pool.map(work, range(810, 814), chunksize=1)
    assert {first for first, _ in done} == {expected}
    assert len({id for _, ids in done for id in ids}) == 4000
