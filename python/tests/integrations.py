"""What the tests of integrations share: a real JavaScript engine, and the README's programs."""

from __future__ import annotations

import doctest
import re
import subprocess
from types import ModuleType
from typing import Any

from conftest import ROOT

#: An ID with more digits than a number of JavaScript holds.
ID = 2125041057055170560
#: What JavaScript makes of it.
CHANGED = 2125041057055170600

#: An input in JSON that is no Snowflake, and the reason.
BAD_SNOWFLAKES = {
    '""': "has 0 characters: give 1 to 20",
    '"x"': "has no character 'x'",
    '"12x"': r"'x' \(position 2",
    '" 7"': "has no character ' '",
    '"7\\n"': "no character",
    '"+7"': "has no character '\\+'",
    '"07"': "is not canonical",
    '"-0"': "is not canonical",
    '"7.0"': "has no character '.'",
    '"0x7"': "no character 'x'",
    '"７"': "has no character '７'",
    '"\\u0000"': "has no character",
    '"9223372036854775808"': "a number that does not fit",
    '"-9223372036854775809"': "a number that does not fit",
    f'"{"7" * 100_000}"': "has 100000 characters",
    '"01ARZ3NDEKTSV4RRFFQ69G5FAV"': "has 26 characters",
    '"order_1tzd9jmde9r00"': "no character 'o'",
    "9223372036854775808": "give a signed 64-bit integer",
    "-9223372036854775809": "give a signed 64-bit integer",
    "2125041057055170560.0": "must be an integer, not float",
    "7.5": "must be an integer, not float",
    "1e3": "must be an integer, not float",
    "true": "must be an integer, not bool",
    "false": "must be an integer, not bool",
    "null": "must be an integer, not NoneType",
    "[]": "must be an integer, not list",
    "{}": "must be an integer, not dict",
    "1e30": "must be an integer, not float",
    "2125041057055170560.5": "must be an integer, not float",
}

README = (ROOT / "python/README.md").read_text()


def javascript(json: str) -> str:
    """Reads JSON in JavaScript, and writes it again."""
    program = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8'))))"
    return subprocess.run(["node", "-e", program], input=json, check=True, capture_output=True, text=True).stdout


def run_readme(section: str, **names: object) -> dict[str, Any]:
    """Runs the Python program in a section of the README, which knows these names; returns all."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## )", README, re.S | re.M)
    assert len(text.splitlines()) <= 30
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    space: dict[str, Any] = {"__name__": __name__, **names}
    # Without this file's __future__ import.
    exec(compile(program, "README.md", "exec", dont_inherit=True), space)
    return space


def assert_examples_run(module: ModuleType, *names: str) -> None:
    """Runs the examples in the docstrings of these names."""
    for name in names:
        tests = doctest.DocTestFinder().find(getattr(module, name), name, module, globs={})
        said: list[str] = []
        results = [doctest.DocTestRunner().run(test, out=said.append) for test in tests]
        assert sum(result.attempted for result in results) > 0, name
        assert not any(result.failed for result in results), "".join(said)
