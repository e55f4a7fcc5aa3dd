"""The common parts of all servers: a folder, a port, a process."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"
USER = "saiban"
PASSWORD = "open-sesame"
DATABASE = "saiban"

# Below the ephemeral ports, so that no connection takes a server's port while it is stopped.
PORTS = range(20_000, 32_000)
# More than all servers of a run of the tests write.
MEMORY_BYTES = 4_000_000_000
START_S = 60.0
STOP_S = 30.0


class CannotServe(Exception):
    """Raised when a server cannot be started, with the end of its log."""


class Server:
    """A server and its data.

    It dies with the thread that started it (PR_SET_PDEATHSIG), so start it from the main thread.
    """

    # The signal for a regular stop, and the signal that the server gets when its parent dies.
    STOP = signal.SIGTERM
    ORPHANED = "KILL"
    # The user for a server that refuses to run as root, if this program runs as root.
    NOT_ROOT: str | None = None

    def __init__(
        self, parent: Path | None = None, durable: bool = False, environment: dict[str, str] | None = None
    ) -> None:
        self.durable = durable
        # Additional environment variables of the server's process.
        self.environment = environment or {}
        self.process: subprocess.Popen[bytes] | None = None
        self.ports: list[int] = []
        folder = parent or (None if durable else _memory())
        self.folder = Path(tempfile.mkdtemp(prefix=f"saiban-{type(self).__name__.lower()}-", dir=folder))
        try:
            self.data = self.folder / "data"
            self.log = self.folder / "log"
            self.log.touch()
            if self.user:
                shutil.chown(self.folder, self.user)
                shutil.chown(self.log, self.user)
            self.make_data()
            self._start_on_free_ports()
        except BaseException:
            self.close()
            raise

    # Each server overrides these.

    def make_data(self) -> None:
        """Makes the folder `data`."""
        self.data.mkdir()

    def command(self) -> list[str]:
        """Returns the command that starts the server in the foreground."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Returns whether the server is ready for clients. An OSError counts as not ready."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        """Returns the URL for saiban's stores."""
        raise NotImplementedError

    # Tests call these.

    @property
    def port(self) -> int:
        return self.ports[0]

    def start(self) -> None:
        """Starts the server again on its port, and returns when the server is ready."""
        until = time.monotonic() + START_S
        # After a kill, parts of the old server may still be ending.
        while not self._try_start(until):
            if time.monotonic() > until:
                raise CannotServe(f"{self.command()[0]} did not start: {self._end_of_log()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stops the server regularly."""
        self._end(self.STOP)

    def kill(self) -> None:
        """Kills the server with SIGKILL."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        self.stop()
        self.start()

    def save(self, name: str) -> None:
        """Stops the server while it copies the data."""
        saved = self._saved(name)
        runs = self.process is not None
        self.stop()
        shutil.rmtree(saved, ignore_errors=True)
        saved.parent.mkdir(exist_ok=True)
        self._copy(self.data, saved)
        if runs:
            self.start()

    def rewind(self, name: str) -> None:
        """Replaces the data by the copy, as a restore from a backup does, and starts the server."""
        saved = self._saved(name)
        if not saved.is_dir():
            raise CannotServe(f"nothing was saved as {name!r}")
        self.stop()
        shutil.rmtree(self.data)
        self._copy(saved, self.data)
        self.start()

    def close(self) -> None:
        """Stops the server and removes its folder."""
        with suppress(CannotServe):
            self._end(self.STOP)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Implementation.

    @property
    def user(self) -> str | None:
        return self.NOT_ROOT if os.geteuid() == 0 else None

    def prefix(self) -> list[str]:
        """Returns the words before every command, which set the user."""
        user = self.user
        return ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user else []

    def prepare(self, *command: str, stdin: bytes = b"") -> None:
        """Runs a command that prepares the data."""
        with self.log.open("ab") as log:
            done = subprocess.run(
                [*self.prefix(), *command], input=stdin, stdout=log, stderr=log, cwd=self.folder, start_new_session=True
            )
        if done.returncode != 0:
            raise CannotServe(f"{command[0]} failed: {self._end_of_log()}")

    def connect(self) -> socket.socket:
        return socket.create_connection((HOST, self.port), timeout=2)

    def _start_on_free_ports(self) -> None:
        # Another program may take a port between the probe and the server's start.
        for _ in range(5):
            self.ports = free_ports(2)
            if self._try_start(time.monotonic() + START_S):
                return
        raise CannotServe(f"{self.command()[0]} did not start: {self._end_of_log()}")

    def _try_start(self, until: float) -> bool:
        if self.process is not None and self.process.poll() is None:
            return True
        command = ["setpriv", f"--pdeathsig={self.ORPHANED}", *self.prefix()[1:], *self.command()]
        with self.log.open("ab") as log:
            # The server has its own session, so that signals from the terminal reach only this
            # program.
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                env=os.environ | self.environment,
            )
        while self.process.poll() is None:
            with suppress(OSError):
                if self.answers() and self.process.poll() is None:
                    return True
            if time.monotonic() > until:
                self.kill()
                return False
            time.sleep(0.02)
        self.process = None
        return False

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            if how is not signal.SIGKILL:
                raise CannotServe(f"{process.args[0]} did not stop, and was killed: {self._end_of_log()}") from None

    def _saved(self, name: str) -> Path:
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            raise CannotServe(f"{name!r} cannot name a copy: give letters, digits, - and _")
        return self.folder / "saved" / name

    def _copy(self, source: Path, target: Path) -> None:
        subprocess.run(["cp", "-a", "--reflink=auto", source, target], check=True)

    def _end_of_log(self) -> str:
        return " | ".join(self.log.read_text(errors="replace").splitlines()[-8:])


def _memory() -> Path | None:
    """Returns a folder in memory, if the machine has one with room; `None` for the usual one.

    A new database is hundreds of files, and the disk is often busy with other tests.
    """
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= MEMORY_BYTES
    return memory if has_room else None


def free_ports(count: int) -> list[int]:
    """Returns ports on which no program listens."""
    found: list[int] = []
    for port in random.SystemRandom().sample(PORTS, 200):
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            found.append(port)
        if len(found) == count:
            return found
    raise CannotServe(f"no free ports from {PORTS.start} to {PORTS.stop - 1}")


def program(*candidates: str) -> str:
    """Returns the first that exists: program names or path patterns, whose highest numbers win."""
    for candidate in candidates:
        if "/" in candidate:
            found = sorted(
                Path("/").glob(candidate.lstrip("/")), key=lambda path: [int(n) for n in re.findall(r"\d+", str(path))]
            )
            if found:
                return str(found[-1])
        elif found_path := shutil.which(candidate, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"):
            return found_path
    raise CannotServe(f"no {candidates[0]}: run tools/setup")
