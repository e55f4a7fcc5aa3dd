"""Tests several processes with one node: at once, and one after the other with a clock that steps
back.

The programs serve.* of each language make IDs with default options. They read lines "COUNT
PATIENCE": the number of IDs, and for how many milliseconds to try again after an error. They reply
with little-endian numbers of eight bytes: the count of IDs, the count of refusals, and the IDs.
"""

from __future__ import annotations

import array
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from report import LANGUAGES, SCHEMES

Cell = dict
# The heading of the notes on the cells that all languages of saiban have.
EVERY_LANGUAGE = "saiban, in every language"
PATIENCE_MS = 3_000
TWITTER_EPOCH_MS = 1_288_834_974_657
SHARED = Path("/dev/shm")
# The IDs that each process makes in Rust and C, as a multiple of the plan's: as many as a node has
# in about three seconds.
BIG = {"snowflake": 60, "ulid-flake": 40, "flake": 60}
# The multiple for the other languages.
SMALL = {"snowflake": 10, "ulid-flake": 5, "flake": 10}
# The maximum of IDs requested at one reading of a stopped clock.
MAX_A_READING = {"ulid-flake-scalable": 30}
# The random bits of libraries that have no node.
RANDOM_BITS = {"ulid-flake (PyPI)": 20, "ulid-flake, scalable (PyPI)": 15}
# For each library, the key of its program, and the library's name in that program.
LIBRARIES = {
    "@sapphire/snowflake (npm)": ("Node", "@sapphire/snowflake"),
    "bwmarrin/snowflake": ("Go", "bwmarrin"),
    "ferroid": ("Rust", "ferroid"),
    "gosuda.org/randflake (Go)": ("Go", "randflake"),
    "gosuda.org/randflake/v2 (Go)": ("Go, randflake 2", "randflake"),
    "randflake (PyPI)": ("Python", "randflake (PyPI)"),
    "randflake (PyPI), legacy API": ("Python", "randflake (PyPI), legacy API"),
    "randflake (PyPI), version 1": ("Python, randflake 1", "randflake (PyPI), legacy API"),
    "ulid-flake (PyPI)": ("Python", "ulid-flake (PyPI)"),
    "ulid-flake, scalable (PyPI)": ("Python", "ulid-flake, scalable (PyPI)"),
}
LIBRARY_NOTES = {
    "ferroid": "machine id 1, its own MonotonicClock",
    "bwmarrin/snowflake": "node 1, the system's clock",
    "@sapphire/snowflake (npm)": "TwitterSnowflake with its default workerId, the system's clock",
    "ulid-flake (PyPI)": "the system's clock; it has no node",
    "ulid-flake, scalable (PyPI)": "sid 7, the system's clock",
}
RANDFLAKE_NOTE = "node 42, with a lease that began a second before the first ID, the system's clock"
SAIBAN_NOTE = (
    "node 7, of Flake node 0, of Ulid-Flake scalability id 7 or none; no other option; each process makes one ID, then "
    "all make the others at the same time; the system's clock"
)
RESTART_NOTE = (
    "these generators in new processes, one after the other; libfaketime sets the clock of the whole process, which "
    "stands still at each reading"
)


@dataclass(frozen=True)
class Program:
    """A program serve.*; `around` is the command that runs it elsewhere, if any."""

    command: list[str]
    around: tuple[str, ...] = ()

    def start(self, library: str, environment: dict[str, str]) -> Serving:
        words = [f"{name}={value}" for name, value in environment.items()]
        return Serving([*self.around, "env", f"FAULTS_LIBRARY={library}", *words, *self.command, library])


class Serving:
    """A process that makes IDs."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        if self._process.wait(60) != 0:
            raise subprocess.CalledProcessError(self._process.returncode, self._process.args)

    def ask(self, count: int, patience_ms: int) -> None:
        self._process.stdin.write(f"{count} {patience_ms}\n".encode())
        self._process.stdin.flush()

    def reply(self) -> tuple[array.array, int]:
        count, refused = self._numbers(2)
        return self._numbers(count), refused

    def _numbers(self, count: int) -> array.array:
        data = self._process.stdout.read(8 * count)
        if len(data) != 8 * count:
            raise subprocess.CalledProcessError(self._process.wait(60), self._process.args)
        return array.array("q", data)


def folder_for_cursors() -> tempfile.TemporaryDirectory:
    """Makes an empty folder, so that the user's cursor files are not used."""
    return tempfile.TemporaryDirectory(prefix="saiban-faults-", dir=SHARED if SHARED.is_dir() else None)


def set_clock(path: Path, now_ms: int) -> None:
    """Replaces the file in one step, because a process may read it at any time."""
    shown = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now_ms // 1000))
    new = path.with_suffix(".new")
    new.write_text(f"{shown}.{now_ms % 1000:03}")
    new.rename(path)


def odds(made: list[array.array], bits: int) -> float:
    """Returns the expected duplicates, from the IDs that processes make in one millisecond."""
    expected, seen = 0.0, Counter()
    for ids in made:
        own = Counter(identifier >> 20 for identifier in ids)
        expected += sum(count * seen[tick] for tick, count in own.items()) / 2**bits
        seen.update(own)
    return expected


class Trials:
    def __init__(self, programs: dict[str, Program], faketime: Path, counter: Path, plan: dict, work: Path) -> None:
        self._programs = programs
        self._faketime = faketime
        self._counter = counter
        self._plan = plan
        self._work = work

    def together(self, program: Program, library: str, count: int) -> tuple[list[array.array], int]:
        """Returns the IDs of each process, and the refusals of all."""
        with folder_for_cursors() as folder, ThreadPoolExecutor(self._plan["processes"]["processes"]) as pool:
            number = self._plan["processes"]["processes"]
            serving = [program.start(library, {"SAIBAN_RUN_DIR": folder}) for _ in range(number)]
            made, refused = [array.array("q") for _ in serving], 0
            # First one ID each, so that all processes are ready when the second request comes.
            for wanted in (1, count):
                for process in serving:
                    process.ask(wanted, PATIENCE_MS)
                for own, (ids, more) in zip(made, pool.map(Serving.reply, serving), strict=True):
                    own.extend(ids)
                    refused += more
            for process in serving:
                process.__exit__()
        return made, refused

    def restarted(self, program: Program, library: str, rounds: int) -> dict[str, int]:
        before, after, refused = array.array("q"), array.array("q"), 0
        with folder_for_cursors() as folder:
            clock = Path(folder, "clock")
            environment = {
                "SAIBAN_RUN_DIR": str(Path(folder, "run")),
                "LD_PRELOAD": str(self._faketime),
                "FAKETIME_TIMESTAMP_FILE": str(clock),
                "FAKETIME_NO_CACHE": "1",
                "DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DONT_RESET": "1",
                "TZ": "UTC",
            }
            Path(folder, "run").mkdir(mode=0o700)
            for trace in self._plan["restart_2ms"][:rounds]:
                for part, readings in ((before, trace["before"]), (after, trace["after"])):
                    set_clock(clock, readings[0][0])
                    with program.start(library, environment) as process:
                        for now_ms, count in readings:
                            set_clock(clock, now_ms)
                            process.ask(min(count, MAX_A_READING.get(library, count)), 0)
                            ids, more = process.reply()
                            part.extend(ids)
                            refused += more
                if library == "snowflake" and (before[-1] >> 22) + TWITTER_EPOCH_MS != trace["before"][-1][0]:
                    raise RuntimeError(f"{program.command} does not see the clock that libfaketime shows")
        return {"made": len(after), "duplicates": self.duplicates(before, after), "refused": refused}

    def saibans(self) -> Iterator[Cell]:
        """Runs every scheme in every language."""
        for language in LANGUAGES:
            is_big = language in ("Rust", "C")
            program = self._programs[language]
            for scheme, title in SCHEMES.items():
                suffix = "" if language == "Rust" else f" ({language})"
                own = {"library": f"saiban {title}{suffix}", "version": "this repository", "how": EVERY_LANGUAGE}
                size = self._plan["processes"]["ids"] * (BIG if is_big else SMALL).get(scheme, 1)
                made, refused = self.together(program, scheme, size)
                counts = self._counts(made, refused)
                yield {**own, "fault": "processes", **counts, "note": SAIBAN_NOTE}
                counts = self.restarted(program, scheme, 10 if is_big else 3)
                yield {**own, "fault": "restart_2ms", **counts, "note": RESTART_NOTE}

    def others(self, versions: dict[str, str]) -> Iterator[Cell]:
        """Runs the libraries whose version was found. Most make IDs with a node."""
        for library, (language, name) in LIBRARIES.items():
            if language not in self._programs:
                continue
            made, refused = self.together(self._programs[language], name, self._plan["processes"]["ids"])
            cell = {"library": library, "version": versions[library], "fault": "processes"}
            cell |= self._counts(made, refused)
            if library in RANDOM_BITS:
                cell["expected"] = odds(made, RANDOM_BITS[library])
            yield {**cell, "note": LIBRARY_NOTES.get(library, RANDFLAKE_NOTE)}

    def _counts(self, made: list[array.array], refused: int) -> dict[str, int]:
        counts = {"made": sum(map(len, made)), "duplicates": self.duplicates(array.array("q"), *made)}
        return {**counts, "refused": refused}

    def duplicates(self, before: array.array, *after: array.array) -> int:
        paths = [self._work / "before.ids", self._work / "after.ids"]
        paths[0].write_bytes(before.tobytes())
        with paths[1].open("wb") as file:
            file.writelines(ids.tobytes() for ids in after)
        printed = subprocess.run([self._counter, "count", *paths], check=True, capture_output=True, text=True).stdout
        for path in paths:
            path.unlink()
        return int(printed)
