"""Builds the command and the workers in each language from this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from stores import NotAsPlanned
from trial import Tools

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANGUAGES = ("rust", "python", "node")
# The languages of the trials without leases.
ON_ONE_MACHINE = (*LANGUAGES, "c")


def target() -> Path:
    return Path(os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))).resolve()


def build(release: bool) -> None:
    """Builds the programs, where they are out of date."""
    os.environ.setdefault("SAIBAN_BUILD", "published" if release else "tests")
    for package in ("saiban-cli", "saiban-chaos"):
        run([ROOT / "tools" / "build", package])
    run([ROOT / "python" / "build"])
    tarball = run([ROOT / "node" / "pack"]).strip()
    folder = target() / "chaos" / "node"
    # npm would keep the installed package, because its version is unchanged.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{ "private": true }\n')
    run(["npm", "install", "--silent", "--offline", "--no-save", "--no-audit", "--no-fund", tarball], folder)
    build_c()


def build_c() -> None:
    prefix = target() / "chaos" / "c"
    run([ROOT / "bindings" / "c" / "install", prefix])
    found = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    flags = run(["pkg-config", "--cflags", "--libs", "saiban", "libcjson"], more=found).split()
    source = HERE / "c" / "worker.c"
    run(
        [
            "gcc",
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-O1",
            source,
            "-o",
            prefix / "worker",
            *flags,
            f"-Wl,-rpath,{prefix}/lib",
        ]
    )


def tools(release: bool, languages: tuple[str, ...]) -> Tools:
    """Returns the paths of the built programs."""
    programs = target() / ("release" if release else "debug")
    commands = {
        "rust": [str(programs / "saiban-chaos")],
        "python": [str(target() / "python-venv" / "bin" / "python"), str(HERE / "python" / "worker.py")],
        "node": [
            "node",
            str(HERE / "node" / "worker.cjs"),
            str(target() / "chaos" / "node" / "node_modules" / "saiban"),
        ],
        "c": [str(target() / "chaos" / "c" / "worker")],
    }
    return Tools(programs / "saiban", {name: commands[name] for name in languages}, _faketime())


def _faketime() -> Path:
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        raise NotAsPlanned("no libfaketime: run tools/setup")
    return found[0]


def run(command: list[str | Path], folder: Path = ROOT, more: dict[str, str] | None = None) -> str:
    words = [str(word) for word in command]
    environment = os.environ | (more or {})
    return subprocess.run(
        words, check=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=sys.stderr, text=True
    ).stdout
