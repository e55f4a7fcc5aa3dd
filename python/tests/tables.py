"""A table of events by topic and row key, and tick IDs, one in a hundred of which conflicts."""

from __future__ import annotations

from typing import Any

import saiban

EVENTS = 2000
TABLE = """CREATE TABLE events (
  topic VARCHAR(20) NOT NULL, row_key VARCHAR(30) NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0),
  PRIMARY KEY (topic, row_key)
)"""


class Programs:
    """Twenty programs whose clocks stand still make tick IDs in turn. A tick has a thousand of
    them.
    """

    def __init__(self) -> None:
        clock: Any = {"clock": saiban.ManualClock(1_700_000_000_000)}
        self._generators = [saiban.TickId("descending", **clock) for _ in range(20)]
        self.made = 0

    def generate(self) -> str:
        self.made += 1
        return self._generators[self.made % 20].generate()
