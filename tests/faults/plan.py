"""The plan: what every harness does, in every language.

A fault of the clock is a list of readings before the fault and one from it on. Each reading has a
time and the number of IDs requested at it. Schemes with a tick of a second see these readings too,
which cross the start of a second.
"""

from __future__ import annotations

Readings = list[tuple[int, int]]

# 2026-01-01T00:00:00Z: a whole second, later than the epochs of all libraries here.
START_MS = 1_767_225_600_000


def every_ms(first_ms: int, count: int, ids: int) -> Readings:
    return [(first_ms + ms, ids) for ms in range(count)]


def oscillating(count: int, ids: int) -> Readings:
    """Continues by a millisecond at each reading, but every other reading shows 3 ms less."""
    return [(START_MS + reading - 3 * (reading % 2), ids) for reading in range(count)]


def restarted_in_the_past(start_ms: int) -> dict[str, Readings]:
    after = [*every_ms(start_ms - 1, 3, 1000), (start_ms + 1000, 1000)]
    return {"before": every_ms(start_ms - 1, 2, 1000), "after": after}


def plan(quick: bool) -> dict[str, object]:
    few = 10 if quick else 1
    readings = oscillating(5000 // few, 20)
    return {
        "faults": [
            "burst",
            "step_1s",
            "step_2ms",
            "oscillating",
            "restart",
            "restart_2ms",
            "processes",
            "fork",
            "threads",
        ],
        "saiban_divisor": 100 if quick else 1,
        "burst": {
            "ids": 1_000_000 // few,
            "seconds": 3,
            "readings": [(START_MS + 1000 * s, 140_000) for s in range(2)],
        },
        # 2.5 seconds, then one second back, and two more seconds, with 10 IDs a millisecond.
        "step_1s": {"before": every_ms(START_MS, 2500, 10), "after": every_ms(START_MS + 1500, 2000, 10)},
        # The clock steps back by 2 ms after two milliseconds, across the start of a second.
        "step_2ms": {"before": every_ms(START_MS - 1, 2, 1000), "after": every_ms(START_MS - 1, 2, 1000)},
        "oscillating": {"before": readings[:1], "after": readings[1:]},
        # The clock steps back by 2 ms while the program is down, and then continues.
        "restart_2ms": [restarted_in_the_past(START_MS + 10_000 * again) for again in range(10)],
        # In each tick: some IDs, a restart, and as many IDs again.
        "restart": {"start_ms": START_MS, "ticks": 10, "ids": 1000},
        # The number of concurrent processes, and of the IDs that each makes.
        "processes": {"processes": 4, "ids": 50_000 // few},
        "fork": {"children": 4, "ids": 1000},
        "threads": {"threads": 8, "ids": 100_000 // few},
        # Smaller, for ticks of a second and for slow languages.
        "slow_threads": {"threads": 8, "ids": 2000},
    }
