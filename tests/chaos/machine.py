"""One machine: processes in four languages with the same nodes and no lease, and faults.

Eight processes use one node. Two more use ranges that overlap it, and are refused while the others
run. The processes are killed (-9), stopped, forked and restarted. The clocks of some step a few
seconds ahead and back, and the shared cursor file is deleted. Afterwards saiban must refuse, with
its path, each folder that is full, read-only, accessible to others or a link, and a file of another
version. No ID may repeat.

The module also tests workers of one machine with leases whose store loses data. The store is
deleted, or restored from a backup that lacks some live holders, while eight workers make IDs; then
others start. If the store grants a node twice, both holders share one cursor, or one is refused.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from fleet import Happened, Lane, Setting, Worker, begin, count_errors, read_events, wait_until
from stores import NotAsPlanned, open_store
from trial import Tools, check, count

LAYOUT = "timestamp:41@ms,epoch=2024-01-01 node:10 sequence:10"
NODE = (7, 8)
OVERLAPPING = ((6, 9), (7, 9))
# The errors that a worker may get. Any other is a bug.
EXPECTED = {"CLOCK_BACKWARD", "NODE_IN_USE", "WOULD_WAIT"}
EXPECTED_OF_LEASES = {
    *EXPECTED,
    "LEASE_EXPIRED",
    "LEASE_LOST",
    "LEASE_NOT_BEGUN",
    "NAMESPACE_QUARANTINED",
    "NAMESPACE_UNKNOWN",
    "STORE_UNAVAILABLE",
}
TTL_S = 3
# So few nodes that a store which has lost data certainly grants some of them twice.
SCARCE = "timestamp:41@ms,epoch=2024-01-01 node:4 sequence:10"


@dataclass(frozen=True)
class Shape:
    """The size of a run."""

    # How often each fault occurs in each of the two lanes. The file is deleted twice as often.
    rounds: int
    ids: int


SHORT = Shape(rounds=2, ids=1_000_000)
FULL = Shape(rounds=20, ids=100_000_000)


class MachineLane(Lane):
    """Faults of processes without leases, which share the cursor file of their machine."""

    def pause(self, worker: Worker) -> None:
        worker.pause(self.random.uniform(0.5, 2))

    def clock(self, worker: Worker) -> None:
        """Steps the clock some seconds ahead, back, and for a while behind."""
        for step_s in (self.random.choice((1, 2, 3)), 0, self.random.choice((-3, -2, -1)), 0):
            worker.set_clock(step_s)
            time.sleep(self.random.uniform(0.5, 1.5))
        # The other workers wait until their clocks reach the last tick that it used.
        worker.wait_for_ids()


def _delete(machine: Path, times: int, rng: random.Random, happened: list[Happened]) -> None:
    for _ in range(times):
        time.sleep(rng.uniform(0.3, 2))
        begun = time.monotonic_ns()
        files = list(machine.iterdir())
        if not files:
            raise NotAsPlanned("there is no file to delete")
        for file in files:
            file.unlink()
        happened.append(Happened("delete", begun, time.monotonic_ns()))
        wait_until(lambda: list(machine.iterdir()), "nobody has made a new file")


def machine(shape: Shape, seed: str, folder: Path, tools: Tools) -> dict:
    """Runs the trial. `problems` is empty if every fault took place and no ID repeats."""
    begun = time.monotonic()
    rng = random.Random(f"{seed} machine")
    run_folder = folder / "run"
    run_folder.mkdir()
    setting = Setting(folder, "", LAYOUT, 0, tools.languages, tools.faketime, machine=run_folder)
    # Workers with a stepped clock do not fork, and neither does Node.
    plain = [Worker(f"{language}0", language, False, setting, NODE) for language in tools.languages]
    stepped = [Worker(f"{language}1", language, True, setting, NODE) for language in tools.languages]
    others = [
        Worker(f"other{index}", language, False, setting, nodes)
        for index, (language, nodes) in enumerate(zip(tools.languages, OVERLAPPING, strict=False))
    ]
    workers = [*plain, *stepped, *others]
    planned = ["kill", "kill", "pause"] * shape.rounds
    lanes = [
        MachineLane(
            plain, rng.sample(of := [*planned, *["fork"] * shape.rounds], len(of)), random.Random(rng.random())
        ),
        MachineLane(
            stepped, rng.sample(of := [*planned, *["clock"] * shape.rounds], len(of)), random.Random(rng.random())
        ),
    ]
    problems: list[str] = []
    happened: list[Happened] = []
    try:
        begin([*plain, *stepped])
        for worker in others:
            worker.start()
            wait_until(lambda worker=worker: count_errors(worker.events()), f"{worker.name} is not refused")
            if worker.ids():
                raise NotAsPlanned(f"{worker.name} was given nodes that others have")
            # After a deletion, this worker could come first and make the others be refused.
            worker.kill()
        threads = [lane.begin() for lane in lanes]
        _delete(run_folder, 2 * shape.rounds, rng, happened)
        for thread in threads:
            thread.join()
        wait_until(lambda: count(folder) >= shape.ids, f"there are not {shape.ids} IDs", 600)
        for worker in others:
            worker.start()
        for worker in (*plain, *stepped):
            worker.end()
        # The ranges overlap, so the second worker gets its range when the first one ends.
        wait_until(lambda: any(worker.ids() for worker in others), "ranges of processes that are gone are not free")
        others.sort(key=Worker.ids, reverse=True)
        for worker in others:
            worker.wait_for_ids()
            worker.end()
    except (NotAsPlanned, OSError) as problem:
        problems.append(str(problem))
    finally:
        for worker in workers:
            worker.close()
    for lane in lanes:
        happened += lane.happened
        problems += [f"{type(lane.problem).__name__}: {lane.problem}"] if lane.problem else []
    found = check(folder, tools.saiban)
    if found["repeated"]:
        problems.append(f"{found['repeated']} IDs repeat, {found['most_repeated'][:5]}")
    problems += _not_as_planned(lanes, happened, shape) + _strange(folder, EXPECTED)
    refusals = _refusals(folder, tools)
    return {
        "store": "machine",
        "workers": len(workers),
        "languages": sorted(tools.languages),
        "seconds": time.monotonic() - begun,
        "ids": found["ids"],
        "repeated": found["repeated"],
        "processes": len(list(folder.glob("*.events"))),
        "checks": 8 + len(refusals),
        "problems": problems + [problem for problem in refusals if problem],
    }


def _not_as_planned(lanes: list[MachineLane], happened: list[Happened], shape: Shape) -> list[str]:
    planned = Counter(fault for lane in lanes for fault in lane.faults) + Counter(delete=2 * shape.rounds)
    counted = Counter(each.fault for each in happened)
    return [
        f"{fault}: {counted[fault]} took place of {times}"
        for fault, times in planned.items()
        if counted[fault] != times
    ]


def forgotten(how: str, shape: Shape, folder: Path, tools: Tools) -> dict:
    """Tests workers with leases while their store is `deleted` or `restored`."""
    begun = time.monotonic()
    (run_folder := folder / "run").mkdir()
    (stored := folder / "store").mkdir()
    store = open_store("sqlite", stored, tools.saiban)
    store.begin(SCARCE, TTL_S)
    setting = Setting(folder, store.url, SCARCE, TTL_S, tools.languages, None, machine=run_folder)
    workers = [Worker(f"worker{index}", ("rust", "python", "node")[index % 3], False, setting) for index in range(12)]
    problems: list[str] = []
    early, later = workers[:8], workers[8:]
    try:
        for worker in early[:4]:
            worker.start()
            worker.wait_for_ids()
        copy = shutil.copytree(stored, folder / "copy")
        begin(early[4:])
        shutil.rmtree(stored)
        if how == "restored":
            copy.rename(stored)
        else:
            stored.mkdir()
            store.begin(SCARCE, TTL_S)
        before = count(folder)
        for worker in later:
            worker.start()
        wait_until(lambda: all(worker.ids() for worker in later), "nobody gets a lease of the store that has lost")
        wait_until(lambda: count(folder) >= max(shape.ids // 10, before + 100_000), "there are not enough IDs", 300)
        for worker in workers:
            worker.end()
    except (NotAsPlanned, OSError) as problem:
        problems.append(str(problem))
    finally:
        for worker in workers:
            worker.close()
        store.close()
    found = check(folder, tools.saiban)
    if found["repeated"]:
        problems.append(f"{found['repeated']} IDs repeat, {found['most_repeated'][:5]}")
    problems += _strange(folder, EXPECTED_OF_LEASES)
    return {
        "store": how,
        "seconds": time.monotonic() - begun,
        "ids": found["ids"],
        "repeated": found["repeated"],
        "processes": len(workers),
        "checks": 3,
        "problems": problems,
    }


def _strange(folder: Path, expected: set[str]) -> list[str]:
    """Returns unexpected errors of workers."""
    return [
        f"{path.name}: {event['kind']}: {event['message']}"
        for path in sorted(folder.glob("*.events"))
        for event in read_events(path)
        if event["event"] == "error" and event["kind"] not in expected
    ][:10]


# The shell commands that make a folder $RUN unusable for saiban, in a mount namespace of its own,
# and the text that the error contains besides the path.
UNUSABLE = {
    "full": ("mount -t tmpfs -o size=4k tmpfs $RUN && head -c 4096 /dev/zero >$RUN/other", "error 28"),
    "read-only": ("mount -t tmpfs -o ro tmpfs $RUN", "error 30"),
    "others' too": (
        "mount -t tmpfs tmpfs /dev/shm && mkdir -m 777 /dev/shm/saiban-0 && unset SAIBAN_RUN_DIR",
        "mode 0700",
    ),
    "a link": ("mount -t tmpfs tmpfs /dev/shm && ln -s $RUN /dev/shm/saiban-0 && unset SAIBAN_RUN_DIR", "mode 0700"),
    "of another version": (
        "mount -t tmpfs tmpfs $RUN && $MAKE >/dev/null && "
        "printf '\\377' | dd of=$(echo $RUN/*) bs=1 seek=7 conv=notrunc status=none",
        "format 255",
    ),
}


def _refusals(folder: Path, tools: Tools) -> list[str]:
    """Returns a problem for each unusable folder, or "" if saiban refused it with its path."""
    made = folder / "unusable"
    made.mkdir()
    make = f"{tools.saiban} new snowflake --node 7"
    answers = []
    for name, (prepare, words) in UNUSABLE.items():
        done = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", f"{prepare}\nexec $MAKE"],
            env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "RUN": str(made), "MAKE": make, "SAIBAN_RUN_DIR": str(made)},
            capture_output=True,
            text=True,
            check=False,
        )
        is_refused = done.returncode in (1, 2) and not done.stdout
        path = "/dev/shm/saiban-0" if "unset" in prepare else str(made)
        is_clear = path in done.stderr and words in done.stderr
        answers.append(
            ""
            if is_refused and is_clear
            else f"a folder that is {name}: {done.returncode}, {json.dumps(done.stdout + done.stderr)}"
        )
    return answers
