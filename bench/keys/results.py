"""The results, and their file."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass

# The figures of one kind of key, by name. `None` is what this machine cannot measure.
Figures = dict[str, float | None]


@dataclass(frozen=True)
class Database:
    """The results of one database: its version and settings, and the figures of each kind of key."""

    settings: dict[str, str]
    figures: dict[str, Figures]


@dataclass(frozen=True)
class Run:
    rows: int
    batch: int
    machine: dict
    commit: str
    versions: dict[str, str]
    postgres: Database
    sqlite: Database


def dump(run: Run) -> str:
    return json.dumps(dataclasses.asdict(run), indent=1) + "\n"


def load(text: str) -> Run:
    read = json.loads(text)
    databases = {name: Database(**read.pop(name)) for name in ("postgres", "sqlite")}
    return Run(**read, **databases)
