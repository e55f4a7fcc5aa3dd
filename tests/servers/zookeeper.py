"""ZooKeeper, a single server."""

from __future__ import annotations

from .server import HOST, Server, program

CLASSES = "/etc/zookeeper/conf:/usr/share/java/zookeeper.jar"


class ZooKeeper(Server):
    def command(self) -> list[str]:
        settings = {
            "dataDir": self.data,
            "clientPortAddress": HOST,
            "clientPort": self.port,
            "tickTime": 500,
            "admin.enableServer": "false",
            "4lw.commands.whitelist": "srvr",
            "forceSync": "yes" if self.durable else "no",
            "preAllocSize": 1024,
        }
        configuration = self.folder / "zoo.cfg"
        configuration.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        return [
            program("java"),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            f"-Dzookeeper.log.dir={self.folder}",
            "-Dzookeeper.root.logger=WARN,CONSOLE",
            "-cp",
            CLASSES,
            "org.apache.zookeeper.server.ZooKeeperServerMain",
            str(configuration),
        ]

    def answers(self) -> bool:
        with self.connect() as connection:
            connection.sendall(b"srvr")
            with connection.makefile("rb") as answer:
                return b"Mode: standalone" in answer.read()

    @property
    def url(self) -> str:
        return f"zookeeper://{HOST}:{self.port}"
