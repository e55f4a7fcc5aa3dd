"""Writes the results of chaos as a page and as lines."""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path
from statistics import median

from stores import NAMES

FAULTS = {
    "kill": "a worker killed (-9), and started again",
    "wrong_start": "the same, with a clock an hour off",
    "fork": "a worker forked, its child often killed",
    "pause": "a worker stopped until 5 s past its lease, and continued",
    "clock": "a worker's clock an hour ahead or behind",
    "restart": "the server restarted",
    "outage": "the server stopped for some seconds",
    "crash": "the server killed (-9), and started",
    "save": "a copy of the data made, the server stopped meanwhile",
    "rewind": "the copy put back, and told (`saiban lease quarantine`)",
    "rewind_unsaid": "the copy put back, and nobody told",
}
OF_SQLITE = {"outage": "SQLite: the file locked by somebody else", "save": "SQLite: with nothing stopped"}


def page(results: list[dict], about: str) -> str:
    # The tables show only stores with leases.
    results = [result for result in results if "faults" in result]
    if not results:
        return f"{about}\n"
    lines = [about, "", *_totals(results), "", *_faults(results), *_divided(results)]
    return "\n".join(lines) + "\n"


def machine() -> str:
    """Returns the date and the machine's description, without the machine's name."""
    release = Path("/etc/os-release").read_text()
    found = re.search(r'^PRETTY_NAME="?([^"]+)"?$', release, re.M)
    system = found[1] if found else platform.system()
    today = datetime.datetime.now(datetime.UTC).date()
    return f"{today}, {system}, {os.cpu_count()} cores"


def _totals(results: list[dict]) -> list[str]:
    rows = [
        (
            NAMES[result["store"]],
            f"{result['workers']} ({', '.join(result['languages'])})",
            str(result["processes"]),
            str(result["nodes"]),
            f"{result['ids']:,}",
            f"**{result['repeated']:,}**",
            f"{_of(result['first'])}",
            f"{_of(result['first_of_child'])}",
            f"{result['seconds']:.0f}",
        )
        for result in results
    ]
    head = (
        "store",
        "workers",
        "processes in all",
        "nodes used",
        "IDs",
        "repeated",
        "a new worker's first ID after, s",
        "a child's",
        "run, s",
    )
    return _table(head, rows)


def _faults(results: list[dict]) -> list[str]:
    head = ("fault", *(NAMES[result["store"]] for result in results))
    rows = []
    for fault, what in FAULTS.items():
        if any(fault in result["faults"] for result in results):
            rows.append((what, *(_cell(result["faults"].get(fault)) for result in results)))
    return _table(head, rows)


def _divided(results: list[dict]) -> list[str]:
    lines = []
    for result in results:
        if result["divided"]:
            lines += [
                "",
                f"{NAMES[result['store']]}: {result['divided']} children were forked while their parent had been in"
                " SQLite for more than 500 ms. They got `FORKED` (docs/leases.md), and their parents forked again.",
            ]
    return lines


def _cell(fault: dict | None) -> str:
    if fault is None:
        return "–"
    times = len(fault["lasted"])
    return f"{times} ×: {_of(fault['none_made'])}" if fault["none_made"] else f"{times} ×"


def _of(seconds: list[float]) -> str:
    """Returns the median and the maximum as text."""
    return f"{median(seconds):.2f} / {max(seconds):.2f}" if seconds else "–"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    line = "| {} |".format
    right = ["---", *["---:"] * (len(head) - 1)]
    return [line(" | ".join(row)) for row in (head, right, *rows)]
