"""Randflake from PyPI: the API of version 2, its legacy API, and version 1.

Usage: randflakes.py PLAN 1|2      with that version importable
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import harness
import randflake.randflake
from harness import Library, Made, Plan, SetClock

SECRET = b"super-secret-key"
NODE = 42
Clock = Callable[[], int]


def new(lease_start_s: int, clock: Clock | None) -> Callable[[], int]:
    """The current API: `randflake.v2`."""
    from randflake import v2

    lease = v2.Lease(NODE, lease_start_s, lease_start_s + 600)
    return v2.Generator(v2.Config(lease, SECRET, clock)).generate


def legacy(lease_start_s: int, clock: Clock | None) -> Callable[[], int]:
    """The API of version 1, which version 2 still has: `randflake.Generator`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        generator = randflake.Generator(NODE, lease_start_s, lease_start_s + 600, SECRET)
    generator.time_source = clock
    return generator.generate


def run(library: Library, plan: Plan, build: Callable[[int, Clock | None], Callable[[], int]]) -> None:
    refusal = randflake.randflake.RandflakeError
    for fault in ("step_1s", "step_2ms", "oscillating"):
        clock = SetClock(plan[fault]["before"][0][0])
        make = build(clock.seconds() - 5, clock.seconds)
        library.cell(fault, harness.follow(plan[fault], clock, make, refusal), "a clock that the test sets")

    restart, clock, made = plan["restart"], SetClock(0), Made()
    for tick in range(restart["ticks"]):
        clock.now_ms = restart["start_ms"] + 1000 * tick
        for ids in (made.before, made.after):
            make = build(clock.seconds(), clock.seconds)
            ids.extend(make() for _ in range(restart["ids"]))
    library.cell(
        "restart",
        made,
        "a new generator, with a new lease that begins in the same second, on a clock that the test sets",
    )

    def start() -> Callable[[], int]:
        return build(clock.seconds() - 5, clock.seconds)

    made = harness.restarted(plan["restart_2ms"], clock, start, refusal)
    library.cell("restart_2ms", made, "as restart in one tick, with the clock set back between the two generators")

    made, readings = Made(), plan["burst"]["readings"]
    clock = SetClock(readings[0][0])
    made.after = harness.ask(readings, clock, made, build(clock.seconds() - 1, clock.seconds), refusal)
    note = (
        "a clock that the test sets, because Python is too slow for a burst; the lease began a second before the first "
        "ID"
    )
    library.cell("burst", made, note)

    harness.until_next_second()
    make, made = build(int(time.time()) - 5, None), Made()
    made.before = [make() for _ in range(10)]
    harness.fork(plan, lambda _: harness.make_some(plan["fork"]["ids"], make, refusal), made)
    library.cell("fork", made, "os.fork; each child goes on with its copy of the generator, all in the same second")
    harness.until_next_second()
    library.cell("threads", harness.threads(plan, make, refusal), "threading, one generator, the system's clock")


def main(plan_path: str, major: str) -> None:
    plan = json.loads(Path(plan_path).read_text())
    version = importlib.metadata.version("randflake")
    if not version.startswith(f"{major}."):
        sys.exit(f"randflake {version} is installed where {major} is wanted")
    if major == "2":
        run(Library("randflake (PyPI)", version), plan, new)
        run(Library("randflake (PyPI), legacy API", version), plan, legacy)
    else:
        run(Library("randflake (PyPI), version 1", version), plan, legacy)


if __name__ == "__main__":
    main(*sys.argv[1:])
