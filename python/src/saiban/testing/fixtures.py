"""A fixture for pytest. Add this line to the conftest.py in the root folder of your tests:

pytest_plugins = ["saiban.testing.fixtures"]
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import saiban
from saiban.testing import reproducible_ids

__all__ = ["saiban_clock"]


@pytest.fixture
def saiban_clock() -> Iterator[saiban.ManualClock]:
    """Makes the IDs of this test equal in each run, as `saiban.testing.reproducible_ids` does.

    The value is the clock, at 2025-01-01 in UTC.
    """
    with reproducible_ids() as clock:
        yield clock
