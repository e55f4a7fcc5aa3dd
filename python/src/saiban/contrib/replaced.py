"""The generators that saiban.testing gives to fields and columns, in place of their own."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol
from zlib import crc32

import saiban

__all__ = ["Replacement", "get", "node_of", "set"]


class Replacement(Protocol):
    """Supplies the generators of a test."""

    def generator(
        self, key: Hashable, scheme: str, make: Callable[[saiban.ManualClock], saiban.Generator[Any]]
    ) -> saiban.Generator[Any]:
        """Returns the generator of a key, which `make` makes with the clock of the test."""

    def forget(self) -> None:
        """Removes the generators, because their settings have changed."""


_current: Replacement | None = None


def get() -> Replacement | None:
    """Returns the replacement of the running test, if there is one."""
    return _current


def set(replacement: Replacement | None) -> None:
    """Sets the replacement, or with None removes it."""
    global _current
    _current = replacement


def node_of(name: str, max_node: int) -> int:
    """Returns the node of a generator in a test, a hash of its name: equal in each run, and usually
    different for different names.

    >>> from saiban.contrib.replaced import node_of
    >>> node_of("orders", 1023) == node_of("orders", 1023)
    True
    """
    return crc32(name.encode()) % (max_node + 1)
