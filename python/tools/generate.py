"""Writes what is derived from the extension module: the exception classes.

The kinds of errors are the core's. Run by python/generate-stubs; the output is committed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

PYTHON = Path(__file__).resolve().parent.parent
EXCEPTIONS = PYTHON / "src/saiban/exceptions.py"

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

CLASS = '''

class {name}({bases}):
    """{meaning}"""

    kind = "{kind}"
    number = {number}
'''

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


def exceptions(kinds: list[tuple[int, str, str]]) -> str:
    classes = [
        CLASS.format(name=class_name(kind), bases=bases(kind), meaning=meaning, kind=kind, number=number)
        for number, kind, meaning in kinds
    ]
    names = [class_name(kind) for _, kind, _ in kinds]
    tail = TAIL.format(
        classes="\n".join(f"        {name}," for name in names),
        names="\n".join(f'    "{name}",' for name in sorted([*names, "SaibanError"])),
    )
    return HEAD + "".join(classes) + tail


def main() -> None:
    EXCEPTIONS.write_text(exceptions(native().error_kinds()))


if __name__ == "__main__":
    main()
