"""Randflake, Ulid-Flake and TSID: compares IDs and parsed parts with their published packages.

Usage: compare.py LINES        a file that `saiban-vectors --parity` printed

There is one test for each package, format and direction. Each compares every line.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

from randflake import v2 as randflake
from report import Row, Test, run
from tsidpy import TSID, TSIDGenerator
from tsidpy import tsid as tsidpy
from ulid_flake.api import UlidFlake
from ulid_flake.scalable import UlidFlakeScalable

# The packages read the wall clock and random bits. The tests replace both by values of the row.
ULID_FLAKE_EPOCH_MS = 1_704_067_200_000
tsidpy.time = SimpleNamespace(time=lambda: 0.0)


def randflake_generator(row: Row) -> randflake.Generator:
    secret, timestamp_ms, node, sequence = bytes.fromhex(row[0]), *map(int, row[1:4])
    second = timestamp_ms // 1000
    lease = randflake.Lease(node, second, second + 1)
    generator = randflake.Generator(randflake.Config(lease, secret, lambda: second))
    # Sets the state that follows the IDs of this second with lower sequences.
    core = generator._Generator__core
    core._timestamp, core._next_sequence = second, sequence
    return generator


def randflake_makes(row: Row) -> bool:
    number = randflake_generator(row).generate()
    return str(number) == row[4] and randflake.encode_string(number) == row[5]


def randflake_reads(row: Row) -> bool:
    generator = randflake_generator(row)
    expected = (int(row[1]) // 1000, int(row[2]), int(row[3]))
    readings = (generator.inspect(int(row[4])), generator.inspect_string(row[5]))
    return all((parts.timestamp, parts.node_id, parts.sequence) == expected for parts in readings)


class FixedUlidFlake(UlidFlake):
    tick = random = 0

    @classmethod
    def generate_timestamp(cls) -> int:
        return cls.tick

    @classmethod
    def generate_randomness(cls) -> int:
        return cls.random


class FixedUlidFlakeScalable(UlidFlakeScalable):
    tick = random = 0

    @classmethod
    def generate_timestamp(cls) -> int:
        return cls.tick

    @classmethod
    def generate_randomness(cls) -> int:
        return cls.random


def fix(cls: type, row: Row) -> None:
    cls.tick, cls.random = int(row[0]) - ULID_FLAKE_EPOCH_MS, int(row[1])
    cls.previous_timestamp = None


def ulid_flake_makes(row: Row) -> bool:
    fix(FixedUlidFlake, row)
    made = FixedUlidFlake.new()
    return str(made.int) == row[2] and made.base32 == row[3]


def ulid_flake_reads(row: Row) -> bool:
    expected = (int(row[0]) - ULID_FLAKE_EPOCH_MS, int(row[1]), int(row[2]))
    readings = (UlidFlake.from_int(int(row[2])), UlidFlake.parse(row[3]), UlidFlake.parse(row[3].lower()))
    return all((read.timestamp, read.randomness, read.int) == expected for read in readings)


def scalable_makes(row: Row) -> bool:
    fix(FixedUlidFlakeScalable, row)
    FixedUlidFlakeScalable.set_config(sid=int(row[2]))
    made = FixedUlidFlakeScalable.new()
    return str(made.int) == row[3] and made.base32 == row[4]


def scalable_reads(row: Row) -> bool:
    # The package has no accessor for the scalability id, which is in the five lowest bits.
    expected = (int(row[0]) - ULID_FLAKE_EPOCH_MS, int(row[1]), int(row[2]))
    readings = (UlidFlakeScalable.from_int(int(row[3])), UlidFlakeScalable.parse(row[4]))
    return all((read.timestamp, read.randomness, read.int & 31) == expected for read in readings)


def tsid_makes(row: Row) -> bool:
    generator = TSIDGenerator(node=int(row[1]))
    # Sets the state that follows the ID before this one.
    generator._millis, generator.counter = float(row[0]), int(row[2]) - 1
    made = generator.create()
    return made.number == int(row[3]) % 2**64 and str(made) == row[4]


def tsid_reads(row: Row) -> bool:
    expected = (int(row[0]), int(row[1]) << 12 | int(row[2]), int(row[3]) % 2**64)
    readings = (TSID(int(row[3])), TSID.from_string(row[4]), TSID.from_string(row[4].lower()))
    return all((read.timestamp, read.random, read.number) == expected for read in readings)


TESTS: list[Test] = [
    ("randflake", "randflake makes the same IDs and text", randflake_makes),
    ("randflake", "randflake reads the same parts", randflake_reads),
    ("ulid-flake", "ulid-flake makes the same IDs and text", ulid_flake_makes),
    ("ulid-flake", "ulid-flake reads the same parts", ulid_flake_reads),
    ("ulid-flake-scalable", "ulid-flake, scalable, makes the same IDs and text", scalable_makes),
    ("ulid-flake-scalable", "ulid-flake, scalable, reads the same parts", scalable_reads),
    ("tsid", "tsidpy makes the same IDs and text", tsid_makes),
    ("tsid", "tsidpy reads the same parts", tsid_reads),
]


if __name__ == "__main__":
    sys.exit(run(TESTS, sys.argv[1], "parts"))
