"""What every harness is asked for, in every language the same.

A clock's fault is a list of readings, each with how many IDs are asked for while the clock shows
it: before the fault, and from the fault on. Schemes whose tick is a second see the same readings in
seconds: they cross the start of one.
"""

from __future__ import annotations

Readings = list[tuple[int, int]]

# 2026-01-01T00:00:00Z, a whole second; some ticks later than every epoch of the libraries here.
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
        # Two and a half seconds, then one second back, and two more: at 10 IDs a millisecond.
        "step_1s": {"before": every_ms(START_MS, 2500, 10), "after": every_ms(START_MS + 1500, 2000, 10)},
        # The clock goes back by 2 ms once it has shown two of them, across the start of a second.
        "step_2ms": {"before": every_ms(START_MS - 1, 2, 1000), "after": every_ms(START_MS - 1, 2, 1000)},
        "oscillating": {"before": readings[:1], "after": readings[1:]},
        # 2 ms back while the program is down; then the clock continues.
        "restart_2ms": [restarted_in_the_past(START_MS + 10_000 * again) for again in range(10)],
        # In each tick: some IDs, a restart, as many IDs.
        "restart": {"start_ms": START_MS, "ticks": 10, "ids": 1000},
        # Concurrent processes: each makes this many IDs.
        "processes": {"processes": 4, "ids": 50_000 // few},
        "fork": {"children": 4, "ids": 1000},
        "threads": {"threads": 8, "ids": 100_000 // few},
        # For what a tick of a second and a slow language allow.
        "slow_threads": {"threads": 8, "ids": 2000},
    }
