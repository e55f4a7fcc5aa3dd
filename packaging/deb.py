"""Makes Debian packages of what packaging/dist has built. dpkg-deb packs them."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Debian's names of processors.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
HOMEPAGE = "https://github.com/saiban/saiban"
MAINTAINER = "The saiban developers <saiban@users.noreply.github.com>"


def command(content: Path, version: str, target: str, into: Path) -> None:
    """Packs the command, its manual page, its completions, and the service's unit and configuration.

    `content` is the folder of the archive for the same target.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        add(tree, content / "saiban", "usr/bin/saiban", 0o755)
        manual = add(tree, content / "saiban.1", "usr/share/man/man1/saiban.1")
        manual.with_suffix(".1.gz").write_bytes(gzip.compress(manual.read_bytes(), mtime=0))
        manual.unlink()
        add(tree, content / "saiban.bash", "usr/share/bash-completion/completions/saiban")
        add(tree, content / "_saiban", "usr/share/zsh/vendor-completions/_saiban")
        add(tree, content / "saiban.fish", "usr/share/fish/vendor_completions.d/saiban.fish")
        add(tree, ROOT / "packaging/saiban.service", "lib/systemd/system/saiban.service")
        add(tree, ROOT / "packaging/saiban.toml", "etc/saiban/saiban.toml")
        control = {
            "Package": "saiban",
            "Section": "utils",
            "Description": "unique IDs: the command and the service\n"
            " Makes and inspects Snowflakes, UUIDs, ULIDs and other IDs, leases nodes, and\n"
            " serves IDs over HTTP and gRPC. The service starts after\n"
            " 'systemctl enable --now saiban'.",
        }
        pack(tree, control, version, target, into, {"conffiles": "/etc/saiban/saiban.toml\n"})


def library(content: Path, version: str, target: str, into: Path) -> None:
    """Packs the C library, and what programs need to compile with it.

    `content` is the folder of the archive for the same target.
    """
    # The files for pkg-config and CMake find the others from their own place, so all are in
    # /usr/lib, not in the folder of a processor.
    compiled = {"libsaiban.so", "libsaiban.a"}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for file in (content / "lib").glob("libsaiban.*"):
            if file.name not in compiled:
                add(tree, file, f"usr/lib/{file.name}")
        control = {
            "Package": "libsaiban0",
            "Section": "libs",
            "Depends": "libc6 (>= 2.17), libgcc-s1",
            "Description": "unique IDs: the library for C and C++\n"
            " Makes Snowflakes, UUIDs, ULIDs and other IDs that never repeat.",
        }
        pack(tree, control, version, target, into, {"triggers": "activate-noawait ldconfig\n"})
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        shutil.copytree(content / "include", tree / "usr/include")
        for name in compiled:
            add(tree, content / "lib" / name, f"usr/lib/{name}")
        for name in ("pkgconfig", "cmake"):
            shutil.copytree(content / "lib" / name, tree / "usr/lib" / name)
        control = {
            "Package": "libsaiban-dev",
            "Section": "libdevel",
            "Depends": f"libsaiban0 (= {debian(version)})",
            "Description": "unique IDs: headers and static library for C and C++\n"
            " Also has the files with which pkg-config and CMake find the library.",
        }
        pack(tree, control, version, target, into, {})


def debian(version: str) -> str:
    """Returns a version as Debian sorts it: 0.2.0~rc.1 is older than 0.2.0."""
    return version.replace("-", "~")


def add(tree: Path, source: Path, path: str, mode: int = 0o644) -> Path:
    """Copies a file, or a link to another file of the tree, and returns its new path."""
    copy = tree / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy, follow_symlinks=False)
    if not copy.is_symlink():
        copy.chmod(mode)
    return copy


def pack(tree: Path, control: dict[str, str], version: str, target: str, into: Path, scripts: dict[str, str]) -> None:
    """Packs a tree of files, with the fields of its control file and the other files of control."""
    licences = "\n".join((ROOT / name).read_text() for name in ("LICENSE-MIT", "LICENSE-APACHE"))
    notice = tree / f"usr/share/doc/{control['Package']}/copyright"
    notice.parent.mkdir(parents=True)
    notice.write_text(f"saiban is under either of these licenses, at your choice.\n\n{licences}")
    for folder in (tree, *(path for path in tree.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    size = sum(file.lstat().st_size for file in tree.rglob("*") if file.is_file())
    architecture = ARCHITECTURES[target.split("-")[0]]
    fields = {
        "Version": debian(version),
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Homepage": HOMEPAGE,
        "Priority": "optional",
        "Installed-Size": str(-(-size // 1024)),
    }
    about = tree / "DEBIAN"
    about.mkdir()
    (about / "control").write_text("".join(f"{name}: {value}\n" for name, value in (control | fields).items()))
    for name, text in scripts.items():
        (about / name).write_text(text)
    file = into / f"{control['Package']}_{debian(version)}_{architecture}.deb"
    # The date of all files, so that equal content makes an equal package.
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SOURCE_DATE_EPOCH": "0"}
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
