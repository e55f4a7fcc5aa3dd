"""The worker of tests/chaos/run in Python, which describes the input and the files written."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from array import array
from contextlib import suppress

import saiban

# The number of IDs a call.
BLOCK = 256
# The pause after an error, seconds.
PAUSE_S = 0.005
# The shortest time without IDs that is recorded.
GAP_NS = 100_000_000


class Record:
    """Writes every ID that the worker gets, and the times without IDs, with the errors."""

    def __init__(self, path: str, parent: int | None = None) -> None:
        if parent is not None:
            path += f"-{os.getpid()}"
        self.is_child = parent is not None
        self.ids = create(path + ".ids")
        self.events = create(path + ".events")
        self.last_ns = time.monotonic_ns()
        self.count = 0
        self.node: int | None = None
        self.errors: dict[str, int] = {}
        self.message = ""
        self.write_event(event="start", at=self.last_ns, pid=os.getpid(), parent=parent)

    def made(self, ids: memoryview, node: int) -> None:
        """Records that these IDs were returned, the last of them with this node."""
        now_ns = time.monotonic_ns()
        write(self.ids, ids.cast("B"))
        if self.count == 0 or now_ns - self.last_ns >= GAP_NS:
            self.write_event(
                event="gap" if self.count else "first",
                **{"from": self.last_ns, "to": now_ns, "node": node, "errors": self.errors, "message": self.message},
            )
        elif self.node != node:
            self.write_event(event="node", at=now_ns, node=node)
        self.errors, self.message = {}, ""
        self.node = node
        self.count += len(ids)
        self.last_ns = now_ns

    def failed(self, error: saiban.SaibanError) -> None:
        """Records that there was an error instead of IDs."""
        self.message = str(error)
        if error.kind not in self.errors:
            self.write_event(event="error", at=time.monotonic_ns(), kind=error.kind, message=self.message)
        self.errors[error.kind] = self.errors.get(error.kind, 0) + 1

    def end(self) -> None:
        """Records that the process ends regularly."""
        self.write_event(event="end", at=time.monotonic_ns(), **{"from": self.last_ns, "ids": self.count})

    def write_event(self, **event: object) -> None:
        write(self.events, memoryview((json.dumps(event) + "\n").encode()))


def create(path: str) -> int:
    """Creates a file that is written without a buffer, so that no line is lost on a kill."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)


def write(file: int, content: memoryview) -> None:
    while content:
        content = content[os.write(file, content) :]


def main(plan: dict) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    layout = saiban.Layout.from_text(plan["layout"])
    record = Record(plan["record"])
    poll = select.poll()
    poll.register(0, select.POLLIN)
    block = array("q", bytes(8 * BLOCK))
    lease, ids = None, None
    while True:
        found = next((flags for _, flags in poll.poll(0)), 0)
        if found & select.POLLIN and not record.is_child:
            if os.read(0, 1) != b"f":
                break
            parent = os.getpid()
            if os.fork() == 0:
                record = Record(plan["record"], parent)
                # A child ignores the parent's commands, but reacts to the end of the input.
                poll.modify(0, 0)
        elif found & select.POLLHUP:
            break
        try:
            if ids is None and plan["nodes"]:
                ids = saiban.Flake(layout, nodes=range(*plan["nodes"]))
            elif ids is None:
                lease = saiban.Lease.acquire(
                    plan["store"], ttl_s=plan["ttl_s"], scheme="flake", layout=layout, create=False, wait_s=2
                )
                ids = saiban.Flake(layout, lease=lease)
            made = ids.fill(block)
        except saiban.SaibanError as error:
            record.failed(error)
            # Not `time.sleep`: libfaketime would apply the stepped clock to its absolute deadline.
            select.select([], [], [], PAUSE_S if ids else 20 * PAUSE_S)
        else:
            if made:
                record.made(memoryview(block)[:made], ids.inspect(block[made - 1]).node)
    if lease is not None:
        # If the store does not reply, the worker ends, and the lease expires.
        with suppress(saiban.SaibanError):
            lease.release()
    record.end()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
