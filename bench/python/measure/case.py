"""One thing that is measured: a call, repeated in a loop."""

from __future__ import annotations

import importlib.metadata
import time
import timeit
from collections.abc import Callable
from typing import Any

# As many as generate_many makes. Of Ulid-Flake IDs such a burst uses one millisecond in eight up:
# it has 2^20 numbers, of which the first is drawn, and each ID takes 128 on average. Shorter ones
# would measure the first IDs of a millisecond, for which clocks are read, more than others.
BURST = 1000


class Case:
    """`make(*arguments)`, which makes `ids` IDs.

    who: a package, perhaps with a remark after a comma.
    version: of what is no package.
    refusal: the exception with which a package refuses an ID now and then; the caller continues.
    """

    # Samples of fewer calls mean nothing.
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
        # All names are local ones of the loop, as a user's hot loop has them.
        names = {"make": make, **{f"argument_{index}": value for index, value in enumerate(arguments)}}
        setup = "\n".join(f"{name} = names[{name!r}]" for name in names)
        call = f"make({', '.join(list(names)[1:])})"
        if refusal is not None:
            names["refusal"] = refusal
            setup += "\nrefusal = names['refusal']"
            call = f"try:\n    {call}\nexcept refusal:\n    pass"
        self._timer = timeit.Timer(call, setup, globals={"names": names})

    def seconds(self, calls: int) -> float:
        """How long this many calls take."""
        return self._timer.timeit(calls)


class Burst(Case):
    """A generator whose format has fewer IDs a millisecond than it could make: its calls are timed
    in bursts, each in a millisecond of its own. A burst that had to wait is not counted.
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
    # Without sleep: a processor that slept is slower at first.
    now = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == now:
        pass
