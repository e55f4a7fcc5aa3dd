"""Makes keys with saiban."""

from __future__ import annotations

from collections.abc import Callable

import saiban

from .kinds import BASELINE

Make = Callable[[int], list]

SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
# A single node has 131,072 Randflakes a second, so a fast database would wait for keys.
RANDFLAKE_NODES = range(65_536)


def maker(name: str) -> Make | None:
    """Returns the function that makes keys of this kind; `None` if the database makes them.

    Scope `process` leaves no files behind.
    """
    match name:
        case "snowflake":
            return saiban.Snowflake(node=7, scope="process").generate_many
        case "randflake":
            return saiban.Randflake(nodes=RANDFLAKE_NODES, secret=SECRET, scope="process").generate_many
        case "uuid4":
            return saiban.Uuid(4).generate_many
        case "uuid7":
            return saiban.Uuid(7).generate_many
        case "ulid":
            return saiban.Ulid().generate_many
        case _ if name == BASELINE:
            return None
    raise ValueError(f"unknown kind of key: {name}")
