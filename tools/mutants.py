#!/usr/bin/env python3
"""Removes the rules of uniqueness one by one, and checks that a test fails each time.

`mutants.toml` in this folder lists the rules: the code of each, the code without the rule, and the
test that must fail. The checkout does not change: the work happens in a copy in a temporary folder.

    tools/mutants.py            tests all mutants
    tools/mutants.py WORD…      tests those whose rule or file contains one of the words
    tools/mutants.py --list     lists the mutants
    tools/mutants.py --jobs 2   tests two at a time, each in a copy of its own

A mutant counts as caught only if the changed code compiles, and the test passes without the change
and fails with it. The last line is `N passed, N failed, N skipped`: passed means caught, failed
means survived.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 120


@dataclass(frozen=True)
class Mutant:
    rule: str  # the rule that is removed, in words
    file: str
    before: str  # occurs in the file exactly once
    after: str
    test: str  # arguments of `cargo test`, without `test`
    environment: dict[str, str]

    def problem(self, text: str) -> str | None:
        """Returns why the mutant does not apply to the file's text."""
        count = text.count(self.before)
        if count != 1:
            return f"{self.file}: the code of “{self.rule}” stands there {count} times, not once"
        if self.before == self.after:
            return f"{self.file}: “{self.rule}” changes nothing"
        return None


def load(path: Path = ROOT / "tools/mutants.toml") -> list[Mutant]:
    entries = tomllib.loads(path.read_text())["mutant"]
    return [Mutant(**({"environment": {}} | entry)) for entry in entries]


def copy_checkout(target: Path) -> None:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    for name in filter(None, listing.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def cargo(folder: Path, mutant: Mutant, *, run: bool) -> subprocess.CompletedProcess[str]:
    """Compiles or runs the test. A common target folder saves recompiling all but the change."""
    words = mutant.test.split()
    if not run:
        place = words.index("--") if "--" in words else len(words)
        words.insert(place, "--no-run")
    environment = os.environ | mutant.environment | {"CARGO_TARGET_DIR": str(folder / target_name(mutant))}
    command = ["cargo", "test", "--locked", "-q", *words]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=TIMEOUT_S if run else None)
            return subprocess.CompletedProcess(command, process.returncode, output)
        except subprocess.TimeoutExpired:
            # A generator that never returns counts as a failed test. Kill its child processes too,
            # which may wait for a lock.
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return subprocess.CompletedProcess(command, 124, output)


def target_name(mutant: Mutant) -> str:
    """Returns the target folder, one for each set of flags: a change of flags recompiles all."""
    flags = mutant.environment.get("RUSTFLAGS", "")
    return "target" + "".join(character if character.isalnum() else "-" for character in flags)


def judge(folder: Path, mutant: Mutant, healthy: dict[str, bool]) -> tuple[bool, str]:
    """Returns whether the mutant is caught, and the result in a word or two."""
    path = folder / mutant.file
    text = path.read_text()
    if problem := mutant.problem(text):
        return False, problem
    if mutant.test not in healthy:
        # Compile first, because the timeout is for the run, and compiling may take longer.
        cargo(folder, mutant, run=False)
        done = cargo(folder, mutant, run=True)
        healthy[mutant.test] = done.returncode == 0 and "test result: ok. 0 passed" not in last_results(done.stdout)
    if not healthy[mutant.test]:
        return False, "the test does not pass, or runs nothing, with the rule in place"
    try:
        path.write_text(text.replace(mutant.before, mutant.after))
        if (built := cargo(folder, mutant, run=False)).returncode != 0:
            return False, "does not compile:\n" + "\n".join(built.stdout.splitlines()[:12])
        done = cargo(folder, mutant, run=True)
    finally:
        path.write_text(text)
    if done.returncode == 0:
        return False, "SURVIVED: the test still passes"
    return True, "timed out" if done.returncode == 124 else "caught"


def last_results(output: str) -> str:
    return "\n".join(line for line in output.splitlines() if line.startswith("test result:"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--list", action="store_true", help="print the rules and the tests that guard them")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="test N mutants at a time (default 1)")
    arguments = parser.parse_args()
    mutants = [
        mutant
        for mutant in load()
        if not arguments.words or any(word in mutant.rule or word in mutant.file for word in arguments.words)
    ]
    if arguments.list:
        for mutant in mutants:
            print(f"{mutant.rule}\n    {mutant.file}\n    cargo test {mutant.test}")
        return 0
    caught = 0
    with tempfile.TemporaryDirectory(prefix="saiban-mutants-") as name, ThreadPoolExecutor(arguments.jobs) as pool:
        # The copies that no mutant uses, each with the tests that are known to pass in it or not.
        copies: SimpleQueue[tuple[Path, dict[str, bool]]] = SimpleQueue()
        for number in range(arguments.jobs):
            folder = Path(name) / str(number)
            copy_checkout(folder)
            copies.put((folder, {}))

        def judged(mutant: Mutant) -> tuple[bool, str]:
            folder, healthy = copies.get()
            try:
                return judge(folder, mutant, healthy)
            finally:
                copies.put((folder, healthy))

        for number, (mutant, (good, word)) in enumerate(zip(mutants, pool.map(judged, mutants), strict=True), 1):
            caught += good
            print(f"{number:3}/{len(mutants)} {'ok  ' if good else 'FAIL'} {mutant.rule}: {word}", flush=True)
    print(f"{caught} passed, {len(mutants) - caught} failed, 0 skipped")
    return 0 if mutants and caught == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())
