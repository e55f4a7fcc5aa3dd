"""The check finds published libraries that contain a path of this machine, or are not stripped."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_published

PATHS = re.compile(rb"/checkout/[\w/.-]*")


class Published(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def library(self, *options, text="a", function="saiban_generate"):
        """Compiles a shared library."""
        source, library = self.folder / "a.c", self.folder / "a.so"
        source.write_text(f'const char *{function}(void) {{ return "{text}"; }}\n')
        subprocess.run(["gcc", "-shared", "-fPIC", *options, "-o", library, source], check=True)
        return library.read_bytes()

    def static(self, *options):
        self.library()
        program, library = self.folder / "a.o", self.folder / "a.a"
        subprocess.run(["gcc", "-c", *options, "-o", program, self.folder / "a.c"], check=True)
        subprocess.run(["ar", "rcs", library, program], check=True)
        return library.read_bytes()

    def check(self, content, name="a.so"):
        return check_published.complaints(name, content, PATHS)

    def test_a_stripped_library_without_paths_is_right(self):
        self.assertEqual(self.check(self.library("-s")), [])

    def test_a_path_of_this_machine_is_named(self):
        (problem,) = self.check(self.library("-s", text="/checkout/core/src/lib.rs"))
        self.assertIn("1 paths of this machine, such as /checkout/core/src/lib.rs", problem)

    def test_paths_below_any_cargo_home_are_found(self):
        for path in ("/home/me/.cargo/registry/src/x/lib.rs", "/home/you/.rustup/toolchains/x"):
            self.assertEqual(len(self.check(path.encode(), "a.json")), 1, path)

    def test_paths_of_the_official_builds_are_right(self):
        self.assertEqual(
            self.check(b"/rustc/59807616e1fa/library/core/src/str.rs /saiban/core /cargo/registry", "a"), []
        )

    def test_symbols_and_debug_information_are_wrong(self):
        (problem,) = self.check(self.library())
        self.assertIn(".symtab", problem)
        (problem,) = self.check(self.library("-g"))
        self.assertIn(".debug_info", problem)

    def test_a_library_that_exports_nothing_is_wrong(self):
        (problem,) = self.check(self.library("-s", function="something"))
        self.assertIn("exports no function", problem)

    def test_a_static_library_keeps_symbols_and_has_no_debug_information(self):
        self.assertEqual(self.check(self.static(), "a.a"), [])
        (problem,) = self.check(self.static("-g"), "a.a")
        self.assertIn(".debug_info", problem)

    def test_archives_and_folders_are_read(self):
        content = self.library()
        with zipfile.ZipFile(self.folder / "a.whl", "w") as archive:
            archive.writestr("a.so", content)
        with tarfile.open(self.folder / "a.tgz", "w:gz") as archive:
            archive.add(self.folder / "a.so", "package/a.so")
        for name in ("a.whl", "a.tgz", "a.so", "."):
            inner = dict(check_published.files(self.folder / name))
            self.assertIn(content, inner.values(), name)

    def test_a_file_that_is_missing_is_named(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(check_published.main([str(self.folder / "a.whl")]), 1)
        self.assertIn("a.whl: there is no such file; build it first", output.getvalue())

    def test_the_checkout_is_a_path_of_this_machine(self):
        paths = check_published.machine_paths()
        self.assertTrue(paths.search(f"{ROOT}/core/src/lib.rs".encode()))
        self.assertFalse(paths.search(b"/usr/lib/x86_64-linux-gnu/libc.so.6"))


class WithoutPaths(unittest.TestCase):
    def flags(self, **environment):
        """Returns the variable with the flags that Cargo gets, and the flags."""
        keep = {name: value for name, value in os.environ.items() if "RUSTFLAGS" not in name}
        output = subprocess.run(
            [ROOT / "packaging/without-paths", "env"],
            env=keep | environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        variables = dict(line.split("=", 1) for line in output.splitlines() if "RUSTFLAGS=" in line)
        # Cargo prefers this variable.
        if (encoded := variables.get("CARGO_ENCODED_RUSTFLAGS")) is not None:
            return "CARGO_ENCODED_RUSTFLAGS", encoded.split("\x1f")
        return "RUSTFLAGS", variables["RUSTFLAGS"].split(" ")

    def test_the_checkout_cargo_and_the_standard_library_get_other_names(self):
        name, flags = self.flags(CARGO_HOME="/opt/cargo")
        self.assertEqual(name, "RUSTFLAGS")
        self.assertIn(f"--remap-path-prefix={ROOT}=/saiban", flags)
        self.assertIn("--remap-path-prefix=/opt/cargo=/cargo", flags)
        self.assertRegex(flags[-1], r"^--remap-path-prefix=/.*/lib/rustlib/src/rust=/rustc/[0-9a-f]{40}$")

    def test_a_path_may_have_spaces(self):
        name, flags = self.flags(CARGO_HOME="/with a space/cargo", RUSTFLAGS="-C opt-level=3")
        self.assertEqual((name, flags[:2]), ("CARGO_ENCODED_RUSTFLAGS", ["-C", "opt-level=3"]))
        self.assertIn("--remap-path-prefix=/with a space/cargo=/cargo", flags)

    def test_flags_that_are_set_already_stay(self):
        self.assertEqual(self.flags(RUSTFLAGS="-C target-cpu=native")[1][:2], ["-C", "target-cpu=native"])
        encoded = "CARGO_ENCODED_RUSTFLAGS"
        name, flags = self.flags(**{encoded: "--cfg\x1fa b"})
        self.assertEqual((name, flags[:2]), (encoded, ["--cfg", "a b"]))


class KotlinAndSwift(unittest.TestCase):
    """Replaces Cargo by a program that prints its flags, because a release build takes minutes."""

    def flags(self, purpose):
        with tempfile.TemporaryDirectory() as folder:
            cargo, output = Path(folder) / "cargo", Path(folder) / "said"
            cargo.write_text(f'#!/bin/sh\necho "$RUSTFLAGS" >{output}\n')
            cargo.chmod(0o755)
            keep = {name: value for name, value in os.environ.items() if "RUSTFLAGS" not in name}
            environment = keep | {"SAIBAN_BUILD": purpose, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
            subprocess.run([ROOT / "bindings/uniffi/build"], env=environment, check=True, stdout=subprocess.DEVNULL)
            return output.read_text()

    def test_the_library_that_is_published_is_built_without_paths(self):
        self.assertIn(f"--remap-path-prefix={ROOT}=/saiban", self.flags("published"))

    def test_the_library_of_the_tests_is_built_as_everything_else_is(self):
        self.assertEqual(self.flags("tests").strip(), "")


if __name__ == "__main__":
    unittest.main()
