"""The core's table of schemes, for the integrations."""

from __future__ import annotations

from saiban import _native

#: The properties of each scheme, by name, as `_native.schemes` describes them.
SCHEMES = _native.schemes()


def has_nodes(scheme: str) -> bool:
    """Returns whether IDs of this scheme contain a node, which their generators can lease.

    >>> from saiban.contrib.schemes import has_nodes
    >>> has_nodes("snowflake"), has_nodes("ulid")
    (True, False)
    """
    return "lease" in SCHEMES[scheme]["options"]
