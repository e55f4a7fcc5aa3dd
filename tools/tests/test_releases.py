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


if __name__ == "__main__":
    unittest.main()
