"""Converts an entry of DATABASES to the URL that saiban.Lease takes, so that leases are stored in a
database of the project:

saiban.contrib.stores decides where in the database the store is. No model manages the tables, so
flush does not touch them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.connection import ConnectionDoesNotExist

from saiban.contrib import stores

__all__ = ["lease_file", "store_url"]


def store_url(alias: str = DEFAULT_DB_ALIAS) -> str:
    """Returns the URL of the store in this database, password included: for `saiban lease ls
    --store …` and similar commands.

    Raises ImproperlyConfigured if this database cannot be a store, or has options that saiban does
    not support.
    """
    try:
        connection = connections[alias]
    except ConnectionDoesNotExist as error:
        raise ImproperlyConfigured(f"There is no DATABASES[{alias!r}] to lease nodes from: {error}.") from error
    return url_of(connection)


def url_of(connection: BaseDatabaseWrapper) -> str:
    """Returns the URL of the store for a Django connection, without opening the connection."""
    try:
        make = _MAKERS[connection.vendor]
    except KeyError:
        engine = connection.settings_dict["ENGINE"]
        raise ImproperlyConfigured(
            f"DATABASES[{connection.alias!r}] is of the engine {engine!r}, from which saiban can lease no nodes. "
            f"{_instead(connection)}"
        ) from None
    try:
        return make(connection)
    except stores.UnusableOptionError as error:
        key = _SETTINGS.get(error.option)
        where = f"['OPTIONS'][{error.option!r}]" if key is None else f"[{key!r}]"
        raise ImproperlyConfigured(
            f"No nodes can be leased from this database: DATABASES[{connection.alias!r}]{where} {error.why}. "
            f"{_instead(connection)}"
        ) from None


def lease_file(connection: BaseDatabaseWrapper, name: str | Path | None = None) -> Path | None:
    """Returns the file of leases beside a SQLite database, by default the connection's; `None` for
    a database in memory.
    """
    name = connection.settings_dict["NAME"] if name is None else name
    return None if connection.creation.is_in_memory_db(name) else stores.lease_file(name)


def _sqlite(connection: BaseDatabaseWrapper) -> str:
    if lease_file(connection) is None:
        return stores.memory_store(f"django-{connection.alias}")
    return stores.sqlite_store(connection.settings_dict["NAME"])


def _postgres(connection: BaseDatabaseWrapper) -> str:
    given = _given(connection)
    if role := connection.settings_dict["OPTIONS"].get("assume_role"):
        escaped = re.sub(r"([\\\s])", r"\\\1", role)
        given["options"] = f"{given.get('options', '')} -c role={escaped}".strip()
    return stores.postgres_store(given)


def _mysql(connection: BaseDatabaseWrapper) -> str:
    return stores.mysql_store(_given(connection), driver=connection.Database.__name__)


#: The settings that are no options.
_SETTINGS = {"host": "HOST", "database": "NAME"}


def _given(connection: BaseDatabaseWrapper) -> dict[str, Any]:
    """What Django would connect with, secrets hidden."""
    try:
        return stores.hidden(connection.get_connection_params())
    except ImproperlyConfigured as error:
        # Django's function has the password among its variables.
        raise ImproperlyConfigured(f"DATABASES[{connection.alias!r}]: {error}") from None


def _instead(connection: BaseDatabaseWrapper) -> str:
    """Returns the advice for a database that cannot be the store."""
    by_url = "'lease': 'postgres://user:password@host/name'}."
    for alias in connections:
        if alias != connection.alias and _can_lease(alias):
            lease = f"'lease': {{'database': {alias!r}}}}}"
            return f"Name another one in SAIBAN, as in {{'scheme': 'snowflake', {lease}, or a store: {{…, {by_url}"
    return f"Name another store in SAIBAN, as in {{'scheme': 'snowflake', {by_url}"


def _can_lease(alias: str) -> bool:
    try:
        return connections[alias].vendor in _MAKERS
    except ImproperlyConfigured:
        # Its engine is not installed.
        return False


_MAKERS = {"sqlite": _sqlite, "postgresql": _postgres, "mysql": _mysql}
