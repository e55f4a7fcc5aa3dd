"""`manage.py check` warns about apps that override the project's DEFAULT_AUTO_FIELD."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

OURS = "saiban.contrib.django.fields.SnowflakeAutoField"
MODELS = """from django.db import models

class Order(models.Model):
    others = models.ManyToManyField("self")

class Special(Order):
    pass

class Proxy(Order):
    class Meta:
        proxy = True
"""
#: Models that declare their keys.
DECLARED = """from django.db import models

class Order(models.Model):
    id = models.BigAutoField(primary_key=True)

class Line(models.Model):
    code = models.CharField(max_length=3, primary_key=True)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder of a project, which has no app yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "project_settings")
    return tmp_path


def add_app(folder: Path, name: str, field: str | None, models: str = MODELS) -> None:
    app = folder / name
    app.mkdir(parents=True)
    (app / "__init__.py").touch()
    (app / "models.py").write_text(models)
    line = "" if field is None else f'    default_auto_field = "{field}"\n'
    config = f'class {name.title()}Config(AppConfig):\n    name = "{name}"\n{line}'
    (app / "apps.py").write_text(f"from django.apps import AppConfig\n\n\n{config}")


def warnings(folder: Path, *apps: str, default: str = OURS) -> dict[str, str]:
    """Runs `manage.py check`; returns the warnings, by the label of the app."""
    (folder / "project_settings.py").write_text(
        f"SECRET_KEY = 'only for these tests'\nINSTALLED_APPS = {list(apps)}\nDEFAULT_AUTO_FIELD = '{default}'\n"
        "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\n"
    )
    done = subprocess.run([sys.executable, "-m", "django", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^<\w+: (\w+)>: \(saiban\.W002\) (.*\n\tHINT: .*)$", done.stderr, re.M)
    assert len(found) == done.stderr.count("(saiban.")
    return dict(found)


@pytest.mark.parametrize("field", ["django.db.models.BigAutoField", "django.db.models.AutoField"])
def test_an_app_that_overrides_the_default_is_named_with_its_models(project: Path, field: str) -> None:
    add_app(project, "shop", field)
    add_app(project, "stock", None)
    found = warnings(project, "shop", "stock")
    assert found.keys() == {"shop"}
    message, hint = found["shop"].split("\n")
    assert message == (
        f"shop.apps.ShopConfig.default_auto_field is '{field}', so these models do not use the project's "
        f"DEFAULT_AUTO_FIELD, '{OURS}': shop.Order, shop.Order_others."
    )
    assert "Remove default_auto_field from shop.apps.ShopConfig" in hint


def test_an_app_that_startapp_made_is_named(project: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "django", "startapp", "shop"],
        check=True,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": ""},
    )
    (project / "shop/models.py").write_text(MODELS)
    overrides = "default_auto_field" in (project / "shop/apps.py").read_text()
    assert bool(warnings(project, "saiban.contrib.django", "shop")) == overrides


def test_the_check_needs_no_saiban_field_if_the_app_is_installed(project: Path) -> None:
    add_app(project, "shop", "django.db.models.BigAutoField")
    assert warnings(project, "shop") == {}
    assert warnings(project, "saiban.contrib.django", "shop").keys() == {"shop"}


def test_no_other_app_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_app(project, "stock", None)
    add_app(project, "saibans", "saiban.contrib.django.fields.TsidAutoField")
    add_app(project, "declared", "django.db.models.AutoField", DECLARED)
    add_app(project, "empty", "django.db.models.AutoField", "")
    apps = ["saiban.contrib.django", "stock", "saibans", "declared", "empty"]
    for kind in ("site-packages", "dist-packages"):
        folder = project / "lib" / kind
        add_app(folder, kind[:4], "django.db.models.AutoField")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ["PYTHONPATH"]]))
        apps.append(kind[:4])
    apps += ["django.contrib.contenttypes", "django.contrib.auth"]
    assert warnings(project, *apps) == {}


def test_a_project_with_another_default_gets_no_warning(project: Path) -> None:
    add_app(project, "shop", "django.db.models.AutoField")
    add_app(project, "saibans", OURS)
    assert warnings(project, "saiban.contrib.django", "shop", "saibans", default="django.db.models.BigAutoField") == {}
