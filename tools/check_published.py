#!/usr/bin/env python3
"""Checks that published files contain no path of this machine, and that their libraries are
stripped.

    tools/check_published.py FILE|FOLDER…       wheels, npm tarballs, jars, libraries, or folders

Programs and shared libraries have neither a symbol table nor debug information; a library still
exports the functions that its language calls. Static libraries keep their symbols, which linkers
need, and have no debug information.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The symbols that each language looks up in its library.
EXPORTS = re.compile(
    r" (?:PyInit__native|napi_register_module_v1|saiban_generate|uniffi_saiban_uniffi_\w+)$", re.MULTILINE
)
SECTION = re.compile(r"^ *\[ *\d+\] (\.\S+)", re.MULTILINE)
# The folders of Cargo and rustup in any home folder.
TOOL_FOLDERS = re.compile(rb"[\w/.-]*/\.(?:cargo|rustup)/[\w/.-]*")


def machine_paths() -> re.Pattern[bytes]:
    """Matches paths in the checkout, in the home or target folder, or in Rust's tool folders."""
    asked = subprocess.run(["rustc", "--print", "sysroot"], check=True, stdout=subprocess.PIPE, text=True)
    sysroot = asked.stdout.strip()
    home = Path.home()
    folders = {ROOT, home, Path(sysroot), Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()}
    folders |= {Path(os.environ[name]) for name in ("CARGO_HOME", "RUSTUP_HOME") if name in os.environ}
    longest_first = sorted(folders - {Path("/")}, key=lambda folder: len(str(folder)), reverse=True)
    return re.compile(b"(?:" + b"|".join(map(beginning, longest_first)) + rb")/[\w/.-]*")


def beginning(folder: Path) -> bytes:
    """Matches the folder. A short one, such as /src, does not match within a longer path."""
    is_short = len(folder.parts) == 2
    return (rb"(?<![\w.-])" if is_short else b"") + re.escape(str(folder).encode())


def files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yields the files of a folder or an archive with their names, or the file itself."""
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            if inner.is_file() and not inner.is_symlink():
                yield str(inner), inner.read_bytes()
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield f"{path.name}: {name}", archive.read(name)
    elif tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    yield f"{path.name}: {member.name}", archive.extractfile(member).read()
    else:
        yield path.name, path.read_bytes()


def readelf(option: str, content: bytes) -> str:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        command = ["readelf", "--wide", option, file.name]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def complaints(name: str, content: bytes, paths: re.Pattern[bytes]) -> list[str]:
    """Returns the problems of one published file."""
    problems = []
    if named := sorted(set(paths.findall(content)) | set(TOOL_FOLDERS.findall(content))):
        problems.append(f"{name}: {len(named)} paths of this machine, such as {named[0].decode()}")
    program, static = content.startswith(b"\x7fELF"), content.startswith(b"!<arch>\n")
    if not program and not static:
        return problems
    sections = set(SECTION.findall(readelf("--sections", content)))
    unwanted = {section for section in sections if section.startswith((".debug", ".zdebug"))}
    unwanted |= {".symtab"} & sections if program else set()
    if unwanted:
        problems.append(f"{name}: not stripped, it has {' '.join(sorted(unwanted))}")
    if static and ".symtab" not in sections:
        problems.append(f"{name}: has no symbols to link to")
    if program and re.search(r"\.(?:so|node)\b", name) and not EXPORTS.search(readelf("--dyn-syms", content)):
        problems.append(f"{name}: exports no function that its language calls")
    return problems


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    paths = machine_paths()
    problems, libraries = [], 0
    for argument in arguments:
        if not Path(argument).exists():
            problems.append(f"{argument}: there is no such file; build it first")
            continue
        for name, content in files(Path(argument)):
            problems += complaints(name, content, paths)
            libraries += content.startswith((b"\x7fELF", b"!<arch>\n"))
    if not libraries:
        problems.append(f"no library in {' '.join(arguments)}")
    print("\n".join(problems or [f"{libraries} libraries without paths and debug information"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
