"""ULIDs, UUIDs and ObjectIds in columns of their own types, without settings."""

from __future__ import annotations

import uuid

import pytest
import saiban
from django.core import checks, serializers
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import IntegrityError, connection, transaction
from django.forms import modelform_factory
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from saiban.contrib.django import fields
from saiban.contrib.django.generators import get_generator

from django_tests.shop.models import Parcel, Shipment
from django_tests.test_admin import admin

__all__ = ["admin"]


def test_rows_get_ids_however_they_are_made() -> None:
    made = [
        Shipment.objects.create(),
        *Shipment.objects.bulk_create([Shipment() for _ in range(100)]),
        Shipment.objects.get_or_create(event=None, document="507f1f77bcf86cd799439011")[0],
    ]
    for shipment in made:
        stored = Shipment.objects.get(pk=shipment.pk)
        assert type(stored.pk) is uuid.UUID and stored.pk.version == 7
        assert (stored.label, stored.document) == (shipment.label, shipment.document)
        assert saiban.Ulid().inspect(stored.label).time is not None
        assert saiban.ObjectId().inspect(stored.document).time is not None
    assert len({shipment.label for shipment in made}) == len({shipment.pk for shipment in made}) == 102
    # IDs that sort by time do so in the database too.
    assert list(Shipment.objects.order_by("pk")) == list(Shipment.objects.order_by("label")) == made


def test_saving_a_new_object_is_one_insert_and_overwrites_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with CaptureQueriesContext(connection) as queries:
        first = Parcel.objects.create(shipment=Shipment.objects.create())
    assert [query["sql"].split()[0] for query in queries] == ["INSERT", "INSERT"]
    monkeypatch.setattr(fields.UlidField, "generate", lambda self: first.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Parcel(shipment=first.shipment).save()


def test_foreign_keys_have_the_type_of_the_keys_they_refer_to() -> None:
    shipment = Shipment.objects.create()
    one, other = (Parcel.objects.create(shipment=shipment) for _ in range(2))
    one.others.add(other)
    assert list(other.others.all()) == [one]
    assert list(shipment.parcels.order_by("pk")) == [one, other]
    assert Parcel._meta.get_field("shipment").db_type(connection) == Shipment._meta.pk.db_type(connection)
    assert Parcel.others.through._meta.get_field("from_parcel").db_type(connection) == "varchar(26)"
    assert Shipment._meta.get_field("document").db_type(connection) == "varchar(24)"


def test_fixtures_round_trip() -> None:
    parcel = Parcel.objects.create(shipment=Shipment.objects.create())
    text = serializers.serialize("json", [parcel.shipment, parcel])
    Shipment.objects.all().delete()
    for item in serializers.deserialize("json", text):
        item.save()
    assert Parcel.objects.get(pk=parcel.pk).shipment.label == parcel.shipment.label


def test_typed_text_becomes_canonical_and_no_text_becomes_a_new_id() -> None:
    form = modelform_factory(Shipment, fields="__all__")
    assert set(form.base_fields) == {"event", "document"}
    filled = form({"document": ""})
    assert filled.is_valid(), filled.errors
    assert len(filled.save().document) == 24
    assert form({"document": "507F1F77BCF86CD799439011"}).save().document == "507f1f77bcf86cd799439011"
    wrong = form({"document": "507f1f77bcf86cd79943901g"})
    assert "position 23" in wrong.errors["document"][0]
    assert fields.UlidField().clean("o1arz3ndektsv4rrffq69g5fav", None) == "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    with pytest.raises(ValidationError, match="128 bits"):
        fields.UlidField().clean("8" + "Z" * 25, None)
    Shipment().full_clean()


def test_the_admin_adds_shows_and_deletes_rows(admin: Client) -> None:
    assert admin.post("/admin/shop/shipment/add/", {"document": ""}).status_code == 302
    shipment = Shipment.objects.get()
    assert shipment.label.encode() in admin.get("/admin/shop/shipment/").content
    assert admin.post("/admin/shop/parcel/add/", {"shipment": shipment.pk, "others": []}).status_code == 302
    for row, form in ((shipment.parcels.get(), {"shipment": shipment.pk}), (shipment, {"document": shipment.document})):
        name = row._meta.model_name
        change = reverse(f"admin:shop_{name}_change", args=[row.pk])
        assert admin.get(change).status_code == 200
        assert admin.post(change, form).status_code == 302
        assert admin.post(reverse(f"admin:shop_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 302
    assert not Shipment.objects.exists()


def test_text_fields_need_no_setting_and_obey_one_with_their_name(saiban_setting) -> None:
    saiban_setting(None)
    assert not Shipment._meta.pk.check()
    assert len(get_generator("ulid").generate()) == 26
    saiban_setting({"ulid": {"scheme": "ulid", "rollback": "error"}, "keys": {"scheme": "uuid-v7", "max_wait_ms": 7}})
    assert repr(get_generator("ulid")) == "saiban.Ulid(rollback='error')"
    assert repr(get_generator("keys")) == "saiban.Uuid(version=7, max_wait_ms=7)"
    assert repr(get_generator("objectid")) == "saiban.ObjectId()"
    field = fields.UuidV7Field(generator="keys")
    assert type(field.generate()) is uuid.UUID
    assert field.deconstruct()[3] == {"generator": "keys"}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"ulid": {"scheme": "objectid"}}, "is 'objectid', but UlidField needs 'ulid'"),
        ({"ulid": {"scheme": "ulid", "node": 1}}, "keys that ulid does not: node"),
        ({"ulid": {"scheme": "ulid", "state": "ids"}}, "keys that ulid does not: state"),
        ({"ulid": {"scheme": "ulid", "rollback": "bits"}}, "no rollback field"),
        ("ulid", "must be a dictionary"),
    ],
)
def test_a_wrong_setting_is_named(saiban_setting, setting, message: str) -> None:
    saiban_setting(setting)
    (error,) = (found for found in Shipment.check() if found.obj.name == "label")
    assert (error.id, error.level) == ("saiban.E001", checks.ERROR)
    assert message in error.msg
    if "needs" not in message:
        with pytest.raises(ImproperlyConfigured, match=message):
            get_generator("ulid")


def test_a_layout_may_be_text(saiban_setting) -> None:
    text = "unused:1 timestamp:41,epoch=2020-02-02 node.region:4 node.host:6 sequence:12"
    saiban_setting({"orders": {"scheme": "snowflake", "node": 71, "layout": text}})
    assert get_generator("orders").layout.to_text() == text
    saiban_setting({"orders": {"scheme": "snowflake", "node": 71, "layout": "facebook"}})
    with pytest.raises(ImproperlyConfigured, match="facebook"):
        get_generator("orders")
