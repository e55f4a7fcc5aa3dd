#!/usr/bin/env python3
"""Runs the steps of steps.py, counts their tests and closes with one line: `N passed, N failed, N skipped`.

    tools/test.py                  all steps
    tools/test.py rust vectors     the steps of these groups, or of these names
    tools/test.py --list           show the steps
    tools/test.py -v …             print what the commands print (it is in target/test-logs/ in any case)

LANGUAGES="rust c" leaves out, and names, every step of another language. Exit code 1 when anything failed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from counting import ANSI, Counts
from steps import EXIT_CODE_ONLY, LANGUAGES, STEPS, Step, no_tests

ROOT = Path(__file__).resolve().parent.parent
SHOWN_ON_FAILURE = 40  # lines of a failed step's log
SHOWN_OF_A_TEST = 12  # lines that a failed test printed
# How test programs name a test that failed: cargo's, pytest's, node's, XCTest's and Swift Testing's, Maven's.
FAILED_TEST = re.compile(
    r"^(---- .* stdout ----|FAILED \S|ERROR \S|not ok |\s*✖ |Test Case .* failed |✘ Test |\[ERROR\] +\S+[.:]\S+:\d+)"
)
HEARTBEAT_S = 30


@dataclass(frozen=True)
class Result:
    step: Step
    counts: Counts
    seconds: float
    reason: str = ""  # why it failed


def judge(step: Step, exit_code: int, output: str) -> tuple[Counts, str]:
    """What a finished command counts as. A failed command has failed at least once; no test at all is a failure."""
    counts = step.count(output)
    if counts is None:
        return Counts(failed=1), f"exit code {exit_code}, and no test result in its output"
    if exit_code != 0:
        passed = 0 if step.count in EXIT_CODE_ONLY else counts.passed
        return Counts(passed, max(counts.failed, 1), counts.skipped), f"exit code {exit_code}"
    if counts.failed:
        return counts, f"{counts.failed} failed, though the command exited with 0"
    if not counts.passed and step.count is not no_tests:
        return counts + Counts(failed=1), "no test passed"
    return counts, ""


def missing_programs(step: Step) -> list[str]:
    return [program for program in step.needs if shutil.which(program) is None]


def select(steps: tuple[Step, ...], wanted: list[str], languages: list[str]) -> tuple[list[Step], list[Step]]:
    """The steps to run, and those that LANGUAGES leaves out."""
    chosen = [step for step in steps if not wanted or step.group in wanted or step.name in wanted]
    left_out = [step for step in chosen if not set(step.languages) <= set(languages)]
    return [step for step in chosen if step not in left_out], left_out


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the command and all it started: they share a process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def execute(step: Step, log: Path, verbose: bool) -> tuple[int, str, str]:
    """Runs the command; returns its exit code, its output and, when it was ended, why."""
    environment = os.environ | {"CARGO_TERM_COLOR": "never", "PYTHONUNBUFFERED": "1"}
    ended = ""
    with log.open("w+b") as file:
        process = subprocess.Popen(
            ["bash", "-c", step.command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if verbose else file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        copier = None
        if process.stdout is not None:
            copier = threading.Thread(target=copy_lines, args=(process.stdout, file), daemon=True)
            copier.start()
        begun = time.monotonic()
        try:
            while True:
                try:
                    process.wait(timeout=HEARTBEAT_S)
                    break
                except subprocess.TimeoutExpired:
                    elapsed = time.monotonic() - begun
                    if elapsed > step.timeout_s:
                        ended = f"ended after {step.timeout_s} s without a result"
                        end_group(process)
                    elif not verbose:
                        print(f"      {elapsed:4.0f} s … {last_line(log)}", flush=True)
        except KeyboardInterrupt:
            end_group(process)
            raise
        if copier is not None:
            copier.join(timeout=10)
    return process.returncode, log.read_text(errors="replace"), ended


def copy_lines(source, file) -> None:
    for line in source:
        file.write(line)
        file.flush()
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def last_line(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 4096))
        lines = ANSI.sub("", file.read().decode(errors="replace")).split("\n")
    shown = [line.rsplit("\r", 1)[-1].strip() for line in lines if line.strip()]
    return shown[-1][:100] if shown else "(no output yet)"


def run_step(step: Step, verbose: bool, log_folder: Path) -> Result:
    print(f"\n==> {step.name}: {step.command}", flush=True)
    absent = missing_programs(step)
    if absent:
        reason = f"{' '.join(step.languages) or step.group}: no {', '.join(absent)} on this machine (tools/setup)"
        print(f"    FAILED {reason}", flush=True)
        return Result(step, Counts(failed=1), 0.0, reason)
    log = log_folder / (re.sub(r"[^a-z0-9]+", "-", step.name.lower()) + ".log")
    begun = time.monotonic()
    exit_code, output, ended = execute(step, log, verbose)
    seconds = time.monotonic() - begun
    counts, reason = judge(step, exit_code, output)
    if ended:
        reason = ended
    if reason and not verbose:
        for line in [*output.splitlines()[-SHOWN_ON_FAILURE:], "what failed:", *what_failed(output)]:
            print(f"    | {line}")
    verdict = f"FAILED ({reason}; whole output: {os.path.relpath(log, ROOT)})" if reason else "ok"
    print(f"    {verdict}: {counts}, {seconds:.1f} s", flush=True)
    return Result(step, counts, seconds, reason)


def what_failed(output: str) -> list[str]:
    """The tests that failed and the first lines of what each said, wherever in the output they are."""
    shown, left = [], 0
    for line in ANSI.sub("", output).splitlines():
        if FAILED_TEST.match(line):
            shown.append(line)
            left = SHOWN_OF_A_TEST if line.startswith("----") else 0
        elif left and line.strip():
            left = 0 if line.startswith("failures:") else left - 1
            shown += [line] if left else []
    return shown[:SHOWN_ON_FAILURE]


def table(results: list[Result]) -> str:
    width = max([len(result.step.name) for result in results] + [4])
    lines = [f"{'step':<{width}}  passed  failed  skipped  seconds"]
    for result in results:
        counts = result.counts
        lines.append(
            f"{result.step.name:<{width}}  {counts.passed:6}  {counts.failed:6}  {counts.skipped:7}"
            f"  {result.seconds:7.1f}" + (f"  FAILED: {result.reason}" if result.reason else "")
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="GROUP|STEP")
    parser.add_argument("--list", action="store_true", help="show the steps and end")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what the commands print")
    options = parser.parse_args(arguments)

    known = {name for step in STEPS for name in (step.group, step.name)}
    unknown = [name for name in options.wanted if name not in known]
    languages = os.environ.get("LANGUAGES", "").split() or list(LANGUAGES)
    unknown_languages = [name for name in languages if name not in LANGUAGES]
    if unknown or unknown_languages:
        print(f"test.py: unknown: {' '.join(unknown + unknown_languages)} (see --list)", file=sys.stderr)
        return 2
    if options.list:
        for step in STEPS:
            print(f"{step.group:<8} {step.name:<22} {step.command}")
        return 0

    os.environ["CARGO_TARGET_DIR"] = str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target"))
    log_folder = Path(os.environ["CARGO_TARGET_DIR"]) / "test-logs"
    log_folder.mkdir(parents=True, exist_ok=True)
    steps, left_out = select(STEPS, options.wanted, languages)
    results = [run_step(step, options.verbose, log_folder) for step in steps]

    print()
    print(table(results))
    if left_out:
        names = ", ".join(step.name for step in left_out)
        print(f"\nNOT RUN, because LANGUAGES={' '.join(languages)!r} leaves them out: {names}")
    total = sum((result.counts for result in results), Counts())
    if not results:
        total = Counts(failed=1)
    print(f"\n{total}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
