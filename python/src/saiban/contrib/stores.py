"""The store of leases in the database of a framework's connection, as the URL that saiban.Lease takes.

- PostgreSQL, MySQL and MariaDB: that database, on saiban's own connection, which no request rolls
  back. saiban creates the tables saiban_namespaces and saiban_slots on first use.
- SQLite: a file beside the database, its name with `-saiban-leases` after it. Not the database's
  file, because SQLite allows one writer at a time, which would wait for the request that waits for
  it, and because two copies of SQLite in one process lose each other's locks.
- SQLite in memory: leases are in the memory of the process too.

The functions take the keyword arguments that a driver connects with, secrets as `Hidden`.
"""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from saiban.contrib.hidden import Hidden, revealed

__all__ = [
    "NAMESPACE",
    "NAMESPACE_CHARACTERS",
    "UnusableOptionError",
    "hidden",
    "lease_file",
    "memory_store",
    "mysql_store",
    "postgres_store",
    "sqlite_store",
]

#: The names of namespaces, which saiban.Lease.acquire checks too.
NAMESPACE = re.compile("[A-Za-z0-9_.-]{1,64}")
NAMESPACE_CHARACTERS = "1 to 64 of the characters A-Z, a-z, 0-9, _, - and ."

#: The default socket of MySQL's client library, without a host or for localhost.
_MYSQL_SOCKETS = (
    "/run/mysqld/mysqld.sock",
    "/var/run/mysqld/mysqld.sock",
    "/var/lib/mysql/mysql.sock",
    "/tmp/mysql.sock",
)


class UnusableOptionError(Exception):
    """An option of a connection, which saiban's own connection cannot have."""

    def __init__(self, option: str, why: str = "is not supported by saiban's own connection") -> None:
        super().__init__(f"{option!r} {why}")
        self.option: str = option
        self.why: str = why


def lease_file(database: str | os.PathLike[str]) -> Path:
    """Returns the file of leases beside a SQLite database: a path, or a URI with `file:`."""
    path = os.fspath(database)
    if path.startswith("file:"):
        path = unquote(urlsplit(path).path)
    # Resolve links: two releases of a project may link to one database.
    resolved = Path(path).resolve()
    return resolved.with_name(f"{resolved.name}-saiban-leases")


def sqlite_store(database: str | os.PathLike[str]) -> str:
    """Returns the store beside a SQLite database."""
    return f"sqlite://{quote(str(lease_file(database)))}"


def memory_store(name: str) -> str:
    """Returns the store of a SQLite database in memory."""
    return f"memory:{quote(name, safe='')}"


#: What libpq and saiban's own client both know.
_POSTGRES_SAME = ("sslmode", "sslrootcert", "sslcert", "sslkey", "options")
#: Options without an effect on leases: how rows are read, when libpq gives up, and names for
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


def postgres_store(params: Mapping[str, Any]) -> str:
    """Returns the store in a database of PostgreSQL, from libpq's parameters.

    Raises UnusableOptionError.
    """
    _check_known(params, {"dbname", "user", "password", "host", "port", *_POSTGRES_SAME, *_POSTGRES_IDLE})
    query = {key: str(params[key]) for key in _POSTGRES_SAME if key in params}
    if query.get("sslrootcert") == "system":
        raise UnusableOptionError("sslrootcert")
    if not params.get("dbname"):
        raise UnusableOptionError("database", "is empty")
    host = str(params.get("host", ""))
    if "," in host:
        raise UnusableOptionError("host", "has several servers: give one")
    login = {key: params[key] for key in ("user", "password") if key in params}
    place = {key: str(params[key]) for key in ("host", "port") if key in params}
    if re.fullmatch(r"[A-Za-z0-9._-]+", host):
        return _url("postgres", login, place, params["dbname"], query)
    # A folder with a socket, an address with colons, and libpq's default for an empty host fit only
    # into the query of a URL.
    return f"postgres:///{quote(str(params['dbname']), safe='')}?{_query(revealed(login) | place | query)}".rstrip("?")


_MYSQL_TLS = {"ca": "ssl-ca", "cert": "ssl-cert", "key": "ssl-key"}
_MYSQL_IDLE = {
    "allow_local_infile",
    "auth_plugin",
    "autocommit",
    "buffered",
    "charset",
    "client_flag",
    "client_flags",
    "collation",
    "compress",
    "connect_timeout",
    "connection_timeout",
    "consume_results",
    "conv",
    "converter",
    "converter_class",
    "cursorclass",
    "get_warnings",
    "init_command",
    "local_infile",
    "pool_name",
    "pool_reset_connection",
    "pool_reset_session",
    "pool_size",
    "raise_on_warnings",
    "raw",
    "read_timeout",
    "reconnect",
    "sql_mode",
    "time_zone",
    "use_pure",
    "use_unicode",
    "write_timeout",
}


def mysql_store(params: Mapping[str, Any], *, driver: str) -> str:
    """Returns the store in a database of MySQL or MariaDB, from the arguments of the driver, which
    is the name of its module.

    Raises UnusableOptionError.
    """
    known = set("user username password passwd database db host port unix_socket ssl ssl_mode".split())
    _check_known(params, known | _MYSQL_IDLE)
    database = params.get("database", params.get("db"))
    if not database:
        raise UnusableOptionError("database", "is empty")
    query = _mysql_tls(params)
    host = params.get("host", "")
    if socket := params.get("unix_socket") or (_mysql_socket(driver) if host in {"", "localhost"} else None):
        host, query["socket"] = "localhost", str(socket)
    # Without a user, saiban's client would use root.
    user = params.get("user") or params.get("username") or getpass.getuser()
    login = {"user": user, "password": params.get("password", params.get("passwd", ""))}
    place = {"host": f"[{host}]" if ":" in host else host or "localhost"}
    if "port" in params and "socket" not in query:
        place["port"] = str(params["port"])
    return _url("mysql", login, place, database, query)


def _mysql_tls(params: Mapping[str, Any]) -> dict[str, str]:
    tls = params.get("ssl", {})
    tls = {} if tls is True else tls
    if not isinstance(tls, Mapping):
        raise UnusableOptionError("ssl", "is not a dictionary")
    for key in ("capath", "cipher", "crl", "crlpath"):
        if key in tls:
            raise UnusableOptionError(f"ssl[{key!r}]")
    query = {parameter: str(tls[key]) for key, parameter in _MYSQL_TLS.items() if key in tls}
    if "ssl_mode" in params:
        query["ssl-mode"] = str(params["ssl_mode"])
    elif "ssl" in params:
        mode = "VERIFY_IDENTITY" if tls.get("check_hostname") else "VERIFY_CA"
        query["ssl-mode"] = mode if "ca" in tls else "REQUIRED"
    return query


def _mysql_socket(driver: str) -> str | None:
    # Drivers in Python connect to localhost over TCP, and those of the C library over its socket.
    if driver not in {"MySQLdb", "mariadbconnector"}:
        return None
    return next((socket for socket in _MYSQL_SOCKETS if Path(socket).exists()), None)


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


def _check_known(params: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(params.keys() - known):
        raise UnusableOptionError(unknown[0])


#: Arguments that are no secrets.
_SHOWN = {"dbname", "user", "username", "host", "port", "database", "db", "unix_socket", "ssl", "ssl_mode"}
_SHOWN |= {*_POSTGRES_SAME, *_POSTGRES_IDLE, *_MYSQL_IDLE}


def hidden(params: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a driver's arguments, hidden where they may be secrets."""
    return {key: value if key in _SHOWN else Hidden(value) for key, value in params.items()}
