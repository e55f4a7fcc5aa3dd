"""IDs for tests: equal in each run, and in each process of pytest-xdist.

`reproducible_ids` is a context manager for every test framework. For pytest,
`saiban.testing.fixtures` has the fixture `saiban_clock`.

freezegun and time-machine do not change the time in IDs: they replace Python's functions, and
saiban reads the system's clock in Rust.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import saiban
from saiban.contrib import replaced
from saiban.contrib.schemes import SCHEMES

__all__ = ["TIME_MS", "reproducible_ids"]

#: The time at which the clock of a test begins, 2025-01-01 in UTC, in Unix milliseconds.
TIME_MS = 1_735_689_600_000


@contextlib.contextmanager
def reproducible_ids(timestamp_ms: int = TIME_MS) -> Iterator[saiban.ManualClock]:
    """Makes the IDs of fields of Django and columns of SQLAlchemy equal in each run of a test.

    The generators have the settings of the program, but a clock that stands still, and a counter in
    place of random bits. They lease nothing: a generator without a fixed node has a node that
    depends on its name. When all IDs of a tick are used, they advance the clock.

    The next test gets the same IDs again, so roll its rows back, or give each process of a parallel
    run its own database, as pytest-django does.

    Args:
        timestamp_ms: The time at which the clock begins, in Unix milliseconds.

    Returns:
        The clock, which you can advance, and give to generators of your own (`clock=…`).

    Raises:
        saiban.ClockUnavailableError: The time is outside the range of ManualClock.
        saiban.InvalidArgumentError: Another `reproducible_ids` has not ended yet.

    Example:
        >>> import saiban
        >>> from saiban.testing import reproducible_ids
        >>> with reproducible_ids() as clock:
        ...     saiban.Snowflake(node=7, clock=clock).generate()
        1874244142494674944
    """
    if replaced.get() is not None:
        raise saiban.InvalidArgumentError("another reproducible_ids has not ended yet: use its clock")
    clock = saiban.ManualClock(timestamp_ms)
    replaced.set(_Replacement(clock))
    try:
        yield clock
    finally:
        replaced.set(None)


class _Replacement:
    """The generators of one test, by their keys."""

    def __init__(self, clock: saiban.ManualClock) -> None:
        self._clock = clock
        self._made: dict[Hashable, _Reproducible] = {}
        self._lock = threading.Lock()

    def generator(self, key: Hashable, scheme: str, make: Callable[[saiban.ManualClock], saiban.Generator[Any]]) -> Any:
        with self._lock:
            if key not in self._made:
                self._made[key] = _Reproducible(make(self._clock), scheme, self._clock)
            return self._made[key]

    def forget(self) -> None:
        with self._lock:
            self._made.clear()
            # The new generators count from 0 again, so they need a tick that has no IDs yet.
            self._clock.advance(1000)


class _Reproducible:
    """A generator without random bits, which never waits. Other attributes are those of the
    generator that it wraps.
    """

    def __init__(self, ids: Any, scheme: str, clock: saiban.ManualClock) -> None:
        self._ids, self._clock = ids, clock
        # Text IDs that are not in _COUNTED have a node, and a sequence that begins at random.
        counted = _in_sequence if SCHEMES[scheme]["form"] == "text" else None
        self._parts = _COUNTED.get(SCHEMES[scheme]["made"], counted)
        self._has_time = "clock" in SCHEMES[scheme]["options"] or scheme == "uuid"
        self._made = 0
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ids, name)

    def generate(self) -> Any:
        with self._lock:
            step_ms = 1
            while True:
                try:
                    return self._ids.generate() if self._parts is None else self._counted(self._parts)
                except (saiban.WouldWaitError, saiban.RandomOutOfRangeError, saiban.SequenceOutOfRangeError):
                    # This tick has no more IDs.
                    self._clock.advance(step_ms)
                    self._made = 0
                    step_ms *= 2

    try_generate = generate

    def generate_many(self, count: int) -> list[Any]:
        return [self.generate() for _ in range(count)]

    def generate_text(self, encoding: Any = None) -> str:
        text: str = self._ids.to_text(self.generate(), encoding)
        return text

    def _counted(self, parts: Callable[[int], dict[str, int]]) -> Any:
        time = {"timestamp_ms": self._clock.now_ms()} if self._has_time else {}
        id = self._ids.compose(**time, **parts(self._made))
        self._made += 1
        return id


def _in_random(count: int) -> dict[str, int]:
    return {"random": count}


def _in_sequence(count: int) -> dict[str, int]:
    return {"node": 0, "sequence": count}


#: The parts of the IDs of schemes with random bits: a counter takes the place of these bits.
_COUNTED: dict[str, Callable[[int], dict[str, int]]] = {
    "ulid-flake": _in_random,
    "ulid": _in_random,
    "uuid-v1": lambda count: {"clock_sequence": 0, "node": count},
    "uuid-v4": _in_random,
    "uuid-v7": _in_random,
    "tick-id": _in_random,
}
