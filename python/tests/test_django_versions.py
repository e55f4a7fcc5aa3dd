"""saiban.contrib.django works with the oldest supported Django, too."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OLDEST = Path(sys.prefix) / "django-4.2"


@pytest.mark.oldest_django
def test_django_4_2() -> None:
    environment = os.environ | {"PYTHONPATH": str(OLDEST), "DJANGO_SETTINGS_MODULE": "leased.settings"}
    version = [sys.executable, "-c", "import django; print(django.__version__)"]
    assert subprocess.check_output(version, env=environment, text=True).startswith("4.2.")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "django_tests"]
    done = subprocess.run(command, cwd=TESTS, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d+ passed in", done.stdout, re.M)
    command = [sys.executable, "-m", "django", "test", "leased", "--parallel", "2"]
    done = subprocess.run(command, cwd=TESTS, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Ran 7 tests", done.stderr, re.M)
