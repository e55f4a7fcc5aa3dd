"""The leases of generators without given nodes: exclusive nodes, by default from the project's own
database. The key `lease` of an entry of SAIBAN may be:

- A URL: the store, as saiban.Lease.acquire takes it.
- `False`: nothing is leased.
- A dictionary with any of `url`, or `database` (a name in DATABASES, by default "default");
  `namespace`, by default the generator's name, or for "default" the scheme's; `nodes` (1), `ttl_s`
  (600), `create`, `max_ttl_s`, `max_clock_skew_s`, `holder` and `wait_s` (10), as
  saiban.Lease.acquire takes them.

A database of DATABASES belongs to the project, so a missing namespace is created (`create`). A
database that was restored from a backup may have lost leases: run `saiban lease quarantine` on it
first, with the result of `stores.store_url()` as its --store. In a store given by URL a missing
namespace is created if `create` is true, or with `saiban lease init`; in SQLite and in memory
always.

Generators whose IDs go into one column need the same namespace: if you rename a generator, keep its
old namespace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS

import saiban
from saiban import _native
from saiban.contrib.django.entries import DEFAULT
from saiban.contrib.django.stores import store_url
from saiban.contrib.hidden import Hidden, revealed
from saiban.contrib.stores import NAMESPACE, NAMESPACE_CHARACTERS

_PLAIN = ("nodes", "ttl_s", "create", "max_ttl_s", "max_clock_skew_s", "holder", "wait_s")
_KEYS = {"url", "database", "namespace", *_PLAIN}
#: Keys for given nodes only: with a lease, the store keeps the times that were used.
_OF_NODES = ("window", "not_before", "state", "state_env")


class LeaseRequest:
    """A request for a lease, and the store for it."""

    def __init__(self, database: str | None, url: Hidden[str], options: dict[str, Any]) -> None:
        #: The name in DATABASES of the database that is the store; None for a store given by URL.
        self.database = database
        self.url = url
        self.options = options

    def __repr__(self) -> str:
        return f"LeaseRequest(database={self.database!r}, namespace={self.options['namespace']!r})"

    def acquire(self) -> saiban.Lease:
        """Acquires the lease, and waits for it.

        Raises what saiban.Lease.acquire raises.
        """
        return saiban.Lease.acquire(self.url.reveal(), **revealed(self.options))


def request_of(name: str, found: Mapping[str, Any], arguments: Mapping[str, Any]) -> LeaseRequest:
    """Returns the lease request of the entry SAIBAN[name], for a generator with these arguments.

    Raises ImproperlyConfigured, naming the setting.
    """
    where = f"SAIBAN[{name!r}]"
    for key in _OF_NODES:
        if found.get(key) is not None:
            raise ImproperlyConfigured(
                f"{where} leases its nodes, and {key!r} goes with nodes that are given: leave it out, or give them."
            )
    described = _described(where, found.get("lease", {}))
    database = None if "url" in described else described.get("database", DEFAULT_DB_ALIAS)
    namespace = described.get("namespace", found["scheme"] if name == DEFAULT else name)
    if not isinstance(namespace, str) or not NAMESPACE.fullmatch(namespace):
        raise ImproperlyConfigured(
            f"{where} cannot lease from the namespace {namespace!r}: give {where}['lease']['namespace'], "
            f"{NAMESPACE_CHARACTERS}."
        )
    options = {"namespace": namespace, "scheme": found["scheme"]} | ({} if database is None else {"create": True})
    options |= {key: described[key] for key in _PLAIN if key in described}
    options |= {key: arguments[key] for key in ("layout", "secret") if key in arguments}
    if "epoch_ms" in arguments:
        options["layout"] = _native.leased_layout(found["scheme"], arguments["epoch_ms"])
    return LeaseRequest(database, described["url"] if database is None else Hidden(store_url(database)), options)


def _described(where: str, described: object) -> Mapping[str, Any]:
    if isinstance(described, Hidden):
        return {"url": described}
    if not isinstance(described, Mapping):
        raise ImproperlyConfigured(f"{where}['lease'] must be a store's URL, a dictionary, or False.")
    unknown = sorted(map(str, described.keys() - _KEYS))
    if unknown:
        raise ImproperlyConfigured(f"{where}['lease'] has keys that leases do not: {', '.join(unknown)}.")
    if "url" in described and "database" in described:
        raise ImproperlyConfigured(f"{where}['lease'] has both 'url' and 'database': give one of them.")
    return described
