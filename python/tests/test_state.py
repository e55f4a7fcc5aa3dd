"""The state file: a restarted program repeats no ID, wherever the clock was set meanwhile."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import saiban
from conftest import NOW_MS, SECRET

MAKERS: dict[str, Callable[..., saiban.Generator]] = {
    "snowflake": lambda **options: saiban.Snowflake(node=7, **options),
    "randflake": lambda **options: saiban.Randflake(node=7, secret=SECRET, **options),
    "ulid-flake": lambda **options: saiban.UlidFlake(scalability=7, **options),
    "rollback bits": lambda **options: saiban.Snowflake(
        node=7, layout=saiban.Layout.TWITTER.with_rollback_bits(2), **options
    ),
    "shards": lambda **options: saiban.Snowflake(nodes=range(8), shards=4, **options),
}


@pytest.fixture(params=MAKERS.values(), ids=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., saiban.Generator]:
    return request.param


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "ids.state"
    gc.collect()


def first_from(ids: saiban.Generator, clock: saiban.ManualClock, step_ms: int) -> int:
    """Returns the first available ID, after as many steps of the clock as needed."""
    for _ in range(10_000):
        if (id := try_generate(ids)) is not None:
            return id
        clock.advance(step_ms)
    pytest.fail("no ID is to be had")


def try_generate(ids: saiban.Generator) -> int | None:
    try:
        return ids.try_generate()
    except (saiban.ClockBackwardError, saiban.LeaseNotBegunError, saiban.WouldWaitError):
        return None


def test_a_restart_with_the_clock_set_back_repeats_nothing(
    make: Callable[..., saiban.Generator], path: Path, clock: saiban.ManualClock
) -> None:
    made: set[int] = set()
    times = []
    for _ in range(4):
        ids = make(state=path, clock=clock)
        first = first_from(ids, clock, 500)
        times.append(ids.inspect(first).timestamp_ms)
        mine = {first, *ids.generate_many(3)} if ids.scheme != "ulid-flake" else {first}
        assert made.isdisjoint(mine)
        made |= mine
        del ids
        clock.set(NOW_MS - 3_000)
    assert times == sorted(times)


def test_without_a_state_file_such_a_restart_does_repeat(clock: saiban.ManualClock) -> None:
    # Without a state file this clock repeats IDs.
    firsts = []
    for _ in range(2):
        clock.set(NOW_MS)
        firsts.append(saiban.Snowflake(node=7, clock=clock).generate())
    assert firsts[0] == firsts[1]


def test_a_state_file_is_locked_while_a_generator_uses_it(
    make: Callable[..., saiban.Generator], path: Path, clock: saiban.ManualClock
) -> None:
    ids = make(state=path, clock=clock)
    ids.try_generate()
    with pytest.raises(saiban.StateInUseError, match=re.escape(path.name)):
        make(state=path, clock=clock)
    del ids
    assert make(state=path, clock=clock).scheme


PROGRAM = """
import saiban, sys
try:
    ids = saiban.Snowflake(node=860, state=sys.argv[1])
except saiban.SaibanError as error:
    sys.exit(error.kind)
while True:
    print(ids.generate(), flush=True)
"""


def program(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(path)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_second_process_is_refused_the_state_file(path: Path) -> None:
    with program(path) as first:
        assert first.stdout.readline()
        with program(path) as second:
            assert second.wait() == 1
            assert second.stderr.read().strip() == "STATE_IN_USE"
        with pytest.raises(saiban.StateInUseError):
            saiban.Snowflake(node=860, state=path)
        first.kill()
    # The process with the lock has ended.
    assert saiban.Snowflake(node=860, state=path).generate()


def test_consecutive_killed_processes_repeat_nothing(path: Path) -> None:
    made: list[int] = []
    for _ in range(5):
        with program(path) as process:
            for _ in range(2_000):
                made.append(int(process.stdout.readline()))
            process.send_signal(signal.SIGKILL)
            made += [int(line) for line in process.stdout.read().splitlines() if len(line) == len(str(made[-1]))]
    assert len(made) >= 10_000
    assert len(set(made)) == len(made)
    assert made == sorted(made)


def test_generators_of_the_same_node_share_a_state_file(path: Path) -> None:
    first, second = saiban.Snowflake(node=861, state=path), saiban.Snowflake(node=861, state=str(path))
    made = [ids.generate() for _ in range(100) for ids in (first, second)]
    assert made == sorted(set(made))


def test_a_state_file_of_other_nodes_or_another_layout_is_refused(path: Path, clock: saiban.ManualClock) -> None:
    saiban.Snowflake(node=7, state=path, clock=clock).generate()
    for other in (
        lambda: saiban.Snowflake(node=8, state=path, clock=clock),
        lambda: saiban.Snowflake(nodes=range(7, 9), state=path, clock=clock),
        lambda: saiban.Snowflake(node=7, layout=saiban.Layout.DISCORD, state=path, clock=clock),
        lambda: saiban.UlidFlake(scalability=7, state=path, clock=clock),
    ):
        with pytest.raises(saiban.StateMismatchError, match=re.escape(path.name)):
            other()


def test_a_damaged_state_file_is_refused(path: Path, clock: saiban.ManualClock) -> None:
    path.write_text("not ours")
    with pytest.raises(saiban.StateMismatchError, match="damaged"):
        saiban.Snowflake(node=7, state=path, clock=clock)
    assert path.read_text() == "not ours"


@pytest.mark.parametrize("name", ["no/such/folder/ids.state", "", "a\0b", "."])
def test_a_path_where_no_file_can_be_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: saiban.ManualClock
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(saiban.StateUnavailableError):
        saiban.Snowflake(node=7, state=name, clock=clock)
    assert not list(tmp_path.iterdir())


class OwnPath:
    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __fspath__(self) -> str:
        return self.path


@pytest.mark.parametrize("kind", [str, Path, OwnPath])
def test_a_path_is_text_or_path_like(path: Path, clock: saiban.ManualClock, kind: Callable[[Path], object]) -> None:
    ids = saiban.Snowflake(node=7, state=kind(path), clock=clock)
    assert ids.generate()
    assert f"state={str(path)!r}" in repr(ids)
    assert path.is_file()


def test_a_path_need_not_be_utf_8(tmp_path: Path, clock: saiban.ManualClock) -> None:
    name = os.fsdecode(b"ids-\xff'\n.state")
    ids = saiban.Snowflake(node=7, state=tmp_path / name, clock=clock)
    assert ids.generate()
    assert (tmp_path / name).is_file()
    assert repr(str(tmp_path / name)) in repr(ids)
    repr(ids).encode()


def test_exceptions_of_os_fspath_reach_the_caller(clock: saiban.ManualClock) -> None:
    class Broken:
        def __fspath__(self) -> str:
            raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        saiban.Snowflake(node=7, state=Broken(), clock=clock)


def test_a_child_made_by_fork_does_not_hold_its_parents_state_file(path: Path) -> None:
    ids = saiban.Snowflake(node=862, state=path)
    ids.generate()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            # Drops the inherited generator, but keeps running.
            os.close(writing)
            ids = None
            os.read(reading, 1)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(reading)
    del ids
    assert saiban.Snowflake(node=862, state=path).generate()
    os.close(writing)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_share_a_generator_with_a_state_file(path: Path) -> None:
    ids = saiban.Snowflake(nodes=range(870, 874), shards=2, state=path)
    made: list[int] = []

    def work() -> None:
        mine = [ids.generate() for _ in range(2_000)]
        made.extend(mine + ids.generate_many(5_000))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 28_000


def test_no_secret_is_in_a_state_file(path: Path, clock: saiban.ManualClock) -> None:
    saiban.Randflake(node=7, secret=SECRET, state=path, clock=clock).generate()
    for file in path.parent.iterdir():
        content = file.read_bytes()
        assert SECRET not in content
        assert SECRET.hex().encode() not in content.lower()
    assert SECRET.hex() not in repr(saiban.Randflake(node=7, secret=SECRET, state=path, clock=clock))
