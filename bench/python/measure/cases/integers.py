"""IDs of 64 bits: Snowflake, Ulid-Flake and Randflake, single, in bulk and in numpy arrays."""

from __future__ import annotations

import time

import numpy
import saiban
from randflake import v2 as randflake
from snowflake import SnowflakeGenerator
from ulid_flake.api import UlidFlake

from ..case import Burst, Case

SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
MANY, FILLED = 1000, 10_000


def cases() -> list[Case]:
    # As many nodes as one generator accepts. A single node has 131,072 Randflakes a second.
    snowflake = saiban.Snowflake(nodes=range(1024))
    hidden = saiban.Randflake(nodes=range(65_536), secret=SECRET)
    # Ulid-Flakes have no nodes.
    ulid_flake = saiban.UlidFlake()
    array = numpy.zeros(FILLED, numpy.int64)
    return [
        Case("python.snowflake.generate", "saiban", snowflake.generate),
        # One node has 4096 IDs a millisecond: one each 244 ns. Other generators have those of
        # Twitter's layout.
        Case(
            "python.snowflake.generate",
            "saiban, one node: limited by its format",
            saiban.Snowflake(node=7, layout="discord").generate,
        ),
        # snowflake-id is slower than 4096 IDs a millisecond.
        Case("python.snowflake.generate", "snowflake-id", next, SnowflakeGenerator(7)),
        Burst("python.ulid_flake.generate", "saiban", ulid_flake.generate),
        Case("python.ulid_flake.generate", "saiban, limited by its format", ulid_flake.generate),
        # The package raises an overflow if its 20 random bits start too high.
        Case("python.ulid_flake.generate", "ulid-flake", UlidFlake.new, refusal=OverflowError),
        Case("python.randflake.generate", "saiban", hidden.generate),
        Case("python.randflake.generate", "randflake", _randflake().generate),
        Case("python.snowflake.generate_many", "saiban", snowflake.generate_many, MANY, ids=MANY),
        Burst("python.ulid_flake.generate_many", "saiban", ulid_flake.generate_many, MANY, ids=MANY),
        Case("python.randflake.generate_many", "saiban", hidden.generate_many, MANY, ids=MANY),
        Case("python.snowflake.fill", "saiban", snowflake.fill, array, ids=FILLED),
        Case("python.randflake.fill", "saiban", hidden.fill, array, ids=FILLED),
        Case("python.snowflake.generate_text", "saiban", snowflake.generate_text),
    ]


def _randflake() -> randflake.Generator:
    now = int(time.time())
    return randflake.Generator(randflake.Config(randflake.Lease(42, now - 5, now + 86_400), SECRET))
