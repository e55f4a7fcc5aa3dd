"""The tables, as Markdown that is also readable in a terminal."""

from __future__ import annotations

from .results import Case, Language, Run
from .targets import Target, Verdict, judge

TITLES = {"c": "C", "node": "Node"}


def title(language: str) -> str:
    return TITLES.get(language, language.capitalize())


def ns(value: float) -> str:
    """Formats a time with about three digits."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def times(value: float) -> str:
    return ns(value) + " ×"


def table(head: list[str], right: set[int], rows: list[list[str]]) -> str:
    """Formats a table; `right` contains the columns of numbers."""
    widths = [max([3] + [len(row[column]) for row in [head, *rows]]) for column in range(len(head))]

    def line(cells: list[str]) -> str:
        padded = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(cells, widths))
        ]
        return "| " + " | ".join(padded) + " |"

    marks = ["-" * (width - 1) + (":" if column in right else "-") for column, width in enumerate(widths)]
    return "\n".join([line(head), line(marks), *map(line, rows)])


def compared(case: Case, cases: list[Case]) -> str:
    """Returns the ratio of this case's time to that of saiban."""
    ours = [other for other in cases if other.is_saiban]
    if not ours or case is ours[0]:
        return ""
    return times(case.median / ours[0].median)


def language_table(language: Language) -> str:
    rows = []
    for path in language.paths():
        cases = language.of(path)
        for index, case in enumerate(cases):
            who = f"{case.who} {case.version}".strip()
            rows.append(
                [
                    path if index == 0 else "",
                    f"**{who}**" if case.is_saiban else who,
                    ns(case.median),
                    f"{ns(min(case.ns))}–{ns(max(case.ns))}",
                    compared(case, cases),
                ]
            )
    return table(["path", "who", "ns", "least–most", "ratio to saiban"], {2, 3, 4}, rows)


def outcome(verdict: Verdict) -> str:
    if verdict.missing:
        return f"not measured: {verdict.missing}"
    return "met" if verdict.met else "**missed**"


def told(verdict: Verdict) -> list[str]:
    measured, at_most = ("" if value is None else ns(value) for value in (verdict.measured, verdict.at_most))
    return [verdict.target.path, measured, at_most, verdict.expression, outcome(verdict)]


def targets_table(targets: list[Target], run: Run) -> str:
    """Returns the targets of the languages that ran, and the number of the others."""
    ran = {language.name for language in run.measured}
    verdicts = [judge(target, run) for target in targets if target.language in ran]
    missing = sum(1 for verdict in verdicts if verdict.missing)
    met = sum(1 for verdict in verdicts if verdict.met)
    counts = [f"{met} met", f"{len(verdicts) - met - missing} missed", f"{missing} not measured"]
    not_run = [target for target in targets if target.language not in ran]
    if not_run:
        names = ", ".join(dict.fromkeys(title(target.language) for target in not_run))
        counts.append(f"{len(not_run)} of languages that were not run ({names})")
    rows = [told(verdict) for verdict in verdicts]
    lines = [table(["path", "ns", "at most", "that is", ""], {1, 2}, rows)] if rows else []
    return "\n\n".join([*lines, "Targets: " + ", ".join(counts) + "."])


def machine_line(run: Run) -> str:
    machine = run.machine
    return (
        f"{machine['date']}: {machine['cores']} cores of {machine['model']}"
        f" ({machine['vectors']}), {machine['system']}. Load before: {machine['load']}."
        f" Rounds: {run.rounds}, each sample about {run.ms} ms."
    )


def runtime(language: Language) -> str:
    known = [str(value) for key, value in language.machine.items() if key != "language"]
    return "; ".join(known)


def left_out(run: Run) -> list[str]:
    return [f"Left out: {title(language.name)}: {language.left_out}" for language in run.languages if language.left_out]


def report(run: Run, targets: list[Target], picture: bool) -> str:
    """Returns the whole report. With `picture`, it refers to the charts next to the page."""
    parts = [machine_line(run), *left_out(run)]
    for language in run.measured:
        parts.append(f"## {title(language.name)}")
        if runtime(language):
            parts.append(runtime(language) + ".")
        if picture:
            parts.append(f"![{title(language.name)}: nanoseconds an ID]({language.name}.svg)")
        parts.append(language_table(language))
        parts += language.notes
    parts += ["## Targets", targets_table(targets, run)]
    return "\n\n".join(parts)
