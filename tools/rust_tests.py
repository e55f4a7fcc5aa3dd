#!/usr/bin/env python3
"""Builds the tests of the whole workspace in one call of Cargo, then runs those of some packages.

    tools/rust_tests.py                          of all packages
    tools/rust_tests.py --package NAME …         of these packages
    tools/rust_tests.py --except NAME …          of all others
    tools/rust_tests.py --no-run                 only builds
    --programs N …           N test programs at once (default 1)

`cargo test -p NAME` would recompile NAME and most of its dependencies with other features (see
tools/build). The output of a test program is printed when it and those before it have ended, as
Cargo prints it; until then it is in target/test-logs/rust.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The packages and features of tools/build.
CARGO = ["cargo", "test", "--locked", "--workspace", "--exclude", "saiban-uniffi-bindgen"]
CARGO += ["--features", "saiban/json,saiban/serde,saiban/uuid"]
LOGS = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "test-logs/rust"


@dataclass(frozen=True)
class Program:
    package: str
    folder: Path  # of the package; Cargo runs tests there
    name: str
    path: str


def packages() -> dict[str, str]:
    """Returns the names of the workspace's packages by their ID."""
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    said = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    return {package["id"]: package["name"] for package in said["packages"]}


def build() -> list[Program]:
    names = packages()
    command = [*CARGO, "--no-run", "--quiet", "--message-format", "json-render-diagnostics"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("rust_tests: the tests do not compile")
    programs = []
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            folder = Path(message["manifest_path"]).parent
            programs.append(
                Program(names[message["package_id"]], folder, message["target"]["name"], message["executable"])
            )
    return programs


def run(program: Program) -> tuple[Program, int, float, str]:
    begun = time.monotonic()
    # A file, so that the output remains if a program never ends.
    log = LOGS / f"{program.package}-{program.name}.log"
    # Parallel programs use equal nodes, so each gets its own cursor files.
    with tempfile.TemporaryDirectory(prefix="saiban-run-") as run_folder, log.open("wb") as output:
        done = subprocess.run(
            [program.path, "--color", "never"],
            cwd=program.folder,
            env=os.environ
            | {
                "CARGO_MANIFEST_DIR": str(program.folder),
                "CARGO_PKG_NAME": program.package,
                "SAIBAN_RUN_DIR": run_folder,
            },
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    return program, done.returncode, time.monotonic() - begun, log.read_text(errors="replace")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--package", nargs="+", metavar="NAME")
    which.add_argument("--except", nargs="+", metavar="NAME", dest="left_out", default=[])
    which.add_argument("--no-run", action="store_true")
    parser.add_argument("--programs", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)

    programs = build()
    unknown = {*(options.package or []), *options.left_out} - {program.package for program in programs}
    if unknown:
        print(f"rust_tests: no package with tests is named {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if options.no_run:
        return 0
    chosen = [
        program
        for program in programs
        if program.package not in options.left_out and (not options.package or program.package in options.package)
    ]
    LOGS.mkdir(parents=True, exist_ok=True)
    codes = []
    with ThreadPoolExecutor(options.programs) as pool:
        for program, code, seconds, output in pool.map(run, chosen):
            codes.append(code)
            print(f"     Running {program.package} {program.name} ({seconds:.1f} s)\n{output}", flush=True)
            if code:
                print(f"error: test program {program.name} of {program.package} ended with {code}", flush=True)
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
