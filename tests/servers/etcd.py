"""etcd, a cluster of one member."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

from .server import HOST, Server, program


class Etcd(Server):
    def command(self) -> list[str]:
        client, peer = (f"http://{HOST}:{port}" for port in self.ports)
        # etcd always writes to the disk first; no option changes that.
        return [
            program("etcd"),
            "--name=one",
            f"--data-dir={self.data}",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=one={peer}",
            "--heartbeat-interval=20",
            "--election-timeout=200",
            "--logger=zap",
            "--log-level=warn",
        ]

    def make_data(self) -> None:
        self.data.mkdir(mode=0o700)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}/health", timeout=2) as answer:
                return json.load(answer) == {"health": "true"}
        except (urllib.error.HTTPError, ValueError):
            return False

    @property
    def url(self) -> str:
        return f"etcd://{HOST}:{self.port}"
