"""Forked copies of a generator: os.fork, a clone that bypasses libc, and subprocess."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
import saiban
from conftest import SECRET
from saiban import _native

#: Generators that share a cursor only within their process.
MAKERS: dict[str, Callable[[], saiban.Generator]] = {
    "snowflake": lambda: saiban.Snowflake(node=801, scope="process"),
    "randflake": lambda: saiban.Randflake(node=801, secret=SECRET, scope="process"),
    "ulid-flake": lambda: saiban.UlidFlake(epoch_ms=5, scope="process"),
    "scalable ulid-flake": lambda: saiban.UlidFlake(scalability=21, scope="process"),
}


def outcome(act: Callable[[], object]) -> str:
    """Calls the function; returns the kind of its error, or OK."""
    try:
        act()
    except saiban.SaibanError as error:
        return error.kind
    return "OK"


def in_child(act: Callable[[], object], fork: Callable[[], int] = os.fork) -> str:
    """Returns the outcome of this function in a forked child."""
    reading, writing = os.pipe()
    child = fork()
    if child == 0:
        try:
            os.write(writing, outcome(act).encode())
            os._exit(0)
        finally:
            # After any other exception, too: only the parent runs the tests.
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as output:
        answer = output.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return answer


def unused_before() -> saiban.Snowflake:
    """Returns a generator with an unused node. Leases of other tests use the usual layout."""
    return saiban.Snowflake(node=802, layout=saiban.Layout.INSTAGRAM, scope="process")


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
    assert in_child(lambda: unused_before().generate()) == "OK"


def test_collisions_are_allowed_where_asked_for() -> None:
    ids = saiban.UlidFlake(scalability=22, allow_collisions=True)
    ids.generate()
    assert in_child(ids.generate) == "OK"
    assert in_child(lambda: saiban.UlidFlake(scalability=22, allow_collisions=True).generate()) == "OK"
    assert in_child(lambda: saiban.UlidFlake(scalability=22)) == "NODE_IN_USE"


#: The number of the system call clone, by machine.
SYS_CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
LIBC = ctypes.PyDLL(None, use_errno=True)


def clone() -> int:
    """Forks without libc: no handlers of pthread_atfork run, and none of os.register_at_fork."""
    child = LIBC.syscall(SYS_CLONE, int(signal.SIGCHLD), 0, 0, 0, 0)
    assert child >= 0, os.strerror(ctypes.get_errno())
    return child


def clone_as_python_does() -> int:
    """Forks with `clone`, but runs the functions of os.register_at_fork."""
    ctypes.pythonapi.PyOS_BeforeFork()
    child = clone()
    if child == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    return child


def test_a_fork_that_only_python_reports_is_detected(make: Callable[[], saiban.Generator]) -> None:
    ids = make()
    before = ids.generate()
    assert in_child(ids.generate, clone_as_python_does) == "FORKED"
    assert in_child(make, clone_as_python_does) == "NODE_IN_USE"
    assert ids.generate() != before


def test_notice_fork_and_new_generators_detect_an_unreported_fork(make: Callable[[], saiban.Generator]) -> None:
    ids = make()
    ids.generate()
    assert in_child(lambda: (_native.notice_fork(), ids.generate()), clone) == "FORKED"
    assert in_child(lambda: (unused_before(), ids.generate()), clone) == "FORKED"


def test_noticing_a_fork_again_changes_nothing(make: Callable[[], saiban.Generator]) -> None:
    ids = make()
    before = ids.generate()
    _native.notice_fork()
    assert ids.generate() != before

    def make_and_notice() -> None:
        own = unused_before()
        _native.notice_fork()
        own.generate()

    assert in_child(make_and_notice) == "OK"


def test_a_function_between_fork_and_exec_makes_no_ids(capfd: pytest.CaptureFixture[str]) -> None:
    ids = saiban.Snowflake(node=804, scope="process")
    ids.generate()
    answer = [sys.executable, "-c", ""]
    with pytest.raises(subprocess.SubprocessError):
        subprocess.run(answer, preexec_fn=ids.generate, check=True)
    subprocess.run(answer, preexec_fn=lambda: print(outcome(ids.generate), flush=True), check=True)
    assert capfd.readouterr().out == "FORKED\n"
