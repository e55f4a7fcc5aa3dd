"""Writes the page: a table of all libraries, one of saiban's schemes, and notes on each cell."""

from __future__ import annotations

from pathlib import Path
from string import Template

FAULTS = {
    "burst": "burst",
    "step_1s": "1 s back",
    "step_2ms": "2 ms back",
    "oscillating": "oscillating clock",
    "restart": "restart in one tick",
    "restart_2ms": "restart, 2 ms back",
    "processes": "4 processes, one node",
    "fork": "fork ×4",
    "threads": "8 threads",
}

LANGUAGES = ("Rust", "Python", "Node", "C", "Kotlin", "Swift")
# The names of saiban's schemes in the programs of processes.py, and in the page.
SCHEMES = {
    "snowflake": "Snowflake",
    "randflake": "Randflake",
    "ulid-flake": "Ulid-Flake",
    "ulid-flake-scalable": "Ulid-Flake, scalable",
    "flake": "Flake",
}
# The faults that are tested in every language of saiban.
EVERY_LANGUAGE = ("processes", "restart_2ms")

PAGE = Path(__file__).with_name("page.md")


def number(value: float) -> str:
    if value == 0:
        return "0"
    if value >= 0.01:
        return f"{value:.2g}" if value < 10 else f"{value:,.0f}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def text(cell: dict | None) -> str:
    if cell is None or "made" not in cell:
        return "n/a"
    if cell["made"] == 0:
        return "none made"
    count = f"{cell['duplicates']:,} of {cell['made']:,}"
    if cell["duplicates"] and "expected" not in cell:
        count = f"**{count}**"
    return f"{count} (expected {number(cell['expected'])})" if "expected" in cell else count


def table(rows: list[tuple[str, list[str]]]) -> str:
    lines = [("library", list(FAULTS.values())), ("---", ["--:" for _ in FAULTS]), *rows]
    return "".join(f"| {name} | {' | '.join(cells)} |\n" for name, cells in lines)


def total(cells: list[dict]) -> dict:
    return {key: sum(cell[key] for cell in cells) for key in ("made", "duplicates")}


def summary(cells: list[dict], fault: str) -> str:
    """Summarises saiban's rows: those with duplicates, worst first, and the sum of the rest."""
    counted = [cell for cell in cells if cell["fault"] == fault and "made" in cell]
    repeating = [cell for cell in counted if cell["duplicates"]]
    repeating.sort(key=lambda cell: cell["duplicates"] / cell["made"], reverse=True)
    lines = [f"{text(cell)}, {cell['library'].removeprefix('saiban ')}" for cell in repeating]
    if clean := [cell for cell in counted if not cell["duplicates"]]:
        lines.append(text(total(clean)) + (", all others" if repeating else ""))
    return "<br>".join(lines) or text(None)


def rows(cells: list[dict]) -> list[tuple[str, list[str]]]:
    names = {(cell["library"], cell["version"]): None for cell in cells}
    find = {(cell["library"], cell["fault"]): cell for cell in cells}
    return [(f"{name} · {version}", [text(find.get((name, fault))) for fault in FAULTS]) for name, version in names]


def only_in_languages(cells: list[dict]) -> set[str]:
    """Returns the libraries that have only the cells of EVERY_LANGUAGE."""
    return {cell["library"] for cell in cells} - {
        cell["library"] for cell in cells if cell["fault"] not in EVERY_LANGUAGE
    }


def languages(cells: list[dict]) -> str:
    find = {(cell["library"], cell["fault"]): cell for cell in cells}
    lines = [f"| | {' | '.join(LANGUAGES)} |\n", f"| --- | {' | '.join('--:' for _ in LANGUAGES)} |\n"]
    for scheme in SCHEMES.values():
        names = [f"saiban {scheme}" + ("" if language == "Rust" else f" ({language})") for language in LANGUAGES]
        for fault in EVERY_LANGUAGE:
            texts = [text(find.get((name, fault))) for name in names]
            lines.append(f"| {scheme}: {FAULTS[fault]} | {' | '.join(texts)} |\n")
    return "".join(lines)


def refused(times: int) -> str:
    return f" (refused {times:,}×)" if times else ""


def how(cells: list[dict]) -> str:
    """Returns a line for each note of a library, with its faults and their refusals."""
    lines = []
    names = dict.fromkeys(cell.get("how", cell["library"]) for cell in cells)
    for name in names:
        lines.append(f"\n**{name}**\n")
        notes: dict[str, list[dict]] = {}
        for cell in cells:
            if cell.get("how", cell["library"]) == name:
                notes.setdefault(cell["note"], []).append(cell)
        order = list(FAULTS)
        for note, group in sorted(notes.items(), key=lambda item: min(order.index(cell["fault"]) for cell in item[1])):
            added: dict[str, int] = dict.fromkeys(sorted((cell["fault"] for cell in group), key=order.index), 0)
            for cell in group:
                added[cell["fault"]] += cell.get("refused", 0)
            faults = ", ".join(FAULTS[fault] + refused(times) for fault, times in added.items())
            lines.append(f"- {faults}: {note}.")
    return "\n".join(lines) + "\n"


def page(cells: list[dict], versions: list[str]) -> str:
    own = [cell for cell in cells if cell["library"].startswith("saiban")]
    others = [cell for cell in cells if not cell["library"].startswith("saiban")]
    others.sort(key=lambda cell: cell["library"].lower())
    by_scheme = [cell for cell in own if cell["library"] not in only_in_languages(own)]
    first = ("**saiban**, all rows below", [summary(own, fault) for fault in FAULTS])
    return Template(PAGE.read_text()).substitute(
        versions=", ".join(versions),
        libraries=table([first, *rows(others)]),
        saiban=table([(name.removesuffix(" · this repository"), texts) for name, texts in rows(by_scheme)]),
        languages=languages(own),
        made=f"{sum(cell.get('made', 0) for cell in own):,}",
        duplicates=f"{sum(cell.get('duplicates', 0) for cell in own):,}",
        how=how([*own, *others]).rstrip(),
    )
