"""What the tests of integrations share: a real JavaScript engine, and the README's programs."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from types import ModuleType
from typing import Any

import pytest
from conftest import ROOT

#: An ID with more digits than a number of JavaScript holds.
ID = 2125041057055170560
#: What JavaScript makes of it.
CHANGED = 2125041057055170600

README = (ROOT / "python/README.md").read_text()


def javascript(json: str) -> str:
    """Reads JSON in JavaScript, and writes it again."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    program = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8'))))"
    return subprocess.run([node, "-e", program], input=json, check=True, capture_output=True, text=True).stdout


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
