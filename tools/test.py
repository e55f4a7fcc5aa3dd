#!/usr/bin/env python3
"""Runs the steps of steps.py and counts their tests; ends with `N passed, N failed, N skipped`.

    tools/test.py                  the steps of `make test`
    tools/test.py --verify         all steps
    tools/test.py --change         the steps that a change can break (paths.py): the commits since
                                   SAIBAN_BASE or the upstream branch; all steps without one
    tools/test.py rust clippy      the steps of these groups, or of these names
    tools/test.py --list           show the steps
    tools/test.py -v …             print what the commands print, one step at a time

Three steps run at once (--jobs). Their output is in target/test-logs/. LANGUAGES="rust c" leaves out,
and names, every step of another language; STEPS takes groups and names, separated by commas. The
exit code is 1 if anything failed.
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
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from counting import ANSI, Counts, failed_tests
from paths import broken_by
from steps import EXIT_CODE_ONLY, LANGUAGES, STEPS, VERIFY, Step, no_tests

ROOT = Path(__file__).resolve().parent.parent
SHOWN_ON_FAILURE = 40  # lines of a failed step's log
HEARTBEAT_S = 30
# What a run from nothing writes, with downloads. It was 21 GB after many runs, and 4 GB in caches.
DISK_GB = 25
# Guards the output, so that lines of different steps do not mix.
PRINTING = threading.Lock()
# The running commands, which end with this program.
RUNNING: set[subprocess.Popen[bytes]] = set()


def say(*lines: str) -> None:
    with PRINTING:
        print("\n".join(lines), flush=True)


@dataclass(frozen=True)
class Result:
    step: Step
    counts: Counts
    seconds: float
    reason: str = ""  # why the step failed
    failed_tests: tuple[str, ...] = ()  # with what they printed


def judge(step: Step, exit_code: int, output: str) -> tuple[Counts, str]:
    """Returns the counts of a command. A failed command or one without tests is a failure."""
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
    """Returns the steps to run, and those that LANGUAGES leaves out."""
    chosen = [step for step in steps if not wanted or step.group in wanted or step.name in wanted]
    left_out = [step for step in chosen if not set(step.languages) <= set(languages)]
    return [step for step in chosen if step not in left_out], left_out


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kills the command and all processes that it started: they share a process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def execute(step: Step, log: Path, verbose: bool) -> tuple[int, str, str]:
    """Runs the command; returns its exit code, its output, and the reason if it was ended."""
    # Parallel steps and the user's own programs may use equal nodes, so each step gets its own
    # cursor files.
    run_folder = Path(os.environ["SAIBAN_RUN_DIR"]) / re.sub(r"\W+", "-", step.name)
    run_folder.mkdir(mode=0o700)
    environment = os.environ | {
        "CARGO_TERM_COLOR": "never",
        "PYTHONUNBUFFERED": "1",
        "SAIBAN_RUN_DIR": str(run_folder),
    }
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
        RUNNING.add(process)
        copier = None
        if process.stdout is not None:
            copier = threading.Thread(target=copy_lines, args=(process.stdout, file), daemon=True)
            copier.start()
        begun = time.monotonic()
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
                    say(f"      {step.name}: {elapsed:.0f} s … {last_line(log)}")
        RUNNING.discard(process)
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
    say(f"==> {step.name}: {step.command}")
    absent = missing_programs(step)
    if absent:
        reason = f"{' '.join(step.languages) or step.group}: no {', '.join(absent)} on this machine (make doctor)"
        say(f"    FAILED {step.name}: {reason}")
        return Result(step, Counts(failed=1), 0.0, reason)
    log = log_folder / (re.sub(r"[^a-z0-9]+", "-", step.name.lower()) + ".log")
    begun = time.monotonic()
    exit_code, output, ended = execute(step, log, verbose)
    seconds = time.monotonic() - begun
    counts, reason = judge(step, exit_code, output)
    if ended:
        reason = ended
    shown = output.splitlines()[-SHOWN_ON_FAILURE:] if reason and not verbose else []
    verdict = f"FAILED ({reason}; whole output: {os.path.relpath(log, ROOT)})" if reason else "ok"
    say(*(f"    | {line}" for line in shown), f"<== {step.name}: {verdict}: {counts}, {seconds:.1f} s")
    return Result(step, counts, seconds, reason, failed_tests(output) if reason else ())


def may_start(step: Step, earlier: list[Step]) -> bool:
    """Returns whether a step may start now. `earlier` are the running steps, and those listed before it."""
    if step.is_build:
        return not any(other.needs_build for other in earlier)
    if step.is_alone:
        return not earlier
    return not any(other.is_alone or (other.is_build and step.needs_build) for other in earlier)


def run_steps(steps: list[Step], jobs: int, verbose: bool, log_folder: Path) -> tuple[list[Result], list[Step]]:
    """Runs `jobs` steps at once. Returns the results, and the steps after a failed preparation."""
    results: list[Result] = []
    waiting = list(steps)
    running: dict[Future[Result], Step] = {}

    def fill(pool: ThreadPoolExecutor) -> None:
        for step in list(waiting):
            if len(running) == jobs:
                return
            if may_start(step, [*running.values(), *waiting[: waiting.index(step)]]):
                waiting.remove(step)
                running[pool.submit(run_step, step, verbose, log_folder)] = step

    with ThreadPoolExecutor(jobs) as pool:
        try:
            can_go_on = True
            while running or (waiting and can_go_on):
                if can_go_on:
                    fill(pool)
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    results.append(future.result())
                    can_go_on &= not (running.pop(future).is_preparation and results[-1].reason)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(RUNNING):
                end_group(process)
            raise
    return results, waiting


def table(results: list[Result]) -> str:
    """Returns the table of results, slowest first."""
    width = max([len(result.step.name) for result in results] + [4])
    lines = [f"{'step':<{width}}  passed  failed  skipped  seconds"]
    for result in sorted(results, key=lambda result: -result.seconds):
        counts = result.counts
        lines.append(
            f"{result.step.name:<{width}}  {counts.passed:6}  {counts.failed:6}  {counts.skipped:7}"
            f"  {result.seconds:7.1f}" + (f"  FAILED: {result.reason}" if result.reason else "")
        )
    return "\n".join(lines)


def git(*arguments: str) -> str | None:
    """Returns the output of a git command, or None if it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def changed_files() -> tuple[list[str], str]:
    """Returns the changed files, committed or not, and a description; no files without a base."""
    asked = os.environ.get("SAIBAN_BASE") or "@{upstream}"
    base = git("merge-base", asked, "HEAD")
    if base is None:
        return [], f"there is no {asked} to compare with (SAIBAN_BASE names another)"
    listed = [git("diff", "--name-only", "--no-renames", base), git("ls-files", "--others", "--exclude-standard")]
    files = sorted({file for part in listed for file in (part or "").splitlines()})
    return files, f"{len(files)} files differ from {asked} ({base[:10]})"


def of_change(steps: list[Step]) -> tuple[list[Step], list[Step]]:
    """Returns the steps that the change can break, and the others; prints the reason."""
    files, what = changed_files()
    names, everything = broken_by(files)
    if not files or everything:
        why = f"{everything[0]} can break every step" if everything else "nothing is known to be left out"
        say(f"change: {what}; {why}: everything runs")
        return steps, []
    chosen = [step for step in steps if step.is_quick or {step.name, step.group} & names]
    if not all(step.is_quick for step in chosen):
        chosen = [step for step in steps if step in chosen or step.is_preparation]
    say(f"change: {what}; paths.py names the steps that they can break")
    return chosen, [step for step in steps if step not in chosen]


def disk(folder: Path) -> str:
    """Returns a line for people if the disk may become full, or else nothing."""
    free_gb = shutil.disk_usage(folder).free / 1e9
    return "" if free_gb >= DISK_GB else f"DISK: {free_gb:.1f} GB are free; a run from nothing needs {DISK_GB} GB"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="GROUP|STEP")
    parser.add_argument("--verify", action="store_true", help="everything")
    parser.add_argument("--change", action="store_true", help="what the change can break, of everything")
    parser.add_argument("--list", action="store_true", help="show the steps and end")
    parser.add_argument("--jobs", type=int, default=3, help="how many steps run at once")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what the commands print")
    options = parser.parse_args(arguments)

    everything = (*STEPS, *VERIFY)
    wanted = options.wanted + [name.strip() for name in os.environ.get("STEPS", "").split(",") if name.strip()]
    known = {name for step in everything for name in (step.group, step.name)}
    unknown = [name for name in wanted if name not in known]
    languages = os.environ.get("LANGUAGES", "").split() or list(LANGUAGES)
    unknown_languages = [name for name in languages if name not in LANGUAGES]
    if unknown or unknown_languages:
        print(f"test.py: unknown: {' '.join(unknown + unknown_languages)} (see --list)", file=sys.stderr)
        return 2
    if options.list:
        for step in everything:
            kind = "test" if step in STEPS else "verify"
            print(f"{kind:<6} {step.group:<8} {step.name:<22} {step.command}")
        return 0

    begun = time.monotonic()
    os.environ["CARGO_TARGET_DIR"] = str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target"))
    log_folder = Path(os.environ["CARGO_TARGET_DIR"]) / "test-logs"
    log_folder.mkdir(parents=True, exist_ok=True)
    if warning := disk(log_folder):
        say(warning)
    # A step of `make verify` can be selected by its own name.
    named = tuple(step for step in VERIFY if step.name in wanted)
    steps, not_wanted = select(everything if options.verify or options.change else (*STEPS, *named), wanted, languages)
    left_out = [(f"LANGUAGES={' '.join(languages)!r} leaves them out", not_wanted)]
    if options.change:
        steps, not_touched = of_change(steps)
        left_out.append(("the change touches nothing that they read", not_touched))
    if any(step.name == "build" for step in steps):
        # The tests' servers then need not ask Cargo for the command at each start.
        os.environ.setdefault("SAIBAN_COMMAND", f"{os.environ['CARGO_TARGET_DIR']}/debug/saiban")
    run_folder = Path(os.environ["CARGO_TARGET_DIR"]) / "test-run"
    shutil.rmtree(run_folder, ignore_errors=True)
    run_folder.mkdir(mode=0o700)
    os.environ["SAIBAN_RUN_DIR"] = str(run_folder)
    results, not_run = run_steps(steps, 1 if options.verbose else options.jobs, options.verbose, log_folder)
    left_out.append(("a preparation has failed", not_run))

    print()
    print(table(results))
    # At the end, because of a long output often nothing else is kept.
    for result in results:
        if result.failed_tests:
            print(f"\n{result.step.name}: what failed:", *result.failed_tests, sep="\n    | ")
    for why, some in left_out:
        if some:
            print(f"\nNOT RUN, because {why}: {', '.join(step.name for step in some)}")
    total = sum((result.counts for result in results), Counts())
    if not results:
        total = Counts(failed=1)
    if total.failed and (warning := disk(log_folder)):
        print(f"\n{warning}")
    print(f"\n{time.monotonic() - begun:.0f} s in all\n{total}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
