"""Real servers from Debian's packages, and saiban's own, for tests: each in a temporary folder, on
a free port of the loopback interface.

    import sys; sys.path.insert(0, "tests")
    from servers import open_server
    with open_server("redis") as server:
        print(server.url)
        server.restart()

For other languages there is the program `run` beside this file.
"""

from __future__ import annotations

from pathlib import Path

from .etcd import Etcd
from .mariadb import MariaDb
from .postgres import Postgres
from .redis import Redis, RedisOfCluster
from .saiban import Saiban
from .server import CannotServe, Server
from .zookeeper import ZooKeeper

KINDS: dict[str, type[Server]] = {
    "postgres": Postgres,
    "mysql": MariaDb,
    "redis": Redis,
    "redis-of-cluster": RedisOfCluster,
    "etcd": Etcd,
    "zookeeper": ZooKeeper,
    "saiban": Saiban,
}

__all__ = ["KINDS", "CannotServe", "Server", "open_server"]


def open_server(
    kind: str, parent: Path | None = None, durable: bool = False, environment: dict[str, str] | None = None
) -> Server:
    """A server of this kind that answers.

    A `durable` one writes to the disk before it answers. That is slow, and matters only where the
    whole machine stops. `environment` is for its own process.
    """
    return KINDS[kind](parent, durable, environment)
