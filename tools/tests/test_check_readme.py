"""The check finds code that is in no program, broken links, and missing subcommands."""

import sys
import tempfile
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

    def test_code_without_a_source_is_wrong(self):
        self.assertEqual(len(self.check(readme("let a = 1;\n", mark=""))), 1)


class Links(unittest.TestCase):
    PAGES = (
        ("README.md", "# saiban\n\n## What can go wrong, and what you see\n\n## `Twice`\n\n## Twice\n"),
        ("docs/a.md", "# A\n"),
        ("python/b.md", ""),
    )
    URL = "https://github.com/saiban/saiban/blob/main/"

    def check(self, page, text):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (*self.PAGES, (page, text)):
                path = Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(content)
            return check_readme.links(page, Path(folder))

    def test_files_and_headings_that_exist_are_right(self):
        text = (
            "# C\n[a](a.md) [b](../README.md#what-can-go-wrong-and-what-you-see) [c](../README.md#twice-1) [d](#c)"
            " [e](https://example.org/x.md) [f](../python)"
        )
        self.assertEqual(self.check("docs/c.md", text), [])

    def test_a_file_that_is_missing_is_wrong(self):
        self.assertEqual(len(self.check("docs/c.md", "[a](b.md)")), 1)

    def test_a_heading_that_is_missing_is_wrong(self):
        self.assertEqual(len(self.check("docs/c.md", "# C\n[a](a.md#b) [b](#d)")), 2)

    def test_text_in_a_block_of_code_is_no_link(self):
        self.assertEqual(self.check("docs/c.md", "```python\nf[0](x)\n```\n"), [])

    def test_a_package_has_absolute_links_and_its_own_headings_only(self):
        text = f"# Python\n[a]({self.URL}docs/a.md#a) [b](#python)"
        self.assertEqual(self.check("python/README.md", text), [])
        for relative in ("../docs/a.md", "b.md"):
            (problem,) = self.check("python/README.md", f"[a]({relative})")
            self.assertIn("make it absolute", problem)

    def test_an_absolute_link_into_the_repository_must_lead_somewhere(self):
        text = f"[a]({self.URL}docs/b.md) [b]({self.URL}docs/a.md#b)"
        self.assertEqual(len(self.check("node/README.md", text)), 2)


class Commands(unittest.TestCase):
    SOURCE = """
pub(crate) enum Command {
    /// Make IDs
    #[command(after_help = NEW_EXAMPLES)]
    New(Box<New>),
    /// Lease nodes
    #[cfg(feature = "lease")]
    Lease(crate::lease::Arguments),
    /// Serve IDs
    #[cfg(feature = "serve")]
    #[command(after_help = crate::serve::HELP)]
    Serve(crate::serve::Arguments),
    /// Print
    Sql(Sql),
}
"""

    def check(self, text):
        return check_readme.commands(text, check_readme.subcommands(self.SOURCE, ["lease"]))

    def test_subcommands_are_those_of_the_features(self):
        self.assertEqual(check_readme.subcommands(self.SOURCE, []), {"new", "sql"})
        self.assertEqual(check_readme.subcommands(self.SOURCE, ["lease", "serve"]), {"new", "lease", "serve", "sql"})

    def test_the_real_source_declares_them(self):
        source = (check_readme.ROOT / check_readme.COMMANDS).read_text()
        known = check_readme.subcommands(source, ["lease"])
        self.assertLessEqual(
            {"new", "inspect", "convert", "layout", "secret", "check", "lease", "counter", "lua"}, known
        )
        self.assertNotIn("serve", known)

    def test_a_subcommand_of_the_package_may_be_named(self):
        self.assertEqual(
            self.check("Run `saiban lease init`, or `npx saiban new snowflake`.\n\n    $ saiban sql\n"), []
        )

    def test_a_subcommand_that_the_package_lacks_is_wrong(self):
        for text in ("a service (`saiban serve`), which", "| `npx saiban serve` | x |", "```text\n$ saiban serve\n```"):
            self.assertEqual(len(self.check(text)), 1, text)

    def test_a_sentence_or_row_may_state_that_a_subcommand_is_the_binarys(self):
        self.assertEqual(self.check("`saiban serve` of the binary. `saiban new`."), [])
        self.assertEqual(len(self.check("The binary. `saiban serve`.")), 1)
        self.assertEqual(len(self.check("| `saiban serve` | x |\n| the binary | y |")), 1)


if __name__ == "__main__":
    unittest.main()
