"""A measured case: a call, repeated in a loop."""

from __future__ import annotations

import importlib.metadata
import time
import timeit
from collections.abc import Callable
from typing import Any

# The number of IDs of generate_many. A burst of this many Ulid-Flakes uses up one millisecond in
# eight, which has 2^20 numbers from a random start on: each ID takes 128 on average. Shorter bursts
# would consist mostly of the first IDs of a millisecond, for which clocks are read.
BURST = 1000


class Case:
    """Measures `make(*arguments)`, which makes `ids` IDs.

    who: a package, optionally followed by a comma and a remark.
    version: given if `who` is not a package.
    refusal: the exception of a package that sometimes refuses an ID; the loop then continues.
    """

    # Samples of fewer calls are too short to be accurate.
    fewest = 1

    def __init__(
        self,
        path: str,
        who: str,
        make: Callable[..., Any],
        *arguments: object,
        ids: int = 1,
        version: str | None = None,
        refusal: type[Exception] | None = None,
    ) -> None:
        self.path, self.who, self.ids = path, who, ids
        self.version = version or importlib.metadata.version(who.partition(",")[0])
        # All names are local variables of the loop, as in a user's hot loop.
        names = {"make": make, **{f"argument_{index}": value for index, value in enumerate(arguments)}}
        setup = "\n".join(f"{name} = names[{name!r}]" for name in names)
        call = f"make({', '.join(list(names)[1:])})"
        if refusal is not None:
            names["refusal"] = refusal
            setup += "\nrefusal = names['refusal']"
            call = f"try:\n    {call}\nexcept refusal:\n    pass"
        self._timer = timeit.Timer(call, setup, globals={"names": names})

    def seconds(self, calls: int) -> float:
        """Returns how long this many calls take."""
        return self._timer.timeit(calls)


class Burst(Case):
    """Measures a generator that is faster than its format allows in a millisecond. It times bursts
    of calls, each in its own millisecond, and discards bursts that had to wait.
    """

    def __init__(self, path: str, who: str, make: Callable[..., Any], *arguments: object, ids: int = 1) -> None:
        super().__init__(path, who, make, *arguments, ids=ids)
        self._waits = lambda: make.__self__.stats().waits
        self.fewest = max(1, BURST // ids)

    def seconds(self, calls: int) -> float:
        left, seconds = calls, 0.0
        while left > 0:
            size = min(left, self.fewest)
            _next_millisecond()
            waits = self._waits()
            taken = super().seconds(size)
            if self._waits() == waits:
                seconds += taken
                left -= size
        return seconds


def _next_millisecond() -> None:
    # Without sleep, because a processor is slower after a sleep.
    now = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == now:
        pass
