"""The results: strictly parses what bench/<language>/run prints; reads and writes their file."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

PATH = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+")
SIGNIFICANT = 4  # kept digits of a measured value


class Wrong(Exception):
    """Raised for unexpected output of a bench."""


@dataclass(frozen=True)
class Case:
    """One measured case: `who` does what `path` names, once a round."""

    path: str
    who: str
    version: str
    ns: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.ns)

    @property
    def is_saiban(self) -> bool:
        return re.match(r"saiban\b(?!-)", self.who) is not None

    @property
    def is_baseline(self) -> bool:
        return self.who.startswith("baseline")

    @property
    def is_rival(self) -> bool:
        return not self.is_saiban and not self.is_baseline


@dataclass(frozen=True)
class Language:
    name: str
    machine: dict[str, str] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: str = ""  # the reason why nothing was measured

    def paths(self) -> list[str]:
        """Returns the paths in the order of their first cases."""
        return list(dict.fromkeys(case.path for case in self.cases))

    def of(self, path: str) -> list[Case]:
        """Returns saiban's cases first, plain `saiban` before variants, then the fastest first."""
        cases = [case for case in self.cases if case.path == path]
        return sorted(
            cases, key=lambda case: (not case.is_saiban, case.is_saiban and case.who != "saiban", case.median)
        )


def number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value) or value <= 0:
        raise Wrong(f"{value!r} is no time in nanoseconds")
    return float(f"{value:.{SIGNIFICANT}g}")


def case_of(line: dict, language: str) -> Case:
    path, who, ns = line.get("path"), line.get("who"), line.get("ns")
    if not isinstance(path, str) or not PATH.fullmatch(path) or path.split(".")[0] != language:
        raise Wrong(f"{path!r} is no path of {language}")
    if not isinstance(who, str) or not who:
        raise Wrong(f"{path}: {who!r} is nobody")
    if not isinstance(ns, list) or not ns:
        raise Wrong(f"{path}, {who}: no times")
    return Case(path, who, str(line.get("version") or ""), tuple(number(value) for value in ns))


def read(language: str, lines: Iterable[str]) -> Language:
    """Parses a bench's output. Missing cases without a reason and unequal rounds are wrong."""
    machine: dict[str, str] = {}
    cases: list[Case] = []
    notes: list[str] = []
    for line in filter(str.strip, lines):
        try:
            told = json.loads(line)
        except ValueError as error:
            raise Wrong(f"no JSON: {line.strip()[:80]!r}") from error
        if not isinstance(told, dict):
            raise Wrong(f"no object: {line.strip()[:80]!r}")
        if "left_out" in told:
            return Language(language, left_out=str(told["left_out"]))
        if "machine" in told:
            machine |= told["machine"]
        elif "note" in told:
            notes.append(str(told["note"]))
        else:
            cases.append(case_of(told, language))
    if not cases:
        raise Wrong("nothing was measured")
    if len({(case.path, case.who) for case in cases}) < len(cases):
        raise Wrong("a case was told twice")
    if len({len(case.ns) for case in cases}) > 1:
        raise Wrong("not all cases have as many rounds")
    return Language(language, machine, tuple(cases), tuple(notes))


def joined(before: Language, after: Language) -> Language:
    """Joins the rounds of two runs of one language, which must have equal cases."""
    if before.left_out or after.left_out:
        return before if before.left_out else after
    if [(case.path, case.who, case.version) for case in before.cases] != [
        (case.path, case.who, case.version) for case in after.cases
    ]:
        raise Wrong("it did not measure what it measured before")
    cases = [Case(one.path, one.who, one.version, one.ns + more.ns) for one, more in zip(before.cases, after.cases)]
    notes = tuple(dict.fromkeys(before.notes + after.notes))
    return Language(before.name, before.machine | after.machine, tuple(cases), notes)


@dataclass(frozen=True)
class Run:
    """All results of a run, in the order of measurement."""

    machine: dict
    rounds: int
    ms: int
    languages: tuple[Language, ...]

    @property
    def measured(self) -> list[Language]:
        return [language for language in self.languages if not language.left_out]

    def cases(self, path: str) -> list[Case]:
        return [case for language in self.languages for case in language.of(path)]


def dump(run: Run) -> str:
    """Returns JSON with a line for each case, so that a diff can compare two runs."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    languages = []
    for language in run.languages:
        cases = ",\n".join(
            line({"path": case.path, "who": case.who, "version": case.version, "ns": case.ns})
            for case in language.cases
        )
        head = {
            "name": language.name,
            "machine": language.machine,
            "notes": language.notes,
            "left_out": language.left_out,
        }
        languages.append(line(head)[:-1] + f',"cases":[\n{cases}\n]}}')
    head = line({"machine": run.machine, "rounds": run.rounds, "ms": run.ms})[:-1]
    return head + ',"languages":[\n' + ",\n".join(languages) + "\n]}\n"


def load(text: str) -> Run:
    told = json.loads(text)
    languages = tuple(
        Language(
            language["name"],
            language["machine"],
            tuple(case_of(case, language["name"]) for case in language["cases"]),
            tuple(language["notes"]),
            language["left_out"],
        )
        for language in told["languages"]
    )
    return Run(told["machine"], told["rounds"], told["ms"], languages)
