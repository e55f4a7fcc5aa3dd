"""Checks all tracked and new files for content that must not be in a repository.

This means files over 1 MiB, folders of this checkout or user, marks of unfinished work, and
download addresses in npm's lock files. Generated files may contain their generators' marks.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 1 << 20
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")  # split, so that this file passes
MACHINE = re.compile("|".join(re.escape(f"{folder}/") for folder in {str(ROOT), str(Path.home())}))


def complaints(path: str, content: bytes) -> list[str]:
    """Returns the problems of one file as lines."""
    if len(content) > LARGEST:
        return [f"{path}: {len(content)} bytes; the limit is {LARGEST}"]
    if b"\0" in content:
        return []
    text = content.decode(errors="replace")
    generated = "generated" in text[:600]
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line) and not generated:
            found.append(f"{path}:{number}: unfinished: {line.strip()[:80]}")
        if MACHINE.search(line):
            found.append(f"{path}:{number}: a path of this machine: {line.strip()[:80]}")
        if path.endswith("package-lock.json") and '"resolved": "http' in line:
            found.append(f"{path}:{number}: a download address (npm: omit-lockfile-registry-resolved=true)")
    return found


def main() -> int:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout.decode()
    paths = [path for path in listing.split("\0") if path and (ROOT / path).is_file()]
    found = [line for path in paths for line in complaints(path, (ROOT / path).read_bytes())]
    print("\n".join([*found, f"{len(paths)} files, {len(found)} complaints"]))
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
