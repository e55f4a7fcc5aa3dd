"""Real servers for tests, from Debian's packages or from this repository (`saiban serve`): each in
a temporary folder, on a free port of the loopback interface.

    import sys; sys.path.insert(0, "tests")
    from servers import open_server
    with open_server("redis") as server:
        print(server.url)
        server.restart()

Other languages use the program `run` in this folder.
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
    """Starts a server of this kind, and returns it when it is ready.

    A `durable` server writes to the disk before it replies, which is slow and matters only if the
    whole machine stops. `environment` is added to the environment of the server's process.
    """
    return KINDS[kind](parent, durable, environment)
