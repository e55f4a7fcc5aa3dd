"""Baselines: calls into Rust that do nothing."""

from __future__ import annotations

import platform

from saiban_bench_python_floor import Floor

from ..case import Case

RANDFLAKE = "3vgoe12ccb8gh"


def cases() -> list[Case]:
    floor, of = Floor(), {"version": platform.python_version()}
    return [
        Case("python.floor.int", "floor: an empty method that returns an int", floor.int, **of),
        Case("python.floor.list", "floor: a list of 1000 ints made in one go", floor.list, ids=1000, **of),
        Case("python.floor.text", "floor: an empty method that takes a str", floor.text, RANDFLAKE, **of),
    ]
