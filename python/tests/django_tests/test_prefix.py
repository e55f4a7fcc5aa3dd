"""Fields with a prefix: text in Python, but the usual type in the database."""

from __future__ import annotations

import json
import uuid

import pytest
import saiban
from django.core import serializers
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.forms import modelform_factory
from django.test import Client
from django.urls import NoReverseMatch, reverse
from saiban.contrib.django import fields
from saiban.contrib.django.generators import get_generator

from django_tests.shop.models import Invoice, Line
from django_tests.test_admin import admin

__all__ = ["admin"]

#: For one number of each scheme: the text with prefix, and the value of the column.
SAME = {
    "snowflake": ("order_1gavh7g7w0w00", 1741610183685074944),
    "randflake": ("order_fzzzzzzzzzzzz", -1),
    "ulid-flake": ("order_00cmxb6tak4sa", 14246757444195114),
    "tsid": ("order_0ep7trc000w01", 529448671641628673),
    "ulid": ("order_01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    "uuid-v7": ("order_01h455vb4pex5vsknk084sn02q", uuid.UUID("01890a5d-ac96-774b-bcce-b302099a8057")),
    "objectid": (
        f"order_{saiban.encode(0x507F1F77BCF86CD799439011, 'crockford', bits=96).lower()}",
        "507f1f77bcf86cd799439011",
    ),
    "xid": (f"order_{saiban.encode(0x4D88E15B60F486E428412DC9, 'crockford', bits=96).lower()}", "9m4e2mr0ui3e8a215n4g"),
}


def stored(row: models.Model, name: str) -> object:
    """Returns the value of the column from the database."""
    field = row._meta.get_field(name)
    table, column, key = map(connection.ops.quote_name, (row._meta.db_table, field.column, row._meta.pk.column))
    with connection.cursor() as cursor:
        prepared = row._meta.pk.get_db_prep_value(row.pk, connection)
        cursor.execute(f"SELECT {column} FROM {table} WHERE {key} = %s", [prepared])
        return cursor.fetchone()[0]


@pytest.mark.parametrize("name", fields.__all__)
def test_every_field_takes_a_prefix(name: str) -> None:
    plain = getattr(fields, name)
    field = plain(prefix="order", primary_key=True)
    text, value = SAME[plain.scheme]
    assert field.to_python(value) == text if not isinstance(value, str) else text
    assert field.to_python(text) == field.to_python(text.replace("order_0", "order_O").replace("1", "i")) == text
    assert field.from_db_value(value, None, connection) == text
    assert field.get_prep_value(text) == value and type(field.get_prep_value(text)) is type(value)
    without = plain(primary_key=True)
    for kind in ("db_type", "rel_db_type", "cast_db_type"):
        assert getattr(field, kind)(connection) == getattr(without, kind)(connection)
    assert field.get_db_prep_value(text, connection) == without.get_db_prep_value(value, connection)
    assert (field.to_python(""), field.to_python(None), field.get_prep_value(None)) == (None, None, None)
    for wrong in ("user_" + text.removeprefix("order_"), text.removeprefix("order_"), "order_", "order", True, 1.5):
        with pytest.raises(ValidationError):
            field.to_python(wrong)
    with pytest.raises(ValueError):
        field.get_prep_value("user_" + text.removeprefix("order_"))


@pytest.mark.parametrize("name", fields.__all__)
def test_a_migration_keeps_the_prefix_and_alters_no_column(name: str) -> None:
    plain = getattr(fields, name)
    field = plain(generator="orders", prefix="order", primary_key=True)
    _, path, args, kwargs = field.deconstruct()
    assert (path, args) == (f"saiban.contrib.django.fields.{name}", [])
    assert kwargs == {"generator": "orders", "prefix": "order", "primary_key": True}
    again = plain(**kwargs)
    assert type(again) is type(field) is type(field.clone())
    assert again.deconstruct() == field.clone().deconstruct() == field.deconstruct()
    with connection.schema_editor(collect_sql=True) as editor:
        others = (plain(generator="orders", primary_key=True), plain(generator="orders", prefix="a", primary_key=True))
        for each in (field, *others):
            each.set_attributes_from_name("id")
        for other in others:
            assert not editor._field_should_be_altered(field, other)
            assert not editor._field_should_be_altered(other, field)


def test_an_impossible_prefix_is_refused() -> None:
    for prefix in ("Order", "order_", "order2"):
        with pytest.raises(saiban.InvalidArgumentError):
            fields.UlidField(prefix=prefix)


def test_rows_have_text_and_columns_have_numbers() -> None:
    made = [Invoice.objects.create(), *Invoice.objects.bulk_create([Invoice() for _ in range(10)])]
    for invoice in made:
        again = Invoice.objects.get(pk=invoice.pk)
        assert again.pk.startswith("invoice_") and again.ticket.startswith("ticket_")
        assert again.label.startswith("sales_label_") and again.document.startswith("doc_")
        assert again.code.startswith("code_")
        names = ("pk", "ticket", "label", "document")
        assert [getattr(again, name) for name in names] == [getattr(invoice, name) for name in names]
        parts = get_generator("orders").inspect(stored(invoice, "id"))
        assert (parts.scheme, parts.node) == ("snowflake", 424)
        assert get_generator("tickets").inspect(stored(invoice, "ticket")).scheme == "tsid"
        assert len(saiban.Ulid().to_bytes(stored(invoice, "label"))) == 16
    assert list(Invoice.objects.order_by("pk")) == made
    assert not Invoice.check() and not Line.check()


def test_queries_take_the_text_or_what_the_column_has() -> None:
    first, other = Invoice.objects.create(), Invoice.objects.create()
    number = stored(first, "id")
    assert Invoice.objects.get(pk=first.pk) == Invoice.objects.get(pk=number) == first
    assert set(Invoice.objects.filter(pk__in=[first.pk, other.pk])) == {first, other}
    assert list(Invoice.objects.filter(pk__gt=first.pk)) == [other]
    assert list(Invoice.objects.values_list("pk", flat=True).order_by("pk")) == [first.pk, other.pk]
    assert Invoice.objects.aggregate(models.Max("pk"))["pk__max"] == other.pk
    assert Invoice.objects.get(document=first.document) == first
    assert Invoice.objects.get(label=first.label) == first
    assert set(Invoice.objects.in_bulk([first.pk, other.pk])) == {first.pk, other.pk}
    first.code = "code_0000000000005"
    Invoice.objects.bulk_update([first], ["code"])
    assert (stored(first, "code"), Invoice.objects.get(code=5).code) == (5, first.code)
    with pytest.raises(ValueError, match="invoice"):
        Invoice.objects.filter(pk="order_" + first.pk.removeprefix("invoice_")).exists()


def test_foreign_keys_have_the_text_too() -> None:
    invoice = Invoice.objects.create()
    lines = [Line.objects.create(invoice=invoice), Line.objects.create(invoice_id=invoice.pk)]
    lines[0].others.add(invoice)
    assert {line.invoice_id for line in Line.objects.all()} == {invoice.pk}
    assert list(invoice.lines.order_by("pk")) == lines
    assert list(Line.objects.filter(others=invoice)) == lines[:1]
    (found,) = Invoice.objects.prefetch_related("lines")
    assert len(found.lines.all()) == 2 and found.lines.all()[0].invoice == invoice
    assert Line.objects.select_related("invoice").first().invoice.pk == invoice.pk
    assert isinstance(stored(lines[0], "invoice"), int)
    assert Line._meta.get_field("invoice").db_type(connection) == "bigint"
    assert len(lines[0].pk) == 26 and "_" not in lines[0].pk


def test_fixtures_have_the_text() -> None:
    line = Line.objects.create(invoice=Invoice.objects.create())
    text = serializers.serialize("json", [line.invoice, line])
    assert [row["pk"] for row in json.loads(text)] == [line.invoice.pk, line.pk]
    Invoice.objects.all().delete()
    for item in serializers.deserialize("json", text):
        item.save()
    assert Line.objects.get(pk=line.pk).invoice.document == line.invoice.document


def test_forms_take_the_text_and_no_text_becomes_a_new_id() -> None:
    form = modelform_factory(Invoice, fields="__all__")
    assert set(form.base_fields) == {"ticket", "label", "document", "code"}
    filled = form({})
    assert filled.is_valid(), filled.errors
    invoice = filled.save()
    assert f'value="{invoice.ticket}"' in form(instance=invoice).as_p()
    shown = {name: value or "" for name, value in form(instance=invoice).initial.items()}
    assert not form(shown, instance=invoice).has_changed()
    typed = {"ticket": "ticket_oep7trc000w01", "code": "code_fzzzzzzzzzzzz"}
    changed = form({**shown, **typed}, instance=invoice)
    assert changed.is_valid(), changed.errors
    assert changed.save().ticket == "ticket_0ep7trc000w01"
    assert (stored(invoice, "ticket"), stored(invoice, "code")) == (529448671641628673, -1)
    wrong = form({"ticket": "order_0ep7trc000w01", "document": "doc_8zzzzzzzzzzzzzzzzzzzzzzzzz"})
    assert "ticket" in wrong.errors["ticket"][0] and "document" in wrong.errors
    invoice.full_clean()


def test_the_admin_has_the_text_in_its_urls(admin: Client) -> None:
    assert admin.post("/admin/shop/invoice/add/", {}).status_code == 302
    invoice = Invoice.objects.get()
    assert invoice.pk.encode() in admin.get("/admin/shop/invoice/").content
    assert admin.post("/admin/shop/line/add/", {"invoice": invoice.pk, "others": [invoice.pk]}).status_code == 302
    line = Line.objects.get()
    assert (line.invoice, list(line.others.all())) == (invoice, [invoice])
    shown = {name: getattr(invoice, name) for name in ("label", "document")} | {"ticket": "ticket_0000000000007"}
    for row, form in ((line, {"invoice": invoice.pk, "others": []}), (invoice, shown)):
        name = row._meta.model_name
        change = reverse(f"admin:shop_{name}_change", args=[row.pk])
        assert admin.get(change).status_code == 200
        assert admin.post(change, form).status_code == 302
        assert admin.post(reverse(f"admin:shop_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 302
    assert admin.get("/admin/shop/invoice/order_1/change/").status_code == 302
    assert not Invoice.objects.exists()


def test_urls_have_the_text_and_any_other_is_not_found() -> None:
    invoice = Invoice.objects.create()
    url = reverse("invoice", kwargs={"pk": invoice.pk})
    assert url == f"/invoice/{invoice.pk}/" == reverse("invoice", kwargs={"pk": stored(invoice, "id")})
    assert Client().get(url).json() == {"pk": invoice.pk, "type": "str"}
    line = Line.objects.create(invoice=invoice)
    assert Client().get(reverse("line", kwargs={"pk": line.pk})).json()["pk"] == line.pk
    number = invoice.pk.removeprefix("invoice_")
    for wrong in (f"order_{number}", number, f"invoice_{number.upper()}", f"invoice_{number}0", "invoice_", "invoice"):
        assert Client().get(f"/invoice/{wrong}/").status_code == 404, wrong
        with pytest.raises(NoReverseMatch):
            reverse("invoice", kwargs={"pk": wrong})
    for wrong in (None, "", 1.5, 2**63):
        with pytest.raises(NoReverseMatch):
            reverse("invoice", kwargs={"pk": wrong})


def test_an_entry_may_have_a_prefix_that_is_not_stored(saiban_setting) -> None:
    saiban_setting(
        {
            "ulid": {"scheme": "ulid", "prefix": "receipt"},
            "orders": {"scheme": "snowflake", "node": 424, "prefix": "order"},
        }
    )
    assert get_generator("ulid").generate().startswith("receipt_")
    assert get_generator("orders").generate_text().startswith("order_")
    assert len(fields.UlidField().generate()) == 26
    assert fields.UlidField(prefix="label").generate().startswith("label_")
    assert isinstance(fields.SnowflakeField(generator="orders").generate(), int)
    assert fields.SnowflakeField(generator="orders", prefix="a").generate().startswith("a_")
    saiban_setting({"ulid": {"scheme": "ulid", "prefix": "Receipt"}})
    (error,) = (found for found in Invoice.check() if found.obj.name == "label")
    assert error.id == "saiban.E001" and "SAIBAN['ulid']" in error.msg and "Receipt" in error.msg
