"""The published files: the wheel, the source distribution, the wheel built from it, the command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
import saiban
from conftest import ROOT

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BIN = Path(sys.executable).parent

#: A program that every installation must run without the repository.
SMOKE = """
import saiban, saiban.contrib, importlib.resources
ids = saiban.Randflake(node=42, secret=bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5"))
assert ids.compose(timestamp_ms=1_733_706_297_000, node=42, sequence=1) == 4594531474933654033
assert ids.inspect(ids.generate()).node == 42
with saiban.Lease.acquire("sqlite:ids.db") as lease:
    assert saiban.Snowflake(lease=lease).generate() > 0
assert importlib.resources.files("saiban").joinpath("py.typed").is_file()
print(saiban.__version__, saiban.__file__)
"""


def run(*command: str | Path, **options) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, done.stdout
    return done


@pytest.fixture(scope="module")
def wheel() -> Path:
    (found,) = (TARGET / "wheels").glob("saiban-*.whl")
    return found


@pytest.fixture(scope="module")
def sdist(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    run(BIN / "maturin", "sdist", "--out", out, cwd=ROOT / "python")
    (found,) = out.glob("saiban-*.tar.gz")
    return found


@pytest.mark.published
def test_the_wheel_serves_every_python_from_3_11_on(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name


@pytest.mark.published
def test_the_wheel_holds_types_licences_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (info,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
        metadata = archive.read(f"{info}/METADATA").decode()
        commands = archive.read(f"{info}/entry_points.txt").decode()
    package = {name for name in names if name.startswith("saiban/")}
    assert package >= {
        "saiban/__init__.py",
        "saiban/_native.abi3.so",
        "saiban/_native.pyi",
        "saiban/contrib/django/fields.py",
        "saiban/contrib/rest_framework/fields.py",
        "saiban/contrib/sqlalchemy/types.py",
        "saiban/exceptions.py",
        "saiban/names.py",
        "saiban/py.typed",
        "saiban/testing/fixtures.py",
        "saiban/values.py",
    }
    assert not [name for name in names if "__pycache__" in name or re.search(r"\btests?\b|test_", name)]
    assert {f"{info}/licenses/LICENSE-APACHE", f"{info}/licenses/LICENSE-MIT"} <= names
    assert "saiban=saiban.__main__:main" in commands.replace(" ", "")
    for line in ("Name: saiban", f"Version: {saiban.__version__}", "License-Expression: MIT OR Apache-2.0"):
        assert line in metadata.splitlines()
    assert "Requires-Python: >=3.11" in metadata


def test_the_licences_are_the_repositorys() -> None:
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (ROOT / "python" / name).read_bytes() == (ROOT / name).read_bytes()


@pytest.mark.published
def test_the_source_distribution_holds_what_it_is_built_from(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [member.name.split("/", 1)[1] for member in archive if member.isfile()]
    for part in ("core/src/lib.rs", "coordination/src/lib.rs", "bindings/python/src/lib.rs", "Cargo.lock", "PKG-INFO"):
        assert part in names
    for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert licence in names or f"python/{licence}" in names
    assert not [name for name in names if name.endswith((".so", ".pyc"))]


@pytest.mark.published
def test_the_wheel_built_from_the_source_distribution_works(sdist: Path, tmp_path: Path) -> None:
    # In an empty folder, without files of the repository. A separate target folder keeps the
    # compiled dependencies. saiban must be compiled from these files, and Cargo would skip files
    # with equal names and old dates.
    # The profile is that of tests, because the test of the wheel covers the optimised build.
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(TARGET / "python-sdist"),
        "MATURIN_PEP517_ARGS": "--profile dev",
    }
    environment["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    environment.pop("PYTHONPATH", None)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (sources,) = tmp_path.glob("saiban-*/")
    ours = ("-p", "saiban", "-p", "saiban-cli", "-p", "saiban-coordination", "-p", "saiban-python")
    run("cargo", "clean", "--quiet", *ours, cwd=sources, env=environment)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, sdist, cwd=tmp_path, env=environment)
    (built,) = tmp_path.glob("saiban-*.whl")
    fresh = tmp_path / "venv"
    venv.create(fresh, with_pip=False)
    python = fresh / "bin/python"
    run(*pip, "--python", python, "install", "--no-deps", built, cwd=tmp_path, env=environment)
    output = run(python, "-c", SMOKE, cwd=tmp_path).stdout
    assert output.startswith(f"{saiban.__version__} {fresh}")
    assert "Usage: saiban" in run(fresh / "bin/saiban", "--help", cwd=tmp_path).stdout
    served = subprocess.run([fresh / "bin/saiban", "serve"], text=True, stderr=subprocess.PIPE, cwd=tmp_path)
    assert served.returncode == 2 and "this build has no service" in served.stderr


def test_the_import_loads_only_what_every_program_needs() -> None:
    folder = str(Path(saiban.__file__).parent.parent)
    program = (
        f"import os, sys; sys.path.append({folder!r}); before = set(sys.modules); import saiban; "
        "print(*sorted(set(sys.modules) - before))"
    )
    # Without site, whose modules depend on the environment.
    loaded = run(sys.executable, "-S", "-c", program).stdout.split()
    assert loaded == ["__future__", "atexit", "saiban", "saiban._ending", "saiban._native", "saiban.exceptions"]


def test_the_names_that_are_imported_at_first_use_are_there() -> None:
    program = """
import saiban
names = {"Candidate", "Encoding", "insert_unique", "__version__", *saiban.__all__}
assert names <= set(dir(saiban))
assert all(getattr(saiban, name) is not None for name in names)
from saiban import *
assert insert_unique is saiban.insert_unique and Encoding is saiban.Encoding
assert not hasattr(saiban, "nonsense")
print(saiban.__version__)
"""
    assert run(sys.executable, "-c", program).stdout.strip() == version("saiban")


@pytest.mark.parametrize("command", [[BIN / "saiban"], [sys.executable, "-m", "saiban"]], ids=["saiban", "python -m"])
class TestCommand:
    def test_the_command_inspects(self, command) -> None:
        output = run(*command, "inspect", "--json", "--scheme", "ulid-flake", "00CMXB6TAK4SA").stdout
        (found,) = map(json.loads, output.splitlines())
        assert "14246757444195114" in output
        assert "2024-06-06" in output
        assert found

    def test_the_command_prints_its_completions(self, command) -> None:
        assert "complete -F _saiban" in run(*command, "completions", "bash").stdout

    def test_the_command_creates_namespaces_from_which_programs_lease(self, command, tmp_path: Path) -> None:
        store = f"sqlite://{tmp_path}/ids.db"
        run(*command, "lease", "init", "--store", store, "--namespace", "orders")
        with saiban.Lease.acquire(store, namespace="orders", create=False) as lease:
            assert (
                str(lease.nodes.start) in run(*command, "lease", "ls", "--store", store, "--namespace", "orders").stdout
            )
            asking = "import os; print(os.environ['SAIBAN_NODE'])"
            under = ("--store", store, "--namespace", "orders", "--", sys.executable, "-c", asking)
            assert int(run(*command, "lease", "acquire", *under).stdout) not in lease.nodes

    def test_ids_of_the_command_can_be_read_in_python(self, command) -> None:
        lines = run(*command, "new", "snowflake", "--node", "9", "-n", "3").stdout.split()
        ids = saiban.Snowflake(node=9)
        assert [ids.inspect(line).node for line in lines] == [9, 9, 9]

    def test_bad_input_is_one_line_and_exit_code_2(self, command) -> None:
        done = subprocess.run([*command, "new", "snowflake", "--node", "5000"], capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
        assert "0 to 1023" in done.stderr

    @pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
    def test_output_that_cannot_be_written_is_an_error(self, command, redirection: str) -> None:
        shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *command]
        for words in (["new", "ulid"], ["--version"], ["layout", "discord"]):
            done = subprocess.run([*shell, *words], stderr=subprocess.PIPE, text=True)
            assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
            assert done.stderr.startswith("saiban: stdout: ")

    def test_output_may_be_discarded(self, command) -> None:
        assert subprocess.run([*command, "new", "ulid"], stdout=subprocess.DEVNULL).returncode == 0

    def test_arguments_that_are_no_text_are_refused(self, command) -> None:
        done = subprocess.run([*command, "inspect", b"\xff\xfe"], capture_output=True)
        assert done.returncode == 2
        assert done.stderr
