"""Tests the check: it must report workers that use a node after losing its lease, and no others."""

from __future__ import annotations

from pathlib import Path

from fleet import Setting, Worker
from shape import LAYOUT
from stores import NotAsPlanned, open_store
from trial import Tools, check

NODE_BITS = 2
TTL_S = 2


def repeated(folder: Path, tools: Tools, careless: bool) -> int:
    """Pauses one holder past its lease while another worker starts; returns the repeated IDs."""
    folder.mkdir()
    store = open_store("sqlite", folder, tools.saiban)
    layout = LAYOUT.format(node_bits=NODE_BITS)
    store.begin(layout, TTL_S)
    setting = Setting(folder, store.url, layout, TTL_S, tools.languages, None, careless)
    workers = [Worker(f"worker{number}", "rust", False, setting) for number in range(1 << NODE_BITS)]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.wait_for_ids()
        another = Worker("another", "rust", False, setting)
        workers.append(another)
        another.start()
        # The new worker gets the paused worker's node, because no other node is free.
        workers[0].pause(TTL_S + 3)
        if not another.ids():
            raise NotAsPlanned("the node of a worker that sleeps is not given to another")
        if careless:
            workers[0].wait_for_ids()
        for worker in workers[1:]:
            worker.wait_for_ids()
            worker.end()
        workers[0].wait_for_ids()
        workers[0].end()
    finally:
        for worker in workers:
            worker.close()
        store.close()
    return check(folder, tools.saiban)["repeated"]


def bite(folder: Path, tools: Tools) -> dict:
    problems = []
    of_careless = 0
    try:
        of_careless = repeated(folder / "careless", tools, careless=True)
        of_careful = repeated(folder / "careful", tools, careless=False)
        if not of_careless:
            problems.append("workers kept a node without a lease, and the check found nothing")
        if of_careful:
            problems.append(f"{of_careful} IDs of workers that keep to their leases repeat")
    except NotAsPlanned as problem:
        problems.append(str(problem))
    return {"store": "bite", "found": of_careless, "checks": 2, "problems": problems}
