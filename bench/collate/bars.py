"""The bars: what saiban must show, as expressions of what the same run measured."""

from __future__ import annotations

import ast
import operator
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass

from .results import PATH, Case, Run

REFERENCE = re.compile(rf"({PATH.pattern})(?:\[([^\]]*)\])?")
RIVALS = "rivals"
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Missing(Exception):
    """What an expression speaks of was not measured."""


@dataclass(frozen=True)
class Bar:
    path: str
    at_most: float | str | dict  # of a dict the first key counts that is a flag of the CPU

    @property
    def language(self) -> str:
        return self.path.split(".")[0]


@dataclass(frozen=True)
class Verdict:
    bar: Bar
    measured: float | None
    at_most: float | None
    expression: str
    missing: str = ""

    @property
    def met(self) -> bool:
        return not self.missing and self.measured <= self.at_most


def read(text: str) -> list[Bar]:
    bars = []
    for told in tomllib.loads(text)["bar"]:
        if set(told) != {"path", "at_most"}:
            raise ValueError(f"a bar has a path and at_most, not {', '.join(told)}")
        bars.append(Bar(told["path"], told["at_most"]))
    return bars


def plain(text: str) -> str:
    """Packages are not of one mind about dashes and capitals."""
    return text.lower().replace("_", "-")


def subject(run: Run, path: str) -> Case:
    """Whom a path without more speaks of: saiban, else the only one there is."""
    cases = run.cases(path)
    if not cases:
        raise Missing(path)
    cases = [case for case in cases if case.is_saiban] or [case for case in cases if case.is_floor] or cases
    exact = [case for case in cases if case.who == "saiban"]
    if len(exact or cases) > 1:
        raise Missing(f"{path}: which of {', '.join(case.who for case in cases)}?")
    return (exact or cases)[0]


def fastest(run: Run, path: str, who: str) -> float:
    """The least median of those that the words in brackets speak of."""
    cases = run.cases(path)
    if who == RIVALS:
        cases = [case for case in cases if case.is_rival]
    else:
        cases = [case for case in cases if all(word in plain(case.who) for word in plain(who).split())]
    if not cases:
        raise Missing(f"{path}[{who}]")
    return min(case.median for case in cases)


def calculate(node: ast.expr, expression: str) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](calculate(left, expression), calculate(right, expression))
        case ast.Call(func=ast.Name(id="min"), args=values, keywords=[]) if values:
            return min(calculate(value, expression) for value in values)
    raise ValueError(f"not understood: {expression}")


def evaluate(expression: float | str, run: Run) -> float:
    def value(reference: re.Match[str]) -> str:
        path, who = reference[1], reference[2]
        return repr(subject(run, path).median if who is None else fastest(run, path, who))

    text = REFERENCE.sub(value, str(expression))
    try:
        return calculate(ast.parse(text, mode="eval").body, str(expression))
    except SyntaxError as error:
        raise ValueError(f"not understood: {expression}") from error


def quoted(expression: float | str) -> str:
    return f"`{expression}`" if isinstance(expression, str) else f"{expression} ns"


def chosen(bar: Bar, flags: set[str]) -> tuple[float | str, str]:
    """The expression that counts on this machine, and how to tell it."""
    if not isinstance(bar.at_most, dict):
        return bar.at_most, quoted(bar.at_most)
    for flag, expression in bar.at_most.items():
        if flag in flags:
            return expression, f"{quoted(expression)} with {flag}"
    raise Missing(f"the machine has none of {', '.join(bar.at_most)}")


def judge(bar: Bar, run: Run) -> Verdict:
    measured = at_most = None
    expression, missing = "", []
    try:
        measured = subject(run, bar.path).median
    except Missing as error:
        missing.append(str(error))
    try:
        wanted, expression = chosen(bar, set(run.machine.get("flags", ())))
        at_most = evaluate(wanted, run)
    except Missing as error:
        missing.append(str(error))
    return Verdict(bar, measured, at_most, expression, "; ".join(missing))
