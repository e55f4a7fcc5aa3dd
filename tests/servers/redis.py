"""Redis, with an append-only file: a restart loses no data, unless the whole machine stops."""

from __future__ import annotations

from .server import HOST, PASSWORD, Server, program


class Redis(Server):
    def command(self) -> list[str]:
        settings = {
            "port": self.port,
            "bind": HOST,
            "dir": self.data,
            "requirepass": PASSWORD,
            "appendonly": "yes",
            "appendfsync": "always" if self.durable else "no",
            "save": "",
            "daemonize": "no",
            **self.more_settings(),
        }
        return [
            program("redis-server"),
            *(str(part) for key, value in settings.items() for part in (f"--{key}", value)),
        ]

    def more_settings(self) -> dict[str, object]:
        return {}

    def answers(self) -> bool:
        with self.connect() as connection:
            connection.sendall(f"AUTH {PASSWORD}\r\nPING\r\n".encode())
            with connection.makefile("rb") as lines:
                # While Redis loads its data, it replies with an error.
                return lines.readline() == b"+OK\r\n" and lines.readline() == b"+PONG\r\n"

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@{HOST}:{self.port}"


class RedisOfCluster(Redis):
    """One server of a cluster. Tests assign its slots and its neighbours."""

    def more_settings(self) -> dict[str, object]:
        return {"cluster-enabled": "yes", "cluster-port": self.ports[1], "cluster-require-full-coverage": "no"}
