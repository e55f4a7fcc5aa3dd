"""The generators of a process, which the columns of its engines share."""

from __future__ import annotations

import asyncio
import functools
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary, WeakValueDictionary

from sqlalchemy import Engine
from sqlalchemy.engine.default import DefaultExecutionContext

import saiban
from saiban.contrib import replaced
from saiban.contrib.hidden import Hidden
from saiban.contrib.once import Once
from saiban.contrib.schemes import SCHEMES, has_nodes
from saiban.contrib.sqlalchemy.stores import engine_store

__all__ = ["Request", "generator_for"]


class Request(NamedTuple):
    """A column's request for a generator. The store is None for the engine's database."""

    scheme: str
    store: str | None
    namespace: str


class _Made:
    """A generator, which lives as long as an engine that uses it."""

    def __init__(self, generator: saiban.Generator[Any]) -> None:
        self.generator = generator


#: A scheme, its store and its namespace.
_Key: TypeAlias = tuple[str, Hidden[str] | None, str]
_generators: Once[_Key, _Made] = Once(WeakValueDictionary())
#: The generators that each engine keeps alive.
_of_engines: Once[Engine, dict[Request, _Made]] = Once(WeakKeyDictionary())
#: The schemes that need a secret or a layout, which a column cannot have.
_NEEDS = {"flake": "layout", "randflake": "secret"}


def generator_for(request: Request, context: DefaultExecutionContext) -> saiban.Generator[Any]:
    """Returns the generator of a column, for a statement that is being executed.

    Raises InvalidArgumentError for a scheme whose generators a column cannot make, and for an
    invalid store, and what saiban.Lease.acquire raises.
    """
    if (replacement := replaced.get()) is not None:
        return replacement.generator(
            ("sqlalchemy", *request), request.scheme, functools.partial(_make_on_clock, request)
        )
    engine = _root(context.root_connection.engine)
    made_for_engine = _of_engines.get(engine, lambda _: {})
    made = made_for_engine.get(request)
    if made is None:
        made = made_for_engine[request] = _get_or_make(request, engine, context)
    return made.generator


def _root(engine: Engine) -> Engine:
    """Returns the engine that this one was derived from, with execution_options()."""
    while (parent := getattr(engine, "_proxied", None)) is not None:
        engine = parent
    return engine


def _get_or_make(request: Request, engine: Engine, context: DefaultExecutionContext) -> _Made:
    scheme, store, namespace = request
    _check(scheme)
    key = (scheme, Hidden(store or engine_store(engine)) if has_nodes(scheme) else None, namespace)
    make = functools.partial(_generators.get, key, functools.partial(_make, is_given=store is not None))
    if not context.dialect.is_async:
        return make()
    # Waits for the store in another thread, so that the event loop keeps running.
    connection: Any = context.root_connection.connection.dbapi_connection
    made: _Made = connection.run_async(lambda _: asyncio.to_thread(make))
    return made


def _check(scheme: str) -> None:
    if scheme in _NEEDS:
        raise saiban.InvalidArgumentError(
            f"the column cannot generate IDs of {scheme}, because it has no {_NEEDS[scheme]}: give the "
            "column a default from your own generator, such as default=ids.generate"
        )


def _make_on_clock(request: Request, clock: saiban.ManualClock) -> saiban.Generator[Any]:
    """Makes a generator with a manual clock, which leases nothing."""
    _check(request.scheme)
    options = SCHEMES[request.scheme]["options"]
    arguments: dict[str, Any] = {"clock": clock} if "clock" in options else {}
    if "node" in options:
        arguments["node"] = replaced.node_of(request.namespace, 1023)
    elif "scalability" in options:
        arguments["scalability"] = 0
    ids: saiban.Generator[Any] = SCHEMES[request.scheme]["generator"](**arguments)
    return ids


def _make(key: _Key, is_given: bool) -> _Made:
    """Makes a generator. is_given: whether the column gives the store, and not the engine."""
    scheme: Any
    scheme, store, namespace = key
    new = SCHEMES[scheme]["generator"]
    if store is None:
        return _Made(new())
    # The engine's database belongs to the program: its namespace is created.
    create = None if is_given else True
    try:
        lease = saiban.Lease.acquire(store.reveal(), scheme=scheme, namespace=namespace, create=create)
    except saiban.InvalidArgumentError as error:
        to_do = "Correct SaibanId(…, store=…)" if is_given else "Correct the engine's URL, or give SaibanId(…, store=…)"
        raise saiban.InvalidArgumentError(f"the column's store of leases is invalid: {error}. {to_do}") from error
    return _Made(new(lease=lease))
