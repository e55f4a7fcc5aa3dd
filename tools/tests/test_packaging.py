"""The files in packaging/ are valid for the programs that read them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent.parent.parent / "packaging"
sys.path.insert(0, str(PACKAGING))

import deb
import oci


class Packaging(unittest.TestCase):
    def test_systemd_takes_the_unit(self):
        unit = (PACKAGING / "saiban.service").read_text()
        self.assertIn("/usr/bin/saiban serve", unit)
        self.assertIn("\nExecReload=/bin/kill -HUP $MAINPID\n", unit)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "saiban.service"
            # systemd checks that the command exists, and it is not installed here.
            copy.write_text(unit.replace("/usr/bin/saiban", shutil.which("true") or "/bin/true"))
            done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
        # systemd also complains about other units of this machine.
        messages = [line for line in done.stderr.splitlines() if "saiban" in line]
        self.assertEqual((done.returncode, messages), (0, []))

    def test_every_key_of_the_example_is_a_key_without_its_mark(self):
        text = (PACKAGING / "saiban.toml").read_text()
        self.assertEqual(tomllib.loads(text), {}, "what stands there changes nothing")
        meant = re.sub(r"^#(?=\S)", "", text, flags=re.M)
        settings = tomllib.loads(meant)
        self.assertEqual(settings["listen"], ["127.0.0.1:7609"])
        self.assertEqual(set(settings["schemes"]), {"orders", "public", "customers", "events", "newest", "flakes"})
        self.assertEqual(settings["tokens"][0]["scopes"], ["generate", "inspect"])
        self.assertIn("max_wait_ms", settings["limits"])


class DebianPackages(unittest.TestCase):
    VERSION, TARGET = "0.2.0-rc.1", "aarch64-unknown-linux-gnu"

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.content, self.into = Path(folder.name) / "content", Path(folder.name) / "into"
        self.into.mkdir()

    def content_with(self, *paths: str) -> None:
        for path in paths:
            (self.content / path).parent.mkdir(parents=True, exist_ok=True)
            (self.content / path).write_text(path)

    def look(self, package: str, option: str) -> str:
        file = self.into / f"{package}_{self.VERSION}_arm64.deb"
        return subprocess.run(["dpkg-deb", option, file], check=True, capture_output=True, text=True).stdout

    def test_the_command_is_packed_with_the_service(self) -> None:
        self.content_with("saiban", "saiban.1", "saiban.bash", "_saiban", "saiban.fish")
        earlier = os.umask(0o077)
        try:
            deb.command(self.content, self.VERSION, self.TARGET, self.into)
        finally:
            os.umask(earlier)
        listed = self.look("saiban", "--contents")
        for line in (
            r"-rwxr-xr-x root/root .* \./usr/bin/saiban",
            r"-rw-r--r-- root/root .* \./usr/lib/systemd/system/saiban\.service",
            r"-rw-r--r-- root/root .* \./usr/share/man/man1/saiban\.1\.gz",
            r"drwxr-xr-x root/root .* \./etc/saiban/",
        ):
            self.assertRegex(listed, rf"(?m)^{line}$")
        fields = self.look("saiban", "--info")
        self.assertRegex(fields, r"(?m)^ Version: 0\.2\.0~rc\.1$")
        for name in ("conffiles", *deb.SERVICE_SCRIPTS):
            self.assertIn(f" {name} ", fields)
        for name, script in deb.SERVICE_SCRIPTS.items():
            with self.subTest(name):
                subprocess.run(["sh", "-n"], input=script, text=True, check=True)

    def test_the_library_is_in_one_package_and_what_links_to_it_in_another(self) -> None:
        self.content_with("include/saiban.h", "lib/libsaiban.a", "lib/libsaiban.so.0.2.0", "lib/pkgconfig/saiban.pc")
        self.content_with("lib/cmake/saiban/saiban-config.cmake")
        (self.content / "lib/libsaiban.so.0").symlink_to("libsaiban.so.0.2.0")
        (self.content / "lib/libsaiban.so").symlink_to("libsaiban.so.0")
        deb.library(self.content, self.VERSION, self.TARGET, self.into)
        shared, dev = (self.look(name, "--contents") for name in ("libsaiban0", "libsaiban-dev"))
        self.assertRegex(shared, r"\./usr/lib/libsaiban\.so\.0 -> libsaiban\.so\.0\.2\.0")
        self.assertNotIn("libsaiban.so.0.2.0\n", dev)
        self.assertRegex(dev, r"\./usr/lib/libsaiban\.so -> libsaiban\.so\.0")
        for path in ("./usr/include/saiban.h", "./usr/lib/libsaiban.a", "./usr/lib/pkgconfig/saiban.pc"):
            self.assertIn(path, dev)
            self.assertNotIn(path, shared)
        self.assertIn("Depends: libsaiban0 (= 0.2.0~rc.1)", self.look("libsaiban-dev", "--info"))


class Image(unittest.TestCase):
    def test_both_images_have_one_user_port_and_settings(self):
        file = (PACKAGING / "Containerfile").read_text()
        self.assertIn(f"\nUSER {oci.USER}\n", file)
        self.assertIn(f"\nEXPOSE {oci.PORT}\n", file)
        for name, value in oci.VARIABLES.items():
            self.assertIn(f"{name}={value}", file)


if __name__ == "__main__":
    unittest.main()
