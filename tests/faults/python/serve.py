"""One of several processes with one node: see tests/faults/processes.py.

Usage: serve.py LIBRARY
"""

from __future__ import annotations

import array
import sys
import time
from collections.abc import Callable

NODE = 7
PIECE = 10_000
SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
FLAKE = "unused:1 timestamp:41@ms,epoch=2025-01-01 node:10 sequence:12"

Many = Callable[[int], list[int]]


def saibans(scheme: str) -> tuple[Many, type]:
    import saiban

    build = {
        "snowflake": lambda: saiban.Snowflake(node=NODE),
        "randflake": lambda: saiban.Randflake(node=NODE, secret=SECRET),
        "ulid-flake": saiban.UlidFlake,
        "ulid-flake-scalable": lambda: saiban.UlidFlake(scalability=NODE),
        "flake": lambda: saiban.Flake(saiban.Layout.from_text(FLAKE), node=0),
    }
    return build[scheme]().generate_many, saiban.SaibanError


def randflakes(build: str) -> tuple[Many, type]:
    import randflake.randflake
    import randflakes

    make = getattr(randflakes, build)(int(time.time()) - 1, None)
    return lambda _: [make()], randflake.randflake.RandflakeError


def ulid_flakes(scalable: bool) -> tuple[Many, type]:
    if scalable:
        from ulid_flake.scalable import UlidFlakeScalable as UlidFlake

        UlidFlake.set_config(sid=NODE)
    else:
        from ulid_flake.api import UlidFlake
    return lambda _: [UlidFlake.new().int], OverflowError


def maker(library: str) -> tuple[Many, type]:
    match library:
        case "randflake (PyPI)":
            return randflakes("new")
        case "randflake (PyPI), legacy API":
            return randflakes("legacy")
        case "ulid-flake (PyPI)":
            return ulid_flakes(scalable=False)
        case "ulid-flake, scalable (PyPI)":
            return ulid_flakes(scalable=True)
        case scheme:
            return saibans(scheme)


def main(library: str) -> None:
    many, refusal = maker(library)
    for line in sys.stdin:
        count, patience_ms = map(int, line.split())
        ids, refused, end = [], 0, time.monotonic() + patience_ms / 1000
        while len(ids) < count and (refused == 0 or time.monotonic() < end):
            try:
                ids += many(min(count - len(ids), PIECE))
            except refusal:
                refused += 1
        sys.stdout.buffer.write(array.array("q", [len(ids), refused, *ids]).tobytes())
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
