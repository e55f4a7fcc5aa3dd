"""Inserts with retries and with conflicts, through Django's connections to each database, within a transaction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import saiban
from django.core.exceptions import FieldDoesNotExist
from django.db import IntegrityError, connections, models, transaction
from django.test.utils import isolate_apps
from integrations import README
from saiban.contrib.django import fields
from saiban.contrib.django.inserting import insert_unique, reload_ids
from stores import Server
from tables import EVENTS, TABLE, Programs

from django_tests.shop.models import Customer, Order, Product

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


@pytest.fixture
def product(using: str) -> Iterator[Any]:
    """Returns a model with generated columns, whose table is in the database."""
    with isolate_apps("django_tests.shop"):

        class Listing(models.Model):
            id = fields.SnowflakeAutoField(generator="orders", primary_key=True)
            code = fields.TsidField(generator="tickets", prefix="code", unique=True)
            shop = models.CharField(max_length=9)
            number = models.DecimalField(max_digits=9, decimal_places=2, null=True)
            price = models.IntegerField(default=0)

            class Meta:
                app_label = "shop"
                unique_together = (("shop", "number"),)

    with connections[using].schema_editor() as editor:
        editor.create_model(Listing)
    yield Listing
    with connections[using].schema_editor() as editor:
        editor.delete_model(Listing)


#: The options of bulk_create for a conflict, and what the row's price then is.
CONFLICTS = {"ignore": ({"ignore_conflicts": True}, 1), "update": ({"update_conflicts": True}, 2)}


@pytest.mark.parametrize(("options", "price"), CONFLICTS.values(), ids=CONFLICTS)
def test_ids_are_reloaded_after_a_bulk_create_with_conflicts(
    using: str, product: Any, options: dict[str, Any], price: int
) -> None:
    if "update_conflicts" in options:
        options = {**options, "update_fields": ["price"]}
        if using != "mysql":
            options["unique_fields"] = ["shop", "number"]
    manager = product.objects.using(using)
    old = manager.bulk_create([product(shop="a", number=number, price=1) for number in range(150)])
    again = [product(shop="a", number=str(number), price=2) for number in range(150)]
    new = [product(shop="b", number=number, price=2) for number in range(150)]
    without = [product(shop="a", number=None, price=2) for _ in range(2)]
    manager.bulk_create([*again, *new, *without], **options)

    ids = {object.pk for object in (*again, *new, *without)}
    stored = set(manager.values_list("pk", flat=True))
    assert len(stored) == 302
    # What Django leaves on objects: IDs that are not in the table.
    assert ids - stored == {object.pk for object in again}
    kept = [(object.pk, object.code) for object in (*new, *without)]

    reload_ids([*again, *new, *without], ["shop", "number"], using=using)
    assert [(object.pk, object.code) for object in again] == [(object.pk, object.code) for object in old]
    assert [(object.pk, object.code) for object in (*new, *without)] == kept
    assert manager.get(pk=again[0].pk).price == price
    again[0].price = 3
    again[0].save(using=using, force_update=True)
    assert manager.get(shop="a", number=0).price == 3
    reload_ids([], ["shop"], using=using)


def test_the_readme_reloads_ids() -> None:
    Product.objects.create(title="Pen")
    (program,) = re.findall(r"```python\n(from saiban\.contrib\.django\.inserting .*?)```", README, re.S)
    space: dict[str, Any] = {"Product": Product}
    exec(program, space)
    assert {product.pk for product in space["products"]} == set(Product.objects.values_list("pk", flat=True))


def test_objects_without_a_row_are_named(using: str, product: Any) -> None:
    row = product.objects.using(using).create(shop="a", number=1)
    twice = [product(shop="a", number=1), product(shop="a", number=1)]
    reload_ids(twice, ["shop", "number"], using=using)
    assert [object.pk for object in twice] == [row.pk, row.pk]
    with pytest.raises(product.DoesNotExist, match=r"no row of shop\.Listing has shop='b', number=Decimal\('1'\)"):
        reload_ids([product(shop="b", number=1)], ["shop", "number"], using=using)
    with pytest.raises(FieldDoesNotExist):
        reload_ids(twice, ["shops"], using=using)


def test_ids_are_reloaded_by_a_relation() -> None:
    order = Order.objects.create(customer=Customer.objects.create(name="Ada"))
    note = Order(customer=order.customer)
    reload_ids([note], ["customer"])
    assert (note.pk, note.tracking) == (order.pk, order.tracking)
