"""Writes the page: one table of all libraries, one of saiban's schemes, and how each cell was made."""

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
    "fork": "fork ×4",
    "threads": "8 threads",
}

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
    """saiban's rows in one cell: each row with duplicates, the worst first, and the sum of the rows without."""
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


def refused(cell: dict) -> str:
    return f" (refused {cell['refused']:,}×)" if cell.get("refused") else ""


def how(cells: list[dict]) -> str:
    """A line for each note of a library, with the faults that it belongs to and what was refused."""
    lines = []
    names = dict.fromkeys(cell["library"] for cell in cells)
    for name in names:
        lines.append(f"\n**{name}**\n")
        notes: dict[str, list[dict]] = {}
        for cell in cells:
            if cell["library"] == name:
                notes.setdefault(cell["note"], []).append(cell)
        order = list(FAULTS)
        for note, group in sorted(notes.items(), key=lambda item: min(order.index(cell["fault"]) for cell in item[1])):
            group.sort(key=lambda cell: order.index(cell["fault"]))
            faults = ", ".join(FAULTS[cell["fault"]] + refused(cell) for cell in group)
            lines.append(f"- {faults}: {note}.")
    return "\n".join(lines) + "\n"


def page(cells: list[dict], versions: list[str]) -> str:
    own = [cell for cell in cells if cell["library"].startswith("saiban")]
    others = [cell for cell in cells if not cell["library"].startswith("saiban")]
    others.sort(key=lambda cell: cell["library"].lower())
    first = ("**saiban**, all rows below", [summary(own, fault) for fault in FAULTS])
    return Template(PAGE.read_text()).substitute(
        versions=", ".join(versions),
        libraries=table([first, *rows(others)]),
        saiban=table([(name.removesuffix(" · this repository"), texts) for name, texts in rows(own)]),
        made=f"{sum(cell.get('made', 0) for cell in own):,}",
        duplicates=f"{sum(cell.get('duplicates', 0) for cell in own):,}",
        how=how([*own, *others]).rstrip(),
    )
