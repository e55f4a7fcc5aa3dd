"""saiban.contrib.once: values that a process makes once for each key."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import saiban
from integrations import assert_examples_run
from saiban.contrib import once
from saiban.contrib.once import Once


def run_with_waiters(values: Once[str, object], make: Callable[[str], object], waiting: int) -> list[Any]:
    """Calls `get` in one thread, and in `waiting` other threads while that thread makes the value.

    Returns the results, or the errors; those of the first thread come first.
    """
    started, proceed = threading.Event(), threading.Event()

    def slow(key: str) -> object:
        started.set()
        assert proceed.wait(30)
        return make(key)

    def result(make: Callable[[str], object]) -> object:
        try:
            return values.get("key", make)
        except BaseException as error:
            return error

    with ThreadPoolExecutor(waiting + 1) as threads:
        first = threads.submit(result, slow)
        assert started.wait(30)
        others = [threads.submit(result, make) for _ in range(waiting)]
        wait_until_waiting(values, waiting)
        proceed.set()
        return [future.result(30) for future in [first, *others]]


def wait_until_waiting(values: Once[str, object], count: int) -> None:
    condition = values._making["key"]._condition
    while len(condition._waiters) < count:  # type: ignore[attr-defined]
        threading.Event().wait(0.001)


def test_threads_share_a_value() -> None:
    values: Once[str, object] = Once({})
    first, *others = run_with_waiters(values, lambda key: object(), 8)
    assert all(other is first for other in others)
    assert values.get("key", lambda key: object()) is first
    assert values.get("other", str.upper) == "OTHER"


def test_each_thread_raises_an_error_of_its_own_and_the_next_call_tries_again() -> None:
    values: Once[str, object] = Once({})
    made: list[str] = []

    def fail(key: str) -> object:
        made.append(key)
        error = saiban.StoreUnavailableError("no store")
        error.add_note("a note")
        raise error

    first, *others = run_with_waiters(values, fail, 8)
    assert made == ["key"]
    assert len({id(error) for error in (first, *others)}) == 9
    for error in others:
        assert type(error) is saiban.StoreUnavailableError
        assert str(error) == "no store"
        assert error.__notes__ == ["a note"]
        assert error.__cause__ is first
    assert values.get("key", str.upper) == "KEY"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_a_thread_that_is_interrupted_leaves_the_value_to_another(error: type[BaseException]) -> None:
    values: Once[str, object] = Once({})
    made: list[str] = []

    def make(key: str) -> object:
        made.append(key)
        if len(made) == 1:
            raise error
        return object()

    first, *others = run_with_waiters(values, make, 4)
    assert type(first) is error
    assert len(made) == 2
    assert len({id(other) for other in others}) == 1


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_makes_its_own_values() -> None:
    values: Once[str, object] = Once({})
    assert values.get("key", str.upper) == "KEY"
    started, proceed = threading.Event(), threading.Event()

    def slow(key: str) -> object:
        started.set()
        assert proceed.wait(30)
        return key

    with ThreadPoolExecutor(1) as threads:
        making = threads.submit(values.get, "slow", slow)
        assert started.wait(30)
        # The child does not have the thread that makes this value, nor the one with the lock.
        with values._lock:
            child = os.fork()
            if child == 0:
                try:
                    assert [values.get(key, str.title) for key in ("key", "slow")] == ["Key", "Slow"]
                    os._exit(0)
                finally:
                    os._exit(1)
        proceed.set()
        assert making.result(30) == "slow"
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert values.get("key", str.title) == "KEY"


def test_the_example_runs() -> None:
    assert_examples_run(once, "Once")
