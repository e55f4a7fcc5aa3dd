"""What a release publishes: the names of platforms, and the order of crates."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def program(path: str) -> object:
    """Imports a program whose name has no suffix."""
    loader = importlib.machinery.SourceFileLoader(Path(path).name.replace("-", "_"), str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Releases(unittest.TestCase):
    def setUp(self) -> None:
        self.platforms = json.loads((ROOT / "node/platforms.json").read_text())
        self.dist = program("packaging/dist")

    def test_a_platform_is_named_by_system_processor_and_library(self) -> None:
        processors = {"x64": "x86_64", "arm64": "aarch64"}
        for platform in self.platforms:
            system, processor, *abi = platform["name"].split("-")
            with self.subTest(platform["name"]):
                known = {"linux": "unknown-linux", "darwin": "apple-darwin", "win32": "pc-windows"}[system]
                self.assertEqual(platform["target"], "-".join([processors[processor], known, *abi]))

    def test_a_crate_is_published_after_those_that_it_depends_on(self) -> None:
        folders = {"saiban": "core", "saiban-coordination": "coordination", "saiban-service": "service"}
        folders["saiban-cli"] = "cli"
        published = list(self.dist.CRATES)
        self.assertEqual(sorted(published), sorted(folders))
        for place, crate in enumerate(published):
            manifest = (ROOT / folders[crate] / "Cargo.toml").read_text()
            for later in published[place:]:
                self.assertNotRegex(manifest, rf"(?m)^{later}(?:\.workspace)? *=.*")


class Sboms(unittest.TestCase):
    def setUp(self) -> None:
        self.sbom = program("packaging/sbom")

    def test_each_crate_depends_on_those_below_it(self) -> None:
        mit = "MIT OR Apache-2.0"
        text = f"0 app v0.1.0 (/somewhere/app) [{mit}]\n1 a v1.0.0 [MIT]\n2 b v2.0.0-rc.1 [{mit}]\n"
        text += f"1 b v1.0.0 [{mit}]\n1 a v1.0.0 [MIT] (*)\n"
        found = {
            f"{crate.name} {crate.version}": sorted(f"{one.name} {one.version}" for one in needed)
            for crate, needed in self.sbom.parse(text).items()
        }
        self.assertEqual(
            found,
            {"app 0.1.0": ["a 1.0.0", "b 1.0.0"], "a 1.0.0": ["b 2.0.0-rc.1"], "b 2.0.0-rc.1": [], "b 1.0.0": []},
        )
        self.assertEqual(next(iter(self.sbom.parse(text))).license, mit)

    def test_a_line_of_another_form_is_not_left_out(self) -> None:
        with self.assertRaisesRegex(SystemExit, "another form: '1 a'"):
            self.sbom.parse("0 app v0.1.0 [MIT]\n1 a\n")


if __name__ == "__main__":
    unittest.main()
