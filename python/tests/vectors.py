"""Runs every case of vectors/*.json, each as a test. The last line is "N passed, N failed, 0 skipped".

This is not a module for pytest, which takes a minute more for so many tests.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import saiban
import vectors_family
import vectors_integers

FOLDER = Path(__file__).resolve().parents[2] / "vectors"
#: Files of other formats, which other tests read.
ELSEWHERE = {"sparx", "schema", "published", "published.schema", "typeid"}
#: The most attempts at a case whose random field may overflow; see vectors/README.md.
TRIES = 3
#: What refuses the next ID then. The clock of a case may be behind.
AT_ITS_END = ("WOULD_WAIT", "CLOCK_BACKWARD")
#: The subjects whose IDs have no random field: their answers never change.
WITHOUT_RANDOM = {"snowflake", "randflake", "tsid"}


def problem(answers: ModuleType, subject: str, config: dict[str, Any], case: dict[str, Any]) -> str:
    """Returns how the answer to a case differs from the expected one, or ""."""
    for _ in range(TRIES):
        try:
            found, error = answers.answer(subject, config, case), None
        except saiban.SaibanError as raised:
            found, error = None, raised
        may_reach_its_end = case["op"] == "generate" and subject not in WITHOUT_RANDOM
        is_refused = any(kind in str(found) for kind in AT_ITS_END)
        if found == case.get("out") or not may_reach_its_end or not is_refused:
            break
    if "error" not in case:
        return "" if found == case["out"] else f"expected {case['out']}, got {error or found}"
    if error is None or error.kind != case["error"]:
        return f"expected {case['error']}, got {error or found}"
    if "position" in case and error.position != case["position"]:
        return f"expected position {case['position']}, got {error.position}"
    return ""


def run(answers: ModuleType, name: str) -> list[str]:
    """Runs the cases of a file; returns the problem of each, or ""."""
    document = json.loads((FOLDER / f"{name}.json").read_text())
    assert document["format"] == "saiban-vectors-1"
    assert document["cases"]
    configs = document.get("configs", {})
    problems = []
    for case in document["cases"]:
        try:
            found = problem(answers, document["subject"], configs.get(case.get("config"), {}), case)
        except Exception as error:  # The test program reports it, and goes on.
            found = f"{type(error).__name__}: {error}"
        if found:
            print(f"FAILED {name} {case['id']}: {found}", file=sys.stderr)
        problems.append(found)
    return problems


def main() -> int:
    files = {name: answers for answers in (vectors_integers, vectors_family) for name in answers.FILES}
    unread = {path.stem for path in FOLDER.glob("*.json")} ^ (files.keys() | ELSEWHERE)
    if unread:
        print(f"FAILED files of vectors: {', '.join(sorted(unread))}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="saiban-run-") as run_folder:
        # Cursor files of its own, because other tests may use equal nodes.
        os.environ["SAIBAN_RUN_DIR"] = run_folder
        problems = [", ".join(sorted(unread)), *(each for name in files for each in run(files[name], name))]
    failed = sum(map(bool, problems))
    print(f"{len(problems) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
