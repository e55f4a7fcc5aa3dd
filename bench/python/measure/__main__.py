"""Usage: python -m measure [--rounds N] [--ms M]

Prints a line of JSON about the interpreter, and at the end one for each case: nanoseconds per ID, a
value a round.
"""

from __future__ import annotations

import argparse
import json
import platform

from . import cases, rounds


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench/python/run")
    parser.add_argument("--rounds", type=int, default=15, help="how often each case is measured")
    parser.add_argument("--ms", type=float, default=20, help="about how long each sample of a case takes")
    arguments = parser.parse_args()

    runtime = f"{platform.python_implementation()} {platform.python_version()}"
    print(json.dumps({"machine": {"language": "python", "runtime": runtime}}), flush=True)
    for case, ns in rounds.run(cases.all_cases(), arguments.rounds, arguments.ms):
        figures = [round(value, 2) for value in ns]
        print(json.dumps({"path": case.path, "who": case.who, "version": case.version, "ns": figures}), flush=True)


if __name__ == "__main__":
    main()
