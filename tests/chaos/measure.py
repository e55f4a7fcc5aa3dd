"""Measures from the records how long workers had no IDs, why, and the time to the first ID."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from pathlib import Path

from fleet import Happened, read_events, was_divided
from stores import NotAsPlanned

# The errors that a worker may get during faults. Any other is a bug.
EXPECTED = {
    "CLOCK_BACKWARD",
    "CLOCK_SKEW",
    "LEASE_EXPIRED",
    "LEASE_LOST",
    "LEASE_NOT_BEGUN",
    "NAMESPACE_FULL",
    "NAMESPACE_QUARANTINED",
    "STORE_UNAVAILABLE",
}
# Gaps that begin up to this long after a fault count for it, because leases outlast the fault.
AFTER_NS = 3_000_000_000

Span = tuple[int, int]


class Measured:
    """The measurements of all processes of one store."""

    def __init__(self, folder: Path, store: str) -> None:
        self.gaps: dict[str, list[Span]] = {}
        # The times of the first and the last ID of each process.
        self.lived: dict[str, Span] = {}
        # Seconds until the first ID: of started processes, and of forked ones.
        self.first: list[float] = []
        self.first_of_child: list[float] = []
        self.errors: Counter[str] = Counter()
        self.strange: list[str] = []
        self.holders: dict[int, set[str]] = defaultdict(set)
        self.processes = 0
        # Children that got no ID because they were forked while their parent used SQLite.
        self.divided = 0
        self.expected = EXPECTED | ({"FORKED"} if store == "sqlite" else set())
        for path in sorted(folder.glob("*.events")):
            self._read(path.name.removesuffix(".events"), read_events(path), path.with_suffix(".ids"))

    def _read(self, record: str, events: list[dict], ids: Path) -> None:
        self.processes += 1
        self.gaps[record] = []
        is_child = False
        for event in events:
            match event["event"]:
                case "start":
                    is_child = event["parent"] is not None
                case "first" | "gap" as what:
                    span = (event["from"], event["to"])
                    if what == "gap":
                        self.gaps[record].append(span)
                    else:
                        # The file's time is on the system's clock; its age is equal on every clock.
                        age_ns = time.time_ns() - ids.stat().st_mtime_ns
                        self.lived[record] = (span[1], time.monotonic_ns() - age_ns)
                        # A worker that was started with a wrong clock waited for the correction.
                        if "CLOCK_SKEW" not in event["errors"]:
                            (self.first_of_child if is_child else self.first).append(_seconds(span))
                case "error":
                    self.errors[event["kind"]] += 1
                    if event["kind"] not in self.expected or (event["kind"] == "FORKED" and not is_child):
                        self.strange.append(f"{record}: {event['kind']}: {event['message']}")
                case "end":
                    if event["ids"] * 8 != ids.stat().st_size:
                        self.strange.append(f"{record} made {event['ids']} IDs, and wrote {ids.stat().st_size} bytes")
            if event.get("node") is not None:
                self.holders[event["node"]].add(record)
        if was_divided(events):
            self.divided += 1
            if ids.stat().st_size:
                self.strange.append(f"{record} was told FORKED, and made IDs")

    def none_made(self, happened: Happened, others: list[Happened]) -> list[float]:
        """Returns for how many seconds each affected process had no IDs; 0 without a gap.

        A gap of one process counts for a fault of only that process, if there is one among
        `others`.
        """
        records = (
            [happened.record] if happened.record else [record for record in self.lived if self._ran(record, happened)]
        )
        found = []
        for record in records:
            own = [] if happened.record else [other for other in others if other.record == record]
            of_fault = [
                gap
                for gap in self.gaps[record]
                if gap[0] <= happened.ended_ns + AFTER_NS
                and gap[1] >= happened.begun_ns
                and not any(gap[0] <= other.ended_ns and gap[1] >= other.begun_ns for other in own)
            ]
            found += [max(map(_seconds, of_fault), default=0.0)]
        return found

    def _ran(self, record: str, happened: Happened) -> bool:
        """Returns whether this process made IDs before and after the fault."""
        first, last = self.lived[record]
        return first <= happened.begun_ns and last >= happened.ended_ns

    def must_have_paused(self, happened: Happened) -> None:
        lasted = _seconds((happened.begun_ns, happened.ended_ns))
        longest = max(self.none_made(happened, []), default=0)
        if longest < lasted - 0.5:
            raise NotAsPlanned(f"{happened.record} was stopped for {lasted:.1f} s, and knows of {longest:.1f} s only")


def _seconds(span: Span) -> float:
    return (span[1] - span[0]) / 1e9
