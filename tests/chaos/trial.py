"""Tests one store under chaos, up to the exact check of all IDs."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections import Counter
from pathlib import Path

from fleet import Happened, Lane, Setting, Worker, begin, wait_until
from measure import Measured
from shape import Shape
from stores import NotAsPlanned, Store, open_store


class Tools:
    """The programs that a trial uses."""

    def __init__(self, saiban: Path, languages: dict[str, list[str]], faketime: Path) -> None:
        self.saiban = saiban
        self.languages = languages
        self.faketime = faketime


def trial(kind: str, shape: Shape, seed: str, folder: Path, tools: Tools) -> dict:
    """Runs the trial. `problems` is empty if every fault took place and no ID repeats."""
    begun = time.monotonic()
    shape = shape.of_store(kind)
    rng = random.Random(f"{seed} {kind}")
    store = open_store(kind, folder, tools.saiban)
    faketime = None if kind == "sqlite" else tools.faketime
    setting = Setting(folder, store.url, shape.layout, shape.ttl_s, tools.languages, faketime)
    lanes = _lanes(shape, setting, rng)
    workers = [worker for lane in lanes for worker in lane.workers]
    problems: list[str] = []
    happened: list[Happened] = []
    try:
        store.begin(shape.layout, shape.max_ttl_s)
        begin(workers)
        threads = [lane.begin() for lane in lanes]
        _fail(store, shape, rng, happened)
        for thread in threads:
            thread.join()
        for worker in workers:
            worker.wait_for_ids()
        wait_until(lambda: count(folder) >= shape.ids, f"there are not {shape.ids} IDs")
        for worker in workers:
            worker.end()
    except (NotAsPlanned, OSError) as problem:
        problems.append(str(problem))
    finally:
        for worker in workers:
            worker.close()
        store.close()
    for lane in lanes:
        happened += lane.happened
        problems += [f"{type(lane.problem).__name__}: {lane.problem}"] if lane.problem else []
    return {
        "store": kind,
        "workers": len(workers),
        "languages": sorted({worker.language for worker in workers}),
        "seconds": time.monotonic() - begun,
        **judge(kind, folder, shape, lanes, store, happened, problems, tools),
    }


def _lanes(shape: Shape, setting: Setting, rng: random.Random) -> list[Lane]:
    lanes = []
    for number, lane in enumerate(shape.lanes):
        workers = [
            Worker(f"{language}{number}", language, off_clock, setting)
            for language, off_clock in lane
            if language in setting.languages
        ]
        lanes.append(Lane(workers, shape.of_lane(number, rng), random.Random(rng.random())))
    return lanes


def _fail(store: Store, shape: Shape, rng: random.Random, happened: list[Happened]) -> None:
    """Applies the store's faults, on this thread, because the server would end with its thread."""
    for fault in shape.of_server(store.FAULTS, rng):
        time.sleep(rng.uniform(*shape.pause_s))
        begun = time.monotonic_ns()
        # A lease survives some outages and expires in others.
        store.do(fault, rng.uniform(0.5, shape.ttl_s + 2) if happened else shape.ttl_s + 1)
        happened.append(Happened(fault, begun, time.monotonic_ns()))


def judge(
    kind: str,
    folder: Path,
    shape: Shape,
    lanes: list[Lane],
    store: Store,
    happened: list[Happened],
    problems: list[str],
    tools: Tools,
) -> dict:
    """Compares all IDs, and checks that every fault took place."""
    found = check(folder, tools.saiban)
    if found["repeated"]:
        problems.append(f"{found['repeated']} IDs repeat, {found['most_repeated'][:5]}")
    if found["ids"] < shape.ids:
        problems.append(f"there are {found['ids']} IDs; {shape.ids} are wanted")
    planned = Counter(fault for lane in lanes for fault in lane.faults)
    planned += Counter(dict.fromkeys(store.FAULTS, shape.rounds))
    planned["save"] += shape.rounds * sum(fault.startswith("rewind") for fault in store.FAULTS)
    counted = Counter(each.fault for each in happened)
    problems += [
        f"{fault}: {counted[fault]} took place of {times}"
        for fault, times in planned.items()
        if counted[fault] != times
    ]
    measured = Measured(folder, kind)
    problems += measured.strange[:10]
    for each in happened:
        if each.fault == "pause":
            try:
                measured.must_have_paused(each)
            except NotAsPlanned as problem:
                problems.append(str(problem))
    # Without such a node, no IDs could have repeated.
    if max(map(len, measured.holders.values()), default=0) < 2:
        problems.append("no node had two holders, one after the other")
    faults: dict[str, dict] = {}
    for each in happened:
        of_fault = faults.setdefault(each.fault, {"lasted": [], "none_made": []})
        of_fault["lasted"].append((each.ended_ns - each.begun_ns) / 1e9)
        if each.fault not in ("kill", "wrong_start"):
            of_fault["none_made"] += measured.none_made(each, happened)
    return {
        "ids": found["ids"],
        "repeated": found["repeated"],
        "processes": measured.processes,
        "divided": measured.divided,
        "nodes": len(measured.holders),
        "holders": sum(map(len, measured.holders.values())),
        "errors": dict(measured.errors),
        "first": measured.first,
        "first_of_child": measured.first_of_child,
        "faults": faults,
        "checks": len(planned) + 3,
        "problems": problems,
    }


def count(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.ids")) // 8


def check(folder: Path, saiban: Path) -> dict:
    """Returns the result of `saiban check` for all IDs that workers got."""
    paths = sorted(folder.glob("*.ids"))
    for path in paths:
        # A kill may have cut off the last write within an ID.
        whole = path.stat().st_size // 8 * 8
        with path.open("r+b") as file:
            file.truncate(whole)
    if not paths:
        raise NotAsPlanned("nobody made an ID")
    done = subprocess.run(
        [str(saiban), "check", "--raw", "--json", "--memory", "256MiB", "--temp-dir", str(folder), *map(str, paths)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 3):
        raise NotAsPlanned(f"saiban check ended with {done.returncode}")
    return json.loads(done.stdout)
