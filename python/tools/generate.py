"""Writes what is derived from the extension module: the exception classes, and the docstrings in its type stubs.

The kinds of errors are the core's, the docstrings the binding's; the types in the stubs are written by hand. Run by
python/generate-stubs; the output is committed.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import textwrap
from pathlib import Path
from types import ModuleType

PYTHON = Path(__file__).resolve().parent.parent
EXCEPTIONS = PYTHON / "src/saiban/exceptions.py"
STUBS = PYTHON / "src/saiban/_native.pyi"

Definition = ast.ClassDef | ast.FunctionDef

HEAD = '''"""What saiban raises: one class for each kind of error, the same kinds in every language.

Made by python/generate-stubs from the core's list; change that instead.
"""

from typing import ClassVar


class SaibanError(Exception):
    """The base of all errors of saiban. Its text says what was wrong, the limits, and what to do."""

    #: The kind's name, the same in every language: "CLOCK_BACKWARD".
    kind: ClassVar[str] = ""
    #: The kind's number, the same in every language.
    number: ClassVar[int] = 0
    #: Where in a text the first bad character stands, counted from 0; None for other errors.
    position: int | None = None
'''

CLASS = """

class {name}({bases}):
    {meaning}

    kind = "{kind}"
    number = {number}
"""

TAIL = """

#: Every kind's class, by the kind's name.
BY_KIND: dict[str, type[SaibanError]] = {{
    kind.kind: kind
    for kind in (
{classes}
    )
}}

__all__ = [
{names}
]
"""


def native() -> ModuleType:
    """The installed extension module, without the package around it, whose exceptions may be out of date."""
    package = importlib.util.find_spec("saiban")
    if package is None or not package.submodule_search_locations:
        sys.exit("saiban is not installed: run python/build")
    spec = importlib.util.spec_from_file_location(
        "saiban._native", next(Path(package.submodule_search_locations[0]).glob("_native*.so"))
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def class_name(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.split("_")) + "Error"


def bases(kind: str) -> str:
    if kind == "WRONG_TYPE":
        return "SaibanError, TypeError"
    bad_value = kind.startswith(("TEXT_", "INVALID_")) or kind.endswith("_OUT_OF_RANGE") or kind == "UNKNOWN_NAME"
    return "SaibanError, ValueError" if bad_value else "SaibanError"


def quoted(meaning: str) -> str:
    """A docstring of this line, which is as long as the core's may be."""
    if len(meaning) <= 110:
        return f'"""{meaning}"""'
    lines = textwrap.wrap(f'"""{meaning}', 116)
    return "\n    ".join([*lines, '"""'])


def exceptions(kinds: list[tuple[int, str, str]]) -> str:
    classes = [
        CLASS.format(name=class_name(kind), bases=bases(kind), meaning=quoted(meaning), kind=kind, number=number)
        for number, kind, meaning in kinds
    ]
    names = [class_name(kind) for _, kind, _ in kinds]
    tail = TAIL.format(
        classes="\n".join(f"        {name}," for name in names),
        names="\n".join(f'    "{name}",' for name in sorted([*names, "SaibanError"])),
    )
    return HEAD + "".join(classes) + tail


def docstring(value: object, indent: str) -> list[str]:
    """The lines of a docstring, as ruff formats them; none for what Python itself documents."""
    text = inspect.cleandoc(value.__doc__ or "")
    if not text:
        return []
    if "\n" not in text:
        return [f'{indent}"""{text}"""']
    return [f"{indent}{line}".rstrip() for line in (f'"""{text}', '"""') for line in line.split("\n")]


def definitions(tree: ast.Module, module: ModuleType) -> list[tuple[Definition, object]]:
    """Every class and function of the stubs but the special methods, and what it describes."""
    found = []
    for node in tree.body:
        if isinstance(node, Definition):
            value = getattr(module, node.name)
            found.append((node, value))
            for member in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(member, Definition) and not member.name.startswith("_"):
                    described = inspect.getattr_static(value, member.name)
                    # A static method of an extension module shows the documentation of staticmethod itself.
                    found.append((member, getattr(described, "__func__", described)))
    return found


def stubs(text: str, module: ModuleType) -> str:
    """The stubs with the module's docstrings in place of those that are there."""
    lines = text.splitlines()
    # From the end, so that the lines before keep their numbers.
    for node, value in reversed(definitions(ast.parse(text), module)):
        body = node.body
        documented = ast.get_docstring(node) is not None
        first = body[0]
        indent = " " * (node.col_offset + 4)
        new = docstring(value, indent)
        if isinstance(node, ast.ClassDef):
            if documented:
                header = first.lineno - 1
                del lines[header : first.end_lineno]
                if not lines[header].strip():
                    del lines[header]
            else:
                decorators = getattr(first, "decorator_list", [])
                header = min(line.lineno for line in (first, *decorators)) - 1
            lines[header:header] = [*new, ""]
        elif documented:
            lines[first.lineno - 1 : first.end_lineno] = new
        else:
            # `def name(self) -> int: ...` in a line, or the end of several.
            end = node.end_lineno - 1
            lines[end : end + 1] = [lines[end].removesuffix(" ..."), *new]
    return "\n".join(lines) + "\n"


def main() -> None:
    module = native()
    EXCEPTIONS.write_text(exceptions(module.error_kinds()))
    STUBS.write_text(stubs(STUBS.read_text(), module))


if __name__ == "__main__":
    main()
