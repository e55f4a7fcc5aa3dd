"""Ulid-Flake from PyPI, stand-alone.

Usage: ulid_flakes.py PLAN
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import harness
import ulid_flake.api
from harness import Library, Made, Plan, SetClock

BITS = 20
REPLACED_DATETIME = "the module's `datetime` is replaced by one that the test sets"


class SetDatetime(datetime):
    clock = SetClock(0)

    @classmethod
    def now(cls, tz=None):
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=cls.clock.now_ms)


def restarted(is_replaced: bool) -> ModuleType:
    """Reloads the module, as a new process does: its generator is a class."""
    module = importlib.reload(ulid_flake.api)
    if is_replaced:
        module.datetime = SetDatetime
    return module


def odds(*parts: list[int]) -> float:
    """Returns the expected duplicates: two parts' IDs of one millisecond are equal by 1 in 2^20."""
    expected, seen = 0.0, Counter()
    for part in parts:
        own = Counter(identifier >> BITS for identifier in part)
        expected += sum(count * seen[tick] for tick, count in own.items()) / 2**BITS
        seen.update(own)
    return expected


def runs(ids: list[int]) -> list[list[int]]:
    """Splits the IDs where the time changes: each part begins at a random value."""
    pieces: list[list[int]] = []
    for identifier in ids:
        if not pieces or pieces[-1][-1] >> BITS != identifier >> BITS:
            pieces.append([])
        pieces[-1].append(identifier)
    return pieces


def run(library: Library, plan: Plan) -> None:
    clock, refusal = SetDatetime.clock, OverflowError
    for fault in ("step_1s", "step_2ms", "oscillating"):
        api = restarted(is_replaced=True)
        made = harness.follow(plan[fault], clock, lambda api=api: api.UlidFlake.new().int, refusal)
        library.cell(fault, made, REPLACED_DATETIME, odds(*runs(made.before + made.after)))

    restart, made, pieces = plan["restart"], Made(), []
    for tick in range(restart["ticks"]):
        clock.now_ms = restart["start_ms"] + tick
        for ids in (made.before, made.after):
            api = restarted(is_replaced=True)
            piece, refused = harness.make_some(restart["ids"], lambda api=api: api.UlidFlake.new().int, refusal)
            ids.extend(piece)
            pieces.append(piece)
            made.refused += refused
    note = "the module loaded again in the same millisecond, as a new process has it; "
    library.cell("restart", made, note + REPLACED_DATETIME, odds(*pieces))

    def start() -> Callable[[], int]:
        api = restarted(is_replaced=True)
        return lambda: api.UlidFlake.new().int

    made = harness.restarted(plan["restart_2ms"], clock, start, refusal)
    note = "as restart in one tick, with the clock set back between the two generators"
    library.cell("restart_2ms", made, note, odds(*runs(made.before + made.after)))

    api = restarted(is_replaced=False)

    def make() -> int:
        return api.UlidFlake.new().int

    made = Made()
    made.after, made.refused = harness.make_some(plan["burst"]["ids"] // 5, make, refusal)
    library.cell("burst", made, "the system's clock")

    made = Made(before=[make()])
    harness.fork(plan, lambda _: harness.make_some(plan["fork"]["ids"], make, refusal), made)
    size = plan["fork"]["ids"]
    children = [made.after[start : start + size] for start in range(0, len(made.after), size)]
    note = "os.fork; each child goes on with its copy; what is expected depends on how many milliseconds they share"
    library.cell("fork", made, note, odds(*children))
    library.cell("threads", harness.threads(plan, make, refusal), "threading, the system's clock")


def main(plan_path: str) -> None:
    plan = json.loads(Path(plan_path).read_text())
    version = importlib.metadata.version("ulid-flake")
    run(Library("ulid-flake (PyPI)", version), plan)
    scalable = Library("ulid-flake, scalable (PyPI)", version)
    for fault in plan["faults"]:
        if fault != "processes":
            scalable.not_applicable(fault, "it works as the stand-alone one, with 15 random bits in place of 20")


if __name__ == "__main__":
    main(*sys.argv[1:])
