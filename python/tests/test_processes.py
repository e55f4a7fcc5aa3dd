"""Processes that Python starts: all ways of multiprocessing and concurrent.futures, posix_spawn."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.queues import SimpleQueue

import pytest
import saiban
from conftest import SECRET
from gunicorn_server import TESTS
from test_fork import outcome

PARENTS = saiban.Snowflake(node=805, scope="process")
PARENTS.generate()
# No test leases nodes of this layout.
POOLED = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2022-05-05 node:10 sequence:12")
SHARED = saiban.Snowflake(node=809, layout=POOLED, max_wait_ms=60_000)
METHODS = pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])


def work(node: int) -> tuple[str, list[int]]:
    """Returns the outcome of the module's first generator, and IDs of a new one."""
    own = saiban.Snowflake(node=node, layout=POOLED, scope="process")
    return outcome(PARENTS.generate), own.generate_many(1000)


def check(method: str, done: list[tuple[str, list[int]]]) -> None:
    # A spawned process imports this module again, so its PARENTS is not a forked copy.
    assert {first for first, _ in done} == {"FORKED" if method == "fork" else "OK"}
    assert len({id for _, ids in done for id in ids}) == 4000


def work_together(_: int) -> tuple[int, list[int]]:
    """Returns IDs of the module's second generator, and of another generator with its node."""
    another = saiban.Snowflake(node=809, layout=POOLED, max_wait_ms=60_000)
    return os.getpid(), SHARED.generate_many(50_000) + another.generate_many(50_000)


@METHODS
def test_processes_of_a_pool_that_have_the_same_node_never_repeat_each_other(method: str) -> None:
    context = multiprocessing.get_context(method)
    with context.Pool(4, maxtasksperchild=2) as pool:
        waiting = pool.map_async(work_together, range(16), chunksize=1)
        ours = [SHARED.generate() for _ in range(50_000)]
        done = waiting.get()
    assert len({pid for pid, _ in done}) > 4, "some have ended, and others have taken over"
    assert len({*ours, *(id for _, ids in done for id in ids)}) == 50_000 + 16 * 100_000
    assert SHARED.stats().scope == "machine"


@METHODS
def test_processes_of_a_pool_make_different_ids(method: str) -> None:
    context = multiprocessing.get_context(method)
    with context.Pool(4, maxtasksperchild=1) as pool:
        check(method, pool.map(work, range(810, 814), chunksize=1))


own: saiban.Generator


def begin(nodes: SimpleQueue[int]) -> None:
    """The README's initializer: each process of the pool takes a node and makes its generator."""
    global own
    own = saiban.Randflake(node=nodes.get(), secret=SECRET)


def work_on(count: int) -> tuple[int, list[int]]:
    return os.getpid(), own.generate_many(count)


@METHODS
def test_an_initializer_gives_each_process_of_an_executor_a_node(method: str) -> None:
    context = multiprocessing.get_context(method)
    nodes = context.SimpleQueue()
    for node in range(2000, 2004):
        nodes.put(node)
    with ProcessPoolExecutor(4, context, initializer=begin, initargs=(nodes,)) as pool:
        done = list(pool.map(work_on, [100] * 40))
    parts = saiban.Randflake(node=131071, secret=SECRET)
    assert len({id for _, ids in done for id in ids}) == 4000
    by_process = {(pid, parts.inspect(id).node) for pid, ids in done for id in ids}
    assert len(by_process) == len({pid for pid, _ in by_process}) == len({node for _, node in by_process})


def use(ids: saiban.Generator, output: SimpleQueue[str]) -> None:
    output.put(outcome(ids.generate))


@METHODS
def test_a_generator_cannot_be_an_argument_of_a_process(method: str) -> None:
    context = multiprocessing.get_context(method)
    output = context.SimpleQueue()
    process = context.Process(target=use, args=(PARENTS, output))
    if method == "fork":
        # fork copies the generator, so nothing is pickled.
        process.start()
        assert output.get() == "FORKED"
        process.join()
    else:
        with pytest.raises(TypeError, match="cannot be pickled or copied: make one where it is needed"):
            process.start()
    with ProcessPoolExecutor(1, context) as pool, pytest.raises(TypeError, match="cannot be pickled or copied"):
        pool.submit(outcome, PARENTS.generate).result()


PRELOADING = """
import multiprocessing
from servers import made_at_import

def main():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["servers.made_at_import"])
    with context.Pool(2) as pool:
        print(*pool.map(made_at_import.attempt, range(8), chunksize=1))

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("scope", "outcome"), [("machine", "OK"), ("process", "FORKED")])
def test_a_generator_of_a_module_that_the_forkserver_preloads_makes_ids_for_the_machine_only(
    tmp_path, scope: str, outcome: str
) -> None:
    program = tmp_path / "preloading.py"
    program.write_text(PRELOADING)
    environment = os.environ | {"PYTHONPATH": str(TESTS), "SAIBAN_SCOPE": scope}
    done = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [outcome] * 8


def test_a_spawned_process_does_not_share_its_parents_generators() -> None:
    program = "import saiban, json; print(json.dumps(saiban.Snowflake(node=806).generate_many(100)))"
    ids = saiban.Snowflake(node=807)
    reading, writing = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, writing, 1)]
    child = os.posix_spawn(sys.executable, [sys.executable, "-c", program], os.environ, file_actions=actions)
    os.close(writing)
    own = ids.generate_many(100)
    with os.fdopen(reading) as output:
        theirs = json.load(output)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len({*own, *theirs}) == 200
    # posix_spawn is no fork, so the parent's generator continues.
    assert ids.generate() not in own
