"""The store in the database of SQLAlchemy's engines with the official drivers of MySQL and MariaDB.

The drivers are not installed. SQLAlchemy's dialects make the arguments with which the drivers would
connect.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import saiban
import sqlalchemy as sa
from saiban.contrib import stores
from saiban.contrib.sqlalchemy import engine_store

#: An engine's URL, and the store's URL for it.
STORES = {
    "mysql+mysqlconnector://app:s%40crt@db:3307/shop": "mysql://app:s%40crt@db:3307/shop",
    "mariadb+mysqlconnector://app:s@db/shop": "mysql://app:s@db/shop",
    "mysql+mysqlconnector://app:s@localhost/shop": "mysql://app:s@localhost/shop",
    # SQLAlchemy adds client_flags where the driver is installed.
    "mysql+mysqlconnector://app:s@db/shop?client_flags=2&raise_on_warnings=true&use_pure=true&connection_timeout=3"
    "&auth_plugin=caching_sha2_password&pool_size=3&allow_local_infile=false": "mysql://app:s@db/shop",
    "mysql+mysqlconnector://app:s@/shop?unix_socket=/run/my.sock": "mysql://app:s@localhost/shop?socket=/run/my.sock",
    "mariadb+mariadbconnector://app:s%40crt@db:3307/shop": "mysql://app:s%40crt@db:3307/shop",
    "mysql+mariadbconnector://app@db/shop?client_flag=2&pool_reset_connection=true&reconnect=1": "mysql://app@db/shop",
    "mariadb+mariadbconnector://app:s@db/shop?ssl=true": "mysql://app:s@db/shop?ssl-mode=REQUIRED",
    "mariadb+mariadbconnector://db/shop": "mysql://me@db/shop",
}


@pytest.mark.parametrize(("url", "store"), STORES.items())
def test_the_store_is_in_the_engines_database(monkeypatch: pytest.MonkeyPatch, url: str, store: str) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "me")
    assert engine_store(unconnected(url)) == store


def test_the_c_library_connects_to_localhost_over_its_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    socket = tmp_path / "mysqld.sock"
    socket.touch()
    monkeypatch.setattr(stores, "_MYSQL_SOCKETS", (str(socket),))
    for driver, store in {
        "mariadbconnector": f"mysql://app:s@localhost/shop?socket={socket}",
        "mysqlconnector": "mysql://app:s@localhost:3307/shop",
    }.items():
        assert engine_store(unconnected(f"mariadb+{driver}://app:s@localhost:3307/shop")) == store


@pytest.mark.parametrize("driver", ["mysqlconnector", "mariadbconnector"])
@pytest.mark.parametrize("option", ["option_files", "default_file", "ssl_ca", "failover"])
def test_other_options_are_refused_by_name(driver: str, option: str) -> None:
    with pytest.raises(saiban.InvalidArgumentError, match=f"'{option}' is not supported by saiban's own") as refused:
        engine_store(unconnected(f"mysql+{driver}://app:HIDDEN@db/shop?{option}=HIDDEN"))
    assert "HIDDEN" not in str(refused.value)


def unconnected(url: str) -> sa.Engine:
    """Returns an engine without a driver, which cannot connect."""
    parsed = sa.make_url(url)
    return sa.Engine(sa.pool.NullPool(lambda: None), parsed.get_dialect()(), parsed)
