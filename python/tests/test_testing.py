"""saiban.testing: tests get the same IDs in each run, in each order, and in parallel processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import freezegun
import pytest
import saiban
import time_machine
from integrations import assert_examples_run, run_readme
from saiban import testing
from saiban.contrib import replaced
from saiban.contrib.schemes import SCHEMES
from saiban.contrib.sqlalchemy import SaibanId
from saiban.testing import TIME_MS, reproducible_ids
from saiban.testing.fixtures import saiban_clock
from sqlalchemy import Column, Integer, MetaData, Table, create_engine

__all__ = ["saiban_clock"]

#: The tests of a project: with Django, SQLAlchemy and a generator of its own. Each writes its IDs
#: into a file.
SUITE = """
import json, os, pathlib
import django, pytest, saiban
from django.conf import settings

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    SAIBAN={
        "codes": {"scheme": "randflake", "secret": bytes(16)},
        "events": {"scheme": "snowflake", "layout": "discord", "lease": {"nodes": 4}},
    },
)
django.setup()
from django.db import connection, models
from saiban.contrib.django import fields
from saiban.contrib.sqlalchemy import SaibanId
from sqlalchemy import Column, Integer, MetaData, Table, create_engine


class Order(models.Model):
    id = fields.SnowflakeAutoField(primary_key=True)
    code = fields.RandflakeField(generator="codes")
    event = fields.SnowflakeField(generator="events", prefix="event")
    number = fields.UlidFlakeField(generator="ulid-flake")
    ticket = fields.TsidField(generator="tsid")
    label, uuid = fields.UlidField(), fields.UuidV7Field()
    document, token = fields.ObjectIdField(), fields.XidField()

    class Meta:
        app_label = "shop"


SCHEMES = ["snowflake", "tsid", "ulid-flake", "ulid", "uuid", "uuid-v1", "uuid-v4", "uuid-v7", "objectid", "xid"]
columns = [Column(scheme, SaibanId(scheme, generate=True)) for scheme in SCHEMES]
rows = Table("rows", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True), *columns)


@pytest.fixture(params=range(6))
def made(request, saiban_clock):
    ids = []
    yield ids
    assert len(ids) == len(set(ids))
    file = pathlib.Path(os.environ["IDS"], request.node.name)
    file.write_text(json.dumps([os.environ.get("PYTEST_XDIST_WORKER", "one"), list(map(str, ids))]))


@pytest.fixture(scope="session")
def tables():
    with connection.schema_editor() as editor:
        editor.create_model(Order)


def test_of_django(made, tables):
    orders = [Order.objects.create() for _ in range(3)] + Order.objects.bulk_create([Order() for _ in range(3)])
    made += [(field.name, getattr(order, field.name)) for order in orders for field in Order._meta.fields]
    Order.objects.all().delete()


def test_of_sqlalchemy(made):
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        rows.create(connection)
        for _ in range(3):
            connection.execute(rows.insert())
        made += [tuple(row) for row in connection.execute(rows.select())]


def test_of_its_own(made, saiban_clock):
    ids = saiban.Snowflake(node=7, clock=saiban_clock)
    made += ids.generate_many(3)
    saiban_clock.advance(1)
    made += ids.generate_many(3)
"""


def run_suite(folder: Path, *options: str) -> dict[str, list[Any]]:
    """Runs SUITE; returns the process and the IDs of each test."""
    folder.mkdir()
    (folder / "conftest.py").write_text('pytest_plugins = ["saiban.testing.fixtures"]\n')
    (folder / "test_shop.py").write_text(SUITE)
    (folder / "ids").mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_shop.py"]
    environment = os.environ | {"IDS": str(folder / "ids")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert "18 passed" in done.stdout, done.stdout + done.stderr
    return {file.name: json.loads(file.read_text()) for file in (folder / "ids").iterdir()}


def test_ids_are_equal_in_each_run_each_order_and_each_process(tmp_path: Path) -> None:
    once = run_suite(tmp_path / "once")
    ids = {test: ids for test, (_, ids) in once.items()}
    assert len(ids) == 18
    # 18 runs of 3 tests: each run of a test gets the same IDs, whatever its parameter is.
    assert len({str(of_test) for of_test in ids.values()}) == 3
    again = run_suite(tmp_path / "again", "-k", "test_of_django or test_of_its_own or test_of_sqlalchemy")
    parallel = run_suite(tmp_path / "parallel", "-n", "2")
    assert {process for process, _ in parallel.values()} == {"gw0", "gw1"}
    for run in (again, parallel):
        assert {test: ids for test, (_, ids) in run.items()} == ids


def test_the_fixture_is_a_clock_that_generators_take(saiban_clock: saiban.ManualClock) -> None:
    ids = saiban.Snowflake(node=7, clock=saiban_clock)
    assert ids.inspect(ids.generate()).time == datetime(2025, 1, 1, tzinfo=UTC)
    with pytest.raises(saiban.InvalidArgumentError, match="has not ended yet"), reproducible_ids():
        pass


@pytest.mark.parametrize("scheme", ["snowflake", "tsid", "ulid-flake", "ulid", "uuid-v4", "uuid-v7", "objectid", "xid"])
def test_a_column_never_runs_out_of_ids(scheme: Any) -> None:
    rows = Table("rows", MetaData(), Column("id", SaibanId(scheme), primary_key=True), Column("number", Integer))
    with reproducible_ids() as clock:
        engine = create_engine("sqlite://")
        with engine.begin() as connection:
            rows.create(connection)
            connection.execute(rows.insert(), [{"number": number} for number in range(20_000)])
            made = [
                id for (id,) in connection.execute(rows.select().with_only_columns(rows.c.id).order_by(rows.c.number))
            ]
        engine.dispose()
    assert len(set(made)) == 20_000
    if scheme != "uuid-v4":
        assert made == sorted(made)
    # A millisecond has 4096 of these IDs.
    assert clock.now_ms() - TIME_MS == (4 if scheme in ("snowflake", "tsid") else 0)


def test_every_scheme_with_random_bits_is_counted() -> None:
    for scheme, row in SCHEMES.items():
        is_counted = row["made"] in testing._COUNTED or row["form"] == "text"
        assert is_counted == (scheme not in ("snowflake", "randflake", "tsid", "flake"))


def test_after_the_test_ids_are_of_the_system_clock_again(tmp_path: Path) -> None:
    rows = Table("rows", MetaData(), Column("id", SaibanId("snowflake"), primary_key=True))
    engine = create_engine(f"sqlite:///{tmp_path}/shop.sqlite3")
    with engine.begin() as connection:
        rows.create(connection)
        with reproducible_ids():
            (old,) = connection.execute(rows.insert()).inserted_primary_key
            assert not (tmp_path / "shop.sqlite3-saiban-leases").exists(), "leased"
        (new,) = connection.execute(rows.insert()).inserted_primary_key
    engine.dispose()
    assert replaced.get() is None
    reader = saiban.Snowflake(node=0)
    assert reader.inspect(old).timestamp_ms == TIME_MS
    assert abs(reader.inspect(new).timestamp_ms - time.time_ns() // 1_000_000) < 3_600_000


@pytest.mark.parametrize("frozen", [freezegun.freeze_time, time_machine.travel])
def test_libraries_that_freeze_python_do_not_freeze_ids(frozen: Any) -> None:
    with frozen(datetime(2001, 2, 3, tzinfo=UTC)):
        assert datetime.now(UTC).year == 2001
        ids = saiban.Snowflake(node=7)
        first, second = ids.generate_many(2)
        assert first != second
        assert ids.inspect(second).time.year >= 2025
        # A test can give the frozen time to the manual clock.
        with reproducible_ids(int(datetime(2011, 2, 3, tzinfo=UTC).timestamp() * 1000)) as clock:
            ids = saiban.Snowflake(node=7, clock=clock)
            assert ids.inspect(ids.generate()).time == datetime(2011, 2, 3, tzinfo=UTC)


def test_saiban_testing_imports_neither_pytest_nor_a_framework() -> None:
    program = "import sys, saiban.testing; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "saiban.testing" in loaded
    assert not {"pytest", "_pytest", "django", "sqlalchemy"}.intersection(loaded)


def test_the_readme_runs(saiban_clock: saiban.ManualClock) -> None:
    run_readme("Tests with reproducible IDs", saiban=saiban)["test_receipt"](saiban_clock)


def test_the_examples_run() -> None:
    assert_examples_run(testing, "reproducible_ids")
    assert_examples_run(replaced, "node_of")
