"""saiban: IDs that are unique across machines, without a database round trip for each ID.

>>> import saiban
>>> ids = saiban.Snowflake(node=7)      # node 7, which no other machine has
>>> ids.inspect(ids.generate()).node    # generate() returns an int that fits a BIGINT column
7

All rules are in a core written in Rust, which the other languages share. Errors are in
`saiban.exceptions`, and also here.
"""

import os as _os
from importlib.metadata import version as _version

from saiban import _ending as _ending
from saiban import _native, exceptions
from saiban._native import *  # noqa: F403
from saiban.exceptions import *  # noqa: F403
from saiban.inserting import insert_unique, insert_unique_async, is_unique_conflict
from saiban.values import Candidate, Capacity, Place, Rate, Reason

__version__ = _version("saiban")

# libc reports forks to the core. Where it cannot, this hook does, with one call in each child.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_native.notice_fork)

__all__ = [
    "Candidate",
    "Capacity",
    "Place",
    "Rate",
    "Reason",
    "insert_unique",
    "insert_unique_async",
    "is_unique_conflict",
]
__all__ += _native.__all__
__all__ += exceptions.__all__
