"""Filters of django-filter take the text of IDs, or parts of the text, as in `startswith`."""

from __future__ import annotations

import pytest

from django_tests.api.models import Note
from django_tests.rest import BIG, NEGATIVE_TEXT, NEXT, api, get, order, text
from django_tests.shop.models import Customer, Invoice, Line, Order, Shipment, Ticket

# Fixtures of another file.
__all__ = ["api", "order"]


def test_filters_take_text(api, order) -> None:
    other = Order.objects.create(customer=Customer.objects.create(name="Grace"))
    ink = text("ulid-flake", BIG)
    for query, found in {
        f"id={NEXT}": [NEXT],
        f"id__in={NEXT},{other.pk}": sorted([NEXT, other.pk]),
        f"id__gt={NEXT - 1}": sorted(pk for pk in (NEXT, other.pk) if pk >= NEXT),
        f"customer={NEGATIVE_TEXT}": [NEXT],
        f"products={ink}": [NEXT],
        f"products={ink}&products={text('ulid-flake', NEXT)}": [NEXT],
        f"tracking={text('randflake', BIG)}": [NEXT],
        "id=5": [],
        "id=": sorted([NEXT, other.pk]),
    }.items():
        assert [row["id"] for row in get(api, f"/orders/?{query}")] == [str(pk) for pk in found], query
    assert [row["name"] for row in get(api, f"/customers/?orders={NEXT}")] == ["Ada"]
    note = Note.objects.create(order=order)
    assert [row["id"] for row in get(api, f"/notes/?order={text('randflake', BIG)}")] == [str(note.pk)]
    assert get(api, f"/notes/?customer={NEGATIVE_TEXT}") == []
    invoice = Invoice.objects.create()
    line = Line.objects.create(invoice=invoice)
    assert [row["id"] for row in get(api, f"/invoices/?id={invoice.pk}&document={invoice.document}")] == [invoice.pk]
    assert [row["id"] for row in get(api, f"/lines/?invoice={invoice.pk}")] == [line.pk]
    shipment = Shipment.objects.create()
    assert len(get(api, f"/shipments/?id={shipment.pk}&label={shipment.label.lower()}")) == 1


def test_filters_by_parts_of_the_text_take_any_text(api) -> None:
    receipt, document, token = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "507f1f77bcf86cd799439011", "9m4e2mr0ui3e8a215n4g"
    Shipment.objects.create(label=receipt, document=document)
    Shipment.objects.create()
    Ticket.objects.create(id=5, token=token)
    Ticket.objects.create()
    for url in (
        "/shipments/?label__startswith=01AR",
        "/shipments/?label__iexact=01arz3ndektsv4rrffq69g5fav",
        "/shipments/?document__icontains=F1F77BCF",
        "/shipments/?document__in=507F1F77BCF86CD799439011,507f1f77bcf86cd799439012",
        "/shipments/?document__range=507f1f77bcf86cd799439010,507f1f77bcf86cd799439012",
        "/tickets/?token__startswith=9m4e",
        "/tickets/?token__regex=^9m4e.*4g$",
        "/tickets/?id__lte=5",
    ):
        (row,) = get(api, url)
        assert {receipt, token} & set(row.values()), url
    assert get(api, "/shipments/?label__startswith=%3F") == get(api, "/shipments/?label__startswith=%25") == []
    for url in ("/shipments/?document__in=507f", "/shipments/?document__range=507f,507f"):
        (reasons,) = get(api, url, 400).values()
        assert "has 4 characters: give 24" in reasons[0]


@pytest.mark.parametrize(
    ("query", "name", "reason"),
    [
        ("id=x", "id", "decimal text has no character 'x'"),
        ("id=1.5", "id", "decimal text has no character '.'"),
        ("id=9223372036854775808", "id", "decimal text stands for a number that does not fit"),
        ("id__in=5,x", "id__in", "decimal text has no character 'x'"),
        ("customer=x", "customer", "base32hex text has no character 'x'"),
        ("customer=5", "customer", "Select a valid choice"),
        ("products=-", "products", ""),
        ("products=0", "products", ""),
        ("products=" + text("ulid-flake", 5), "products", "Select a valid choice"),
        ("tracking=%00", "tracking", ""),
    ],
)
def test_filters_refuse_invalid_ids(api, query, name, reason) -> None:
    assert reason in get(api, f"/orders/?{query}", 400)[name][0]
