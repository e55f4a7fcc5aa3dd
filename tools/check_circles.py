#!/usr/bin/env python3
"""Finds files that import each other, in Rust, Python and TypeScript, and fails if there are any.

    tools/check_circles.py           every group of such files, with the names that tie them
    tools/check_circles.py FOLDER…   only those with a file in one of the folders

An import counts for the file that defines the name, so a re-export (`pub use`, an `index.ts` or an
`__init__.py`) is no dependency. Tests are left out, as are imports that only a type checker follows
in Python.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(
    r"(^|/)(tests?|benches|examples|Generated|kotlin-generated)(/|\.rs$)|_pb2|/proto/|\.test\.|\.d\.ts$"
)

# Maps a file to the files that it imports names from, with the names.
Graph = dict[Path, dict[Path, set[str]]]


def tracked(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return [Path(name) for name in listed if not LEFT_OUT.search(name) and (ROOT / name).exists()]


# --- Rust


# A single expression, because each kind may contain the beginning of another: "//", /* " */, '"'. A
# lifetime is not a character literal.
NO_CODE = re.compile(
    r"""
    //[^\n]* | /\*.*?\*/                        # comments
    | \b[bc]?r(?P<hashes>\#*)".*?"(?P=hashes)   # raw strings
    | "(?:[^"\\]|\\.)*"                        # strings
    | '(?:[^'\\]|\\(?:u\{\w+\}|x\w\w|.))'      # characters
    """,
    re.VERBOSE | re.DOTALL,
)


def without_tests_and_comments(text: str) -> str:
    text = NO_CODE.sub(" ", text)
    text = re.sub(r"pub\s*\(in [^)]*\)", "pub", text)
    text = within_inline_modules(text)
    # A test module is always the last item of a file.
    return re.split(r"#\[cfg\([^\n]*\btest\b[^\n]*\)\]\s*(?:pub )?mod \w+ \{", text)[0]


def within_inline_modules(text: str) -> str:
    """Removes one `super::` in inline modules, where `super` is the file itself."""
    out, last = [], 0
    for found in re.finditer(r"\bmod \w+ \{", text):
        if found.start() < last:
            continue
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        inner = re.sub(r"\bsuper::(?!super)", "self::", text[found.end() : end])
        out += [text[last : found.end()], inner.replace("super::self::", "self::")]
        last = end
    return "".join(out) + text[last:]


def flattened(tree: str, prefix: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Returns the paths of a use tree, each with the name that it binds."""
    tree = tree.strip()
    opened = tree.find("{")
    if opened < 0:
        path, _, alias = tree.partition(" as ")
        parts = prefix + tuple(part.strip() for part in path.split("::") if part.strip())
        if parts and parts[-1] == "self":
            parts = parts[:-1]
        if parts:
            yield parts, alias.strip() or parts[-1]
        return
    head = prefix + tuple(part.strip() for part in tree[:opened].split("::") if part.strip())
    depth, begin = 0, opened + 1
    for place in range(opened, len(tree)):
        depth += {"{": 1, "}": -1}.get(tree[place], 0)
        if (tree[place] == "," and depth == 1) or depth == 0:
            yield from flattened(tree[begin:place], head) if tree[begin:place].strip() else ()
            begin = place + 1
        if depth == 0:
            break


class Crate:
    """The module tree of a crate: the file of each module, and the names that each file uses."""

    USE = re.compile(r"(?P<vis>pub(?:\([^)]*\))?\s+)?use\s+(?P<tree>[^;]+);")
    INLINE = re.compile(r"(?<![:\w])\w+(?:::\w+)+")

    def __init__(self, root: Path, files: list[Path]) -> None:
        self.root, self.modules = root, {}
        for file in files:
            parts = file.relative_to(root).with_suffix("").parts
            parts = parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts
            self.modules[parts] = file
        self.text = {file: without_tests_and_comments((ROOT / file).read_text()) for file in files}
        self.uses = {module: list(self.uses_of(module)) for module in self.modules}

    def uses_of(self, module: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, bool]]:
        """Yields the absolute path of each use, its name, and whether it is a re-export."""
        for found in self.USE.finditer(self.text[self.modules[module]]):
            for path, name in flattened(found["tree"]):
                absolute = self.absolute(module, path)
                if absolute is not None:
                    yield absolute, name, bool(found["vis"])

    def absolute(self, module: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...] | None:
        if path[0] == "crate":
            return path[1:]
        if path[0] == "self":
            return module + path[1:]
        base, rest = module, path
        while rest and rest[0] == "super":
            base, rest = base[:-1], rest[1:]
        if rest is not path:
            return base + rest
        return module + path if module + path[:1] in self.modules else None

    def defining(self, path: tuple[str, ...], seen: frozenset = frozenset()) -> Path | None:
        """Returns the file that defines the item with this path."""
        if path in seen:
            return None
        for length in range(len(path), -1, -1):
            module = path[:length]
            if module not in self.modules:
                continue
            if length == len(path):
                return self.modules[module]
            for target, name, _ in self.uses.get(module, []):
                if name in (path[length], "*"):
                    rest = target[:-1] + path[length:] if name == "*" else target + path[length + 1 :]
                    found = self.defining(rest, seen | {path})
                    if found is not None and (name != "*" or found != self.modules[module]):
                        return found
            # The file of a module with `#[path]`, or of a module that is left out, is not in the
            # tree.
            is_elsewhere = re.search(rf"\bmod {path[length]};", self.text[self.modules[module]])
            return None if is_elsewhere else self.modules[module]
        return None

    def graph(self) -> Graph:
        edges: Graph = defaultdict(lambda: defaultdict(set))
        for module, file in self.modules.items():
            body = self.USE.sub("", self.text[file])
            paths = [
                (path, name)
                for path, name, is_public in self.uses[module]
                if not is_public or re.search(rf"\b{re.escape(name)}\b", body)
            ]
            for found in self.INLINE.finditer(body):
                absolute = self.absolute(module, tuple(found[0].split("::")))
                if absolute is not None:
                    paths.append((absolute, absolute[-1] if absolute else ""))
            for path, name in paths:
                target = self.defining(path)
                if target is not None and target != file:
                    edges[file][target].add(name)
        return edges


def rust() -> Graph:
    edges: Graph = {}
    files = tracked("*.rs")
    roots = {file.parent for file in files if file.name in ("lib.rs", "main.rs")}
    for root in sorted(roots):
        of_crate = [file for file in files if file.is_relative_to(root)]
        edges |= Crate(root, of_crate).graph()
    return edges


# --- Python


def python() -> Graph:
    edges: Graph = defaultdict(lambda: defaultdict(set))
    files = tracked("*.py")
    by_module = {}
    for file in files:
        for root in (Path("python/src"), Path("vectors"), file.parent):
            if file.is_relative_to(root):
                parts = file.relative_to(root).with_suffix("").parts
                by_module.setdefault(parts[:-1] if parts[-1] == "__init__" else parts, file)
    for file in files:
        tree = ast.parse((ROOT / file).read_text())
        for node in tree.body:
            names: list[tuple[tuple[str, ...], str]] = []
            if isinstance(node, ast.Import):
                names = [(tuple(alias.name.split(".")), alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = tuple((node.module or "").split(".")) if node.module else ()
                if node.level:
                    own = next(
                        (module for module, of in by_module.items() if of == file and len(module) > 1), (file.stem,)
                    )
                    own = own if file.name == "__init__.py" else own[:-1]
                    base = own[: len(own) - node.level + 1] + base
                names = [((*base, alias.name), alias.name) for alias in node.names]
            for path, name in names:
                target = by_module.get(path) or by_module.get(path[:-1])
                if target is not None and target != file and target.name != "__init__.py":
                    edges[file][target].add(name)
    return edges


# --- TypeScript


def typescript() -> Graph:
    edges: Graph = defaultdict(lambda: defaultdict(set))
    files = set(tracked("*.ts", "*.mts"))
    statement = re.compile(r"^import\s+(?:type\s+)?(?P<names>[^;]*?)\s+from\s+'(?P<path>\.[^']*)';", re.M | re.S)
    for file in files:
        for found in statement.finditer((ROOT / file).read_text()):
            target = Path(
                re.sub(r"\.(m?)js$", r".\1ts", str((ROOT / file.parent / found["path"]).resolve().relative_to(ROOT)))
            )
            if target in files and target != file:
                edges[file][target] |= set(re.findall(r"\w+", found["names"])) - {"type", "as"}
    return edges


# --- circles


def circles(edges: Graph) -> list[list[Path]]:
    """Returns the groups of files that all reach each other (Tarjan's algorithm)."""
    index: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[Path]] = []

    def visit(file: Path) -> None:
        index[file] = low[file] = len(index)
        stack.append(file)
        for target in edges.get(file, {}):
            if target not in index:
                visit(target)
                low[file] = min(low[file], low[target])
            elif target in stack:
                low[file] = min(low[file], index[target])
        if low[file] == index[file]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == file:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for file in sorted(edges):
        if file not in index:
            visit(file)
    return sorted(found)


def main(folders: list[str]) -> int:
    edges = {**rust(), **python(), **typescript()}
    groups = circles(edges)
    if folders:
        groups = [group for group in groups if any(file.is_relative_to(folder) for file in group for folder in folders)]
    for group in groups:
        print(f"{len(group)} files import each other:")
        for file in group:
            for target in sorted(set(edges[file]) & set(group)):
                print(f"    {file} -> {target}: {', '.join(sorted(edges[file][target]))}")
    files = sum(len(targets) > 0 for targets in edges.values())
    print(f"check_circles: {len(groups)} circles among {files} files with imports")
    return 1 if groups else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
