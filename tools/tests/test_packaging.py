"""The files in packaging/ are valid for the programs that read them."""

import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent.parent.parent / "packaging"


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


if __name__ == "__main__":
    unittest.main()
