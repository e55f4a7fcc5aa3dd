"""Inserts with retries, through Django's connections to each database, within a transaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import saiban
from django.db import IntegrityError, connections, transaction
from saiban.contrib.django.inserting import insert_unique
from stores import Server
from tables import EVENTS, TABLE, Programs

from django_tests.shop.models import Customer

ENGINES = {"postgres": "postgresql", "mysql": "mysql"}


@pytest.fixture(params=["default", "postgres", "mysql"])
def using(request: pytest.FixtureRequest) -> Iterator[str]:
    """Returns the name of a database in DATABASES."""
    name = request.param
    if name == "default":
        yield name
        return
    with Server(name) as server:
        url = urlsplit(server.url)
        login = {"HOST": url.hostname, "PORT": url.port, "USER": url.username, "PASSWORD": url.password}
        settings: dict[str, Any] = {"ENGINE": f"django.db.backends.{ENGINES[name]}", "NAME": url.path[1:], **login}
        connections.databases[name] = connections.configure_settings({"default": {}, name: settings})[name]
        try:
            yield name
        finally:
            connections[name].close()
            del connections[name]
            del connections.databases[name]


def test_a_failed_insert_rolls_back_only_its_savepoint(using: str) -> None:
    cursor = connections[using].cursor()
    cursor.execute(TABLE)
    programs = Programs()

    def add(topic: str, amount: int, key: str | None = None) -> None:
        def insert(made: str) -> None:
            cursor.execute("INSERT INTO events VALUES (%s, %s, %s)", [topic, key or made, amount])

        insert_unique(programs.generate, insert, using=using)

    try:
        with transaction.atomic(using=using):
            for _ in range(EVENTS):
                add("orders", 1)
            assert programs.made > EVENTS, "no conflict"
            before = programs.made
            with pytest.raises(IntegrityError) as refusal:
                add("orders", -1)
            assert not saiban.is_unique_conflict(refusal.value)
            assert programs.made == before + 1
            add("kept", 1, "one")
            with pytest.raises(IntegrityError) as refusal:
                add("kept", 1, "one")
            assert saiban.is_unique_conflict(refusal.value)
            assert "5 generated IDs conflicted" in refusal.value.__notes__[0]
        cursor.execute("SELECT count(*) FROM events")
        assert cursor.fetchone()[0] == EVENTS + 1
    finally:
        cursor.execute("DROP TABLE events")


def test_a_model_is_created_with_another_id() -> None:
    Customer.objects.create(pk=1, name="Ada")
    keys = iter([1, 2])
    with transaction.atomic():
        grace = insert_unique(keys.__next__, lambda key: Customer.objects.create(pk=key, name="Grace"))
    assert grace.pk == 2
    assert list(Customer.objects.order_by("pk").values_list("name", flat=True)) == ["Ada", "Grace"]
