"""Bit layouts of 64-bit IDs: fields from the highest bit to the lowest, an epoch and a tick.

Sources of the presets:
  twitter       github.com/twitter-archive/snowflake, IdWorker.scala: 41 | 5 + 5 | 12,
                epoch 1288834974657
  discord       Discord API reference, "Snowflakes": 42 | 5 + 5 | 12, epoch 1420070400000
  instagram     "Sharding & IDs at Instagram" (2012): 41 | 13 shard | 10 sequence,
                epoch 1314220021721
  sonyflake     github.com/sony/sonyflake: 39 of 10 ms | 8 sequence | 16 machine, from 2014-09-01
  sonyflake_v2  the bits of sonyflake, from 2025-01-01
  baidu         github.com/baidu/uid-generator, README: 1 | 28 of 1 s | 22 worker | 13 sequence,
                from 2016-05-20, UTC+8
  tsid-…        github.com/f4b6a3/tsid-creator, README: 42 from 2020-01-01 | 8, 10 or 12 node |
                14, 12 or 10 counter
"""

from __future__ import annotations

from datetime import UTC, datetime

from . import times
from .errors import Refused

FEWEST_BITS, BITS = 16, 64
NAMES = ("unused", "timestamp", "node", "sequence", "random", "rollback", "constant")
MAX_FIELDS = 16
MAX_ROLLBACK_BITS = 4


def midnight_ms(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp()) * 1000


class Layout:
    """A valid layout with a timestamp and a sequence, which is the random part in Ulid-Flake."""

    def __init__(self, fields: list[tuple[str, int]], epoch_ms: int, tick_us: int) -> None:
        if any(name not in NAMES for name, _ in fields):
            raise Refused("UNKNOWN_NAME")
        used = [name for name, _ in fields if name != "unused"]
        valid = (
            len(fields) <= MAX_FIELDS
            and len(set(used)) == len(used)
            and all(width > 0 for _, width in fields)
            and FEWEST_BITS <= sum(width for _, width in fields) <= BITS
            and "timestamp" in used
            and "sequence" in used
            and not {"random", "constant"} & set(used)
            and all(width <= MAX_ROLLBACK_BITS for name, width in fields if name == "rollback")
            and tick_us > 0
        )
        if not valid:
            raise Refused("INVALID_LAYOUT")
        self.epoch_ms = epoch_ms
        self.tick_us = tick_us
        self.widths = dict.fromkeys(NAMES, 0)
        self.shifts = {}
        # The bits above a layout of fewer than 64 bits are 0.
        left = sum(width for _, width in fields)
        self.unused_mask = (1 << BITS) - (1 << left)
        for name, width in fields:
            left -= width
            if name == "unused":
                self.unused_mask |= ((1 << width) - 1) << left
            else:
                self.widths[name] = width
                self.shifts[name] = left
        # Tick and sequence have at most 63 bits together, and so does the time in milliseconds.
        position_bits = self.widths["timestamp"] + self.widths["sequence"]
        if position_bits > BITS - 1 or self.unix_ms(self.highest("timestamp")) >> 63:
            raise Refused("INVALID_LAYOUT")

    @classmethod
    def of(cls, described: str | dict) -> Layout:
        """Returns the preset of a name, or the layout of a config's fields, epoch and tick."""
        if isinstance(described, str):
            if described not in PRESETS:
                raise Refused("UNKNOWN_NAME")
            return PRESETS[described]
        fields = [(name, width) for name, width in described["fields"]]
        return cls(fields, int(described["epoch_ms"]), int(described["tick_us"]))

    def highest(self, name: str) -> int:
        return (1 << self.widths[name]) - 1

    def joined(self, **values: int) -> int:
        """Returns the ID as a signed integer. Every value must fit its field."""
        word = 0
        for name, value in values.items():
            assert 0 <= value <= self.highest(name), (name, value)
            if self.widths[name]:
                word |= value << self.shifts[name]
        return word - (1 << BITS) if word >> (BITS - 1) else word

    def split(self, value: int) -> dict[str, int] | None:
        """Returns the fields of an ID without unused bits, or None if one of these bits is 1."""
        word = value % (1 << BITS)
        if word & self.unused_mask:
            return None
        return {name: word >> shift & self.highest(name) for name, shift in self.shifts.items()}

    def tick_at(self, unix_ms: int, submillisecond_ns: int = 0) -> int:
        return times.tick_at(self, unix_ms, submillisecond_ns)

    def unix_ms(self, tick: int) -> int:
        """Returns the Unix time at which a tick begins, rounded down to the millisecond."""
        return self.epoch_ms + tick * self.tick_us // 1000


TWITTER = [("unused", 1), ("timestamp", 41), ("node", 10), ("sequence", 12)]
SONYFLAKE = [("unused", 1), ("timestamp", 39), ("sequence", 8), ("node", 16)]
PRESETS = {
    "twitter": Layout(TWITTER, 1288834974657, 1000),
    "discord": Layout([("timestamp", 42), ("node", 10), ("sequence", 12)], 1420070400000, 1000),
    "instagram": Layout([("timestamp", 41), ("node", 13), ("sequence", 10)], 1314220021721, 1000),
    "sonyflake": Layout(SONYFLAKE, midnight_ms(2014, 9, 1), 10_000),
    "sonyflake_v2": Layout(SONYFLAKE, midnight_ms(2025, 1, 1), 10_000),
    # Midnight in China, which is 8 hours ahead.
    "baidu": Layout(
        [("unused", 1), ("timestamp", 28), ("node", 22), ("sequence", 13)],
        midnight_ms(2016, 5, 20) - 8 * 3_600_000,
        1_000_000,
    ),
} | {
    f"tsid-{1 << node}": Layout(
        [("timestamp", 42), ("node", node), ("sequence", 22 - node)], midnight_ms(2020, 1, 1), 1000
    )
    for node in (8, 10, 12)
}
