"""Runs each case briefly and then all again, so that a disturbance of the machine affects all."""

from __future__ import annotations

import time
from collections.abc import Iterable

from .case import Case


def calls_in(case: Case, ms: float) -> int:
    """Returns how many calls take this long, including preparations."""
    calls = case.fewest
    while True:
        # The minimum, because a disturbed sample would make all later ones short.
        taken_ms = min(_taken_ms(case, calls) for _ in range(3))
        if taken_ms >= ms / 8:
            return max(case.fewest, round(calls * ms / taken_ms))
        calls *= 2


def _taken_ms(case: Case, calls: int) -> float:
    begun = time.perf_counter()
    case.seconds(calls)
    return (time.perf_counter() - begun) * 1000


def run(cases: list[Case], rounds: int, ms: float) -> Iterable[tuple[Case, list[float]]]:
    """Returns nanoseconds per ID of each case in each round."""
    # The first call of a generator waits for its first tick.
    for case in cases:
        case.seconds(case.fewest)
    calls = {case: calls_in(case, ms) for case in cases}
    ns: dict[Case, list[float]] = {case: [] for case in cases}
    for number in range(rounds):
        for case in reversed(cases) if number % 2 else cases:
            ns[case].append(case.seconds(calls[case]) * 1e9 / (calls[case] * case.ids))
    return ns.items()
