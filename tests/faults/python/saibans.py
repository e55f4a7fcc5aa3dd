"""saiban's package for Python: Snowflake and Randflake, mainly with os.fork. The Rust harness tests
all schemes.

Usage: saibans.py PLAN
       saibans.py ids SCHEME COUNT      a restarted process: makes IDs, prints them, ends
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import harness
import saiban
from harness import Library, Made, Plan

SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
NODE = 7
# An arbitrary time; each scenario sets its clock first.
START_MS = 1_767_225_600_000


def build(scheme: str, **options: object) -> saiban.Snowflake | saiban.Randflake:
    if scheme == "Snowflake":
        return saiban.Snowflake(**options)
    return saiban.Randflake(secret=SECRET, **options)


def follow(scheme: str, trace: harness.Trace) -> Made:
    clock = saiban.ManualClock(START_MS)
    return harness.follow(trace, clock, build(scheme, node=NODE, clock=clock).generate, saiban.SaibanError)


def restart(scheme: str, processes: int, ids: int) -> Made:
    made = Made()
    for number in range(processes):
        command = [sys.executable, __file__, "ids", scheme, str(ids)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        (made.after if number else made.before).extend(map(int, printed.split()))
    return made


def forked(scheme: str, plan: Plan) -> Made:
    parent = build(scheme, nodes=range(100, 200))
    made, ids = Made(), plan["fork"]["ids"]
    made.before.extend(parent.generate_many(ids))

    def child(_number: int) -> tuple[list[int], int]:
        return parent.generate_many(100 * ids), 0

    harness.fork(plan, child, made)
    made.after.extend(parent.generate_many(ids))
    return made


def run(scheme: str, plan: Plan) -> None:
    library = Library(f"saiban {scheme} (Python)", "this repository")
    for fault in ("step_1s", "step_2ms", "oscillating"):
        library.cell(fault, follow(scheme, plan[fault]), "one node, a ManualClock")
    library.cell("restart", restart(scheme, 5, 1000), "new processes, one after the other for the same node")
    burst = {"before": [], "after": plan["burst"]["readings"]}
    library.cell("burst", follow(scheme, burst), "one node, a ManualClock")
    note = "os.fork; each child goes on with its parent's generator; the system's clock"
    library.cell("fork", forked(scheme, plan), note)
    made = harness.threads(plan, build(scheme, node=NODE).generate, saiban.WouldWaitError)
    library.cell("threads", made, "threading, one generator, the system's clock")


def main(arguments: list[str]) -> None:
    match arguments:
        case ["ids", scheme, count]:
            print(*build(scheme, node=NODE).generate_many(int(count)))
        case [plan]:
            for scheme in ("Snowflake", "Randflake"):
                run(scheme, json.loads(Path(plan).read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
