"""The real stores, and the faults that chaos applies to them."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from servers import open_server
from servers.server import HOST, free_ports

KINDS = ("sqlite", "postgres", "mysql", "redis", "etcd", "zookeeper")
NAMES = {
    "sqlite": "SQLite",
    "postgres": "PostgreSQL",
    "mysql": "MariaDB",
    "redis": "Redis",
    "etcd": "etcd",
    "zookeeper": "ZooKeeper",
}


class NotAsPlanned(Exception):
    """Raised when a fault did not take place."""


class Store:
    """A store that can fail. Each fault returns when the store works again."""

    # The faults that the store supports.
    FAULTS: tuple[str, ...] = ("restart", "outage", "crash", "rewind")

    def __init__(self, saiban: Path) -> None:
        self.saiban = saiban

    @property
    def url(self) -> str:
        raise NotImplementedError

    def lease(self, *words: str, url: str | None = None) -> dict:
        """Runs `saiban lease` and returns its output."""
        done = subprocess.run(
            [str(self.saiban), "lease", *words, "--json"],
            env={**os.environ, "SAIBAN_STORE": url or self.url},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise NotAsPlanned(f"saiban lease {' '.join(words)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def begin(self, layout: str, max_ttl_s: int) -> None:
        """Initialises the namespace."""
        self.lease("init", "--scheme", "flake", "--layout", layout, "--max-ttl", str(max_ttl_s))

    def quarantine(self, url: str | None = None) -> None:
        until_ms = self.lease("quarantine", url=url)["quarantine_until_ms"]
        if until_ms <= time.time() * 1000:
            raise NotAsPlanned(f"the quarantine was over before it began, at {until_ms}")

    def do(self, fault: str, seconds: float) -> None:
        """Applies this fault; an outage lasts this many seconds."""
        getattr(self, fault)(seconds)

    def close(self) -> None:
        raise NotImplementedError


class File(Store):
    """SQLite, a store without a server."""

    FAULTS = ("outage", "rewind")

    def __init__(self, folder: Path, saiban: Path) -> None:
        super().__init__(saiban)
        self.path = folder / "leases.db"
        self.saved = folder / "saved.db"

    @property
    def url(self) -> str:
        return f"sqlite://{self.path}"

    def outage(self, seconds: float) -> None:
        """Locks the file, as another process would."""
        with self._open(self.path) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            time.sleep(seconds)
            holder.execute("ROLLBACK")

    def save(self, _seconds: float = 0) -> None:
        with self._open(self.path) as live, self._open(self.saved) as saved:
            live.backup(saved)

    def rewind(self, _seconds: float) -> None:
        """Replaces the data by an older copy, already quarantined, while the file is locked."""
        with self._open(self.path) as live, self._open(self.saved) as saved:
            live.execute("BEGIN IMMEDIATE")
            self.quarantine(f"sqlite://{self.saved}")
            tables = [name for (name,) in saved.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                rows = saved.execute(f"SELECT * FROM {table}").fetchall()
                live.execute(f"DELETE FROM {table}")
                for row in rows:
                    live.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            live.execute("COMMIT")
        if not tables:
            raise NotAsPlanned("the copy is empty")

    def close(self) -> None:
        pass

    @contextmanager
    def _open(self, path: Path) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
            yield connection


class Served(Store):
    """A store with a server."""

    def __init__(self, kind: str, folder: Path, saiban: Path) -> None:
        super().__init__(saiban)
        self.kind = kind
        self.server = open_server(kind, folder)

    @property
    def url(self) -> str:
        return self.server.url

    def restart(self, _seconds: float) -> None:
        with self._another_process():
            self.server.restart()

    def outage(self, seconds: float) -> None:
        """Stops the server for this many seconds."""
        with self._another_process():
            self.server.stop()
            self._must_be_silent()
            time.sleep(seconds)
            self.server.start()

    def crash(self, _seconds: float) -> None:
        with self._another_process():
            self.server.kill()
            self._must_be_silent()
            self.server.start()

    def save(self, _seconds: float = 0) -> None:
        with self._another_process():
            self.server.save("copy")

    def rewind(self, _seconds: float) -> None:
        """Restores an older copy as documented: on another port until it is quarantined."""
        with self._another_process():
            self.server.stop()
            self._must_be_silent()
            usual = self.server.ports
            self.server.ports = [free_ports(1)[0], *usual[1:]]
            self.server.rewind("copy")
            self.quarantine()
            self.server.stop()
            self.server.ports = usual
            self.server.start()

    def rewind_unsaid(self, _seconds: float) -> None:
        """Restores an older copy without a quarantine, for a store that detects this itself."""
        with self._another_process():
            self.server.stop()
            self._must_be_silent()
            self.server.rewind("copy")

    def close(self) -> None:
        self.server.close()

    @contextmanager
    def _another_process(self) -> Iterator[None]:
        before = self.server.process.pid if self.server.process else None
        yield
        process = self.server.process
        if process is None or process.poll() is not None or process.pid == before:
            raise NotAsPlanned(f"{self.kind} runs as process {before} as before, or not at all")

    def _must_be_silent(self) -> None:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, self.server.port)) == 0:
                raise NotAsPlanned(f"{self.kind} was stopped, and somebody listens on its port")


class Redis(Served):
    """Redis, where saiban detects by the server's run id that data may be lost."""

    FAULTS = (*Served.FAULTS, "rewind_unsaid")


def open_store(kind: str, folder: Path, saiban: Path) -> Store:
    if kind == "sqlite":
        return File(folder, saiban)
    return (Redis if kind == "redis" else Served)(kind, folder, saiban)
