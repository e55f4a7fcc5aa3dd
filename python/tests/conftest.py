"""The common parts of all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
import saiban

ROOT = Path(__file__).resolve().parents[2]

#: 2025-01-01, a time within the range of every layout.
NOW_MS = 1_735_689_600_000
SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")


_run_folder = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Separates the cursor files of these tests and their child processes from other programs'."""
    folder = tempfile.mkdtemp(prefix="saiban-run-", dir=os.environ.get("SAIBAN_RUN_DIR"))
    os.environ["SAIBAN_RUN_DIR"] = config.stash[_run_folder] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_run_folder], ignore_errors=True)


@pytest.fixture
def clock() -> saiban.ManualClock:
    return saiban.ManualClock(NOW_MS)


@pytest.fixture(params=["snowflake", "randflake", "ulid-flake", "ulid-flake scalable", "tsid"])
def ids(request) -> saiban.Generator:
    """Returns a generator of each scheme, with the system's clock. It waits for a new tick."""
    return {
        "snowflake": lambda: saiban.Snowflake(node=7),
        "randflake": lambda: saiban.Randflake(node=7, secret=SECRET),
        "ulid-flake": lambda: saiban.UlidFlake(),
        "ulid-flake scalable": lambda: saiban.UlidFlake(scalability=7),
        "tsid": lambda: saiban.Tsid(node=7),
    }[request.param]()
