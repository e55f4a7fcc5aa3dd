"""ARCHITECTURE.md lists all hand-written files that name a newly added scheme."""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

ROOT = Path(__file__).resolve().parent.parent.parent

# The schemes that were added with the list. Other files also name older schemes.
ADDED = ("tsid", "xid")
# The maximum number of files, including those for the scheme's own kind of bits.
MOST = 12

SOURCES = (".rs", ".py", ".ts", ".mjs", ".kt", ".swift", ".c", ".h", ".hpp", ".cs", ".pyi", ".sh", ".toml")
# Tests, examples, benchmarks, and the vectors with their generator and checks.
NOT_COUNTED = re.compile(r"(^|/)(tests?|Tests|examples|bench|fuzz|vectors|demo)(/|$)|/src/test/|\.test\.")
GENERATED = re.compile(r"generated|do not edit", re.I)

COMMENTS = {
    ".py": re.compile(r'"""(?:.|\n)*?"""|#[^\n]*'),
    # python/generate-stubs writes the docstrings and `__all__` of stubs.
    ".pyi": re.compile(r'"""(?:.|\n)*?"""|#[^\n]*|__all__ = \[[^]]*\]'),
    ".sh": re.compile(r"#[^\n]*"),
    ".toml": re.compile(r"#[^\n]*"),
}
C_COMMENTS = re.compile(r"/\*(?:.|\n)*?\*/|//[^\n]*")


def listed() -> list[str]:
    """Returns the files that the section names."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    section = text.split("## Adding a scheme\n")[1].split("\n## ")[0]
    return re.findall(r"`([\w./<>-]+/[\w.<>-]+\.\w+)`", section)


def hand_written() -> dict[str, str]:
    """Returns the hand-written sources, without tests and without comments."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    found = {}
    for name in names:
        path = ROOT / name
        if not name.endswith(SOURCES) or NOT_COUNTED.search(name) or not path.is_file():
            continue
        text = path.read_text()
        if not GENERATED.search(text[:600]):
            found[name] = COMMENTS.get(path.suffix, C_COMMENTS).sub(" ", text)
    return found


class AddingAScheme(unittest.TestCase):
    def test_every_file_of_the_list_exists(self) -> None:
        files = listed()
        self.assertGreaterEqual(len(files), 10)
        for file in files:
            for scheme in ADDED:
                path = ROOT / file.replace("<scheme>", scheme)
                self.assertTrue(path.is_file(), f"{file} is in the list, and {path} does not exist")

    def test_no_other_file_names_a_scheme_that_was_added(self) -> None:
        sources = hand_written()
        self.assertGreater(len(sources), 300)
        for scheme in ADDED:
            word = re.compile(rf"(?<![a-z]){scheme}(?![a-z])|{scheme}(?=generator|field)", re.I)
            naming = {name for name, text in sources.items() if word.search(text)}
            allowed = {file.replace("<scheme>", scheme) for file in listed()}
            self.assertIn(f"core/src/generator/{scheme}.rs", naming)
            self.assertEqual(naming - allowed, set(), f"{scheme} is named outside the list in ARCHITECTURE.md")
            self.assertLessEqual(len(naming), MOST, naming)


if __name__ == "__main__":
    unittest.main()
