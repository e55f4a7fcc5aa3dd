"""The targets: limits for saiban, as expressions of other results of a run."""

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
    """Raised when an expression refers to something that was not measured."""


@dataclass(frozen=True)
class Target:
    path: str
    at_most: float | str | dict  # by CPU flag in a dict: the CPU's first one counts

    @property
    def language(self) -> str:
        return self.path.split(".")[0]


@dataclass(frozen=True)
class Verdict:
    target: Target
    measured: float | None
    at_most: float | None
    expression: str
    missing: str = ""

    @property
    def met(self) -> bool:
        return not self.missing and self.measured <= self.at_most


def read(text: str) -> list[Target]:
    targets = []
    for row in tomllib.loads(text)["target"]:
        if set(row) != {"path", "at_most"}:
            raise ValueError(f"a target has a path and at_most, not {', '.join(row)}")
        targets.append(Target(row["path"], row["at_most"]))
    return targets


def plain(text: str) -> str:
    """Lowercases, and replaces underscores, because packages differ in both."""
    return text.lower().replace("_", "-")


def subject(run: Run, path: str) -> Case:
    """Returns the case of a path without brackets: saiban, else the baseline, else the only one."""
    cases = run.cases(path)
    if not cases:
        raise Missing(path)
    cases = [case for case in cases if case.is_saiban] or [case for case in cases if case.is_baseline] or cases
    exact = [case for case in cases if case.who == "saiban"]
    if len(exact or cases) > 1:
        raise Missing(f"{path}: which of {', '.join(case.who for case in cases)}?")
    return (exact or cases)[0]


def fastest(run: Run, path: str, who: str) -> float:
    """Returns the lowest median of the cases whose name contains all words in the brackets."""
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


def chosen(target: Target, flags: set[str]) -> tuple[float | str, str]:
    """Returns the expression for this machine, and its text for the table."""
    if not isinstance(target.at_most, dict):
        return target.at_most, quoted(target.at_most)
    for flag, expression in target.at_most.items():
        if flag in flags:
            return expression, f"{quoted(expression)} with {flag}"
    raise Missing(f"the machine has none of {', '.join(target.at_most)}")


def judge(target: Target, run: Run) -> Verdict:
    measured = at_most = None
    expression, missing = "", []
    try:
        measured = subject(run, target.path).median
    except Missing as error:
        missing.append(str(error))
    try:
        wanted, expression = chosen(target, set(run.machine.get("flags", ())))
        at_most = evaluate(wanted, run)
    except Missing as error:
        missing.append(str(error))
    return Verdict(target, measured, at_most, expression, "; ".join(missing))
