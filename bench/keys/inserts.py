"""Inserts rows in batches, and measures how long the database takes."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

# Rows of a transaction.
BATCH = 1000
# The part of the run that the second figure covers: the rows at the end, when the index is large.
LAST = 0.1
PROGRESS = 10  # reports of a run
# Set to end the program before the next transaction. Ending it while a server starts or stops would
# leave the server's folder behind.
STOP = threading.Event()


@dataclass(frozen=True)
class Batch:
    """The rows of one transaction: columns of equal length. `keys` is `None` if the database makes them."""

    keys: list | None
    numbers: list[int]
    notes: list[str]

    def columns(self) -> list[list]:
        keys = [] if self.keys is None else [self.keys]
        return [*keys, self.numbers, self.notes]


@dataclass(frozen=True)
class Sample:
    """The duration of one transaction."""

    rows: int
    seconds: float


def say(text: str) -> None:
    print(f"keys: {text}", file=sys.stderr, flush=True)


def batches(rows: int, make: Callable[[int], list] | None) -> Iterator[Batch]:
    """Makes the rows. All kinds of keys get the same payload: a number, and 32 characters."""
    for first in range(0, rows, BATCH):
        numbers = list(range(first, min(first + BATCH, rows)))
        notes = [hashlib.md5(str(number).encode()).hexdigest() for number in numbers]
        yield Batch(make(len(numbers)) if make else None, numbers, notes)


def pace(samples: list[Sample]) -> float:
    """Returns the rows per second."""
    return sum(sample.rows for sample in samples) / sum(sample.seconds for sample in samples)


def last(samples: list[Sample]) -> list[Sample]:
    """Returns the transactions at the end of a run: a tenth of them, at least one."""
    return samples[-max(1, round(len(samples) * LAST)) :]


def is_due(done: int, total: int) -> bool:
    """Returns whether to report the progress after this many transactions."""
    return done * PROGRESS // total > (done - 1) * PROGRESS // total


def insert(
    name: str,
    rows: int,
    make: Callable[[int], list] | None,
    parameters: Callable[[Batch], Any],
    execute: Callable[[Any], None],
) -> dict[str, float]:
    """Inserts the rows, and returns the rows per second of the whole run and of its end.

    Only `execute` is timed, which runs one transaction. `parameters` prepares what it gets.
    Raises SystemExit once `STOP` is set.
    """
    samples: list[Sample] = []
    total = -(-rows // BATCH)
    for batch in batches(rows, make):
        if STOP.is_set():
            sys.exit("keys: stopped by a signal")
        prepared = parameters(batch)
        start = time.perf_counter()
        execute(prepared)
        samples.append(Sample(len(batch.numbers), time.perf_counter() - start))
        if is_due(len(samples), total):
            say(f"{name}: {len(samples) * 100 // total} %, {pace(last(samples)):,.0f} rows a second")
    return {"rows_per_s": pace(samples), "last_rows_per_s": pace(last(samples))}
