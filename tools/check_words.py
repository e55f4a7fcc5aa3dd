"""Checks what people read for words that are not the field's, and for lines that are too wide.

    tools/check_words.py           every complaint, and their number
    tools/check_words.py FILE…     those of these files

Comments, and the paragraphs of pages, have at most 100 columns. Tables, links, code and generated
files may be wider. The list of words is short: each word has one replacement, and no other meaning
in this repository.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 100

# Patterns of words to avoid, and their replacements.
WORDS = {
    r"\bname[ ]spaces?\b": "namespace",
    r"\bin hand\b|\bin_hand\b|\binHand\b": "prefetched",
    r"\banew\b": "again, or: a new …",
    r"\bwhoever\b": "the caller, the holder, the thread",
    r"\bput back from\b|\bwas put back\b": "restored from a backup",
    r"\bhigh water\b(?! mark)": "high-water mark",
    r"\bresting (?:nodes|slots?|ranges?)\b": "cooling down",
    r"\bMOST_[A-Z]": "MAX_…",
    r"\busual_wait\b": "default_max_wait",
    r"(?:^|//[/!]?|\*|#) The same\b": "the name of what is the same",
}
PATTERNS = [(re.compile(pattern), better) for pattern, better in WORDS.items()]

CODE = {".rs", ".ts", ".mts", ".mjs", ".js", ".cjs", ".kt", ".kts", ".java", ".swift", ".c", ".h", ".cpp", ".hpp"}
CODE |= {".proto", ".go", ".cs"}
HASHED = {".py", ".pyi", ".sh", ".toml", ".yaml", ".yml"}
COMMENT = re.compile(r"\s*(?://|/\*|\*(?:\s|/|$))")
HASH = re.compile(r"\s*#(?!!)")
# Files that are not our text, or that must not be wrapped.
LEFT_OUT = re.compile(
    r"(^|/)(LICENSE[^/]*|Cargo\.lock|package-lock\.json|check_words\.py|test_words\.py)$|^vectors/.*\.json$"
)
UNWRAPPED = re.compile(r"https?://|^\s*(?:///?|//!)?\s*\||\S {2,}\S|>>> |\[\{|^\s*`[^`]+`\.?$")

# What encloses a program's output in a page.
OUTPUT = re.compile(r"<!-- (.*(begin|end)|the table: make .*|the end of the table) -->$")


def is_generated(text: str) -> bool:
    return re.search(r"[Gg]enerated by|Made by python/", text[:600]) is not None


def too_wide(path: Path, text: str) -> list[int]:
    """Returns the lines of comments and prose that are too wide."""
    if is_generated(text):
        return []
    lines = list(enumerate(text.splitlines(), 1))
    if path.suffix == ".md":
        inside, found = False, []
        for number, line in lines:
            if line.startswith(("```", "~~~")) or OUTPUT.match(line):
                inside = not inside  # a code block, or a program's output
            elif inside or line.startswith("    "):
                continue  # code
            elif len(line) > COLUMNS and not UNWRAPPED.search(line) and line.lstrip()[:1] not in "|<[!#":
                found.append(number)
        return found
    comment = COMMENT if path.suffix in CODE else HASH if path.suffix in HASHED or not path.suffix else None
    if comment is None:
        return []
    found, is_example = [], False
    for number, line in lines:
        is_comment = comment.match(line) is not None
        is_example = is_comment and is_example != ("```" in line)
        if is_comment and not is_example and len(line) > COLUMNS and not UNWRAPPED.search(line):
            found.append(number)
    return found


def complaints(path: Path, text: str) -> list[str]:
    """Returns the problems of one file as lines."""
    found = [f"{path}:{number}: more than {COLUMNS} columns" for number in too_wide(path, text)]
    for number, line in enumerate(text.splitlines(), 1):
        if path.name == "CONTRIBUTING.md" and line.startswith("|"):
            continue  # the table of words to avoid
        for pattern, better in PATTERNS:
            if match := pattern.search(line):
                found.append(f"{path}:{number}: {match.group().strip()!r}: write {better}")
    return found


def main(files: list[str]) -> int:
    listed = files or subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout.decode().split("\0")
    found, read = [], 0
    for name in listed:
        path = Path(name)
        if not name or LEFT_OUT.search(name) or not (ROOT / path).is_file():
            continue
        content = (ROOT / path).read_bytes()
        if b"\0" in content:
            continue
        read += 1
        found.extend(complaints(path, content.decode(errors="replace")))
    print("\n".join([*found, f"check_words: {read} files, {len(found)} complaints"]))
    return 1 if found or not read else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
