"""Installs the libraries under the target folder and runs each language's harness."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
Harness = Callable[[Path], str]

GO_V2 = {"library": "gosuda.org/randflake/v2 (Go)", "version": "not available"}
GO_V2_MISSING = "the Go module proxy served no version of it where this page was made, so that it is not known"


class Harnesses:
    def __init__(self) -> None:
        self.root = HERE.parent.parent
        self.target = Path(os.environ.setdefault("CARGO_TARGET_DIR", str(self.root / "target"))).resolve()
        self.work = self.target / "faults"
        self.work.mkdir(parents=True, exist_ok=True)

    def all(self) -> Iterator[tuple[str, Harness]]:
        yield "Rust: ferroid, uuid, saiban", self.rust
        yield "Python: randflake 2, ulid-flake, saiban", self.python
        yield "Python: randflake 1", self.python_randflake_1
        yield "Go: bwmarrin/snowflake, randflake 1", self.go
        yield "Go: randflake 2", self.go_v2
        yield "Node: @sapphire/snowflake, ulid, saiban", self.node

    def rust(self, plan: Path) -> str:
        manifest = HERE / "rust" / "Cargo.toml"
        target = self.work / "rust"
        build = ["cargo", "build", "--quiet", "--release", "--manifest-path", str(manifest)]
        run(build, environment={"CARGO_TARGET_DIR": str(target)})
        return run([target / "release" / "saiban-faults", plan])

    def python(self, plan: Path) -> str:
        wheel = run([self.root / "python" / "build-wheel"]).strip()
        venv = self.work / "python"
        run([sys.executable, "-m", "venv", "--clear", venv])
        # Without dependencies: ulid-flake names some that only its command line needs.
        install = [venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        run([*install, "-r", HERE / "python" / "requirements.txt", wheel])
        python = venv / "bin" / "python"
        scripts = [["randflakes.py", plan, "2"], ["ulid_flakes.py", plan], ["saibans.py", plan]]
        return "".join(run([python, HERE / "python" / name, *rest]) for name, *rest in scripts)

    def python_randflake_1(self, plan: Path) -> str:
        """In a folder of its own, as both versions have one name."""
        venv = self.work / "python-randflake-1"
        run([sys.executable, "-m", "venv", "--clear", venv])
        install = [venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        run([*install, "-r", HERE / "python" / "requirements-randflake-1.txt"])
        return run([venv / "bin" / "python", HERE / "python" / "randflakes.py", plan, "1"])

    def go(self, plan: Path) -> str:
        program = self.work / "faults-go"
        run(["go", "build", "-o", program, "."], folder=HERE / "go")
        return run([program, plan])

    def go_v2(self, plan: Path) -> str:
        """In a copy: which version there is, if any, only the proxy knows."""
        copy = self.work / "go"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(HERE / "go", copy / "go")
        shutil.copytree(HERE / "go-v2", copy / "go-v2")
        program = self.work / "faults-go-v2"
        try:
            run(["go", "get", "gosuda.org/randflake/v2@latest"], folder=copy / "go-v2", quiet=True)
        except subprocess.CalledProcessError as error:
            print(f"faults: go get gosuda.org/randflake/v2: {error.stderr.strip()}", file=sys.stderr)
            faults = json.loads(plan.read_text())["faults"]
            return "".join(json.dumps({**GO_V2, "fault": fault, "note": GO_V2_MISSING}) + "\n" for fault in faults)
        run(["go", "mod", "tidy"], folder=copy / "go-v2")
        run(["go", "build", "-o", program, "."], folder=copy / "go-v2")
        return run([program, plan])

    def node(self, plan: Path) -> str:
        tarball = run([self.root / "node" / "pack"]).strip()
        copy = self.work / "node"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(HERE / "node", copy, ignore=shutil.ignore_patterns("node_modules"))
        run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], folder=copy)
        run(["npm", "install", "--silent", "--offline", "--no-save", "--no-audit", "--no-fund", tarball], folder=copy)
        return run(["node", "main.cjs", plan], folder=copy) + run(["node", "saibans.cjs", plan], folder=copy)

    def versions(self) -> list[str]:
        """What ran the libraries."""
        rust = run(["rustc", "--version"]).split()[1]
        go = run(["go", "env", "GOVERSION"]).strip().removeprefix("go")
        node = run(["node", "--version"]).strip().removeprefix("v")
        python = ".".join(map(str, sys.version_info[:3]))
        return [f"Rust {rust}", f"Go {go}", f"CPython {python}", f"Node {node}"]


def run(
    command: list[str | Path],
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    quiet: bool = False,
) -> str:
    """What a command prints; its errors go where ours go, or stay with the exception."""
    return subprocess.run(
        [str(word) for word in command],
        check=True,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if quiet else None,
        text=True,
    ).stdout
