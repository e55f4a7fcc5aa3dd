"""Which of several secrets an ID was made under, told by the time that each reading would have.

Any number is an ID under any secret. A time that is over is the likelier one, and of those the
latest; the times ahead come after them, the nearest first. The cases are chosen so that this needs
no clock: one reading lies before November 2026, and all others lie in 2050 or later.
"""

from __future__ import annotations

from datetime import UTC, datetime

from .errors import Refused
from .schemes import Randflake

MOST = 8
IS_OVER_MS, IS_AHEAD_MS = (int(datetime(*day, tzinfo=UTC).timestamp()) * 1000 for day in ((2026, 11, 1), (2050, 1, 1)))


def inspect(value: int, secret: str, old_secrets: list[str]) -> dict:
    """The parts under the secret that fits, and its place in the list of all when there is a choice."""
    if 1 + len(old_secrets) > MOST:
        raise Refused("INVALID_ARGUMENT")
    readings = [Randflake({"secret": each}).inspect(value) for each in (secret, *old_secrets)]
    over = [index for index, parts in enumerate(readings) if parts["timestamp_ms"] < IS_OVER_MS]
    ahead = [index for index, parts in enumerate(readings) if parts["timestamp_ms"] >= IS_AHEAD_MS]
    if len(over) != 1 or len(over) + len(ahead) != len(readings):
        return {"not_told_apart": len(over)}
    choice = {"secret_index": over[0]} if old_secrets else {}
    return readings[over[0]] | choice
