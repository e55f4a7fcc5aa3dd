"""Tests the lint that finds files which import each other."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import check_circles


def found(files: dict[str, str]) -> list[list[str]]:
    """Returns the circles of a tree with these files."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

        def tracked(*patterns: str) -> list[Path]:
            endings = tuple(pattern.removeprefix("*") for pattern in patterns)
            return [Path(name) for name in files if name.endswith(endings)]

        with mock.patch.object(check_circles, "ROOT", root), mock.patch.object(check_circles, "tracked", tracked):
            edges = {**check_circles.rust(), **check_circles.python(), **check_circles.typescript()}
            return [[str(file) for file in group] for group in check_circles.circles(edges)]


class Rust(unittest.TestCase):
    def test_two_files_that_use_each_other_are_a_circle(self) -> None:
        files = {
            "a/src/lib.rs": "mod one;\nmod two;\n",
            "a/src/one.rs": "use crate::two::Two;\npub struct One(Two);\n",
            "a/src/two.rs": "pub struct Two;\nfn f() { super::one::go(); }\n",
        }
        self.assertEqual(found(files), [["a/src/one.rs", "a/src/two.rs"]])

    def test_a_reexported_name_counts_for_the_file_that_defines_it(self) -> None:
        files = {
            "a/src/lib.rs": "mod room;\n",
            "a/src/room/mod.rs": "mod one;\nmod two;\npub use one::One;\npub use two::{Two, Other as Renamed};\n",
            "a/src/room/one.rs": "use super::{Renamed, Two};\npub struct One(Two, Renamed);\n",
            "a/src/room/two.rs": "pub struct Two;\npub struct Other;\n",
        }
        self.assertEqual(found(files), [])
        files["a/src/room/two.rs"] += "use super::One;\n"
        self.assertEqual(found(files), [["a/src/room/one.rs", "a/src/room/two.rs"]])

    def test_a_module_file_with_its_own_code_is_a_file_like_others(self) -> None:
        files = {
            "a/src/lib.rs": "mod room;\n",
            "a/src/room/mod.rs": "mod one;\nuse one::One;\npub trait Kind {}\npub fn open() -> One { One }\n",
            "a/src/room/one.rs": "use super::Kind;\npub struct One;\nimpl Kind for One {}\n",
        }
        self.assertEqual(found(files), [["a/src/room/mod.rs", "a/src/room/one.rs"]])

    def test_tests_comments_and_inline_modules_are_no_imports(self) -> None:
        files = {
            "a/src/lib.rs": "mod one;\nmod two;\n",
            "a/src/one.rs": "use crate::two::Two;\npub struct One(Two);\nmod here { use super::One; }\n",
            "a/src/two.rs": (
                "// use crate::one::One;\npub struct Two;\n#[cfg(test)]\nmod tests { use crate::one::One; }\n"
            ),
        }
        self.assertEqual(found(files), [])

    def test_a_string_may_hold_what_begins_a_comment_and_a_comment_a_quote(self) -> None:
        for odd in (r'"a://b"', r'"\"//"', "'\"'", "'/'", r"'\''", '/* " */ 1', '1 // "', 'r#"" //"#', 'br"\\"'):
            files = {
                "a/src/lib.rs": "mod one;\nmod two;\n",
                "a/src/one.rs": f"fn f<'a>() {{ g({odd}\n); crate::two::go(); }}\n",
                "a/src/two.rs": f'fn f() {{ g({odd}\n, super::one::go()) }}\nconst LAST: &str = "";\n',
            }
            with self.subTest(odd):
                self.assertEqual(found(files), [["a/src/one.rs", "a/src/two.rs"]])

    def test_a_path_through_a_module_of_the_file_is_an_import(self) -> None:
        files = {
            "a/src/lib.rs": "mod room;\n",
            "a/src/room/mod.rs": "mod one;\npub trait Kind {}\npub fn open() { one::open(); }\n",
            "a/src/room/one.rs": "use super::Kind;\npub struct One;\nimpl Kind for One {}\n",
        }
        self.assertEqual(found(files), [["a/src/room/mod.rs", "a/src/room/one.rs"]])

    def test_a_module_whose_file_is_elsewhere_is_not_the_file_that_declares_it(self) -> None:
        files = {
            "a/src/lib.rs": '#[path = "../../b/two.rs"]\nmod two;\nmod one;\npub use one::One;\n',
            "a/src/one.rs": "use crate::two::Two;\npub struct One;\n",
        }
        self.assertEqual(found(files), [])


class OtherLanguages(unittest.TestCase):
    def test_python(self) -> None:
        files = {
            "python/src/saiban/__init__.py": "from .one import go\n",
            "python/src/saiban/one.py": "from .two import stop\n",
            "python/src/saiban/two.py": "from saiban.one import go\n",
        }
        self.assertEqual(found(files), [["python/src/saiban/one.py", "python/src/saiban/two.py"]])
        files["python/src/saiban/two.py"] = "def stop():\n    from saiban.one import go\n"
        self.assertEqual(found(files), [])

    def test_typescript(self) -> None:
        files = {
            "node/src/one.ts": "import { two } from './two.js';\n",
            "node/src/two.ts": "import {\n  type One,\n} from './one.js';\n",
            "node/src/index.ts": "export { two } from './two.js';\n",
        }
        self.assertEqual(found(files), [["node/src/one.ts", "node/src/two.ts"]])


if __name__ == "__main__":
    unittest.main()
