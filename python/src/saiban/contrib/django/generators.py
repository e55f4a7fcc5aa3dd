"""The generators of a Django project, by name, as the setting SAIBAN describes them.

    SAIBAN = {
        "default": {"scheme": "randflake", "secret_file": "/run/secrets/saiban"},
        "orders": {"scheme": "snowflake", "layout": "discord"},
        "events": {"scheme": "ulid-flake", "scalability_env": "SAIBAN_NODE", "entropy_size": 2},
    }

Fields and migrations know only the name. Every entry has a `scheme`, by its name. A name that is a
scheme's needs no entry, and where there is no "default", it is the field's own scheme: all but
Randflake, which has a secret, do without the setting SAIBAN. What else an entry may have, where the
scheme's generators take it:

- `node` or `nodes` (a pair: first, end): the node or nodes of the IDs; for Ulid-Flake
  `scalability`.
  `node_env`, `nodes_env`
  ("0:64") and `scalability_env` name an environment variable that holds it. Without these keys
  nodes are leased from the project's default database, so that no two processes share a node.
  `lease` sets another store: see `leases`.
- Randflake's secret: `secret_file` (a path; 32 hexadecimal digits and perhaps a line's end) or
  `secret_env` (a variable with 32 hexadecimal digits). `secret` itself, 16 bytes, is for tests.
- Snowflake's `layout`: a preset's name or a layout's text (see saiban.Layout.from_text), {"fields":
  [["unused", 1],
  …], "epoch_ms": …, "tick_us": …}, or a saiban.Layout, such as
  saiban.Layout.TWITTER.with_rollback_bits(2).
- Ulid-Flake's `entropy_size`, `epoch_ms` and `allow_collisions`. One that has `"lease": False` and
  no scalability is
  stand-alone: unique within its scope only; one that allows collisions, not even that. There are 32
  scalabilities, and so 32 leases at a time.
- `rollback` ("hold", "error" or "bits"), `max_jump_s`, `max_wait_ms`, and for nodes `shards` and
  `scope` ("machine" or
  "process"): as the generators take them.
- `prefix`: what the generator's own texts begin with. It changes no field: each has a prefix of its
  own, or none.
- Where nodes are given, `window` (a pair), `not_before`, and `state`, the path of a state file, or
  `state_env`, a
  variable that holds it. Each process needs a state file of its own, and nodes of its own beside
  it.

A generator is made at its first use, one for each process and name. Only then are nodes leased and
state files opened; Django's checks do neither. A forked process makes its own generators, with its
own nodes if they are leased. If nodes are given:

- With the scope "machine", the default on Linux and macOS, all processes of this user on this
  machine share a cursor, also restarted and forked ones. Each machine needs its own nodes, and so
  does each container that does not share SAIBAN_RUN_DIR: lease them, or give them, for example with
  a different `node_env`.
- With the scope "process" each process needs its own nodes: those that issue IDs for the *same
  node at the same
  time* repeat each other, and a child is refused the nodes that its parent has used. The first ID
  waits until the tick in which its generator was made is over: up to a second for Randflake.

Leases are renewed in the background, and released when the process ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

import saiban
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
from saiban.contrib.django.hidden import revealed

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
#: The generators that a thread is making. It may wait for a store, and other threads wait for it.
_making: dict[str, Future[_Made]] = {}
_lock = threading.Lock()
_log = logging.getLogger(__name__)
#: Of generators that are only checked.
_STOPPED = saiban.ManualClock(0)


def get_generator(name: str = DEFAULT, scheme: str = "snowflake") -> saiban.Generator[Any]:
    """The process's generator of this name; the same one each time. "default" is of this scheme
    where SAIBAN has no such entry.

    Raises ImproperlyConfigured, naming the setting, and what saiban.Lease.acquire raises.
    """
    name = resolve(name, scheme)
    try:
        return _made[name].generator
    except KeyError:
        return _get_or_make(name).generator


def _get_or_make(name: str) -> _Made:
    with _lock:
        if name in _made:
            return _made[name]
        is_ours = name not in _making
        making = _making.setdefault(name, Future())
    if is_ours:
        try:
            _made[name] = _make(name)
            making.set_result(_made[name])
        except BaseException as error:
            making.set_exception(error)
        finally:
            _making.pop(name, None)
    return making.result()


def reset_generators() -> None:
    """Forgets every generator, so that the settings are read again, and gives back what they lease. For tests."""
    _give_back()
    _made.clear()


def make_generator(name: str, scheme: str = "snowflake") -> saiban.Generator[Any]:
    """A new generator, as the setting SAIBAN[name] describes it. Use get_generator, which makes it
    once.

    Raises ImproperlyConfigured, naming the setting, and what saiban.Lease.acquire raises.
    """
    return _make(resolve(name, scheme)).generator


def check_generator(name: str = DEFAULT, scheme: str = "snowflake") -> None:
    """Checks that SAIBAN[name] describes a generator, without disturbing a running one: it opens
    neither nodes nor state files, and leases nothing.

    Raises ImproperlyConfigured, naming the setting.
    """
    name = resolve(name, scheme)
    found = entry(name)
    with _naming(name):
        leased = is_leased(name, found)
        arguments = arguments_of(name, found)
        arguments.pop("state", None)
        if arguments.get("scope") == "machine":
            # A manual clock has no scope; any other scope is checked.
            del arguments["scope"]
        if leased:
            nodes = leases.request_of(name, found, arguments).options.get("nodes", 1)
            arguments |= {"nodes": range(nodes)} if takes(found, "nodes") else {"scalability": 0}
        generator_of(found)(**revealed(arguments), clock=_STOPPED)


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


#: What no setting is to blame for.
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
    """Gives back what was leased from this database of DATABASES, or all, and forgets these generators."""
    for name, made in list(_made.items()):
        if made.lease is not None and database in (None, made.database):
            _made.pop(name, None)
            try:
                made.lease.release()
            except saiban.SaibanError as error:
                _log.warning("The lease of SAIBAN[%r] could not be given back, and ends by itself: %s", name, error)


def _forget_those_of_the_parent() -> None:
    global _lock
    # Another thread of the parent may have held the lock, and does not exist here.
    _lock = threading.Lock()
    _making.clear()
    _made.clear()


def _forget_when_changed(*, setting: str, **_: object) -> None:
    if setting == "SAIBAN":
        reset_generators()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_those_of_the_parent)
setting_changed.connect(_forget_when_changed)
endings.give_back_before_test_databases_go(_give_back)
