"""Times and ticks of layouts: Unix milliseconds, and the nanoseconds after the millisecond."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from .errors import Refused

NS_PER_MS = 1_000_000


class Ticks(Protocol):
    """A layout that counts ticks from an epoch."""

    epoch_ms: int
    tick_us: int | Fraction

    def highest(self, part: str, /) -> int: ...


def tick_at(layout: Ticks, unix_ms: int, submillisecond_ns: int) -> int:
    """Returns the tick of a Unix time, or raises an error outside the layout's time."""
    if not 0 <= submillisecond_ns < NS_PER_MS:
        raise Refused("INVALID_ARGUMENT")
    if unix_ms < layout.epoch_ms:
        raise Refused("TIMESTAMP_BEFORE_EPOCH")
    tick = ((unix_ms - layout.epoch_ms) * NS_PER_MS + submillisecond_ns) // (layout.tick_us * 1000)
    if tick > layout.highest("timestamp"):
        raise Refused("TIMESTAMP_OVERFLOW")
    return tick


def parts_of_time(layout: Ticks, tick: int) -> dict[str, int]:
    """Returns the beginning of a tick, as the parts of an ID."""
    since_ns = Fraction(tick * layout.tick_us * 1000)
    assert since_ns.denominator == 1
    ms, ns = divmod(since_ns.numerator, NS_PER_MS)
    time = {"timestamp_ms": layout.epoch_ms + ms}
    return time if layout.tick_us % 1000 == 0 else time | {"submillisecond_ns": ns}
