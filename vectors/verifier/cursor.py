"""A plain model of "which ID comes next" under a clock that somebody sets by hand and that never
sleeps.

Each value of the rollback bits has a line of IDs of its own, which only goes forward; a layout
without such bits has one line. A line gives the first position of the clock's tick, or, where it
has reached that tick or a later one, the position after its last. That position must lie in the
window, and in a tick that the line has reached or that the clock has reached. What happens when the
clock is behind the tick that the line in use has reached is the policy's to say:

  hold   nothing else: the line continues in the tick it has reached, as long as that has positions
  left error  refused
  bits   the next line is tried; when the clock is behind that one too, or it can give nothing, as
  hold

The source is saiban's own documentation of the option `rollback`, and vectors/README.md.
"""

from __future__ import annotations

from .errors import Refused
from .grammar import AnyLayout
from .layout import Layout


class Line:
    """The IDs under one value of the rollback bits. `room`: positions in a tick."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.last: tuple[int, int] | None = None

    def is_ahead_of(self, now: int) -> bool:
        return self.last is not None and self.last[0] > now

    def after_last(self, now: int) -> tuple[int, int]:
        """(tick, low) of the position that comes next at this tick of the clock, be it to be had or not."""
        if self.last is None or self.last[0] < now:
            return now, 0
        tick, low = self.last
        return (tick, low + 1) if low + 1 < self.room else (tick + 1, 0)


class Cursor:
    """`window`: [start, end) in ticks. `max_wait_ms`: None for two ticks, 2 s at most.

    `policy`: hold, error or bits; None for bits where the layout has such bits, else hold. `ahead`:
    by how many ticks an ID may be ahead of the clock.
    """

    def __init__(
        self,
        layout: Layout | AnyLayout,
        room: int,
        window: tuple[int, int],
        max_wait_ms: int | None,
        policy: str | None,
        ahead: int = 0,
    ) -> None:
        has_bits = layout.widths["rollback"] > 0
        self.policy = policy or ("bits" if has_bits else "hold")
        if self.policy not in ("hold", "error", "bits"):
            raise Refused("UNKNOWN_NAME")
        if self.policy == "bits" and not has_bits:
            raise Refused("INVALID_LAYOUT")
        self.layout = layout
        self.ahead = ahead
        self.window = window
        self.max_wait_us = min(2 * layout.tick_us, 2_000_000) if max_wait_ms is None else max_wait_ms * 1000
        self.lines = [Line(room) for _ in range(1 << layout.widths["rollback"] if self.policy == "bits" else 1)]
        self.rollback = 0

    def next(self, clock_ms: int) -> tuple[int, int, int]:
        """(tick, low, rollback) of the position that is taken. Or an error."""
        now = self.layout.tick_at(clock_ms)
        taken = self.offered(now)
        if taken is None:
            raise Refused(self.why_not(now, clock_ms))
        tick, low, self.rollback = taken
        self.lines[self.rollback].last = tick, low
        return taken

    def offered(self, now: int) -> tuple[int, int, int] | None:
        """What a clock that shows this tick would be given now."""
        start, end = self.window
        using = [self.rollback]
        if self.lines[self.rollback].is_ahead_of(now + self.ahead):
            if self.policy == "error":
                return None
            after = (self.rollback + 1) % len(self.lines)
            if not self.lines[after].is_ahead_of(now + self.ahead):
                using = [after, self.rollback]
        for rollback in using:
            tick, low = self.lines[rollback].after_last(now)
            if start <= tick < end and (tick <= now + self.ahead or low > 0):
                return tick, low, rollback
        return None

    def why_not(self, now: int, clock_ms: int) -> str:
        own, after = self.lines[self.rollback], self.lines[(self.rollback + 1) % len(self.lines)]
        behind = own.is_ahead_of(now + self.ahead)
        if behind and self.policy == "error":
            return "CLOCK_BACKWARD"
        # Something is to be had again when the window begins, or when the clock comes to a tick
        # that a line has reached, or past it: whichever a clock that goes forward comes to first.
        reached = [line.last[0] - self.ahead for line in (own, after) if line.last]
        ticks = {self.window[0]} | {tick + more for tick in reached for more in (0, 1)}
        ready = [tick for tick in sorted(ticks) if tick > now and self.offered(tick)]
        position_tick = own.after_last(now)[0]
        if not ready:
            return "TIMESTAMP_OVERFLOW" if position_tick > self.layout.highest("timestamp") else "LEASE_EXPIRED"
        wait_us = ready[0] * self.layout.tick_us - (clock_ms - self.layout.epoch_ms) * 1000
        if wait_us <= self.max_wait_us:
            return "WOULD_WAIT"
        if behind:
            return "CLOCK_BACKWARD"
        return "LEASE_NOT_BEGUN" if position_tick < self.window[0] else "WOULD_WAIT"
