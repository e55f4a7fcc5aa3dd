"""Rows get IDs in every way of creating them."""

from __future__ import annotations

import json

import pytest
import saiban
from django.core import serializers
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.forms import modelform_factory
from django.test.utils import CaptureQueriesContext
from saiban.contrib.django.generators import get_generator

from django_tests.shop.models import Customer, Event, Guest, Order, Product


def parts(id: int, name: str = "default") -> saiban.Parts:
    return get_generator(name).inspect(id)


def test_default_auto_field_is_ours() -> None:
    assert type(Customer._meta.pk).__name__ == "RandflakeAutoField"
    assert isinstance(Customer._meta.pk, models.AutoField)
    assert type(Order.products.through._meta.pk).__name__ == "RandflakeAutoField"


def test_create_and_save_return_the_new_key() -> None:
    created = Customer.objects.create(name="Ada")
    saved = Customer(name="Grace")
    assert saved.pk is None
    saved.save()
    assert created.pk != saved.pk
    for customer in (created, saved):
        assert parts(customer.pk).node == 4242
        assert Customer.objects.get(pk=customer.pk).name == customer.name
    saved.name = "Grace Hopper"
    saved.save()
    assert Customer.objects.count() == 2


def test_each_field_has_keys_of_its_own_scheme() -> None:
    order = Order.objects.create(customer=Customer.objects.create(name="Ada"))
    product = Product.objects.create(title="Pen")
    assert (parts(order.pk, "orders").scheme, parts(order.pk, "orders").layout) == ("snowflake", "discord")
    assert parts(order.pk, "orders").node == 424
    assert parts(product.pk, "events").node == 24
    assert parts(order.tracking).node == 4242


def test_create_is_one_query() -> None:
    with CaptureQueriesContext(connection) as queries:
        Customer.objects.create(name="Ada")
    assert len(queries) == 1
    assert "RETURNING" not in queries[0]["sql"]


def test_saving_a_new_object_inserts_a_row_and_overwrites_none(monkeypatch) -> None:
    with CaptureQueriesContext(connection) as queries:
        first = Customer(name="Ada")
        first.save()
    assert [query["sql"].split()[0] for query in queries] == ["INSERT"]
    # Two processes with one node could make an ID that exists already.
    monkeypatch.setattr(type(Customer._meta.pk), "generate", lambda self: first.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Customer(name="a usurper").save()
    assert Customer.objects.get(pk=first.pk).name == "Ada"


def test_a_field_is_filled_in_when_an_object_with_a_key_is_saved_as_new() -> None:
    customer = Customer.objects.create(name="Ada")
    order = Order(pk=-9, customer=customer)
    order.save()
    assert parts(Order.objects.get(pk=-9).tracking).node == 4242


def test_bulk_create_gives_every_object_its_key() -> None:
    customers = Customer.objects.bulk_create([Customer(name=f"No. {number}") for number in range(250)])
    keys = {customer.pk for customer in customers}
    assert len(keys) == 250
    assert keys == set(Customer.objects.values_list("pk", flat=True))
    events = Event.objects.bulk_create([Event() for _ in range(250)], batch_size=100)
    stored = set(Event.objects.values_list("id", "number", "moment"))
    assert {(event.id, event.number, event.moment) for event in events} == stored
    assert len({number for _, number, _ in stored}) == len({moment for _, _, moment in stored}) == 250


def test_bulk_create_that_ignores_or_updates_conflicts() -> None:
    Product.objects.create(title="Pen")
    Product.objects.bulk_create([Product(title="Pen"), Product(title="Ink")], ignore_conflicts=True)
    Product.objects.bulk_create(
        [Product(title="Ink"), Product(title="Nib")],
        update_conflicts=True,
        unique_fields=["title"],
        update_fields=["title"],
    )
    assert set(Product.objects.values_list("title", flat=True)) == {"Pen", "Ink", "Nib"}


def test_get_or_create_and_update_or_create() -> None:
    first, created = Product.objects.get_or_create(title="Pen")
    again, created_again = Product.objects.get_or_create(title="Pen")
    assert (created, created_again, first.pk) == (True, False, again.pk)
    updated, created = Product.objects.update_or_create(title="Ink", defaults={"title": "Blue ink"})
    assert created
    assert Product.objects.get(title="Blue ink").pk == updated.pk


def test_negative_keys_work_everywhere() -> None:
    customers = Customer.objects.bulk_create([Customer(name="x") for _ in range(64)])
    negative = next(customer for customer in customers if customer.pk < 0)
    order = Order.objects.create(customer=negative)
    assert order.customer_id == negative.pk
    assert list(negative.orders.all()) == [order]
    assert Customer.objects.get(orders=order) == negative


def test_foreign_keys_and_many_to_many() -> None:
    customer = Customer.objects.create(name="Ada")
    order = Order.objects.create(customer=customer)
    pen, ink = Product.objects.bulk_create([Product(title="Pen"), Product(title="Ink")])
    order.products.add(pen, ink)
    order.products.add(pen)
    assert set(order.products.all()) == {pen, ink}
    assert list(ink.orders.filter(customer=customer)) == [order]
    rows = Order.products.through.objects.all()
    assert {parts(row.pk).node for row in rows} == {4242}
    order.products.remove(pen)
    assert list(order.products.all()) == [ink]
    customer.delete()
    assert not Order.objects.exists()


def test_foreign_keys_to_objects_that_are_not_saved_are_refused() -> None:
    with pytest.raises(ValueError, match="unsaved"):
        Order(customer=Customer(name="Ada")).save()


def test_multi_table_inheritance() -> None:
    guest = Guest.objects.create(name="Ada", room=7)
    assert parts(guest.pk).node == 4242
    assert Customer.objects.get(pk=guest.pk).guest.room == 7


def test_a_value_that_is_given_is_kept() -> None:
    event = Event.objects.create(id=5, number=6, moment=7, optional=8)
    event.refresh_from_db()
    assert (event.id, event.number, event.moment, event.optional) == (5, 6, 7, 8)
    event.save()
    assert Event.objects.get() == event
    with transaction.atomic(), pytest.raises(IntegrityError):
        Event.objects.create(id=5)


def test_saving_again_changes_no_id() -> None:
    event = Event.objects.create()
    before = (event.id, event.number, event.moment)
    event.save()
    event.refresh_from_db()
    assert (event.id, event.number, event.moment) == before


def test_fixtures_round_trip() -> None:
    order = Order.objects.create(customer=Customer.objects.create(name="Ada"))
    order.products.add(Product.objects.create(title="Pen"))
    text = serializers.serialize("json", [order.customer, *order.products.all(), order])
    Order.objects.all().delete()
    Customer.objects.all().delete()
    Product.objects.all().delete()
    for item in serializers.deserialize("json", text):
        item.save()
    again = Order.objects.get(pk=order.pk)
    assert (again.customer_id, again.tracking) == (order.customer_id, order.tracking)
    assert again.products.get().title == "Pen"


def test_fixtures_without_keys_get_new_ones(tmp_path) -> None:
    fixture = tmp_path / "customers.json"
    fixture.write_text(json.dumps([{"model": "shop.customer", "fields": {"name": "Ada"}}]))
    call_command("loaddata", str(fixture), verbosity=0)
    assert parts(Customer.objects.get(name="Ada").pk).node == 4242


def test_forms_do_not_ask_for_ids() -> None:
    form = modelform_factory(Order, fields="__all__")
    assert set(form.base_fields) == {"customer", "products", "comment"}
    customer = Customer.objects.create(name="Ada")
    pen = Product.objects.create(title="Pen")
    filled = form({"customer": customer.pk, "products": [pen.pk]})
    assert filled.is_valid(), filled.errors
    order = filled.save()
    assert order.products.get() == pen


def test_an_object_without_ids_yet_is_valid() -> None:
    Event().full_clean()
    Customer(name="Ada").full_clean()


def test_editable_fields_show_numbers_in_forms() -> None:
    form = modelform_factory(Event, fields="__all__")
    assert set(form.base_fields) == {"moment", "optional"}
    event = form({"moment": "", "optional": "-5"}).save()
    assert event.optional == -5
    assert parts(event.moment, "events").node == 24


def test_columns_are_plain_bigint() -> None:
    for model in (Customer, Order, Event):
        for field in model._meta.local_concrete_fields:
            if field.name in ("id", "tracking", "customer", "number", "moment", "optional"):
                assert field.db_type(connection) == "bigint"
    sql = connection.cursor().execute("SELECT sql FROM sqlite_master WHERE name = 'shop_customer'").fetchone()[0]
    assert "AUTOINCREMENT" not in sql
    assert '"id" bigint NOT NULL PRIMARY KEY' in sql


def test_fields_of_one_generator_never_share_an_id() -> None:
    Event.objects.bulk_create([Event(optional=get_generator().generate()) for _ in range(2000)], batch_size=200)
    values = [value for row in Event.objects.values_list("id", "optional") for value in row]
    assert len(set(values)) == 4000
