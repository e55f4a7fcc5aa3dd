"""tools/setup: its requirements, what it reports as missing, and what it installs.

The script runs unchanged, with a PATH that contains only programs written here. Nothing is
installed on this machine.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = "rust python node kotlin swift c"
BASH = shutil.which("bash")
# The programs that the script itself uses. The PATH contains nothing else of this machine.
BASICS = ("env", "bash", "sh", "cat", "sort", "head", "paste", "uname", "chmod")
SERVERS = {
    "postgres": "postgresql",
    "mysql": "mariadb-server",
    "redis": "redis-server",
    "etcd": "etcd-server",
    "zookeeper": "zookeeper",
}
# Programs for the demo of Rust and Python, and for that of Kotlin.
GOOD = {
    "cargo": "echo 'cargo 1.999.0 (abc 2030-01-01)'",
    "cc": "exit 0",
    "gcc": "exit 0",
    "python3": 'case "$*" in *print*) echo 3.12.1 ;; esac',
    "javac": "echo javac 17.0.1",
    "mvn": "exit 0",
    "id": "echo 1000",
}


def setup(*arguments: str, path: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("LANGUAGES", "SETUP_FOR")}
    if path is not None:
        kept["PATH"] = str(path)
    return subprocess.run(
        [BASH, ROOT / "tools/setup", *arguments], env=kept | environment, capture_output=True, text=True
    )


def packages(purpose: str, languages: str) -> set[str]:
    done = setup("--packages", SETUP_FOR=purpose, LANGUAGES=languages)
    assert done.returncode == 0, done
    return set(done.stdout.split())


class Machine:
    """A folder of programs, the only one on the PATH of a run of tools/setup."""

    def __init__(self, folder: str, **changed: str | None) -> None:
        self.path = Path(folder)
        for name in BASICS:
            (self.path / name).symlink_to(shutil.which(name))
        for name, body in (GOOD | changed).items():
            if body is not None:
                self.add(name, body)

    def add(self, name: str, body: str) -> None:
        program = self.path / name
        program.write_text(f"#!{BASH}\n{body}\n")
        program.chmod(0o755)


class Doctor(unittest.TestCase):
    def doctor(self, languages: str, **changed: str | None) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(folder, **changed)
            return setup("--doctor", path=machine.path, SETUP_FOR="demo", LANGUAGES=languages)

    def test_a_machine_that_has_everything_is_exit_code_0(self) -> None:
        done = self.doctor("rust python kotlin")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("nothing is missing", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^found +cargo +1\.999\.0 +all: Rust")
        self.assertRegex(done.stdout, r"(?m)^found +openjdk-17-jdk-headless +17\.0\.1 +kotlin: ")
        self.assertNotIn("apt-get", done.stdout)

    def test_missing_packages_are_one_command(self) -> None:
        done = self.doctor("rust python kotlin", cc=None, gcc=None, mvn=None)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertRegex(done.stdout, r"(?m)^MISSING +gcc +- +all: ")
        self.assertRegex(done.stdout, r"(?m)^MISSING +maven +- +kotlin: ")
        last = done.stdout.splitlines()[-1].strip()
        install = "apt-get install -y --no-install-recommends gcc maven"
        self.assertEqual(last, f"sudo apt-get update && sudo {install}")
        self.assertEqual(done.stdout.count("apt-get install"), 1)

    def test_root_needs_no_sudo(self) -> None:
        done = self.doctor("rust", cc=None, id="echo 0")
        last = done.stdout.splitlines()[-1].strip()
        self.assertTrue(last.startswith("apt-get update && apt-get install"), done.stdout)

    def test_a_tool_without_a_debian_package_names_its_own_installer(self) -> None:
        done = self.doctor("rust python", cargo=None)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^MISSING +cargo ")
        self.assertIn("https://sh.rustup.rs | sh", done.stdout)
        self.assertNotIn("apt-get", done.stdout)

    def test_a_version_that_is_too_old_is_missing(self) -> None:
        done = self.doctor("rust kotlin", cargo="echo cargo 1.70.0", javac="echo javac 11.0.2", python3="echo 3.9.2")
        self.assertEqual(done.returncode, 1)
        for message in (
            "cargo is 1.70.0; this needs 1.",
            "javac is 11.0.2; this needs 17",
            "python3 is 3.9.2; this needs 3.11",
        ):
            self.assertIn(message, done.stdout)
        self.assertIn("  rustup update stable\n", done.stdout)

    def test_a_machine_without_python_gets_the_command_to_install_it(self) -> None:
        done = self.doctor("python", python3=None)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("--no-install-recommends python3 python3-venv\n", done.stdout)

    def test_the_doctor_installs_nothing(self) -> None:
        touched = dict.fromkeys(("apt-get", "rustup", "sudo", "npm"), 'echo "$0 $*" >>"${0%/*}/installed"')
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(folder, **touched, gcc=None, cargo=None)
            # The tests need ruff in the target folder.
            done = setup(
                "--doctor", path=machine.path, CARGO_TARGET_DIR=f"{folder}/target", LANGUAGES="rust python node"
            )
            self.assertEqual(done.returncode, 1)
            self.assertFalse((machine.path / "installed").exists())
            self.assertFalse((machine.path / "target").exists())


class Install(unittest.TestCase):
    # Logs its arguments, and installs gcc.
    APT = 'echo "$*" >>"${0%/*}/calls"; case $1 in install) echo >"${0%/*}/gcc"; chmod 755 "${0%/*}/gcc" ;; esac'

    def install(self, languages: str, **changed: str | None) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(folder, **changed)
            done = setup(path=machine.path, SETUP_FOR="demo", LANGUAGES=languages)
            calls = machine.path / "calls"
            return done, calls.read_text().splitlines() if calls.exists() else []

    def test_installed_packages_are_left_alone(self) -> None:
        done, calls = self.install("rust python kotlin", **{"apt-get": self.APT}, id="echo 0")
        self.assertEqual((done.returncode, calls), (0, []), done.stdout + done.stderr)
        self.assertEqual(done.stdout, "setup: ready: rust python kotlin\n")

    def test_root_installs_only_what_is_missing(self) -> None:
        done, calls = self.install("rust python", **{"apt-get": self.APT}, id="echo 0", gcc=None)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(calls, ["update -q", "install -y --no-install-recommends gcc"])

    def test_another_user_is_given_the_command_and_the_languages(self) -> None:
        done, calls = self.install("python kotlin", **{"apt-get": self.APT}, mvn=None)
        self.assertEqual((done.returncode, calls), (1, []), done.stderr)
        self.assertIn("MISSING kotlin: run as root: apt-get update && ", done.stdout)
        self.assertTrue(done.stdout.endswith("--no-install-recommends maven\n"), done.stdout)

    def test_a_package_that_cannot_be_had_is_named(self) -> None:
        done, _ = self.install("kotlin", **{"apt-get": "exit 100"}, id="echo 0", mvn=None)
        self.assertEqual(done.returncode, 1)
        self.assertIn("MISSING kotlin: apt-get could not install maven\n", done.stdout)

    def test_servers_of_packages_do_not_start(self) -> None:
        policy = Path("/usr/sbin/policy-rc.d")
        sudo = 'echo "$*" >>"${0%/*}/calls"; case $2 in tee) cat >>"${0%/*}/policy" ;; esac'
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(folder, **{"apt-get": "exit 99"}, sudo=sudo, systemctl="exit 0")
            done = setup(path=machine.path, LANGUAGES="kotlin")
            calls = (machine.path / "calls").read_text().splitlines()
            written = machine.path / "policy"
            written = written.read_text() if written.exists() else None
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        install = next(number for number, call in enumerate(calls) if "apt-get install" in call)
        self.assertIn("redis-server", calls[install].split())
        self.assertIn("-n systemctl disable --quiet redis-server", calls[install:])
        # If the machine already has this file, the script must keep it.
        if not policy.exists():
            self.assertEqual(written, "#!/bin/sh\nexit 101\n")
            self.assertIn(f"-n tee {policy}", calls[:install])
            self.assertEqual(calls[-1], f"-n rm -f {policy}")

    def test_tools_to_install_are_named_with_their_version(self) -> None:
        done, calls = self.install("kotlin", cargo=None, javac="echo javac 11.0.2")
        self.assertEqual((done.returncode, calls), (1, []))
        self.assertRegex(done.stdout, r"MISSING kotlin: no cargo; install Rust 1\.\d+\.\d+ or later with rustup")
        self.assertIn("MISSING kotlin: javac is 11.0.2; this needs 17 or later", done.stdout)


class Arguments(unittest.TestCase):
    def test_unknown_arguments_are_exit_code_2(self) -> None:
        for arguments, environment, message in (
            ((), {"LANGUAGES": "rust cobol"}, "unknown language 'cobol'"),
            (("--doctor",), {"LANGUAGES": "cobol"}, "unknown language 'cobol'"),
            (("--packages",), {"SETUP_FOR": "fun"}, "unknown purpose 'fun'"),
            (("--fast",), {}, "unknown option '--fast'"),
        ):
            with self.subTest(message), tempfile.TemporaryDirectory() as folder:
                done = setup(*arguments, path=Machine(folder).path, **environment)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stdout)


class Table(unittest.TestCase):
    def test_the_demo_of_rust_and_python_needs_a_compiler_and_python(self) -> None:
        self.assertEqual(packages("demo", "rust python"), {"gcc", "python3", "python3-venv"})

    def test_a_demo_needs_no_server(self) -> None:
        self.assertEqual(packages("demo", LANGUAGES) & set(SERVERS.values()), set())

    def test_no_demo_needs_a_tool_that_only_tests_use(self) -> None:
        only = {"valgrind", "chromium", "fonts-liberation", "libfaketime", "systemd", "gcc-multilib", "libcjson-dev"}
        only |= {"cmake", "meson", "golang-go", "mono-mcs", "mono-runtime"}
        self.assertEqual(packages("demo", LANGUAGES) & only, set())

    def test_tests_need_every_server_and_all_that_a_demo_needs(self) -> None:
        for language in LANGUAGES.split():
            with self.subTest(language):
                self.assertLessEqual(set(SERVERS.values()) | packages("demo", language), packages("test", language))

    def test_what_only_verify_needs_is_not_installed_for_tests(self) -> None:
        verify = packages("verify", LANGUAGES)
        self.assertEqual(verify - packages("test", LANGUAGES), {"golang-go", "gradle", "mono-mcs", "mono-runtime"})
        self.assertLessEqual(packages("test", LANGUAGES), verify)
        self.assertEqual(packages("verify", "python"), packages("test", "python"))

    def test_what_only_other_targets_need_is_not_installed_for_tests(self) -> None:
        targets = packages("verify-targets", "rust") - packages("test", "rust")
        self.assertEqual(
            targets, {"gcc-mingw-w64-x86-64-posix", "qemu-system-arm", "buildah", "mmdebstrap", "bubblewrap"}
        )

    def test_contributing_shows_the_table(self) -> None:
        page = (ROOT / "CONTRIBUTING.md").read_text()
        shown = re.search(r"<!-- tools/setup --list -->\n(.*?)<!-- end of tools/setup --list -->", page, re.DOTALL)
        self.assertIsNotNone(shown)
        self.assertEqual(shown[1], setup("--list").stdout, "put the output of tools/setup --list between the marks")

    def test_the_table_lists_every_package(self) -> None:
        rows = setup("--list").stdout.splitlines()[2:]
        listed = {row.split("|")[1].split()[0] for row in rows if row.split("|")[2].strip() == "Debian"}
        wanted = packages("verify", LANGUAGES) | packages("verify-targets", LANGUAGES)
        self.assertEqual(listed | {"gcc-multilib"}, wanted | {"gcc-multilib"})
        for row in rows:
            self.assertEqual(row.count("|"), 6, row)


class Container(unittest.TestCase):
    HERE = ROOT / ".devcontainer"

    def test_the_image_installs_the_packages_of_the_table(self) -> None:
        text = (self.HERE / "Dockerfile").read_text()
        self.assertIn("packages=$(SETUP_FOR=verify tools/setup --packages) ", text)
        self.assertRegex(text, r"apt-get install [^\n]* \$packages ")
        # Everything that `--packages` reads must be copied before.
        self.assertIn("COPY tools/setup tools/versions.env tools/\n", text)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "tools").mkdir()
            for name in ("setup", "versions.env"):
                shutil.copy(ROOT / "tools" / name, Path(folder) / "tools")
            copy = Path(folder) / "tools/setup"
            done = subprocess.run(
                [copy, "--packages"],
                env={"PATH": os.environ["PATH"], "SETUP_FOR": "verify"},
                capture_output=True,
                text=True,
                check=True,
            )
        self.assertEqual(set(done.stdout.split()), packages("verify", LANGUAGES))

    def test_the_editor_builds_that_image_as_its_user(self) -> None:
        settings = json.loads((self.HERE / "devcontainer.json").read_text())
        build = settings["build"]
        dockerfile = (self.HERE / build["dockerfile"]).read_text()
        self.assertEqual((self.HERE / build["context"]).resolve(), ROOT)
        self.assertIn(f" {settings['remoteUser']} ", dockerfile)
        self.assertIn(f"USER {settings['remoteUser']}\nWORKDIR {settings['workspaceFolder']}\n", dockerfile)


if __name__ == "__main__":
    unittest.main()
