"""The common parts of all packages' faults: exact counts, traces, forks, threads, lines of JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

Plan = dict
Trace = dict[str, list]
Make = Callable[[], int]


class Clock(Protocol):
    def set(self, now_ms: int, /) -> None: ...


@dataclass
class Made:
    """The IDs of one scenario. The IDs before the fault count only as earlier ones."""

    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    refused: int = 0

    def duplicates(self) -> int:
        return len(self.after) - len({*self.before, *self.after}) + len(set(self.before))


@dataclass(frozen=True)
class Library:
    name: str
    version: str

    def cell(self, fault: str, made: Made, note: str, expected: float | None = None) -> None:
        counts = {"made": len(made.after), "duplicates": made.duplicates(), "refused": made.refused}
        odds = {} if expected is None else {"expected": expected}
        self._print({"fault": fault, **counts, **odds, "note": note})

    def not_applicable(self, fault: str, reason: str) -> None:
        self._print({"fault": fault, "note": reason})

    def _print(self, cell: dict[str, object]) -> None:
        print(json.dumps({"library": self.name, "version": self.version, **cell}), flush=True)


class SetClock:
    """A clock that shows the time that was set."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def set(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def seconds(self) -> int:
        return self.now_ms // 1000


def ask(readings: Iterable[tuple[int, int]], clock: Clock, made: Made, make: Make, refusal: type) -> list[int]:
    """Asks for IDs at each reading; goes to the next reading after a refusal."""
    ids = []
    for now_ms, count in readings:
        clock.set(now_ms)
        try:
            ids.extend(make() for _ in range(count))
        except refusal:
            made.refused += 1
    return ids


def follow(trace: Trace, clock: Clock, make: Make, refusal: type) -> Made:
    made = Made()
    made.before = ask(trace["before"], clock, made, make, refusal)
    made.after = ask(trace["after"], clock, made, make, refusal)
    return made


def restarted(traces: list[Trace], clock: Clock, start: Callable[[], Make], refusal: type) -> Made:
    """Uses one generator before each fault and another after it. `start` returns a function."""
    made = Made()
    for trace in traces:
        clock.set(trace["before"][0][0])
        made.before += ask(trace["before"], clock, made, start(), refusal)
        made.after += ask(trace["after"], clock, made, start(), refusal)
    return made


def make_some(count: int, make: Make, refusal: type) -> tuple[list[int], int]:
    """Makes `count` IDs, or gives up after as many refusals."""
    ids, refused = [], 0
    while len(ids) < count and refused < count:
        try:
            ids.append(make())
        except refusal:
            refused += 1
    return ids, refused


def threads(plan: Plan, make: Make, refusal: type) -> Made:
    made, size = Made(), plan["slow_threads"]

    def work() -> None:
        ids, refused = make_some(size["ids"], make, refusal)
        made.after.extend(ids)
        made.refused += refused

    running = [threading.Thread(target=work) for _ in range(size["threads"])]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return made


def fork(plan: Plan, make: Callable[[int], tuple[list[int], int]], made: Made) -> None:
    """Forks children that all start at one instant, like workers of a server."""
    start = time.time() + 0.05
    with tempfile.TemporaryDirectory() as folder:
        children = {}
        for child in range(plan["fork"]["children"]):
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    while time.time() < start:
                        pass
                    ids, refused = make(child)
                    Path(folder, str(child)).write_text(json.dumps([ids, refused]))
                    status = 0
                finally:
                    os._exit(status)
            children[pid] = child
        for pid, child in children.items():
            if os.waitpid(pid, 0)[1] != 0:
                sys.exit("a child failed")
            ids, refused = json.loads(Path(folder, str(child)).read_text())
            made.after.extend(ids)
            made.refused += refused


def until_next_second() -> None:
    """Waits, so that a fault of less than a second falls into one second."""
    time.sleep(1 - time.time() % 1)
