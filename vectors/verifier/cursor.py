"""A plain model of "which ID comes next" under a clock that somebody sets by hand and that never sleeps.

The state is the next free position, `tick * room + low`, where `room` is how many positions a tick has. A step:

    position = max(now * room, state)         taken: state' = position + 1

It is taken only if the position's own tick lies in the window and is either a tick already reached (its low
part is not 0) or one that the clock has reached. Otherwise a wait would be needed, and the answer says why.
"""

from __future__ import annotations

from .errors import Refused
from .layout import Layout


class Cursor:
    """`room`: positions in a tick. `window`: [start, end) in ticks. `max_wait_ms`: None for two ticks, 2 s at most."""

    def __init__(self, layout: Layout, room: int, window: tuple[int, int] | None, max_wait_ms: int | None) -> None:
        self.layout = layout
        self.room = room
        self.window = window
        self.state = 0
        self.max_wait_us = min(2 * layout.tick_us, 2_000_000) if max_wait_ms is None else max_wait_ms * 1000

    def next(self, clock_ms: int) -> tuple[int, int, bool]:
        """(tick, low, new): the position that is taken; new when it is the first of its tick. Or an error."""
        now = self.layout.tick_at(clock_ms)
        position = max(now * self.room, self.state)
        tick, low = divmod(position, self.room)
        if tick > self.layout.highest("timestamp"):
            raise Refused("TIMESTAMP_OVERFLOW")
        if self.window:
            start, end = self.window
            if tick >= end:
                raise Refused("LEASE_EXPIRED")
            if tick < start:
                raise Refused(self.wait(start, clock_ms, "LEASE_NOT_BEGUN"))
        if low == 0 and tick > now:
            raise Refused(self.wait(tick, clock_ms, "CLOCK_BACKWARD" if tick - now > 1 else "WOULD_WAIT"))
        new = position != self.state or low == 0
        self.state = position + 1
        return tick, low, new

    def wait(self, tick: int, clock_ms: int, too_long: str) -> str:
        """The kind of error when the next ID must wait until `tick` begins."""
        wait_us = tick * self.layout.tick_us - (clock_ms - self.layout.epoch_ms) * 1000
        return "WOULD_WAIT" if wait_us <= self.max_wait_us else too_long
