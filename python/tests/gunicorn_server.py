"""A real gunicorn on a Unix socket, and requests to it."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

TESTS = Path(__file__).parent
WORKERS = 4

#: Long enough for any machine; only a broken server takes this long.
PATIENCE_S = 60


class Answer(NamedTuple):
    status: int
    #: The application's response, as JSON. It always contains the worker's `pid`.
    body: dict[str, Any]


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=PATIENCE_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def wait_until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.01)


class Gunicorn:
    """Runs gunicorn with four workers as a context manager.

    `config` is the text of its gunicorn.conf.py.
    """

    def __init__(
        self, application: str, *options: str, config: str = "", environment: Mapping[str, str] | None = None
    ) -> None:
        # Not pytest's folder, because the path of a Unix socket has about 100 characters at most.
        self._folder = tempfile.mkdtemp(prefix="saiban-")
        self.socket = f"{self._folder}/http"
        file = Path(self._folder, "gunicorn.conf.py")
        file.write_text(config)
        command = [sys.executable, "-m", "gunicorn", "--config", str(file), "--bind", f"unix:{self.socket}"]
        command += ["--workers", str(WORKERS), "--no-control-socket", "--chdir", str(TESTS), *options, application]
        self._log = Path(self._folder, "log")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, env=os.environ | (environment or {}), stdout=log, stderr=subprocess.STDOUT
            )

    def __enter__(self) -> Gunicorn:
        try:
            wait_until(self._listens, "gunicorn to listen")
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None:
            error.add_note(self.log())
        self._stop()

    def _listens(self) -> bool:
        assert self._process.poll() is None, self.log()
        with socket.socket(socket.AF_UNIX) as attempt:
            return attempt.connect_ex(self.socket) == 0

    def _stop(self) -> None:
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(PATIENCE_S)
        shutil.rmtree(self._folder)

    def log(self) -> str:
        """Returns the output of gunicorn and its workers."""
        return self._log.read_text(errors="replace")

    def get(self, path: str) -> Answer:
        connection = _UnixConnection(self.socket)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return Answer(response.status, json.loads(response.read()))
        finally:
            connection.close()

    def get_from_all(self, path: str, at_least: int = 100) -> list[Answer]:
        """Sends `at_least` requests, eight at a time, again until every worker has replied."""
        answers: list[Answer] = []

        def all_have_answered() -> bool:
            with ThreadPoolExecutor(8) as threads:
                answers.extend(threads.map(self.get, [path] * at_least))
            return len({answer.body["pid"] for answer in answers}) >= WORKERS

        wait_until(all_have_answered, f"{path} from all workers")
        return answers
