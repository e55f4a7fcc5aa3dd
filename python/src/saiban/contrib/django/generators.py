"""The generators of a Django project, by name, as described in the setting SAIBAN.

    SAIBAN = {
        "default": {"scheme": "randflake", "secret_file": "/run/secrets/saiban"},
        "orders": {"scheme": "snowflake", "layout": "discord"},
        "events": {"scheme": "ulid-flake", "scalability_env": "SAIBAN_NODE", "entropy_size": 2},
    }

Fields and migrations contain only the name. Every entry has a `scheme`, which is a scheme's name.
The name of a scheme needs no entry, and without an entry "default" stands for the field's own
scheme: only Randflake, which has a secret, needs the setting SAIBAN. An entry may also have these
keys, if the scheme's generators take them:

- `node` or `nodes` (a pair: first, end): the node or nodes of the IDs; for Ulid-Flake
  `scalability`. `node_env`, `nodes_env` ("0:64") and `scalability_env` name an environment variable
  with this value. Without these keys, nodes are leased from the project's default database, so that
  no two processes share a node. `lease` sets another store: see `leases`.
- Randflake's secret: `secret_file` (a path; 32 hexadecimal digits and perhaps a line's end) or
  `secret_env` (a variable with 32 hexadecimal digits). `secret` itself, 16 bytes, is for tests.
- Snowflake's `layout`: a preset's name, a layout's text (see saiban.Layout.from_text), a dictionary
  {"fields": [["unused", 1], …], "epoch_ms": …, "tick_us": …}, or a saiban.Layout, such as
  saiban.Layout.TWITTER.with_rollback_bits(2).
- Ulid-Flake's `entropy_size`, `epoch_ms` and `allow_collisions`. A generator with `"lease": False`
  and no scalability is stand-alone: its IDs are unique within its scope only, and not even there if
  it allows collisions. There are 32 scalabilities, and so 32 leases at a time.
- `rollback` ("hold", "error" or "bits"), `max_jump_s`, `max_wait_ms`, and for nodes `shards` and
  `scope` ("machine" or "process"): as the generators take them.
- `prefix`: the prefix of the generator's own texts. It does not change a field, which has its own
  prefix or none.
- With given nodes: `window` (a pair), `not_before`, and `state`, the path of a state file, or
  `state_env`, a variable with this path. Each process needs its own state file and its own nodes.

A generator is made at its first use, one for each process and name. Only then are nodes leased and
state files opened; Django's checks do neither. A forked process makes its own generators, with its
own nodes if they are leased. If nodes are given:

- With the scope "machine", the default on Linux and macOS, all processes of this user on this
  machine share a cursor, also restarted and forked ones. Each machine needs its own nodes, and so
  does each container that does not share SAIBAN_RUN_DIR: lease them, or give them, for example with
  a different `node_env`.
- With the scope "process" each process needs its own nodes: two processes that issue IDs of the
  *same node at the same time* repeat each other, and a child cannot use the nodes that its parent
  has used. The first ID waits until the tick in which its generator was made is over: up to a
  second for Randflake.

Leases are renewed in the background, and released when the process ends.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import operator
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

import saiban
from saiban.contrib import replaced
from saiban.contrib.django import endings, leases
from saiban.contrib.django.entries import (
    DEFAULT,
    MissingError,
    arguments_of,
    entry,
    generator_of,
    is_leased,
    resolve,
    takes,
)
from saiban.contrib.hidden import revealed
from saiban.contrib.once import Once

__all__ = [
    "DEFAULT",
    "MissingError",
    "check_generator",
    "entry",
    "get_generator",
    "make_generator",
    "reset_generators",
]


class _Made(NamedTuple):
    generator: saiban.Generator[Any]
    lease: saiban.Lease | None = None
    #: The name in DATABASES of the database that has the lease.
    database: str | None = None


_made: dict[str, _Made] = {}
_once = Once(_made)
_log = logging.getLogger(__name__)
#: The clock of generators that are made only to check their arguments.
_STOPPED = saiban.ManualClock(0)


def get_generator(name: str = DEFAULT, scheme: str = "snowflake") -> saiban.Generator[Any]:
    """Returns the process's generator of this name, the same object at each call. Without an entry
    in SAIBAN, "default" is the generator of this scheme.

    Raises ImproperlyConfigured, naming the setting, and what saiban.Lease.acquire raises.
    """
    name = resolve(name, scheme)
    if (replacement := replaced.get()) is not None:
        found = entry(name)
        make = functools.partial(_make_on_clock, name, found)
        return replacement.generator(("django", name), found["scheme"], make)
    return _once.get(name, _make).generator


def reset_generators() -> None:
    """Releases the leases of all generators, and removes the generators, so that the settings are
    read again. For tests.
    """
    _give_back()
    _made.clear()
    if (replacement := replaced.get()) is not None:
        replacement.forget()


def make_generator(name: str, scheme: str = "snowflake") -> saiban.Generator[Any]:
    """Makes a new generator, as described in the setting SAIBAN[name]. Use get_generator instead,
    which makes it once.

    Raises ImproperlyConfigured, naming the setting, and what saiban.Lease.acquire raises.
    """
    return _make(resolve(name, scheme)).generator


def check_generator(name: str = DEFAULT, scheme: str = "snowflake") -> None:
    """Checks that SAIBAN[name] describes a generator, without disturbing a running one: it opens
    neither nodes nor state files, and leases nothing.

    Raises ImproperlyConfigured, naming the setting.
    """
    name = resolve(name, scheme)
    _make_on_clock(name, entry(name), _STOPPED)


def _make_on_clock(name: str, found: Mapping[str, Any], clock: saiban.ManualClock) -> saiban.Generator[Any]:
    """Makes a generator with a manual clock, which opens no state file and leases no node.

    Raises ImproperlyConfigured, naming the setting.
    """
    with _naming(name):
        leased = is_leased(name, found)
        arguments = arguments_of(name, found)
        arguments.pop("state", None)
        if arguments.get("scope") == "machine":
            # A manual clock has no scope; any other scope is checked.
            del arguments["scope"]
        if leased:
            options = leases.request_of(name, found, arguments).options
            nodes = operator.index(options.get("nodes", 1))
            if takes(found, "nodes"):
                most = options["layout"].max_node if "layout" in options else 1023
                first = replaced.node_of(name, max(most + 1 - nodes, 0))
                arguments |= {"nodes": range(first, first + nodes)}
            else:
                arguments |= {"scalability": 0}
        clocks = {"clock": clock} if takes(found, "clock") else {}
        return generator_of(found)(**revealed(arguments), **clocks)


def _make(name: str) -> _Made:
    found = entry(name)
    with _naming(name):
        leased = is_leased(name, found)
        arguments = arguments_of(name, found)
        if not leased:
            return _Made(generator_of(found)(**revealed(arguments)))
        request = leases.request_of(name, found, arguments)
        lease = _acquire(name, request)
        return _Made(generator_of(found)(**revealed(arguments), lease=lease), lease, request.database)


#: Errors of stores and leases, which no setting causes.
_OF_STORES = (
    saiban.StoreUnavailableError,
    saiban.StoreCorruptError,
    saiban.StoreUnsupportedError,
    saiban.NamespaceFullError,
    saiban.NamespaceQuarantinedError,
    saiban.ClockSkewError,
    saiban.LeaseLostError,
)


@contextlib.contextmanager
def _naming(name: str) -> Iterator[None]:
    """Converts an error of the library about a setting to ImproperlyConfigured."""
    try:
        yield
    except _OF_STORES:
        raise
    except saiban.NamespaceMismatchError as error:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}]: {error}: SAIBAN[{name!r}]['lease']['namespace'].") from error
    except (saiban.SaibanError, TypeError) as error:
        raise ImproperlyConfigured(f"SAIBAN[{name!r}]: {error}.") from error


def _acquire(name: str, request: leases.LeaseRequest) -> saiban.Lease:
    endings.give_back_at_the_end_of_celery(_give_back)
    try:
        return request.acquire()
    except saiban.SaibanError as error:
        store = "the store that its 'lease' names" if request.database is None else f"DATABASES[{request.database!r}]"
        error.add_note(f"SAIBAN[{name!r}] leases its nodes from {store}.")
        raise


def _give_back(database: str | None = None) -> None:
    """Releases the leases from this database of DATABASES, or all, and removes their generators."""
    for name, made in list(_made.items()):
        if made.lease is not None and database in (None, made.database):
            _made.pop(name, None)
            try:
                made.lease.release()
            except saiban.SaibanError as error:
                _log.warning("The lease of SAIBAN[%r] could not be released, and stays until its end: %s", name, error)


def _forget_when_changed(*, setting: str, **_: object) -> None:
    if setting == "SAIBAN":
        reset_generators()


setting_changed.connect(_forget_when_changed)
endings.give_back_before_test_databases_go(_give_back)
