"""A README whose code does not run must be noticed."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import check_readme

PROGRAM = "fn main() {\n    let a = 1;\n    show(a);\n}\n"


def readme(code, mark="<!-- from a.rs -->\n"):
    return f"text\n\n{mark}```rust\n{code}```\n\n```text\na picture\n```\n"


class Readme(unittest.TestCase):
    def check(self, text):
        return check_readme.check(text, {"a.rs": PROGRAM}.__getitem__)

    def test_lines_of_the_program_are_right_at_any_indentation(self):
        self.assertEqual(self.check(readme("let a = 1;\nshow(a);\n")), [])

    def test_other_lines_are_wrong(self):
        self.assertEqual(len(self.check(readme("let a = 2;\nshow(a);\n"))), 1)

    def test_lines_in_another_order_are_wrong(self):
        self.assertEqual(len(self.check(readme("show(a);\nlet a = 1;\n"))), 1)

    def test_code_from_nowhere_is_wrong(self):
        self.assertEqual(len(self.check(readme("let a = 1;\n", mark=""))), 1)


if __name__ == "__main__":
    unittest.main()
