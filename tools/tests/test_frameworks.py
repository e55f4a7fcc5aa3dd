"""Each link of docs/frameworks.md with a title leads to a file that has a test with this name."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/frameworks.md"
LINK = re.compile(r'\]\((?P<file>[^\s()]+) "(?P<name>[^"]+)"\)')
# A title ends before the first `${…}` of a JavaScript name.
TESTS = {
    ".py": r"^ *(?:async )?def {}\(",
    ".rs": r"^ *(?:async )?fn {}\(",
    ".kt": r"^ *fun {}\(",
    ".mjs": r"^ *test\((?:'{0}'|`{0}(?:`| ?\$\{{))",
}


def has_test(path: Path, name: str) -> bool:
    found = re.compile(TESTS[path.suffix].format(re.escape(name)), re.MULTILINE)
    return path.is_file() and found.search(path.read_text()) is not None


class FrameworksPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.page = PAGE.read_text()

    def test_every_title_is_the_name_of_a_test_in_the_linked_file(self) -> None:
        links = list(LINK.finditer(self.page))
        self.assertGreater(len(links), 50)
        for link in links:
            with self.subTest(**link.groupdict()):
                self.assertTrue(has_test(PAGE.parent / link["file"], link["name"]))

    def test_every_row_links_to_a_test(self) -> None:
        rows = [line for line in self.page.splitlines() if line.startswith("| [")]
        self.assertGreater(len(rows), 15)
        for row in rows:
            self.assertRegex(row, LINK)

    def test_every_link_into_the_tests_has_a_title(self) -> None:
        for target in re.findall(r"\]\(([^()]+\.(?:py|mjs|kt|tests/[\w/]+\.rs)\b[^()]*)\)", self.page):
            self.assertRegex(f"]({target})", LINK)

    def test_all_rows_of_a_table_have_the_same_columns(self) -> None:
        tables = re.findall(r"(?:^\|.*\n)+", self.page, re.MULTILINE)
        rows = [{row.count(" | ") for row in table.splitlines() if row.startswith("| ")} for table in tables]
        self.assertEqual(rows, [{6}, {6}, {6}, {6}, {3}])

    def test_nothing_needs_more_than_five_lines_with_saiban(self) -> None:
        lines = re.findall(r"\b(\d+)<!-- lines (.+?), (key|API|client), (by hand|with saiban) -->", self.page)
        self.assertGreaterEqual(len(lines), 30)
        for number, stack, part, way in lines:
            with self.subTest(stack=stack, part=part, way=way):
                if way == "with saiban":
                    self.assertLessEqual(int(number), 5)
                elif part != "client":
                    self.assertGreater(int(number), 0)

    def test_a_name_that_is_missing_is_found(self) -> None:
        self.assertFalse(has_test(Path(__file__), "test_every_row"))
        self.assertFalse(has_test(ROOT / "node/tests/frameworks/zod.mjs", "reads text"))


if __name__ == "__main__":
    unittest.main()
