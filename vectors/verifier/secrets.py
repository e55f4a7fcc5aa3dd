"""Determines which of several secrets an ID was made with, by the time of each reading.

Any number is an ID with any secret. The most likely reading has the latest time in the past. Times
in the future are less likely, and the nearest is the most likely of them. The cases need no clock:
one reading is before November 2026, and all others are in 2050 or later.
"""

from __future__ import annotations

from datetime import UTC, datetime

from .errors import Refused
from .schemes import Randflake

MOST = 8
IS_OVER_MS, IS_AHEAD_MS = (int(datetime(*day, tzinfo=UTC).timestamp()) * 1000 for day in ((2026, 11, 1), (2050, 1, 1)))


def inspect(value: int, secret: str, old_secrets: list[str]) -> dict:
    """Returns the parts under the likely secret, and its index if there are several secrets."""
    if 1 + len(old_secrets) > MOST:
        raise Refused("INVALID_ARGUMENT")
    readings = [Randflake({"secret": each}).inspect(value) for each in (secret, *old_secrets)]
    over = [index for index, parts in enumerate(readings) if parts["timestamp_ms"] < IS_OVER_MS]
    ahead = [index for index, parts in enumerate(readings) if parts["timestamp_ms"] >= IS_AHEAD_MS]
    if len(over) != 1 or len(over) + len(ahead) != len(readings):
        return {"not_told_apart": len(over)}
    choice = {"secret_index": over[0]} if old_secrets else {}
    return readings[over[0]] | choice
