"""Real stores for tests: a file, and each server that saiban supports, from tests/servers/run."""

from __future__ import annotations

import itertools
import subprocess
import sys
from types import TracebackType
from typing import Any

import saiban
from conftest import ROOT

#: The servers that tests/servers/run starts.
SERVERS = ["postgres", "mysql", "redis", "etcd", "zookeeper", "saiban"]

#: A URL of each kind at which no server listens, with a password.
UNREACHABLE = [
    "postgres://user:hunter2@127.0.0.1:1/ids",
    "mysql://user:hunter2@127.0.0.1:1/ids",
    "redis://user:hunter2@127.0.0.1:1",
    "etcd://user:hunter2@127.0.0.1:1",
    "zookeeper://user:hunter2@127.0.0.1:1",
    "saiban://:hunter2@127.0.0.1:1",
]

#: The layout of leases in these tests. Other tests in this process use nodes of the usual layouts.
LAYOUT = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2021-03-03 node:10 sequence:12")

_numbers = itertools.count()


def acquire(url: Any, **options: Any) -> saiban.Lease:
    """Acquires a lease, by default for LAYOUT."""
    return saiban.Lease.acquire(url, **({} if "scheme" in options else {"layout": LAYOUT}) | options)


def snowflakes(lease: Any) -> saiban.Snowflake:
    """Returns a generator with this lease."""
    return saiban.Snowflake(lease=lease, layout=LAYOUT)


def new_namespace() -> str:
    """Returns a namespace of this test alone, because all tests share the servers."""
    return f"test-{next(_numbers)}"


class Server:
    """Runs a server as a context manager; `environment` sets variables of the server's process."""

    def __init__(self, kind: str, **environment: str) -> None:
        more = [word for pair in environment.items() for word in ("--env", "=".join(pair))]
        command = [sys.executable, ROOT / "tests/servers/run", kind, *more]
        self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        word, _, self.url = self._line().partition(" ")
        assert word == "URL", f"{kind}: {word} {self.url}"

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def order(self, command: str) -> None:
        """Runs stop, start, restart or kill."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        answer = self._line()
        assert answer == "ok", answer

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()
