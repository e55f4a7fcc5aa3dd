"""DATABASES as the URL of a store: the URL for every option, and the options that are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import ConnectionHandler
from saiban.contrib.django.stores import store_url, url_of


def connection(engine: str, **settings: Any) -> Any:
    """Returns a Django connection with these settings, which is never opened."""
    return ConnectionHandler({"default": {"ENGINE": f"django.db.backends.{engine}", **settings}})["default"]


def url(engine: str, **settings: Any) -> str:
    return url_of(connection(engine, **settings))


@pytest.fixture
def no_socket(monkeypatch) -> None:
    monkeypatch.setattr("saiban.contrib.stores._MYSQL_SOCKETS", ("/no/such/socket",))
    monkeypatch.setattr("getpass.getuser", lambda: "me")


#: An entry in DATABASES, and the store's URL for it.
POSTGRES = {
    "all that is usual": (
        {"NAME": "shop", "USER": "app", "PASSWORD": "secret", "HOST": "db.example", "PORT": 5433},
        "postgres://app:secret@db.example:5433/shop",
    ),
    "what URLs have another use for": (
        {"NAME": "a/b?c", "USER": "a@b", "PASSWORD": "p:/?#[]@%é ", "HOST": "127.0.0.1"},
        "postgres://a%40b:p%3A%2F%3F%23%5B%5D%40%25%C3%A9%20@127.0.0.1/a%2Fb%3Fc",
    ),
    "nothing but a name": ({"NAME": "shop"}, "postgres:///shop"),
    "a folder with a socket": (
        {"NAME": "shop", "USER": "app", "PASSWORD": "a&b", "HOST": "/run/my sql", "PORT": "5433"},
        "postgres:///shop?user=app&password=a%26b&host=/run/my%20sql&port=5433",
    ),
    "an address with colons": ({"NAME": "shop", "HOST": "::1"}, "postgres:///shop?host=%3A%3A1"),
    "a password of nobody": ({"NAME": "shop", "PASSWORD": "x", "HOST": "db"}, "postgres://:x@db/shop"),
    "TLS": (
        {
            "NAME": "shop",
            "HOST": "db",
            "OPTIONS": {"sslmode": "verify-full", "sslrootcert": "/a b.pem", "sslcert": Path("/c"), "sslkey": "/k"},
        },
        "postgres://db/shop?sslmode=verify-full&sslrootcert=/a%20b.pem&sslcert=/c&sslkey=/k",
    ),
    "a search path and a role": (
        {"NAME": "shop", "HOST": "db", "OPTIONS": {"options": "-c search_path=shop", "assume_role": "my owner"}},
        "postgres://db/shop?options=-c%20search_path%3Dshop%20-c%20role%3Dmy%5C%20owner",
    ),
    "what leases have no use for": (
        {"NAME": "shop", "HOST": "db", "OPTIONS": {"connect_timeout": 3, "isolation_level": 3, "pool": True}},
        "postgres://db/shop",
    ),
}


@pytest.mark.parametrize(("settings", "store"), POSTGRES.values(), ids=POSTGRES)
def test_a_database_of_postgresql_is_the_store(settings: dict[str, Any], store: str) -> None:
    assert url("postgresql", **settings) == store


MYSQL = {
    "all that is usual": (
        {"NAME": "shop", "USER": "app", "PASSWORD": "p@ss", "HOST": "db.example", "PORT": "3307"},
        "mysql://app:p%40ss@db.example:3307/shop",
    ),
    "nobody, nowhere": ({"NAME": "shop"}, "mysql://me@localhost/shop"),
    "an address with colons": ({"NAME": "shop", "USER": "app", "HOST": "::1"}, "mysql://app@[::1]/shop"),
    "a socket as the host": (
        {"NAME": "shop", "USER": "app", "HOST": "/run/my.sock"},
        "mysql://app@localhost/shop?socket=/run/my.sock",
    ),
    "a socket as an option": (
        {"NAME": "shop", "USER": "app", "OPTIONS": {"unix_socket": "/run/my.sock"}},
        "mysql://app@localhost/shop?socket=/run/my.sock",
    ),
    "TLS": (
        {
            "NAME": "shop",
            "USER": "app",
            "HOST": "db",
            "OPTIONS": {"ssl": {"ca": "/ca", "cert": "/cert", "key": "/key"}},
        },
        "mysql://app@db/shop?ssl-ca=/ca&ssl-cert=/cert&ssl-key=/key&ssl-mode=VERIFY_CA",
    ),
    "TLS with the host's name": (
        {"NAME": "shop", "USER": "app", "HOST": "db", "OPTIONS": {"ssl": {"ca": "/ca", "check_hostname": True}}},
        "mysql://app@db/shop?ssl-ca=/ca&ssl-mode=VERIFY_IDENTITY",
    ),
    "TLS with anybody": (
        {"NAME": "shop", "USER": "app", "HOST": "db", "OPTIONS": {"ssl": True}},
        "mysql://app@db/shop?ssl-mode=REQUIRED",
    ),
    "TLS by its mode": (
        {"NAME": "shop", "USER": "app", "HOST": "db", "OPTIONS": {"ssl_mode": "VERIFY_IDENTITY"}},
        "mysql://app@db/shop?ssl-mode=VERIFY_IDENTITY",
    ),
    "what leases have no use for": (
        {"NAME": "shop", "USER": "app", "HOST": "db", "OPTIONS": {"charset": "utf8mb4", "init_command": "SET a = 1"}},
        "mysql://app@db/shop",
    ),
}


@pytest.mark.parametrize(("settings", "store"), MYSQL.values(), ids=MYSQL)
def test_a_database_of_mysql_is_the_store(no_socket, settings: dict[str, Any], store: str) -> None:
    assert url("mysql", **settings) == store


def test_localhost_is_the_socket_for_mysqlclient_and_an_address_for_pymysql(monkeypatch, tmp_path) -> None:
    socket = tmp_path / "mysqld.sock"
    socket.touch()
    monkeypatch.setattr("saiban.contrib.stores._MYSQL_SOCKETS", ("/no/such/socket", str(socket)))
    database = connection("mysql", NAME="shop", USER="app", HOST="localhost", PORT="3307")
    assert database.Database.__name__ == "pymysql"
    assert url_of(database) == "mysql://app@localhost:3307/shop"
    monkeypatch.setattr(database.Database, "__name__", "MySQLdb")
    assert url_of(database) == f"mysql://app@localhost/shop?socket={socket}"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("/srv/shop.sqlite3", "/srv/shop.sqlite3-saiban-leases"),
        (Path("/srv/a b#1?%41é"), "/srv/a%20b%231%3F%2541%C3%A9-saiban-leases"),
        ("file:/srv/a%20b?mode=rw", "/srv/a%20b-saiban-leases"),
        ("/srv/x/../shop", "/srv/shop-saiban-leases"),
    ],
)
def test_the_store_of_a_sqlite_database_is_a_file_beside_it(name: str | Path, path: str) -> None:
    assert url("sqlite3", NAME=name) == f"sqlite://{path}"


def test_a_relative_file_is_one_of_this_folder(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    assert url("sqlite3", NAME="shop.sqlite3") == f"sqlite://{tmp_path}/shop.sqlite3-saiban-leases"


def test_a_link_stands_for_the_file_that_it_leads_to(tmp_path) -> None:
    (tmp_path / "release").mkdir()
    link = tmp_path / "release/shop.sqlite3"
    link.symlink_to(tmp_path / "shop.sqlite3")
    assert url("sqlite3", NAME=link) == f"sqlite://{tmp_path}/shop.sqlite3-saiban-leases"


@pytest.mark.parametrize("name", [":memory:", "file:memorydb_default?mode=memory&cache=shared"])
def test_leases_of_a_database_in_memory_are_in_memory(name: str) -> None:
    assert url("sqlite3", NAME=name) == "memory:django-default"


REFUSED = {
    "a service": ("postgresql", {"OPTIONS": {"service": "shop"}}, r"\['OPTIONS'\]\['service'\]"),
    "a file of passwords": (
        "postgresql",
        {"NAME": "shop", "OPTIONS": {"passfile": "/run/pass"}},
        r"DATABASES\['default'\]\['OPTIONS'\]\['passfile'\]",
    ),
    "the system's authorities": (
        "postgresql",
        {"NAME": "shop", "OPTIONS": {"sslrootcert": "system"}},
        r"\['OPTIONS'\]\['sslrootcert'\]",
    ),
    "several servers": ("postgresql", {"NAME": "shop", "HOST": "a,b"}, r"\['HOST'\] has several servers: give one"),
    "an option file": (
        "mysql",
        {"NAME": "shop", "OPTIONS": {"read_default_file": "/etc/my.cnf"}},
        r"\['OPTIONS'\]\['read_default_file'\]",
    ),
    "not a database": ("mysql", {"NAME": "", "HOST": "db"}, r"\['NAME'\] is empty"),
    "a folder of authorities": (
        "mysql",
        {"NAME": "shop", "HOST": "db", "OPTIONS": {"ssl": {"capath": "/etc/ssl"}}},
        r"ssl\['capath'\]",
    ),
}


@pytest.mark.parametrize(("engine", "settings", "message"), REFUSED.values(), ids=REFUSED)
def test_unsupported_database_settings_are_refused_by_name(engine: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=message) as refused:
        url(engine, **{"PASSWORD": "HIDDEN", **settings})
    assert "'lease': 'postgres://" in str(refused.value)
    assert "HIDDEN" not in str(refused.value)


def test_an_unsupported_database_is_refused_with_the_setting_to_change() -> None:
    with pytest.raises(
        ImproperlyConfigured, match=r"DATABASES\['default'\] is of the engine 'django.db.backends.dummy'"
    ):
        url("dummy")


def test_the_projects_other_database_is_named_where_one_cannot_be_the_store(monkeypatch) -> None:
    with pytest.raises(ImproperlyConfigured, match="Name another store in SAIBAN"):
        store_of({"default": {}}, monkeypatch)
    main = {"ENGINE": "django.db.backends.postgresql", "NAME": "shop"}
    unknown = {"ENGINE": "no.such.engine"}
    with pytest.raises(ImproperlyConfigured, match=r"'lease': \{'database': 'main'\}.*'lease': 'postgres://"):
        store_of({"default": {}, "unknown": unknown, "main": main}, monkeypatch)


def store_of(databases: dict[str, dict[str, Any]], monkeypatch) -> str:
    """Returns the store in the default database of a project with these databases."""
    monkeypatch.setattr("saiban.contrib.django.stores.connections", ConnectionHandler(databases))
    return store_url()


def test_a_missing_database_is_reported() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"no DATABASES\['other'\]"):
        store_url("other")
