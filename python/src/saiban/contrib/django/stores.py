"""Converts an entry of DATABASES to the URL that saiban.Lease takes, so that leases are stored in a
database of the project:

- PostgreSQL (and PostGIS), MySQL and MariaDB: in that database, on saiban's own connection, which
  no request rolls back. The tables saiban_namespaces and saiban_slots are made on first use. No
  model manages them, so flush does not touch them.
- SQLite: in a file beside the database, with `-saiban-leases` appended to its name. The database's
  own file is not used: SQLite allows one writer at a time, so a lease would wait for the request
  that waits for the lease; and two copies of SQLite in one process lose each other's locks.
- SQLite in memory, as in Django's test runner: in the memory of the process.
"""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.connection import ConnectionDoesNotExist

from saiban.contrib.django.hidden import Hidden, revealed

__all__ = ["lease_file", "store_url"]

#: The default socket of MySQL's client library, without a host or for localhost.
_MYSQL_SOCKETS = (
    "/run/mysqld/mysqld.sock",
    "/var/run/mysqld/mysqld.sock",
    "/var/lib/mysql/mysql.sock",
    "/tmp/mysql.sock",
)


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
    return make(connection)


def lease_file(connection: BaseDatabaseWrapper, name: str | Path | None = None) -> Path | None:
    """Returns the file of leases beside a SQLite database, by default the connection's; `None` for
    a database in memory.
    """
    name = connection.settings_dict["NAME"] if name is None else name
    if connection.creation.is_in_memory_db(name):
        return None
    path = os.fspath(name)
    if path.startswith("file:"):
        path = unquote(urlsplit(path).path)
    # A link is resolved to its file, since two releases of a project may each have a link to one
    # database.
    path = Path(path).resolve()
    return path.with_name(f"{path.name}-saiban-leases")


def _sqlite(connection: BaseDatabaseWrapper) -> str:
    file = lease_file(connection)
    return f"memory:django-{quote(connection.alias, safe='')}" if file is None else f"sqlite://{quote(str(file))}"


#: Options that libpq and saiban's own client both support.
_POSTGRES_SAME = ("sslmode", "sslrootcert", "sslcert", "sslkey", "options")
#: Options without an effect on leases: how Django reads rows, when libpq gives up, and names for
#: people.
_POSTGRES_IDLE = {
    "application_name",
    "autocommit",
    "client_encoding",
    "connect_timeout",
    "context",
    "cursor_factory",
    "fallback_application_name",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "pool",
    "prepare_threshold",
    "row_factory",
    "sslcompression",
    "target_session_attrs",
    "tcp_user_timeout",
}


def _postgres(connection: BaseDatabaseWrapper) -> str:
    given = _given(connection, {"dbname", "user", "password", "host", "port", *_POSTGRES_SAME, *_POSTGRES_IDLE})
    query = {key: str(given[key]) for key in _POSTGRES_SAME if key in given}
    if query.get("sslrootcert") == "system":
        _refuse(connection, "sslrootcert")
    if role := connection.settings_dict["OPTIONS"].get("assume_role"):
        escaped = re.sub(r"([\\\s])", r"\\\1", role)
        query["options"] = f"{query.get('options', '')} -c role={escaped}".strip()
    host = str(given.get("host", ""))
    if "," in host:
        _refuse(connection, "HOST", "names several servers")
    login = {key: given[key] for key in ("user", "password") if key in given}
    place = {key: str(given[key]) for key in ("host", "port") if key in given}
    if _is_plain(host):
        return _url("postgres", login, place, given["dbname"], query)
    # A folder with a socket, an address with colons, and libpq's default for an empty host fit only
    # into the query of a URL.
    return f"postgres:///{quote(str(given['dbname']), safe='')}?{_query(revealed(login) | place | query)}".rstrip("?")


_MYSQL_TLS = {"ca": "ssl-ca", "cert": "ssl-cert", "key": "ssl-key"}
_MYSQL_IDLE = {
    "autocommit",
    "charset",
    "client_flag",
    "collation",
    "compress",
    "connect_timeout",
    "conv",
    "cursorclass",
    "init_command",
    "local_infile",
    "read_timeout",
    "sql_mode",
    "use_unicode",
    "write_timeout",
}


def _mysql(connection: BaseDatabaseWrapper) -> str:
    known = {"user", "password", "passwd", "database", "db", "host", "port", "unix_socket", "ssl", "ssl_mode"}
    given = _given(connection, known | _MYSQL_IDLE)
    database = given.get("database", given.get("db"))
    if not database:
        _refuse(connection, "NAME", "is empty")
    query = _mysql_tls(connection, given)
    host = given.get("host", "")
    if socket := given.get("unix_socket") or (_mysql_socket(connection) if host in {"", "localhost"} else None):
        host, query["socket"] = "localhost", str(socket)
    # Without a user, saiban's client would use root.
    login = {"user": given.get("user") or getpass.getuser(), "password": given.get("password", given.get("passwd", ""))}
    place = {"host": f"[{host}]" if ":" in host else host or "localhost"}
    if "port" in given and "socket" not in query:
        place["port"] = str(given["port"])
    return _url("mysql", login, place, database, query)


def _mysql_tls(connection: BaseDatabaseWrapper, given: Mapping[str, Any]) -> dict[str, str]:
    tls = given.get("ssl", {})
    tls = {} if tls is True else tls
    if not isinstance(tls, Mapping):
        _refuse(connection, "ssl", "is no dictionary")
    for key in ("capath", "cipher", "crl", "crlpath"):
        if key in tls:
            _refuse(connection, f"ssl[{key!r}]")
    query = {parameter: str(tls[key]) for key, parameter in _MYSQL_TLS.items() if key in tls}
    if "ssl_mode" in given:
        query["ssl-mode"] = str(given["ssl_mode"])
    elif "ssl" in given:
        whom = "VERIFY_IDENTITY" if tls.get("check_hostname") else "VERIFY_CA"
        query["ssl-mode"] = whom if "ca" in tls else "REQUIRED"
    return query


def _mysql_socket(connection: BaseDatabaseWrapper) -> str | None:
    # PyMySQL connects to localhost over TCP.
    if connection.Database.__name__ != "MySQLdb":
        return None
    return next((socket for socket in _MYSQL_SOCKETS if Path(socket).exists()), None)


def _is_plain(host: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9._-]+", host) is not None


def _url(
    kind: str, login: Mapping[str, Any], place: Mapping[str, str], database: object, query: Mapping[str, str]
) -> str:
    where = ":".join(place[key] for key in ("host", "port") if key in place)
    login = revealed(login)
    user, password = (quote(str(login.get(key, "")), safe="") for key in ("user", "password"))
    who = f"{user}:{password}@" if password else f"{user}@" if user else ""
    url = f"{kind}://{who}{where}/{quote(str(database), safe='')}"
    return f"{url}?{_query(query)}" if query else url


def _query(parameters: Mapping[str, str]) -> str:
    return urlencode(parameters, quote_via=quote, safe="/")


def _given(connection: BaseDatabaseWrapper, known: set[str]) -> dict[str, Any]:
    """Returns Django's parameters for the connection, with passwords hidden. Parameters that are
    not known are refused.
    """
    shown = known - {"password", "passwd"}
    try:
        params = connection.get_connection_params().items()
    except ImproperlyConfigured as error:
        # Django's function has the password among its variables.
        raise ImproperlyConfigured(f"DATABASES[{connection.alias!r}]: {error}") from None
    given = {key: value if key in shown else Hidden(value) for key, value in params}
    del params
    for key in sorted(given.keys() - known):
        _refuse(connection, key)
    return given


def _refuse(
    connection: BaseDatabaseWrapper, key: str, why: str = "is what saiban's own connection cannot obey"
) -> None:
    where = f"[{key!r}]" if key.isupper() else f"['OPTIONS'][{key!r}]"
    raise ImproperlyConfigured(
        f"No nodes can be leased from this database: DATABASES[{connection.alias!r}]{where} {why}. "
        f"{_instead(connection)}"
    )


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
