"""Runs workers in three languages that make IDs under leases, and applies faults to them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from stores import NotAsPlanned

HOUR_S = 3600
# The longest wait for an expected event, on a machine that also runs other programs.
PATIENCE_S = 90.0
# The maximum number of forks while children report FORKED, and the pause between forks. Together
# they last longer than any process locks the SQLite file.
FORKS = 15
BEFORE_NEXT_FORK_S = 1.0


def wait_until(is_so: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            raise NotAsPlanned(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(0.02)


@dataclass
class Happened:
    """A fault, its start and end (time.monotonic_ns), and its process; None means all."""

    fault: str
    begun_ns: int
    ended_ns: int
    record: str | None = None


@dataclass
class Setting:
    """The settings that all workers of a store share."""

    folder: Path
    store: str
    layout: str
    ttl_s: int
    languages: dict[str, list[str]]
    # None for SQLite: its time is the clients', which libfaketime would change too. Then workers
    # change their own clocks, which only the Rust worker can do.
    faketime: Path | None
    careless: bool = False
    # The cursor folder that workers of one machine share. Without it, each process gets its own
    # folder, as on a machine of its own, and only leases keep the workers apart.
    machine: Path | None = None


@dataclass
class Worker:
    """One worker: its process, and the processes that replace it after a kill."""

    name: str
    language: str
    # Whether the harness can change its clock. Such a worker does not fork, because the child would
    # copy libfaketime's locks in their current state.
    has_own_clock: bool
    setting: Setting
    # The nodes of a worker without a lease, as a half-open range.
    nodes: tuple[int, int] | None = None
    process: subprocess.Popen[bytes] | None = None
    # All processes of this worker. Their inputs stay open for their children.
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def record(self) -> Path:
        return self.setting.folder / f"{self.name}.{len(self.processes)}"

    @property
    def can_fork(self) -> bool:
        return self.language != "node" and not self.has_own_clock

    def start(self) -> None:
        setting = self.setting
        record = setting.folder / f"{self.name}.{len(self.processes) + 1}"
        plan = {
            "store": setting.store,
            "layout": setting.layout,
            "ttl_s": setting.ttl_s,
            "record": str(record),
            "careless": setting.careless,
            "nodes": self.nodes,
        }
        machine = setting.machine or setting.folder / f"{record.name}.machine"
        machine.mkdir(exist_ok=True)
        environment = os.environ | {"SAIBAN_RUN_DIR": str(machine)}
        if self.has_own_clock and not self._clock.exists():
            self.set_clock(0)
        if self.has_own_clock and not setting.faketime:
            plan["clock"] = str(self._clock)
        elif self.has_own_clock:
            environment |= {
                "LD_PRELOAD": str(setting.faketime),
                "FAKETIME_TIMESTAMP_FILE": str(self._clock),
                # The cache delays only the step, which may come at any time.
                "FAKETIME_CACHE_DURATION": "1",
                "DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DONT_RESET": "1",
            }
        with (setting.folder / f"{self.name}.log").open("ab") as log:
            # The process ends when its input does: when the harness closes it or dies.
            self.process = subprocess.Popen(
                [*setting.languages[self.language], json.dumps(plan)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )
        self.processes.append(self.process)

    # What the worker reports.

    def events(self) -> list[dict]:
        return read_events(self.record.with_name(self.record.name + ".events"))

    def ids(self) -> int:
        """Returns how many IDs the current process has made."""
        path = self.record.with_name(self.record.name + ".ids")
        return path.stat().st_size // 8 if path.exists() else 0

    def must_run(self) -> None:
        if self.process is None or self.process.poll() is not None:
            code = self.process and self.process.returncode
            raise NotAsPlanned(f"{self.name} ({self.language}) ended by itself, {code}: {self.end_of_log()}")

    def wait_for_ids(self) -> None:
        before = self.ids()

        def has_more() -> bool:
            self.must_run()
            return self.ids() > before

        wait_until(has_more, f"{self.name} ({self.language}) makes no ID: {self.events()[-3:]}")

    def end_of_log(self) -> str:
        log = self.setting.folder / f"{self.name}.log"
        return " | ".join(log.read_text(errors="replace").splitlines()[-6:])

    # Faults.

    def kill(self) -> None:
        """Kills the process with SIGKILL; it must not have ended in another way."""
        self.must_run()
        process = self.process
        process.kill()
        process.wait()
        if process.returncode != -signal.SIGKILL:
            raise NotAsPlanned(f"{self.name} was killed, and ended with {process.returncode}")

    def pause(self, seconds: float) -> None:
        """Stops the process (SIGSTOP), waits, and continues it (SIGCONT)."""
        self.must_run()
        before = self.ids()
        os.kill(self.process.pid, signal.SIGSTOP)
        wait_until(lambda: _state(self.process.pid) == "T", f"{self.name} does not stop", 5)
        stopped = self.ids()
        time.sleep(seconds)
        if self.ids() != stopped or stopped < before:
            raise NotAsPlanned(f"{self.name} was stopped, and made IDs")
        os.kill(self.process.pid, signal.SIGCONT)

    def fork(self) -> Path:
        """Forks a child and returns its record, once the child has made an ID.

        A child that was forked while its parent used SQLite gets FORKED, and is forked again.
        """
        for _ in range(FORKS):
            events = self._fork()
            if not was_divided(read_events(events)):
                return events
            os.kill(read_events(events)[0]["pid"], signal.SIGKILL)
            time.sleep(BEFORE_NEXT_FORK_S)
        raise NotAsPlanned(f"{self.name} ({self.language}) has forked {FORKS} times, and each child was told FORKED")

    def _fork(self) -> Path:
        """Forks a child and returns its record, once the child has made an ID or got FORKED."""
        self.must_run()
        pattern = f"{self.record.name}-*.events"
        before = set(self.setting.folder.glob(pattern))
        self.process.stdin.write(b"f")
        self.process.stdin.flush()
        children: set[Path] = set()

        def has_child() -> bool:
            self.must_run()
            children.update(set(self.setting.folder.glob(pattern)) - before)
            return bool(children)

        wait_until(has_child, f"{self.name} does not fork")
        events = children.pop()
        wait_until(
            lambda: any(event["event"] == "first" for event in read_events(events)) or was_divided(read_events(events)),
            f"a child of {self.name} ({self.language}) makes no ID: {events}",
        )
        return events

    def set_clock(self, seconds: int) -> None:
        """Sets the offset of the worker's clock, in seconds."""
        new = self._clock.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.replace(self._clock)

    @property
    def _clock(self) -> Path:
        return self.setting.folder / f"{self.name}.clock"

    def end(self) -> None:
        """Ends all processes of the worker, and their children, regularly."""
        self.must_run()
        for process in self.processes:
            process.stdin.close()
        wait_until(
            lambda: self.process.poll() is not None and not self._left(),
            f"{self.name} ({self.language}) does not end",
            40,
        )
        if self.process.returncode != 0:
            raise NotAsPlanned(f"{self.name} ended with {self.process.returncode}: {self.end_of_log()}")

    def close(self) -> None:
        """Kills every process of the worker that still runs."""
        for one in self._left():
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        for process in self.processes:
            process.wait()
            process.stdin.close()

    def _left(self) -> list[int]:
        """Returns the running processes. Each process is its own session, which its children share."""
        pids = {process.pid for process in self.processes}
        found = []
        for one in [*pids, *(event["pid"] for event in self.children())]:
            with suppress(OSError):
                if os.getsid(one) in pids and _state(one) != "Z":
                    found.append(one)
        return found

    def children(self) -> list[dict]:
        """Returns the start events of all children that this worker has forked."""
        paths = self.setting.folder.glob(f"{self.name}.*-*.events")
        return [event for path in paths for event in read_events(path)[:1]]


def begin(workers: list[Worker]) -> None:
    """Starts the workers, and waits until each has made IDs."""
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.wait_for_ids()


@dataclass
class Lane:
    """A group of workers that gets its faults one after the other, parallel to other lanes."""

    workers: list[Worker]
    faults: list[str]
    random: random.Random
    happened: list[Happened] = field(default_factory=list)
    problem: BaseException | None = None
    child: int | None = None

    def run(self) -> None:
        try:
            for fault in self.faults:
                time.sleep(self.random.uniform(0.2, 1.0))
                self.do(fault)
        except BaseException as problem:  # The thread that joins this one reports it.
            self.problem = problem

    def begin(self) -> threading.Thread:
        thread = threading.Thread(target=self.run, daemon=True)
        thread.start()
        return thread

    def do(self, fault: str) -> None:
        fit = {
            "fork": lambda worker: worker.can_fork,
            "clock": lambda worker: worker.has_own_clock,
            "wrong_start": lambda worker: worker.has_own_clock,
        }.get(fault, lambda _: True)
        worker = self.random.choice([worker for worker in self.workers if fit(worker)])
        worker.wait_for_ids()
        begun, record = time.monotonic_ns(), worker.record
        getattr(self, fault)(worker)
        self.happened.append(Happened(fault, begun, time.monotonic_ns(), record.name))
        if fault in ("kill", "wrong_start"):
            worker.start()
            if fault == "wrong_start":
                self._refused(worker)
        worker.wait_for_ids()

    def kill(self, worker: Worker) -> None:
        worker.kill()
        time.sleep(self.random.uniform(0, 1))

    def pause(self, worker: Worker) -> None:
        """Stops the worker until five seconds after its lease has expired."""
        worker.pause(worker.setting.ttl_s + 5)

    def fork(self, worker: Worker) -> None:
        events = worker.fork()
        child = read_events(events)[0]["pid"]
        # At most one child survives at a time, because every child needs a node.
        if self.child is not None:
            self._kill_child()
        self.child = child
        if self.random.random() < 0.7:
            time.sleep(self.random.uniform(0.2, 1))
            self._kill_child()

    def _kill_child(self) -> None:
        os.kill(self.child, signal.SIGKILL)
        self.child = None

    def clock(self, worker: Worker) -> None:
        """Sets the clock an hour ahead or back for some seconds."""
        step_s = self.random.choice((-HOUR_S, HOUR_S))
        worker.set_clock(step_s)
        errors_before = count_errors(worker.events())

        def is_refused() -> bool:
            worker.must_run()
            return count_errors(worker.events()) > errors_before

        wait_until(is_refused, f"{worker.name}: a clock {step_s:+d} s off is not refused")
        time.sleep(self.random.uniform(0.5, 2 * worker.setting.ttl_s))
        worker.set_clock(0)

    def wrong_start(self, worker: Worker) -> None:
        """Kills the worker and sets its clock an hour off, so that its successor gets no lease."""
        worker.kill()
        worker.set_clock(self.random.choice((-HOUR_S, HOUR_S)))

    def _refused(self, worker: Worker) -> None:
        def is_refused() -> bool:
            worker.must_run()
            return any(event.get("kind") == "CLOCK_SKEW" for event in worker.events())

        wait_until(is_refused, f"{worker.name} ({worker.language}): no CLOCK_SKEW for a clock an hour off")
        if worker.ids():
            raise NotAsPlanned(f"{worker.name} made IDs with a clock an hour off")
        worker.set_clock(0)


def read_events(path: Path) -> list[dict]:
    """Reads the events of a process, without an incomplete last line."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


def count_errors(events: list[dict]) -> int:
    return sum(event["event"] == "error" for event in events)


def was_divided(events: list[dict]) -> bool:
    """Returns whether the child was forked during a call of its parent (docs/leases.md): no IDs."""
    return any(event.get("kind") == "FORKED" for event in events)


def _state(pid: int) -> str:
    """Returns the process state from /proc. It follows the name, which may contain anything."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
