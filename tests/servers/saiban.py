"""saiban's own service, with an SQLite file as its store."""

from __future__ import annotations

import functools
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from .server import HOST, CannotServe, Server

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def command() -> str:
    """Returns the program `saiban`: built from this tree, or the one that SAIBAN_COMMAND names."""
    if given := os.environ.get("SAIBAN_COMMAND"):
        return given
    done = subprocess.run([ROOT / "tools" / "build", "saiban-cli"], capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotServe(f"saiban cannot be built: {done.stderr[-2000:]}")
    return f"{done.stdout.strip()}/saiban"


class Saiban(Server):
    """The variables SAIBAN_SERVE_… configure the service; SAIBAN_STORE names another store."""

    def command(self) -> list[str]:
        store = [] if "SAIBAN_STORE" in self.environment else ["--store", f"sqlite://{self.data}/leases.db"]
        return [command(), "serve", "--listen", f"{HOST}:{self.port}", *store]

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}/healthz", timeout=2) as answer:
                return answer.status == 200
        except urllib.error.HTTPError:
            return False

    @property
    def url(self) -> str:
        return f"saiban://{HOST}:{self.port}"
