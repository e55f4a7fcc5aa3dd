"""Draws a chart for each language: `python -m collate.charts RESULTS FOLDER`. Only this module
needs matplotlib.

Each path has its own scale, because the times of rivals differ by orders of magnitude. Paths with a
single case share one panel.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot

from .results import Case, Language, load
from .tables import ns, title

OURS, OTHERS, BASELINE = "#0b6e4f", "#9aa5b1", "#d9c58b"
INK, FAINT = "#1f2328", "#59636e"
WIDTH_IN, TOP_IN, HEAD_IN, BAR_IN, FOOT_IN = 9.0, 0.62, 0.36, 0.23, 0.16
FONTS = ["DejaVu Sans", "Verdana", "sans-serif"]
MARGIN, NAMES = 0.02, 0.34  # relative to the width: the left edges of headings and of bars


def panels(language: Language) -> list[tuple[str, list[tuple[str, Case]]]]:
    """Returns panels: a heading, and the name and case of each bar."""
    shown, alone = [], []
    for path in language.paths():
        cases = language.of(path)
        if len(cases) > 1:
            shown.append((path, [(case.who, case) for case in cases]))
        else:
            alone.append((f"{path.removeprefix(language.name + '.')} · {cases[0].who}", cases[0]))
    if alone:
        shown.append(("with nobody beside it" if shown else "each by itself", alone))
    return shown


def colour(case: Case) -> str:
    return OURS if case.is_saiban else BASELINE if case.is_baseline else OTHERS


def cut(text: str, longest: int = 46) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def bars(axes: pyplot.Axes, rows: list[tuple[str, Case]]) -> None:
    places = range(len(rows))
    cases = [case for _, case in rows]
    medians = [case.median for case in cases]
    axes.barh(places, medians, height=0.72, color=[colour(case) for case in cases])
    least, most = [min(case.ns) for case in cases], [max(case.ns) for case in cases]
    axes.hlines(places, least, most, color=INK, linewidth=0.8)
    # Cuts off the line of a disturbed round, which would make all bars short.
    right = 1.25 * max(medians)
    axes.set_xlim(0, right)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for place, median, end in zip(places, medians, most):
        axes.text(min(end, right) + right * 0.012, place, ns(median), fontsize=8, va="center", color=INK)
    axes.set_yticks(list(places), [cut(name) for name, _ in rows], fontsize=8, color=INK)
    for label, case in zip(axes.get_yticklabels(), cases):
        label.set_weight("bold" if case.is_saiban else "normal")
    axes.tick_params(left=False, bottom=False, labelbottom=False)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.spines["left"].set_color(OTHERS)


def draw(language: Language, machine: dict, file: Path) -> None:
    shown = panels(language)
    heights = [HEAD_IN + BAR_IN * len(rows) for _, rows in shown]
    height = TOP_IN + sum(heights) + FOOT_IN
    figure = pyplot.figure(figsize=(WIDTH_IN, height), facecolor="white")

    def write(below_top_in: float, text: str, size: float, **style: str) -> None:
        figure.text(MARGIN, 1 - below_top_in / height, text, fontsize=size, **style)

    write(0.26, f"{title(language.name)}: nanoseconds an ID, or a call", 12, color=INK)
    where = f"{machine['date']}, {machine['model']}, {machine['vectors']}"
    write(0.47, f"{where}. Medians; the lines go from the least to the most.", 7.5, color=FAINT)
    below = TOP_IN
    for (heading, rows), tall in zip(shown, heights):
        write(below + 0.24, heading, 9, color=INK, weight="bold")
        below += tall
        bars(figure.add_axes((NAMES, 1 - below / height, 0.9 - NAMES, BAR_IN * len(rows) / height)), rows)
    drawn = io.StringIO()
    figure.savefig(drawn, facecolor="white", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    file.write_text("".join(line.rstrip() + "\n" for line in drawn.getvalue().splitlines()))


def main(results: str, folder: str) -> None:
    # Keeps text as text in the reader's font, and makes the file reproducible.
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "saiban", "font.sans-serif": FONTS}
    run = load(Path(results).read_text())
    for language in run.measured:
        draw(language, run.machine, Path(folder) / f"{language.name}.svg")


if __name__ == "__main__":
    main(*sys.argv[1:])
