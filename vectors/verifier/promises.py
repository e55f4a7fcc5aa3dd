"""Checks the IDs in a file's `generate` cases for promises that do not depend on the cursor."""

from __future__ import annotations

from .errors import Refused
from .schemes import Scheme


def broken(scheme: Scheme, given: dict, answers: list) -> str | None:
    """Returns the first promise that these results break, or None. `given` has integers as int."""
    layout = scheme.layout
    start, end = scheme.window(given)
    first_node, end_node = scheme.nodes(given)
    policy = given.get("rollback") or ("bits" if layout.widths["rollback"] else "hold")
    seen: set[int] = set()
    furthest = -1
    reached: dict[int, int] = {}
    for clock_ms, answer in zip(given["clock_ms"], answers, strict=True):
        try:
            now = layout.tick_at(clock_ms)
        except Refused as refused:
            if answer != {"error": refused.kind}:
                return f"{answer} at {clock_ms}, which the layout cannot tell"
            continue
        furthest = max(furthest, now)
        if not isinstance(answer, str):
            continue
        value = int(answer)
        fields = layout.split(scheme.opened(value))
        if fields is None:
            return f"{value} is no ID"
        tick, rollback = fields["timestamp"], fields.get("rollback", 0)
        if value in seen:
            return f"{value} comes twice"
        if tick > furthest:
            return f"{value} is ahead of every time that the clock has shown"
        if not start <= tick < end:
            return f"{value} lies outside the window"
        if not first_node <= fields["node"] < end_node:
            return f"{value} is of node {fields['node']}"
        if tick < reached.get(rollback, -1):
            return f"{value} lies before an earlier ID of the same rollback value"
        if policy == "error" and tick != now:
            return f"{value} is not of the clock's tick, which 'error' asks for"
        if policy != "bits" and rollback:
            return f"{value} counts a step back under '{policy}'"
        seen.add(value)
        reached[rollback] = tick
    return None
