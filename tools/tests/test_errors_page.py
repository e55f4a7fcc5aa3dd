"""docs/errors.md describes each kind of error in core, with its number and names, and no others."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KIND = re.compile(r'^ +(?P<number>\d+) (?P<variant>\w+) "(?P<name>\w+)";$', re.MULTILINE)
HEADING = re.compile(r"^### (?P<name>[A-Z_]+) \((?P<number>\d+)\)$", re.MULTILINE)


class ErrorsPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.page = (ROOT / "docs/errors.md").read_text()
        cls.kinds = list(KIND.finditer((ROOT / "core/src/error/kind.rs").read_text()))

    def test_every_kind_has_one_heading_with_its_number_and_there_is_no_other(self) -> None:
        known = sorted((int(kind["number"]), kind["name"]) for kind in self.kinds)
        described = sorted((int(heading["number"]), heading["name"]) for heading in HEADING.finditer(self.page))
        self.assertGreater(len(known), 0)
        self.assertEqual(described, known)

    def test_every_section_has_the_names_of_all_languages(self) -> None:
        sections = {section.partition(" ")[0]: section for section in re.split(r"^#+ ", self.page, flags=re.MULTILINE)}
        for kind in self.kinds:
            name, variant = kind["name"], kind["variant"]
            names = (
                f"Rust `ErrorKind::{variant}`",
                f"C `SAIBAN_ERROR_{name}`",
                f"Python `{variant}Error`",
                f"Node `{name}`",
                f"Kotlin `SaibanException.{variant}`",
                f"Swift `SaibanError.{variant}`",
            )
            for shown in names:
                self.assertIn(shown, sections.get(name, ""))

    def test_the_index_links_to_every_kind(self) -> None:
        for kind in self.kinds:
            name, number = kind["name"], kind["number"]
            self.assertIn(f"[`{name}`](#{name.lower()}-{number}) {number}", self.page)


if __name__ == "__main__":
    unittest.main()
