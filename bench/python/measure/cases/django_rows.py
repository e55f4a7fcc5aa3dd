"""Django: `bulk_create` of 10,000 rows in SQLite in memory, with keys of different kinds."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

import django
from django.conf import settings
from django.db import connection, models

from ..case import Case

ROWS = 10_000

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    # As many nodes as one generator accepts: a single node has 4096 Snowflakes a millisecond.
    SAIBAN={"default": {"scheme": "snowflake", "nodes": range(1024)}, "uuids": {"scheme": "uuid-v7"}},
)
django.setup()

from saiban.contrib.django.fields import SnowflakeAutoField, UuidV7Field  # noqa: E402


class Numbered(models.Model):
    """SQLite numbers the rows when it inserts them."""

    class Meta:
        app_label = "bench"


class Snowflakes(models.Model):
    id = SnowflakeAutoField(primary_key=True)

    class Meta:
        app_label = "bench"


class UuidsV7(models.Model):
    id = UuidV7Field(primary_key=True, generator="uuids")

    class Meta:
        app_label = "bench"


class UuidsV4(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)

    class Meta:
        app_label = "bench"


def cases() -> list[Case]:
    path, version = "python.django.bulk_create", django.__version__
    return [
        Case(path, "saiban", _rows_of(Snowflakes), ids=ROWS),
        Case(path, "saiban, UUID v7", _rows_of(UuidsV7), ids=ROWS),
        Case(path, "Django's UUIDField with uuid.uuid4", _rows_of(UuidsV4), ids=ROWS, version=version),
        Case(path, "baseline: Django's BigAutoField", _rows_of(Numbered), ids=ROWS, version=version),
    ]


def _rows_of(model: type[models.Model]) -> Callable[[], None]:
    """Returns a function that makes the rows, and deletes them."""
    with connection.schema_editor() as editor:
        editor.create_model(model)
    return partial(_make_rows, model, f"DELETE FROM {model._meta.db_table}")


def _make_rows(model: type[models.Model], delete: str) -> None:
    model.objects.bulk_create([model() for _ in range(ROWS)])
    with connection.cursor() as cursor:
        cursor.execute(delete)
