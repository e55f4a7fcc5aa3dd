"""How much chaos: the workers, and which faults they and their store get, in an order that the seed draws."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

# 64 IDs of a node in a millisecond, so that a generator at full speed uses up every tick, and two
# holders of a node, at the same time, would make the same.
LAYOUT = "timestamp:41@ms,epoch=2024-01-01 node:{node_bits} sequence:6"


@dataclass(frozen=True)
class Shape:
    """Of one store."""

    # Workers by lane: language, and whether its clock is stepped.
    lanes: tuple[tuple[tuple[str, bool], ...], ...]
    # Faults of workers, by lane.
    faults: tuple[tuple[str, ...], ...]
    # How often each fault of the store comes.
    rounds: int
    # Seconds between two of them, at least and at most.
    pause_s: tuple[float, float]
    node_bits: int
    ttl_s: int
    max_ttl_s: int
    ids: int

    @property
    def layout(self) -> str:
        return LAYOUT.format(node_bits=self.node_bits)

    def of_store(self, kind: str) -> Shape:
        """The same as this store allows."""
        if kind == "redis":
            # After each of its faults it grants nothing for as long as the longest lease lasts.
            least_s, most_s = self.pause_s
            rest_s = 0 if self.rounds == 1 else self.max_ttl_s
            return replace(self, rounds=min(2, self.rounds), pause_s=(rest_s + least_s, rest_s + most_s))
        if kind != "sqlite":
            return self
        # Its time is the machine's: only workers with clocks of their own step theirs, and no start
        # is refused.
        lanes = tuple(tuple((lang, off and lang == "rust") for lang, off in lane) for lane in self.lanes)
        faults = tuple(tuple("kill" if fault == "wrong_start" else fault for fault in lane) for lane in self.faults)
        return replace(self, lanes=lanes, faults=faults, rounds=2 * self.rounds)

    def of_lane(self, lane: int, rng: random.Random) -> list[str]:
        return rng.sample(self.faults[lane], len(self.faults[lane]))

    def of_server(self, kinds: tuple[str, ...], rng: random.Random) -> list[str]:
        """What happens to the store. Each time it is rewound it is to a copy that was made some faults ago."""
        faults: list[str] = []
        for _ in range(self.rounds):
            some = rng.sample(kinds, len(kinds))
            rewinds = [fault for fault in some if fault.startswith("rewind")]
            others = [fault for fault in some if not fault.startswith("rewind")]
            for left, rewind in reversed([*enumerate(rewinds)]):
                # At least one fault lies between the copy and its return.
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
    # Sixteen for twelve workers and their children: a node that is released is soon another's.
    node_bits=4,
    ttl_s=3,
    max_ttl_s=5,
    ids=10_000_000,
)
