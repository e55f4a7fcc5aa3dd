"""Scopes: generators share a cursor with all processes of this machine, or within one process."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
import saiban
from conftest import SECRET


def layout(year: int) -> saiban.Layout:
    """Returns a layout of this test alone, whose nodes no other test leases."""
    return saiban.Layout.from_text(f"unused:1 timestamp:41,epoch={year}-07-07 node:10 sequence:12")


LAYOUT = layout(2022)

#: Generators; another year gives them other nodes, or another ID space.
MAKERS: dict[str, Callable[..., saiban.Generator]] = {
    "snowflake": lambda year=2022, **options: saiban.Snowflake(node=1, layout=layout(year), **options),
    "snowflake of many nodes": lambda year=2022, **options: saiban.Snowflake(
        nodes=range(8, 16), shards=4, layout=layout(year), **options
    ),
    "randflake": lambda year=2022, **options: saiban.Randflake(node=100_000 + year, secret=SECRET, **options),
    "ulid-flake": lambda year=2022, **options: saiban.UlidFlake(epoch_ms=year, **options),
    "scalable ulid-flake": lambda year=2022, **options: saiban.UlidFlake(scalability=7, epoch_ms=year, **options),
    "flake": lambda year=2022, **options: saiban.Flake(layout(year), node=2, **options),
}
makers = pytest.mark.parametrize("name", MAKERS)


@makers
def test_by_default_the_generators_of_a_machine_share_their_cursor(name: str) -> None:
    assert MAKERS[name]().stats().scope == "machine"
    assert MAKERS[name](scope="machine").stats().scope == "machine"


@makers
def test_generators_of_one_process_are_chosen_by_name(name: str) -> None:
    # Other nodes, because a forked child would be refused those that its parent uses alone.
    one, other = (MAKERS[name](2021, scope="process") for _ in range(2))
    assert one.stats().scope == other.stats().scope == "process"
    assert one.generate() != other.generate()


@makers
def test_a_generator_with_a_custom_clock_shares_no_cursor(name: str, clock: saiban.ManualClock) -> None:
    assert MAKERS[name](clock=clock).stats().scope == "process"
    assert MAKERS[name](clock=clock, scope="process").generate()
    with pytest.raises(saiban.StateUnavailableError, match='scope "machine" is not available'):
        MAKERS[name](clock=clock, scope="machine")


@pytest.mark.parametrize(
    "make",
    [saiban.Ulid, saiban.Uuid, saiban.ObjectId, saiban.TickId, lambda: saiban.UlidFlake(allow_collisions=True)],
    ids=["ulid", "uuid", "objectid", "tick-id", "ulid-flake that may collide"],
)
def test_generators_of_random_ids_are_of_one_process(
    make: Callable[[], saiban.Generator[Any]],
) -> None:
    assert make().stats().scope == "process"


@pytest.mark.parametrize(
    "text", ["timestamp:48 node:16 sequence:64", "timestamp:48 random:80", "timestamp:48 random:80,step=1000"]
)
def test_generators_of_long_ids_are_of_one_process(text: str) -> None:
    layout = saiban.Layout.from_text(text)
    node: dict[str, Any] = {"node": 1} if layout.max_node else {}
    assert saiban.Flake(layout, **node).stats().scope == "process"
    with pytest.raises(saiban.StateUnavailableError, match="63 bits or fewer"):
        saiban.Flake(layout, **node, scope="machine")


def test_a_node_is_of_one_scope_at_a_time() -> None:
    for first, second in (("machine", "process"), ("process", "machine")):
        ids = saiban.Snowflake(node=30, layout=LAYOUT, scope=first)
        before = ids.generate()
        with pytest.raises(saiban.NodeInUseError, match=r"\[30, 31\) overlap"):
            saiban.Snowflake(node=30, layout=LAYOUT, scope=second)
        del ids
        assert saiban.Snowflake(node=30, layout=LAYOUT, scope=second).generate() > before


def work(name: str, begin: Barrier, path: Path) -> None:
    """Makes 20,000 IDs with two generators at full speed."""
    one, other = (MAKERS[name](max_wait_ms=60_000) for _ in range(2))
    begin.wait()
    made = [id for _ in range(100) for id in (*one.generate_many(100), *(other.generate() for _ in range(100)))]
    path.write_text(json.dumps(made))


@makers
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_with_the_same_node_never_repeat_each_other(method: str, name: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context(method)
    begin = context.Barrier(4)
    paths = [tmp_path / str(number) for number in range(4)]
    processes = [context.Process(target=work, args=(name, begin, path)) for path in paths]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    made = [id for path in paths for id in json.loads(path.read_text())]
    made += MAKERS[name](max_wait_ms=60_000).generate_many(1_000)
    assert len(set(made)) == len(made) == 81_000


@makers
def test_forked_children_continue_with_their_parents_generator(name: str, tmp_path: Path) -> None:
    ids = MAKERS[name](max_wait_ms=60_000)
    made = [ids.generate()]
    paths = [tmp_path / str(number) for number in range(3)]
    children = []
    for path in paths:
        child = os.fork()
        if child == 0:
            try:
                own = MAKERS[name](max_wait_ms=60_000)
                path.write_text(json.dumps([*(ids.generate() for _ in range(10_000)), *own.generate_many(10_000)]))
                os._exit(0)
            finally:
                # After any exception, too: only the parent runs the tests.
                os._exit(1)
        children.append(child)
    made += [ids.generate() for _ in range(20_000)]
    assert {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children} == {0}
    made += ids.generate_many(100)
    made += [id for path in paths for id in json.loads(path.read_text())]
    assert len(set(made)) == len(made) == 80_101


HOLDING = """
import saiban, sys
ids = saiban.Snowflake(nodes=range(40, 50), layout=saiban.Layout.from_text(sys.argv[1]))
print(ids.generate(), flush=True)
sys.stdin.read()
"""


def test_nodes_that_overlap_those_of_another_process_are_refused_as_long_as_it_lives() -> None:
    command = [sys.executable, "-c", HOLDING, LAYOUT.to_text()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        before = int(holder.stdout.readline())
        with pytest.raises(saiban.NodeInUseError, match=rf"nodes \[40, 50\) .* process {holder.pid} of this machine"):
            saiban.Snowflake(node=45, layout=LAYOUT)
        assert saiban.Snowflake(nodes=range(40, 50), layout=LAYOUT).generate() != before
        holder.stdin.close()
    assert saiban.Snowflake(node=45, layout=LAYOUT).generate() > before


WITHOUT_FOLDER = """
import saiban
for scope in (None, "machine", "process"):
    try:
        print(saiban.Snowflake(node=1, scope=scope).generate() > 0)
    except saiban.StateUnavailableError as error:
        print(error)
"""


def test_the_error_of_an_unusable_folder_names_it_and_the_remedy(tmp_path: Path) -> None:
    environment = os.environ | {"SAIBAN_RUN_DIR": str(tmp_path / "not" / "there")}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FOLDER], env=environment, capture_output=True, text=True, check=True
    )
    by_default, machine, process = done.stdout.splitlines()
    assert by_default == machine
    for part in (f"{tmp_path}/not/there", "SAIBAN_RUN_DIR", 'scope "process"'):
        assert part in machine
    assert process == "True"
