"""Writes the files that derive from the extension module: the exception classes, the types of names,
the type stubs of the schemes' classes, and the docstrings and presets in the other stubs.

Kinds of errors, names and schemes come from the core, docstrings from the binding. The other types
in the stubs are written by hand. Run by python/generate-stubs; the output is committed.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType

PYTHON = Path(__file__).resolve().parent.parent
EXCEPTIONS = PYTHON / "src/saiban/exceptions.py"
STUBS = PYTHON / "src/saiban/_native.pyi"
SCHEMES = PYTHON / "src/saiban/_schemes.pyi"
NAMES = PYTHON / "src/saiban/names.py"

Definition = ast.ClassDef | ast.FunctionDef

HEAD = '''"""The exceptions of saiban: one class for each kind of error, the same kinds in every language.

Made by python/generate-stubs from the core's list; change that instead.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Importing this module takes longer than importing saiban.
    from typing import ClassVar


class SaibanError(Exception):
    """Base class of all errors of saiban. The message says what was wrong, the limits, and what to do."""

    #: The kind's name, the same in every language: "CLOCK_BACKWARD".
    kind: ClassVar[str] = ""
    #: The kind's number, the same in every language.
    number: ClassVar[int] = 0
    #: The position of the first bad character in a text, counted from 0; None for other errors.
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

{names}
"""


NAMES_HEAD = '''"""The types of names that arguments take and properties return, for annotations.

Made by python/generate-stubs from core's registry; change that instead.
"""

from typing import Literal, TypeAlias

{names}
'''

#: What each type of names is.
MEANINGS = {
    "Scheme": "A family of IDs. uuid is a UUID of a version that saiban does not make.",
    "LeaseScheme": "The schemes whose IDs have nodes that can be leased.",
    "LayoutName": "The layouts of known formats.",
    "ReadLayoutName": "Further names that Layout.preset reads.",
    "FieldKind": "What the bits of a layout's field mean; see Layout.",
    "Encoding": "The text form of a number; see encode.",
    "Rollback": "What happens when the clock steps back; see Snowflake.",
    "Scope": "Which generators of the same node share a cursor; see Snowflake.",
    "TickOrder": "Which tick IDs sort first: the oldest or the newest.",
    "Guarantee": "What a generator's IDs promise; see Stats.guarantee.",
    "LeaseState": "The state of a lease; see LeaseStatus.state.",
}

SCHEMES_HEAD = """# The classes of the schemes.
#
# Made by python/generate-stubs from core's registry and bindings/python/src/schemes.rs.

from datetime import datetime
from os import PathLike
from typing import SupportsIndex, final
from uuid import UUID

from typing_extensions import Buffer

from saiban._native import Generator, Layout, Lease, ManualClock, Parts, _Node
from saiban.names import Encoding, Rollback, Scope, TickOrder

{names}

"""

#: The type of an ID in Python.
FORMS = {"integer": "int", "text": "str", "uuid": "UUID"}

#: The types of the generators' options.
OPTIONS = dict.fromkeys(
    "node shards scalability entropy_size epoch_ms version not_before max_jump_s max_wait_ms".split(), "SupportsIndex"
) | {
    "nodes": "range",
    "lease": "Lease",
    "store": "str",
    "namespace": "str",
    "layout": "Layout | str",
    "secret": "Buffer",
    "order": "TickOrder",
    "allow_collisions": "bool",
    "window": "tuple[SupportsIndex, SupportsIndex]",
    "state": "str | PathLike[str]",
    "rollback": "Rollback",
    "scope": "Scope",
    "clock": "ManualClock",
    "prefix": "str",
}

#: The types of the methods' parameters; "id" stands for the type of the scheme's IDs.
PARTS = dict.fromkeys(
    "timestamp_ms submillisecond_ns node scalability sequence clock_sequence random rollback".split(), "SupportsIndex"
) | {"time": "datetime", "id": "id", "bytes": "Buffer", "uuid": "UUID"}

#: The types of IDs that methods take, if they are not just the type of the scheme's IDs.
GIVEN_IDS = {"UlidGenerator": "str | UUID", "FlakeGenerator": "SupportsIndex | UUID"}

#: The return types of the members.
MEMBERS = dict.fromkeys(("compose", "from_bytes", "from_uuid"), "id") | {
    "generate_bytes": "bytes",
    "to_bytes": "bytes",
    "to_uuid": "UUID",
    "layout": "Layout",
    "order": "TickOrder",
    "version": "int",
}


def native() -> ModuleType:
    """Loads the installed extension module without its package, which may be out of date."""
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
    """Returns a docstring of this line, wrapped if it is too long for the stubs."""
    if len(meaning) <= 110:
        return f'"""{meaning}"""'
    lines = textwrap.wrap(f'"""{meaning}', 116)
    return "\n    ".join([*lines, '"""'])


def listed(names: list[str]) -> str:
    """Returns `__all__` for these names."""
    return "\n".join(["__all__ = [", *(f'    "{name}",' for name in sorted(names)), "]"])


def exceptions(kinds: list[tuple[int, str, str]]) -> str:
    classes = [
        CLASS.format(name=class_name(kind), bases=bases(kind), meaning=quoted(meaning), kind=kind, number=number)
        for number, kind, meaning in kinds
    ]
    names = [class_name(kind) for _, kind, _ in kinds]
    tail = TAIL.format(
        classes="\n".join(f"        {name}," for name in names),
        names=listed([*names, "SaibanError"]),
    )
    return HEAD + "".join(classes) + tail


def docstring(value: object, indent: str) -> list[str]:
    """Returns the lines of a docstring, as ruff formats them, or none if there is no docstring."""
    text = inspect.cleandoc(value.__doc__ or "")
    if not text:
        return []
    if "\n" not in text:
        return [f'{indent}"""{text}"""']
    return [f"{indent}{line}".rstrip() for line in (f'"""{text}', '"""') for line in line.split("\n")]


def definitions(tree: ast.Module, module: ModuleType) -> list[tuple[Definition, object]]:
    """Returns the stubs' classes and functions, except special methods, with the real objects."""
    found = []
    for node in tree.body:
        if isinstance(node, Definition):
            value = getattr(module, node.name)
            found.append((node, value))
            for member in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(member, Definition) and not member.name.startswith("_"):
                    described = inspect.getattr_static(value, member.name)
                    # A static method of an extension module has the docstring of staticmethod.
                    found.append((member, getattr(described, "__func__", described)))
    return found


def stubs(text: str, module: ModuleType) -> str:
    """Replaces the docstrings in the stubs by those of the module."""
    lines = text.splitlines()
    # Go backwards, so that the numbers of earlier lines stay valid.
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
            # The line `def name(self) -> int: ...`, or the last line of a longer definition.
            end = node.end_lineno - 1
            lines[end : end + 1] = [lines[end].removesuffix(" ..."), *new]
    return "\n".join(lines) + "\n"


def names(text: str, module: ModuleType) -> str:
    """Replaces the names and presets in the stubs by those of the module."""
    layout = module.Layout
    presets = [f"    {name}: ClassVar[Layout]\n" for name, value in vars(layout).items() if isinstance(value, layout)]
    text = re.sub(r"(    [A-Z0-9_]+: ClassVar\[Layout\]\n)+", "".join(presets), text)
    return re.sub(r"__all__ = \[\n.*?\]", listed(module.__all__), text, flags=re.S)


def literal(name: str, values: list[str]) -> str:
    """Returns the definition of a type of names, as ruff formats it."""
    line = f"{name}: TypeAlias = Literal[{', '.join(map(repr, values))}]".replace("'", '"')
    if len(line) <= 120:
        return line
    return "\n".join([f"{name}: TypeAlias = Literal[", *(f'    "{value}",' for value in values), "]"])


def names_module(rows: dict[str, list[str]]) -> str:
    types = (f"#: {MEANINGS[name]}\n{literal(name, values)}\n" for name, values in rows.items())
    return NAMES_HEAD.format(names=listed(list(rows))) + "\n" + "".join(types)


def definition(name: str, own: list[str], called: object, types: dict[str, str], returned: str, end: str) -> str:
    """Returns `def name(…) -> returned:` as ruff formats it, with the parameters of `called`."""
    parameters = own.copy()
    for parameter in inspect.signature(called).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        text = f"{parameter.name}: {types[parameter.name]}"
        if parameter.default is not parameter.empty:
            text += f" | None = {parameter.default!r}".replace("'", '"')
        parameters.append(text)
    joined = ", ".join(parameters)
    if len(line := f"    def {name}({joined}) -> {returned}:{end}") <= 120:
        return line
    inner = [joined] if len(joined) <= 112 else [f"{parameter}," for parameter in parameters]
    return "\n".join([f"    def {name}(", *(f"        {line}" for line in inner), f"    ) -> {returned}:{end}"])


def scheme_class(class_: type, of: str) -> str:
    """Returns the stub of a scheme's class; `of` is the type of its IDs."""
    members = {name: value for name, value in vars(class_).items() if not name.startswith("_")}
    given = GIVEN_IDS.get(class_.__name__)
    types = PARTS | {"id": given or of} | ({"node": "_Node"} if "layout" in members else {})
    lines = ["@final", f"class {class_.__name__}(Generator[{of}]):", *docstring(class_, "    "), ""]
    lines.append(definition("__new__", ["cls"], class_, OPTIONS, class_.__name__, " ..."))
    for name, value in members.items():
        returned = of if MEMBERS[name] == "id" else MEMBERS[name]
        if inspect.isgetsetdescriptor(value):
            lines += ["    @property", f"    def {name}(self) -> {returned}:"]
        else:
            lines.append(definition(name, ["self"], value, types, returned, ""))
        lines += docstring(value, "        ")
    if given:
        lines.append(f"    def to_text(self, id: {given}, encoding: Encoding | None = None) -> str:")
        lines += docstring(class_.to_text, "        ")
        text = "" if "str" in given else "str | "
        lines.append(f"    def inspect(self, id: {text}{given}, /) -> Parts[{of}]:")
        lines += docstring(class_.inspect, "        ")
    return "\n".join(lines)


def schemes(module: ModuleType) -> str:
    rows = module.schemes().values()
    classes = {row["generator"]: FORMS[row["form"]] for row in rows if isinstance(row["generator"], type)}
    names = [name for name in module.__all__ if getattr(module, name) in classes]
    pairs = [(name, getattr(module, name).__name__) for name in names]
    aliases = [f"{name} = {class_}" for name, class_ in pairs if name != class_]
    return SCHEMES_HEAD.format(names=listed(names)) + "\n".join(
        [
            *(f"{scheme_class(*each)}\n" for each in classes.items()),
            *aliases,
            "",
        ]
    )


def main() -> None:
    module = native()
    EXCEPTIONS.write_text(exceptions(module.error_kinds()))
    STUBS.write_text(stubs(names(STUBS.read_text(), module), module))
    SCHEMES.write_text(schemes(module))
    NAMES.write_text(names_module(module.names()))


if __name__ == "__main__":
    main()
