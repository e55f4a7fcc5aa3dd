"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
import saiban

ROOT = Path(__file__).resolve().parents[2]

#: 2025-01-01, a time that every layout holds.
NOW_MS = 1_735_689_600_000
SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")


@pytest.fixture
def clock() -> saiban.ManualClock:
    return saiban.ManualClock(NOW_MS)


@pytest.fixture(params=["snowflake", "randflake", "ulid-flake", "ulid-flake scalable"])
def ids(request) -> saiban.Generator:
    """A generator of each scheme, on the system's clock, which waits where a tick is used up."""
    return {
        "snowflake": lambda: saiban.Snowflake(node=7),
        "randflake": lambda: saiban.Randflake(node=7, secret=SECRET),
        "ulid-flake": lambda: saiban.UlidFlake(),
        "ulid-flake scalable": lambda: saiban.UlidFlake(scalability=7),
    }[request.param]()
