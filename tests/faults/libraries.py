"""Installs the libraries under the target folder and runs each language's harness."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from processes import Program, Trials, folder_for_cursors

HERE = Path(__file__).resolve().parent
Harness = Callable[[Path], str]

# The build that the tests use: `make test` has made it, and its IDs equal those of a release.
TESTS = {"SAIBAN_BUILD": "tests"}

GO_V2 = {"library": "gosuda.org/randflake/v2 (Go)", "version": "not available"}
GO_V2_MISSING = "the Go module proxy had no version of it when this page was made, so it was not tested"


class Harnesses:
    def __init__(self) -> None:
        self.root = HERE.parent.parent
        self.target = Path(os.environ.setdefault("CARGO_TARGET_DIR", str(self.root / "target"))).resolve()
        self.work = self.target / "faults"
        self.work.mkdir(parents=True, exist_ok=True)
        # The programs that processes.py runs, by language, once they are built.
        self._programs: dict[str, Program] = {}

    def all(self) -> Iterator[tuple[str, Harness]]:
        yield "Rust: ferroid, uuid, saiban", self.rust
        yield "Python: randflake 2, ulid-flake, saiban", self.python
        yield "Python: randflake 1", self.python_randflake_1
        yield "Go: bwmarrin/snowflake, randflake 1", self.go
        yield "Go: randflake 2", self.go_v2
        yield "Node: @sapphire/snowflake, ulid, saiban", self.node

    def trials(self, plan: dict) -> Trials:
        """Builds the remaining programs; call it after all harnesses, which build the others."""
        self._c()
        self._kotlin()
        self._swift()
        found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not found:
            raise FileNotFoundError("no libfaketime: run tools/setup")
        # Swift's programs can read this folder, but not /usr/lib.
        faketime = Path(shutil.copy(found[0], self.work))
        return Trials(self._programs, faketime, self.work / "rust" / "release" / "saiban-faults", plan, self.work)

    def _c(self) -> None:
        prefix, program = self.work / "c", self.work / "faults-c"
        run([self.root / "bindings" / "c" / "install", prefix], environment=TESTS)
        flags = [f"-I{prefix / 'include'}", f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}"]
        run(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", *flags, "-o", program, HERE / "c" / "serve.c", "-lsaiban"])
        self._programs["C"] = Program([str(program)])

    def _kotlin(self) -> None:
        work = self.work / "kotlin"
        library = run([self.root / "bindings" / "uniffi" / "build"], environment=TESTS).strip()
        maven = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", HERE / "kotlin" / "pom.xml"]
        run([*maven, f"-Dsaiban.faults={work}", "compile"])
        override = f"-Duniffi.component.saiban_uniffi.libraryOverride={library}"
        options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", override]
        self._programs["Kotlin"] = Program(["java", *options, "-cp", f"{work}/classes:{work}/lib/*", "ServeKt"])

    def _swift(self) -> None:
        swift, work = self.root / "tools" / "swift", self.work / "swift"
        library = run([self.root / "bindings" / "uniffi" / "build"], environment=TESTS).strip()
        native = work / "native"
        native.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, native)
        run([swift, "build", "--scratch-path", work / "build"], HERE / "swift/serve", {"SAIBAN_NATIVE": str(native)})
        self._programs["Swift"] = Program([str(work / "build" / "debug" / "faults")], (str(swift), "--exec"))

    def rust(self, plan: Path) -> str:
        manifest = HERE / "rust" / "Cargo.toml"
        target = self.work / "rust"
        build = ["cargo", "build", "--quiet", "--release", "--manifest-path", str(manifest)]
        run(build, environment={"CARGO_TARGET_DIR": str(target)})
        program = target / "release" / "saiban-faults"
        self._programs["Rust"] = Program([str(program), "serve"])
        return run([program, plan])

    def python(self, plan: Path) -> str:
        wheel = run([self.root / "python" / "build-wheel"], environment=TESTS).strip()
        venv = self.work / "python"
        run([sys.executable, "-m", "venv", "--clear", venv])
        # Without dependencies: those of ulid-flake serve only its command line.
        install = [venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        run([*install, "-r", HERE / "python" / "requirements.txt", wheel])
        python = venv / "bin" / "python"
        self._programs["Python"] = Program([str(python), str(HERE / "python" / "serve.py")])
        scripts = [["randflakes.py", plan, "2"], ["ulid_flakes.py", plan], ["saibans.py", plan]]
        return "".join(run([python, HERE / "python" / name, *rest]) for name, *rest in scripts)

    def python_randflake_1(self, plan: Path) -> str:
        """Uses a folder of its own, because both versions have one name."""
        venv = self.work / "python-randflake-1"
        run([sys.executable, "-m", "venv", "--clear", venv])
        install = [venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        run([*install, "-r", HERE / "python" / "requirements-randflake-1.txt"])
        python = venv / "bin" / "python"
        self._programs["Python, randflake 1"] = Program([str(python), str(HERE / "python" / "serve.py")])
        return run([python, HERE / "python" / "randflakes.py", plan, "1"])

    def go(self, plan: Path) -> str:
        program = self.work / "faults-go"
        run(["go", "build", "-o", program, "."], folder=HERE / "go")
        self._programs["Go"] = Program([str(program), "serve"])
        return run([program, plan])

    def go_v2(self, plan: Path) -> str:
        """Builds in a copy, because `go get` chooses the version, if the proxy has any."""
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
        self._programs["Go, randflake 2"] = Program([str(program), "serve"])
        return run([program, plan])

    def node(self, plan: Path) -> str:
        tarball = run([self.root / "node" / "pack"], environment=TESTS).strip()
        copy = self.work / "node"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(HERE / "node", copy, ignore=shutil.ignore_patterns("node_modules"))
        run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], folder=copy)
        run(["npm", "install", "--silent", "--offline", "--no-save", "--no-audit", "--no-fund", tarball], folder=copy)
        self._programs["Node"] = Program(["node", str(copy / "serve.cjs")])
        return run(["node", "main.cjs", plan], folder=copy) + run(["node", "saibans.cjs", plan], folder=copy)

    def versions(self) -> list[str]:
        """Returns the versions of the languages' tools."""
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
    """Returns what a command prints. Each command has its own cursor files."""
    with folder_for_cursors() as cursors:
        return subprocess.run(
            [str(word) for word in command],
            check=True,
            cwd=folder,
            env={**os.environ, "SAIBAN_RUN_DIR": cursors, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if quiet else None,
            text=True,
        ).stdout
