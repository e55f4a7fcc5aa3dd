"""The types of Django's fields, as django-stubs and mypy find them in strict mode."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

STUBS = Path(sys.prefix) / "django-stubs"

CONFIG = """
[mypy]
strict = true
plugins = mypy_django_plugin.main
[mypy.plugins.django-stubs]
django_settings_module = settings
"""

SETTINGS = """
SECRET_KEY = "for a test"
INSTALLED_APPS = ["shop"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "saiban.contrib.django.fields.RandflakeAutoField"
"""

MODELS = """
from django.db import models
from saiban.contrib.django import fields

class Order(models.Model):
    number = fields.SnowflakeField(unique=True)
    tsid = fields.TsidField(null=True)
    receipt = fields.UlidField(generator="receipts")
    key = fields.UuidV7Field()
    code = fields.SnowflakeField(prefix="code")
    other_code = fields.UuidV7Field(prefix="code", null=True)

class Item(models.Model):
    id = fields.UlidFlakeAutoField(primary_key=True)
    order = models.ForeignKey(Order, on_delete=models.CASCADE)

class Tag(models.Model):
    id = fields.SnowflakeAutoField(prefix="tag", primary_key=True)
"""

#: Expressions of the program, and their types.
TYPES = {
    "order.pk": "int",
    "order.id": "int",
    "order.number": "int",
    "order.tsid": "int | None",
    "order.receipt": "str",
    "order.key": "uuid.UUID",
    "order.code": "str",
    "order.other_code": "str | None",
    "item.pk": "int",
    "item.order_id": "int",
    "tag.id": "str",
}

PROGRAM = """
from shop.models import Item, Order, Tag

order = Order.objects.create()
item = Item.objects.create(order=order)
tag = Tag.objects.create()
Order.objects.filter(pk=7, code="code_0", receipt="01ARZ3NDEKTSV4RRFFQ69G5FAV")
"""


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Returns what mypy reports about a project with these models."""
    project = tmp_path_factory.mktemp("project")
    (project / "shop").mkdir()
    reveals = "".join(f"reveal_type({expression})\n" for expression in TYPES)
    wrong = "order.number = []\nfields.SnowflakeField(prefix=7)\n"
    for name, text in {
        "mypy.ini": CONFIG,
        "settings.py": SETTINGS,
        "shop/__init__.py": "",
        "shop/models.py": MODELS,
        "program.py": PROGRAM + reveals,
        "wrong.py": f"from saiban.contrib.django import fields\n{PROGRAM}{wrong}",
    }.items():
        (project / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "program.py", "wrong.py", "shop"],
        cwd=project,
        env=os.environ | {"PYTHONPATH": f"{STUBS}{os.pathsep}{project}"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout.splitlines()


def test_values_have_the_types_of_their_fields(reported: list[str]) -> None:
    found = [match[1] for line in reported if (match := re.search(r'Revealed type is "(.*)"', line))]
    assert dict(zip(TYPES, found, strict=True)) == TYPES


def test_only_wrong_values_are_reported(reported: list[str]) -> None:
    errors = [line for line in reported if ": error: " in line]
    assert [re.sub(r":.*\[", " ", error.rstrip("]")) for error in errors] == [
        "wrong.py assignment",
        "wrong.py call-overload",
    ], reported
