"""The size of a chaos run: the workers, and their faults in an order that the seed determines."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

# A node has 64 IDs a millisecond, so a generator at full speed uses up every tick. Two holders of a
# node at one time would therefore make equal IDs.
LAYOUT = "timestamp:41@ms,epoch=2024-01-01 node:{node_bits} sequence:6"


@dataclass(frozen=True)
class Shape:
    """The size of the run of one store."""

    # Workers by lane: the language, and whether the harness changes its clock.
    lanes: tuple[tuple[tuple[str, bool], ...], ...]
    # Faults of workers, by lane.
    faults: tuple[tuple[str, ...], ...]
    # How often each fault of the store occurs.
    rounds: int
    # Minimum and maximum seconds between two faults of the store.
    pause_s: tuple[float, float]
    node_bits: int
    ttl_s: int
    max_ttl_s: int
    ids: int

    @property
    def layout(self) -> str:
        return LAYOUT.format(node_bits=self.node_bits)

    def of_store(self, kind: str) -> Shape:
        """Returns this shape, limited to what the store allows."""
        if kind == "redis":
            # After each fault Redis grants no nodes for the longest lease's duration.
            least_s, most_s = self.pause_s
            rest_s = 0 if self.rounds == 1 else self.max_ttl_s
            return replace(self, rounds=min(2, self.rounds), pause_s=(rest_s + least_s, rest_s + most_s))
        if kind != "sqlite":
            return self
        # SQLite uses the machine's time. Only workers with their own clock can change it, and no
        # start is refused.
        lanes = tuple(tuple((lang, off and lang == "rust") for lang, off in lane) for lane in self.lanes)
        faults = tuple(tuple("kill" if fault == "wrong_start" else fault for fault in lane) for lane in self.faults)
        return replace(self, lanes=lanes, faults=faults, rounds=2 * self.rounds)

    def of_lane(self, lane: int, rng: random.Random) -> list[str]:
        return rng.sample(self.faults[lane], len(self.faults[lane]))

    def of_server(self, kinds: tuple[str, ...], rng: random.Random) -> list[str]:
        """Returns the faults of the store. Each rewind restores a copy that is some faults old."""
        faults: list[str] = []
        for _ in range(self.rounds):
            some = rng.sample(kinds, len(kinds))
            rewinds = [fault for fault in some if fault.startswith("rewind")]
            others = [fault for fault in some if not fault.startswith("rewind")]
            for left, rewind in reversed([*enumerate(rewinds)]):
                # At least one fault lies between saving the copy and restoring it.
                cut = rng.randint(1, max(1, len(others) - left))
                faults += ["save", *others[:cut], rewind]
                others = others[cut:]
            faults += others
        return faults


SHORT = Shape(
    lanes=((("rust", False), ("python", False)), (("rust", True), ("node", True))),
    faults=(("fork", "kill", "kill", "pause"), ("clock", "wrong_start", "kill")),
    rounds=1,
    pause_s=(0.5, 1.5),
    node_bits=3,
    ttl_s=2,
    max_ttl_s=3,
    ids=100_000,
)

FULL = Shape(
    lanes=tuple(tuple((language, lane % 2 == 1) for language in ("rust", "python", "node")) for lane in range(4)),
    faults=tuple(
        (("clock",) * 5 + ("wrong_start",) * 3 if lane % 2 else ("fork",) * 6) + ("kill",) * 7 + ("pause",) * 3
        for lane in range(4)
    ),
    rounds=3,
    pause_s=(2, 6),
    # Sixteen nodes for twelve workers and their children, so released nodes are soon reused.
    node_bits=4,
    ttl_s=3,
    max_ttl_s=5,
    ids=10_000_000,
)
