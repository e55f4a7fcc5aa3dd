"""Migrations contain only the name of a generator."""

from __future__ import annotations

import io
import re

import pytest
from django.core.management import call_command
from django.db import models
from saiban.contrib.django import fields

from django_tests import settings
from django_tests.shop.models import Customer, Event, Invoice, Line, Order, Parcel, Product, Shipment, Ticket


def migration() -> str:
    """Returns the first migration of the app, as makemigrations writes it."""
    output = io.StringIO()
    call_command("makemigrations", "shop", dry_run=True, verbosity=3, stdout=output)
    return re.search(r"(?m)^(import|from) .*\Z", output.getvalue(), re.S)[0]


def test_no_secret_and_no_node_is_in_a_migration() -> None:
    text = migration()
    assert "saiban.contrib.django.fields.RandflakeAutoField(" in text
    assert "generator='orders'" in text
    assert "generator='default'" not in text
    for name in ("UlidField", "UuidV7Field", "ObjectIdField"):
        assert f"saiban.contrib.django.fields.{name}(" in text
        assert "max_length=26" not in text and "generator='ulid'" not in text
    secret = settings.SAIBAN["default"]["secret"]
    for hidden in (secret.hex(), repr(secret)[2:-1], "4242", "424", "secret", "node"):
        assert hidden not in text.replace("depende", "")


def test_the_migration_makes_the_same_fields() -> None:
    names: dict[str, object] = {}
    exec(migration(), names)
    operations = {operation.name: operation for operation in names["Migration"].operations}
    for model in (Customer, Order, Product, Event, Shipment, Parcel, Ticket, Invoice, Line):
        made = dict(operations[model.__name__].fields)
        for field in model._meta.local_concrete_fields:
            assert made[field.name].deconstruct()[1:] == field.deconstruct()[1:] or field.is_relation


@pytest.mark.parametrize("name", fields.__all__)
def test_fields_are_cloned_with_their_generator(name: str) -> None:
    field = getattr(fields, name)(generator="orders", primary_key=True)
    clone = field.clone()
    assert (type(clone), clone.generator, clone.primary_key) == (type(field), "orders", True)
    assert clone.deconstruct() == field.deconstruct()


def test_editable_survives_cloning() -> None:
    assert fields.RandflakeField().deconstruct()[3] == {}
    assert fields.RandflakeField().clone().editable is False
    assert fields.RandflakeField(editable=True).clone().editable is True
    assert fields.RandflakeField(unique=True).deconstruct()[3] == {"unique": True}


def test_foreign_keys_have_the_type_of_the_key() -> None:
    from django.db import connection

    assert models.ForeignKey(Customer, models.CASCADE).rel_db_type(connection) == "bigint"
    assert Customer._meta.pk.rel_db_type(connection) == "bigint"
