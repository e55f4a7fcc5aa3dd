#!/usr/bin/env python3
"""Checks the code, the links and the commands that the README and the other pages show.

Code, in the pages of PAGES: the code of a block after `<!-- from FILE -->` must be in that file,
line by line, at any indentation. The examples run these files. Every block of a programming
language must have such a mark.

Links, in all pages: a link into the repository must name an existing file and, after `#`, a heading
of that file.

PyPI and npm also show the READMEs of the Python and the npm package, without the repository. So
their links must be absolute, or `#heading`. Each `saiban SUBCOMMAND` in them must be a subcommand
of that package's command, unless the sentence or table row mentions the binary.

Figures, in all pages: see figures.py.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
import textwrap
import tomllib
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import figures

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- from (?P<file>\S+) -->\n)?```(?P<language>\w+)\n(?P<code>.*?)```", re.DOTALL)
PROSE = {"text", "console"}
PAGES = ("README.md", "docs/leases.md", "docs/numbers.md", "bindings/uniffi/kotlin/README.md")
# The READMEs of packages, and the manifests with the features of their commands.
PACKAGES = {"python/README.md": "bindings/python/Cargo.toml", "node/README.md": "bindings/node/Cargo.toml"}
COMMANDS = "cli/src/command.rs"
# The template of docs/faults.md, whose links are relative to docs/.
TEMPLATE = "tests/faults/page.md"

REPOSITORY = re.compile(r"https://github\.com/saiban/saiban/(?:blob|tree)/main/(?P<path>.*)")
ELSEWHERE = re.compile(r"[a-z]+:")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?P<target>[^()\s]+)\)")
HEADING = re.compile(r"^#+ +(?P<text>.+?) *$", re.MULTILINE)
COMMAND_ENUM = re.compile(r"enum Command \{\n(?P<variants>.*?)^\}", re.DOTALL | re.MULTILINE)
VARIANT = re.compile(r'(?:#\[cfg\(feature = "(?P<feature>\w+)"\)\]\s+)?(?:#\[command\(.*?\)\]\s+)?(?P<name>[A-Z]\w*)\(')
NAMED_COMMAND = re.compile(r"(?:`(?:npx )?|^\s*\$ )saiban (?P<name>[a-z][a-z-]*)", re.MULTILINE)


def stands_in(code: str, program: str) -> bool:
    """Returns whether these lines occur in the program in sequence, with any common indentation."""
    wanted = textwrap.dedent(code).strip("\n").splitlines()
    lines = program.splitlines()
    return any(
        textwrap.dedent("\n".join(lines[start : start + len(wanted)])).splitlines() == wanted
        for start in range(len(lines) - len(wanted) + 1)
    )


def check(readme: str, read: callable) -> list[str]:
    """Returns the problems of a README's blocks; `read` returns the text of a file."""
    problems = []
    for block in BLOCK.finditer(readme):
        if block["language"] in PROSE:
            continue
        begins = block["code"].strip().splitlines()[0]
        if block["file"] is None:
            problems.append(f"the block that begins {begins!r} does not say which program it is from")
        elif not stands_in(block["code"], read(block["file"])):
            problems.append(f"the block that begins {begins!r} does not stand in {block['file']}")
    return problems


def anchors(page: str) -> set[str]:
    """Returns the anchors that GitHub gives the headings of a page."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in HEADING.finditer(FENCED.sub("", page)):
        name = re.sub(r"[^\w\- ]", "", heading["text"].lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def links(page: str, root: Path) -> list[str]:
    """Returns the broken links of a page."""
    problems = []
    for link in LINK.finditer(FENCED.sub("", (root / page).read_text())):
        target = link["target"]
        inside = REPOSITORY.fullmatch(target)
        if not inside and ELSEWHERE.match(target):
            continue
        if not inside and page in PACKAGES and not target.startswith("#"):
            problems.append(f"the link to {target} leads nowhere on the package's site: make it absolute")
            continue
        path, _, anchor = (inside["path"] if inside else target).partition("#")
        if not inside:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        if not (root / path).exists():
            problems.append(f"the link to {target} names no file of the repository")
        elif anchor and anchor not in anchors((root / path).read_text()):
            problems.append(f"the link to {target} names no heading of {path}")
    return problems


def subcommands(source: str, features: list[str]) -> set[str]:
    """Returns the subcommands in cli/src/command.rs that these features enable."""
    variants = COMMAND_ENUM.search(source)["variants"]
    return {
        variant["name"].lower()
        for variant in VARIANT.finditer(variants)
        if variant["feature"] is None or variant["feature"] in features
    }


def commands(readme: str, known: set[str]) -> list[str]:
    """Returns the subcommands that a package's README names but its command lacks."""
    sentences = re.split(r"\n\s*\n|\n(?=[|-] )|(?<=[.:])\s", readme)
    named = [(match["name"], sentence) for sentence in sentences for match in NAMED_COMMAND.finditer(sentence)]
    return [
        f"the package's command has no `saiban {name}`: leave it out, or name the binary in the sentence"
        for name, sentence in named
        if name not in known and "binary" not in sentence
    ]


def main() -> int:
    def read(name: str) -> str:
        return (ROOT / name).read_text()

    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    problems = [(page, problem) for page in PAGES for problem in check(read(page), read)]
    linking = [page for page in listed.splitlines() if page != TEMPLATE]
    problems += [(page, problem) for page in linking for problem in links(page, ROOT)]
    for page, manifest in PACKAGES.items():
        described = tomllib.loads(read(manifest))
        # Node's package as WebAssembly has no command.
        sections = (described, *described.get("target", {}).values())
        dependencies = {name: value for section in sections for name, value in section.get("dependencies", {}).items()}
        features = dependencies["saiban-cli"]["features"]
        problems += [(page, problem) for problem in commands(read(page), subcommands(read(COMMANDS), features))]
    problems += figures.check(listed.splitlines())
    for page, problem in problems:
        print(f"{page}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
