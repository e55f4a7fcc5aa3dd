"""Baselines: calls into Rust that do nothing."""

from __future__ import annotations

import platform

from saiban_bench_python_baseline import Baseline

from ..case import Case

RANDFLAKE = "3vgoe12ccb8gh"


def cases() -> list[Case]:
    baseline, of = Baseline(), {"version": platform.python_version()}
    return [
        Case("python.baseline.int", "baseline: an empty method that returns an int", baseline.int, **of),
        Case("python.baseline.list", "baseline: a list of 1000 ints made in one go", baseline.list, ids=1000, **of),
        Case("python.baseline.text", "baseline: an empty method that takes a str", baseline.text, RANDFLAKE, **of),
    ]
