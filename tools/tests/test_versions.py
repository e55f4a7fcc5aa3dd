"""versions.env and Cargo.toml state the Rust versions that the dependencies need, and all manifests
have one version of saiban."""

from __future__ import annotations

import json
import subprocess
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version(text: str) -> tuple[int, ...]:
    """1.94 and 1.94.0 are equal."""
    return tuple(int(part) for part in (text + ".0").split(".")[:3])


def stated(name: str) -> str:
    lines = (ROOT / "tools/versions.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))[name]


class RustVersions(unittest.TestCase):
    def test_the_workspace_states_the_newest_rust_that_a_dependency_needs(self) -> None:
        command = ["cargo", "metadata", "--locked", "--format-version", "1"]
        answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        needs = {
            f"{package['name']} {package['version']}": version(package["rust_version"])
            for package in json.loads(answer.stdout)["packages"]
            if package["rust_version"]
        }
        newest = max(needs, key=needs.__getitem__)
        self.assertEqual(needs[newest], version(stated("RUST_VERSION")), newest)

    def test_the_core_states_the_version_that_it_is_checked_with(self) -> None:
        manifest = tomllib.loads((ROOT / "core/Cargo.toml").read_text())
        self.assertEqual(manifest["package"]["rust-version"], stated("CORE_RUST_VERSION"))


class OwnVersion(unittest.TestCase):
    def run_it(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "tools/version", *arguments], capture_output=True, text=True, check=False)

    def test_all_manifests_and_lock_files_have_the_version(self) -> None:
        self.assertEqual(self.run_it("--check").stderr, "")
        manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
        self.assertEqual(self.run_it().stdout.strip(), manifest["workspace"]["package"]["version"])

    def test_other_words_are_refused_and_change_nothing(self) -> None:
        for word in ("0.2", "v0.2.0", "0.2.0-dev", "--write"):
            done = self.run_it(word)
            self.assertEqual(done.returncode, 1, word)
            self.assertIn(word, done.stderr)
        self.assertEqual(self.run_it("--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
