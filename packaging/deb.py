"""Makes Debian packages of what packaging/dist has built. dpkg-deb packs them."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Debian's names of processors.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
HOMEPAGE = "https://github.com/saiban/saiban"
MAINTAINER = "The saiban developers <saiban@users.noreply.github.com>"
# dpkg runs these scripts. The service starts only after `systemctl enable`. Its leases stay when
# the package is purged: without them, a new store would grant nodes that are still in use.
SERVICE_SCRIPTS = {
    "postinst": """#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # After an upgrade, $2 is the version before. A service that runs then runs the new version.
  if [ -n "$2" ]; then systemctl try-restart saiban.service; fi
fi
""",
    "prerm": """#!/bin/sh
set -e
if [ "$1" = remove ] && command -v systemctl >/dev/null; then
  if [ -d /run/systemd/system ]; then systemctl stop saiban.service; fi
  systemctl --no-reload disable saiban.service
fi
""",
    "postrm": """#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
""",
}


def command(content: Path, version: str, target: str, into: Path) -> None:
    """Packs the command, its manual page, its completions, and the service's unit and configuration.

    `content` is the folder of the archive for the same target.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        add(tree, content / "saiban", "usr/bin/saiban").chmod(0o755)
        manual = add(tree, content / "saiban.1", "usr/share/man/man1/saiban.1")
        manual.with_suffix(".1.gz").write_bytes(gzip.compress(manual.read_bytes(), mtime=0))
        manual.unlink()
        add(tree, content / "saiban.bash", "usr/share/bash-completion/completions/saiban")
        add(tree, content / "_saiban", "usr/share/zsh/vendor-completions/_saiban")
        add(tree, content / "saiban.fish", "usr/share/fish/vendor_completions.d/saiban.fish")
        add(tree, ROOT / "packaging/saiban.service", "usr/lib/systemd/system/saiban.service")
        add(tree, ROOT / "packaging/saiban.toml", "etc/saiban/saiban.toml")
        fields = {
            "Package": "saiban",
            "Section": "utils",
            "Recommends": "ca-certificates",
            "Description": "unique IDs: the command and the service\n"
            " Makes and inspects Snowflakes, UUIDs, ULIDs and other IDs, leases nodes, and\n"
            " serves IDs over HTTP and gRPC. The service starts after\n"
            " 'systemctl enable --now saiban'.",
        }
        pack(tree, fields, version, target, into, {"conffiles": "/etc/saiban/saiban.toml\n", **SERVICE_SCRIPTS})


def library(content: Path, version: str, target: str, into: Path) -> None:
    """Packs the C library, and what programs need to compile with it.

    `content` is the folder of the archive for the same target.
    """
    # libsaiban.so.0 names what programs that are linked need at run time (the SONAME).
    (link,) = (content / "lib").glob("libsaiban.so.[0-9]")
    soname = link.suffix[1:]
    package = f"libsaiban{soname}"
    # The files for pkg-config and CMake find the others from their own place, so all are in
    # /usr/lib, not in the folder of a processor.
    for_linking = {"libsaiban.so", "libsaiban.a"}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for file in (content / "lib").glob("libsaiban.*"):
            if file.name not in for_linking:
                add(tree, file, f"usr/lib/{file.name}")
        fields = {
            "Package": package,
            "Section": "libs",
            "Depends": "libc6 (>= 2.17)",
            "Description": "unique IDs: the library for C and C++\n"
            " Makes Snowflakes, UUIDs, ULIDs and other IDs that never repeat.",
        }
        shlibs = f"libsaiban {soname} {package}\n"
        pack(tree, fields, version, target, into, {"triggers": "activate-noawait ldconfig\n", "shlibs": shlibs})
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        shutil.copytree(content / "include", tree / "usr/include")
        for name in for_linking:
            add(tree, content / "lib" / name, f"usr/lib/{name}")
        for name in ("pkgconfig", "cmake"):
            shutil.copytree(content / "lib" / name, tree / "usr/lib" / name)
        fields = {
            "Package": "libsaiban-dev",
            "Section": "libdevel",
            "Depends": f"{package} (= {debian(version)})",
            "Description": "unique IDs: headers and static library for C and C++\n"
            " Also has the files with which pkg-config and CMake find the library.",
        }
        pack(tree, fields, version, target, into, {})


def debian(version: str) -> str:
    """Returns a version as Debian sorts it: 0.2.0~rc.1 is older than 0.2.0."""
    return version.replace("-", "~")


def add(tree: Path, source: Path, path: str) -> Path:
    """Copies a file, or a link to another file of the tree, and returns its new path."""
    copy = tree / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(source, copy, follow_symlinks=False))


def pack(
    tree: Path, fields: dict[str, str], version: str, target: str, into: Path, control_files: dict[str, str]
) -> None:
    """Packs a tree of files with the fields of its control file, and other control files.

    Packages of one commit are equal byte by byte: all files get the commit's time, and modes that
    do not depend on the umask.
    """
    about = tree / "usr/share/doc" / fields["Package"]
    about.mkdir(parents=True)
    (about / "copyright").write_text(
        "saiban is under one of two licenses, at your choice: the Apache License, version 2.0, which is in\n"
        "/usr/share/common-licenses/Apache-2.0, or this one.\n\n" + (ROOT / "LICENSE-MIT").read_text()
    )
    (about / "changelog.gz").write_bytes(gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0))
    size = sum(file.lstat().st_size for file in tree.rglob("*") if file.is_file())
    architecture = ARCHITECTURES[target.split("-")[0]]
    fields = fields | {
        "Version": debian(version),
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Homepage": HOMEPAGE,
        "Priority": "optional",
        "Installed-Size": str(-(-size // 1024)),
    }
    control = tree / "DEBIAN"
    control.mkdir()
    (control / "control").write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    for name, text in control_files.items():
        (control / name).write_text(text)
        if text.startswith("#!"):
            (control / name).chmod(0o755)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    # Not Debian's form of the version: GitHub changes the tilde in names of files.
    file = into / f"{fields['Package']}_{version}_{architecture}.deb"
    time_s = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file],
        env=os.environ | {"SOURCE_DATE_EPOCH": time_s},
        check=True,
        stdout=subprocess.DEVNULL,
    )
