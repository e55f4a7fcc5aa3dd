"""A simple model of the next ID of a generator with a manual clock, which never waits.

Each value of the rollback bits has its own line of positions, which only goes forward. A layout
without rollback bits has one line. The next position of a line is the first one of the clock's
tick, or, if the line has reached that tick or a later one, the one after its last position. The
position must be in the window, and in a tick that the line or the clock has reached. If the clock
is behind the tick that the current line has reached, the policy decides:

  hold   The line continues in the tick that it has reached, as long as that has free positions.
  error  No position is free.
  bits   The next line takes over. If the clock is behind that line too, or it has no free position,
         the current line continues as with hold.

The sources are saiban's documentation of the option `rollback`, and vectors/README.md.
"""

from __future__ import annotations

from .errors import Refused
from .grammar import AnyLayout
from .layout import Layout


class Line:
    """The positions of one value of the rollback bits. `room`: the positions in a tick."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.last: tuple[int, int] | None = None

    def is_ahead_of(self, now: int) -> bool:
        return self.last is not None and self.last[0] > now

    def after_last(self, now: int) -> tuple[int, int]:
        """Returns (tick, low) of the next position at this tick of the clock, free or not."""
        if self.last is None or self.last[0] < now:
            return now, 0
        tick, low = self.last
        return (tick, low + 1) if low + 1 < self.room else (tick + 1, 0)


class Cursor:
    """The state of a generator.

    `window`: [start, end) in ticks. `max_wait_ms`: None for two ticks, at most 2 s. `policy`: hold,
    error or bits; None is bits if the layout has rollback bits, else hold. `ahead`: the number of
    ticks by which an ID can be ahead of the clock.
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
        """Takes the next position and returns (tick, low, rollback), or raises an error."""
        now = self.layout.tick_at(clock_ms)
        taken = self.offered(now)
        if taken is None:
            raise Refused(self.why_not(now, clock_ms))
        tick, low, self.rollback = taken
        self.lines[self.rollback].last = tick, low
        return taken

    def offered(self, now: int) -> tuple[int, int, int] | None:
        """Returns the position that is free if the clock shows this tick, or None."""
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
        # A clock that goes forward finds a free position when the window begins, in a tick that a
        # line has reached, or in the tick after it.
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
