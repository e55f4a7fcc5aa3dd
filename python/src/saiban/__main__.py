"""The command `saiban`, which is also `python -m saiban`: the Rust program, run in this process."""

import signal
import sys

from saiban._native import run_cli


def main() -> int:
    """Runs the command with this process's arguments; returns its exit code."""
    # Python's own handler of Ctrl-C runs between bytecodes, and the command is one native call.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_cli(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
