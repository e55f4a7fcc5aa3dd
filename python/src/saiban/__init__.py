"""saiban: IDs that are unique across machines, without a database round trip for each ID.

>>> import saiban
>>> ids = saiban.Snowflake(node=7)      # node 7, which no other machine has
>>> ids.inspect(ids.generate()).node    # generate() returns an int that fits a BIGINT column
7

All rules are in a core written in Rust, which the other languages share. Errors are in
`saiban.exceptions`, and also here.
"""

import os as _os

from saiban import _ending as _ending
from saiban import _native, exceptions
from saiban._native import *  # noqa: F403
from saiban.exceptions import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from saiban.inserting import insert_unique, insert_unique_async, is_unique_conflict
    from saiban.names import (
        Encoding,
        FieldKind,
        Guarantee,
        LayoutName,
        LeaseScheme,
        LeaseState,
        ReadLayoutName,
        Rollback,
        Scheme,
        Scope,
        TickOrder,
    )
    from saiban.values import Candidate, Capacity, PartsDict, Place, Rate, Reason

    __version__: str
else:
    # Hidden from type checkers: with it, they would accept any attribute of saiban.
    def __getattr__(name):
        """Imports rarely used names at their first use: their modules are slow to import."""
        if name == "__version__":
            from importlib.metadata import version

            found = version("saiban")
        elif name in _LAZY:
            from saiban import inserting, names, values

            found = next(vars(module)[name] for module in (inserting, names, values) if name in module.__all__)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found


# libc reports forks to the core. Where it cannot, this hook does, with one call in each child.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_native.notice_fork)

#: The names that `__getattr__` imports at their first use.
__all__ = [
    "Candidate",
    "Capacity",
    "Encoding",
    "FieldKind",
    "Guarantee",
    "LayoutName",
    "LeaseScheme",
    "LeaseState",
    "PartsDict",
    "Place",
    "Rate",
    "ReadLayoutName",
    "Reason",
    "Rollback",
    "Scheme",
    "Scope",
    "TickOrder",
    "insert_unique",
    "insert_unique_async",
    "is_unique_conflict",
]
_LAZY = frozenset(__all__)
__all__ += _native.__all__
__all__ += exceptions.__all__


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
