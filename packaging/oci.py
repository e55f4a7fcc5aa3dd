"""Makes the container image of the service, in OCI's format. buildah packs it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from deb import ARCHITECTURES, HOMEPAGE, ROOT

# The authorities that sign the certificates of stores, from Debian's package ca-certificates.
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
USER = "7609:7609"
PORT = 7609
# Those of packaging/Containerfile, which compiles the service in the image.
VARIABLES = {
    "SAIBAN_SERVE_CONFIG": "/etc/saiban/saiban.toml",
    "SAIBAN_SERVE_LISTEN": f"0.0.0.0:{PORT}",
    "XDG_DATA_HOME": "/var/lib",
}


def service(program: Path, version: str, target: str, into: Path, time_s: str) -> None:
    """Packs the command, which is linked statically, its configuration and the certificates: there is
    nothing else in the image. `podman load` reads the archive.
    """
    architecture = ARCHITECTURES[target.split("-")[0]]
    archive = into / f"saiban-{version}-{architecture}.oci.tar"
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        # Without a storage driver of the kernel, and apart from the user's images.
        options = ("--storage-driver", "vfs", "--root", store / "root", "--runroot", store / "run")

        def buildah(command: str, *arguments: str | Path) -> str:
            said = subprocess.run(
                ("buildah", *options, command, *arguments), check=True, stdout=subprocess.PIPE, text=True
            )
            return said.stdout.strip()

        tree = Path(folder) / "tree"
        for source, place in (
            (program, "usr/bin/saiban"),
            (ROOT / "packaging/saiban.toml", "etc/saiban/saiban.toml"),
            (CERTIFICATES, "etc/ssl/certs/ca-certificates.crt"),
        ):
            (tree / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, tree / place)
        # Whatever this user's mask is.
        for entry in tree.rglob("*"):
            entry.chmod(0o755 if entry.is_dir() or entry.name == "saiban" else 0o644)
        own = Path(folder) / "own"
        (own / "var/lib/saiban").mkdir(parents=True)
        (own / "tmp").mkdir()

        container = buildah("from", "--arch", architecture, "scratch")
        buildah("copy", "--quiet", container, tree, "/")
        for place in ("var/lib/saiban", "tmp"):
            buildah("copy", "--quiet", "--chown", USER, container, own / place, f"/{place}")
        settings = [word for name, value in VARIABLES.items() for word in ("--env", f"{name}={value}")]
        settings += ["--user", USER, "--workingdir", "/var/lib/saiban", "--volume", "/var/lib/saiban"]
        settings += ["--port", str(PORT), "--stop-signal", "SIGTERM", "--cmd", ""]
        settings += ["--entrypoint", json.dumps(["/usr/bin/saiban", "serve"])]
        labels = {"version": version, "source": HOMEPAGE, "licenses": "MIT OR Apache-2.0", "title": "saiban"}
        for name, value in labels.items():
            settings += ["--label", f"org.opencontainers.image.{name}={value}"]
        buildah("config", *settings, container)
        # With one time, equal files make equal images.
        buildah(
            "commit",
            "--quiet",
            "--format",
            "oci",
            "--timestamp",
            time_s,
            container,
            f"oci-archive:{archive}:saiban:{version}",
        )
