"""Every step of docs/django-migration.md, with a project on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from databases import Databases, all_databases, rows
from gunicorn_server import TESTS

__all__ = ["all_databases"]

PAGE = (ROOT / "docs/django-migration.md").read_text()
SECTIONS = dict(zip(*[iter(re.split(r"^## (.*)\n", PAGE, flags=re.M)[1:])] * 2, strict=True))
#: saiban's IDs are larger than this number, and old IDs are smaller.
OURS = 2**58

SETTINGS = """from leased.settings import *
INSTALLED_APPS = ["django.contrib.contenttypes", "shop"]
ROOT_URLCONF = None
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
"""


def code(section: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", SECTIONS[section], re.S)


class Project:
    """A project with the models of the page, and rows."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url, self._folder = url, folder
        (folder / "shop/migrations").mkdir(parents=True)
        (folder / "shop/__init__.py").touch()
        (folder / "shop/migrations/__init__.py").touch()
        self.write("shop_settings.py", SETTINGS)
        (models,) = code("What happens")
        self.write("shop/models.py", models)
        self.manage("makemigrations shop")
        self.manage("migrate shop")
        self.run(
            """
            for name in ("Ada", "Grace", "Barbara"):
                Order.objects.create(customer=Customer.objects.create(name=name))
            Club.objects.create().members.set(Customer.objects.exclude(name="Grace"))
            """
        )
        self.ids = self.names()
        assert set(self.ids) == {1, 2, 3}

    def write(self, name: str, text: str) -> None:
        (self._folder / name).write_text(text)

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self._folder / name).read_text()
        assert text.count(old) == 1, text
        self.write(name, text.replace(old, new))

    def manage(self, command: str) -> str:
        return self._python("-m", "django", *command.split())

    def run(self, program: str) -> str:
        """Runs a program with the project's models."""
        lines = ["import django; django.setup()", "from shop.models import *", "from django.db import connection"]
        lines += [line.removeprefix(" " * 12) for line in program.splitlines()]
        return self._python("-c", "\n".join(lines))

    def _python(self, *arguments: str) -> str:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(self._folder), str(TESTS), os.environ.get("PYTHONPATH", "")]),
            "DJANGO_SETTINGS_MODULE": "shop_settings",
            "SHOP_DATABASE": self.url,
        }
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self._folder, env=environment, capture_output=True, text=True
        )
        if done.returncode != 0:
            error = subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
            error.add_note(done.stderr)
            raise error
        return done.stdout

    def steps(self, section: str) -> list[str]:
        """Runs the commands of a section of the page; returns their output."""
        commands = re.findall(r"^\$ python manage\.py (.*)$", SECTIONS[section], re.M)
        assert commands
        return [self.manage(command) for command in commands]

    def names(self) -> dict[int, list[Any]]:
        """Returns each customer's ID, with the objects of its relations."""
        program = """
            import json
            found = [
                (row.pk, [row.name, row.orders.count(), row.clubs.count()]) for row in Customer.objects.order_by("pk")
            ]
            print(json.dumps(found))
            """
        return dict(json.loads(self.run(program)))

    def add(self, name: str) -> int:
        """Creates a customer with an order, in the club; returns the ID."""
        program = f"""
            customer = Customer.objects.create(name={name!r})
            Order.objects.create(customer=customer)
            Club.objects.get().members.add(customer)
            print(customer.pk)
            """
        return int(self.run(program))

    def types(self) -> set[str]:
        """Returns the types of the key and of the columns that refer to it."""
        columns = [("shop_customer", "id"), ("shop_order", "customer_id"), ("shop_club_members", "customer_id")]
        return {self.type(*column) for column in columns}

    def type(self, table: str, column: str) -> str:
        if self.url.startswith("sqlite:"):
            return {row[1]: row[2].lower() for row in rows(self.url, f"PRAGMA table_info({table})")}[column]
        sql = "SELECT data_type FROM information_schema.columns WHERE table_name = '{}' AND column_name = '{}'"
        return rows(self.url, sql.format(table, column))[0][0]

    def change_field(self, section: str) -> None:
        (line,) = code(section)
        self.replace(
            "shop/models.py", re.search(r"    id = .*\n", (self._folder / "shop/models.py").read_text())[0], line
        )


@pytest.fixture(params=("sqlite", "postgres"))
def project(request: pytest.FixtureRequest, all_databases: Databases, tmp_path: Path) -> Project:
    return Project(tmp_path, all_databases.new(request.param))


def change_key(project: Project) -> None:
    """Runs the steps 1 to 3."""
    assert project.types() == {"integer"}
    project.change_field("1. Widen the key")
    project.steps("1. Widen the key")
    assert project.types() == {"bigint" if project.url.startswith("postgres:") else "integer"}
    assert project.names() == project.ids
    assert project.add("the old code after step 1") == 4

    project.change_field("2. Change the field")
    project.replace(
        "shop/models.py",
        "from django.db import models\n",
        "from django.db import models\n"
        + re.search(r"`(from saiban.* import SnowflakeAutoField)`", SECTIONS["2. Change the field"])[1]
        + "\n",
    )
    before = project.names()
    if project.url.startswith("postgres:"):
        new = project.add("the new code before the migration")
        assert new > OURS
        before |= {new: ["the new code before the migration", 1, 1]}
    project.steps("2. Change the field")
    assert project.types() == {"bigint"}
    assert project.names() == before
    project.steps("3. Check the result")
    project.ids = before
    new = project.add("the new code")
    assert new > OURS
    project.ids |= {new: ["the new code", 1, 1]}
    assert project.names() == project.ids
    with pytest.raises(Exception, match=r"(?i)not.null.*constraint"):
        rows(project.url, "INSERT INTO shop_customer (name) VALUES ('the old code')")
    if project.url.startswith("sqlite:"):
        assert rows(project.url, "PRAGMA foreign_key_check") == []
    else:
        assert rows(project.url, "SELECT pg_get_serial_sequence('shop_customer', 'id')") == [(None,)]
        with pytest.raises(Exception, match="violates foreign key constraint"):
            rows(project.url, "UPDATE shop_order SET customer_id = 77")


def test_a_key_its_relations_the_default_and_old_numbers_are_migrated(
    project: Project, all_databases: Databases, tmp_path: Path
) -> None:
    change_key(project)

    (setting, function, operation) = code("4. Change the default of the project")
    project.replace("shop_settings.py", 'DEFAULT_AUTO_FIELD = "django.db.models.AutoField"\n', setting)
    commands = re.findall(r"^\$ python manage\.py (.*)$", SECTIONS["4. Change the default of the project"], re.M)
    assert commands == ["makemigrations shop --name defaults", "migrate shop"]
    project.manage(commands[0])
    if project.url.startswith("postgres:"):
        with pytest.raises(subprocess.CalledProcessError) as refused:
            project.run("Club.objects.get().members.set(Customer.objects.all())")
        assert "integer out of range" in refused.value.stderr
    migration = "shop/migrations/0004_defaults.py"
    project.replace(migration, "class Migration", f"{function}\n\nclass Migration")
    project.replace(migration, "    operations = [\n", f"    operations = [\n{operation.strip()},\n")
    if "import migrations, models" not in (tmp_path / migration).read_text():
        project.replace(migration, "import migrations\n", "import migrations, models\n")
    if project.url.startswith("postgres:"):
        with pytest.raises(subprocess.CalledProcessError) as refused:
            project.manage("migrate contenttypes")
        assert "integer out of range" in refused.value.stderr
    project.manage(commands[1])
    assert project.type("shop_club_members", "id") == project.type("shop_order", "id") == "bigint"
    assert project.names() == project.ids
    new = project.add("the default")
    project.ids |= {new: ["the default", 1, 1]}
    assert project.names() == project.ids
    for table in ("shop_order", "shop_club_members", "django_migrations"):
        assert rows(project.url, f"SELECT max(id) FROM {table}")[0][0] > OURS

    (text,) = code("Optional: replace the old numbers")
    project.write("shop/migrations/0005_new_ids.py", text)
    project.manage("migrate shop")
    after = project.names()
    assert min(after) > OURS
    assert sorted(after.values()) == sorted(project.ids.values())
    old = [found for id, found in project.ids.items() if id < OURS]
    assert [found for found in after.values() if found in old] == old
    if project.url.startswith("sqlite:"):
        assert rows(project.url, "PRAGMA foreign_key_check") == []
    project.manage("makemigrations --check")

    # A new database, as in a test run.
    project.url = all_databases.new(project.url.partition(":")[0])
    project.manage("migrate")
    project.run("Club.objects.create().members.add(Customer.objects.create(name='Ada'))")
    assert min(project.names()) > OURS


def test_going_back_keeps_the_rows_and_continues_the_sequence(project: Project) -> None:
    change_key(project)
    _, sql = project.steps("Go back")
    if project.url.startswith("postgres:"):
        assert "setval" in sql
        rows(project.url, re.search(r"SELECT setval.*shop_customer.*?;", sql)[0])
    project.change_field("1. Widen the key")
    assert project.names() == project.ids
    new = project.add("the way back")
    assert new == max(project.ids) + 1
    assert project.names() == project.ids | {new: ["the way back", 1, 1]}
