"""Django REST framework: IDs are text in JSON, and no digit is lost on the way to JavaScript and back."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from decimal import Decimal
from uuid import UUID, uuid4

import django
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from rest_framework import serializers
from rest_framework.routers import DefaultRouter
from rest_framework.test import APIClient
from rest_framework.viewsets import ModelViewSet
from saiban.contrib.django.converters import register_converters
from saiban.contrib.django.entries import texts_of
from saiban.contrib.rest_framework.fields import IdField, IdSlugRelatedField
from test_docs import README

from django_tests.api.models import Account, Note
from django_tests.api.serializers import CustomerSerializer, OrderSerializer, PaymentSerializer
from django_tests.shop.models import Customer, Event, Guest, Invoice, Line, Order, Parcel, Product, Shipment, Ticket

#: Above 2**53, where the numbers of JavaScript have gaps: these end in …0560 and …0561.
BIG = 2125041057055170560
NEXT = BIG + 1
NEGATIVE = -232447010193727000
NEGATIVE_TEXT = "fphhelk04q8f8"

pytestmark = pytest.mark.usefixtures("urls")


@pytest.fixture
def urls():
    with override_settings(ROOT_URLCONF="django_tests.api.urls"):
        yield


@pytest.fixture
def api() -> APIClient:
    return APIClient(raise_request_exception=True)


def text(scheme: str, id: int | str | UUID) -> str:
    return texts_of(scheme).write(id)


def post(api: APIClient, url: str, data: object, status: int = 201):
    response = api.post(url, data, format="json")
    assert response.status_code == status, response.content
    return response.json()


def get(api: APIClient, url: str, status: int = 200):
    response = api.get(url)
    assert response.status_code == status, response.content
    return response.json()


@pytest.fixture
def order() -> Order:
    """Returns an order whose keys are above 2**53, of a customer with a negative key."""
    customer = Customer.objects.create(id=NEGATIVE, name="Ada")
    order = Order.objects.create(id=NEXT, customer=customer, tracking=BIG)
    order.products.add(Product.objects.create(id=NEXT, title="Pen"), Product.objects.create(id=BIG, title="Ink"))
    return order


def javascript(program: str, given: str) -> str:
    return subprocess.run(["node", "-e", program], input=given, check=True, capture_output=True, text=True).stdout


PROGRAM = """
let json = require("fs").readFileSync(0, "utf8");
let order = JSON.parse(json);
process.stdout.write(JSON.stringify({ customer: order.customer, products: order.products, seen: order.id }));
"""


def test_an_id_goes_through_javascript_and_back(api, order) -> None:
    sent = javascript(PROGRAM, api.get(f"/orders/{NEXT}/").content.decode())
    assert json.loads(sent)["seen"] == str(NEXT)
    response = api.post("/orders/", sent, content_type="application/json")
    assert response.status_code == 201, response.content
    copy = Order.objects.exclude(pk=NEXT).get()
    assert copy.customer_id == NEGATIVE
    assert {product.pk for product in copy.products.all()} == {BIG, NEXT}
    assert Order.objects.get(pk=json.loads(sent)["seen"]) == order


def test_javascript_changes_the_numbers_that_rest_framework_sends_by_itself() -> None:
    class Plain(serializers.Serializer):
        id = serializers.IntegerField()

    json_of = json.dumps(Plain({"id": NEXT}).data)
    assert json.loads(
        javascript("console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0))))", json_of)
    ) != {"id": NEXT}


def test_keys_and_relations_are_text(api, order) -> None:
    assert get(api, f"/orders/{NEXT}/") == {
        "id": str(NEXT),
        "pk": str(NEXT),
        "customer": NEGATIVE_TEXT,
        "customer_id": NEGATIVE_TEXT,
        "products": [text("ulid-flake", BIG), text("ulid-flake", NEXT)],
        "tracking": text("randflake", BIG),
        "comment": "",
    }
    # The other way, with a field that the serializer declares.
    assert get(api, f"/customers/{NEGATIVE_TEXT}/") == {"id": NEGATIVE_TEXT, "name": "Ada", "orders": [str(NEXT)]}
    assert [found["id"] for found in get(api, "/orders/")] == [str(NEXT)]


def test_no_response_has_an_integer(api, order) -> None:
    """Whatever model it is: a number of more than 53 bits is nowhere."""
    event = Event.objects.create(id=BIG, moment=NEXT, optional=NEGATIVE)
    shipment = Shipment.objects.create(event=event)
    parcel = Parcel.objects.create(shipment=shipment)
    parcel.others.add(Parcel.objects.create(shipment=shipment))
    invoice = Invoice.objects.create(code=NEGATIVE)
    Line.objects.create(invoice=invoice).others.add(invoice)
    Ticket.objects.create()
    Guest.objects.create(name="Grace")
    Note.objects.create(order=order, customer=order.customer)
    Note.objects.create(order=order)
    Account.objects.create(customer=order.customer, event=event)
    for (
        name
    ) in "customers guests products orders events shipments parcels invoices lines tickets notes accounts".split():
        rows = get(api, f"/{name}/")
        assert rows

        def check(value: object, name=name) -> None:
            if isinstance(value, dict):
                for key, inner in value.items():
                    check(inner) if key != "room" else None
            elif isinstance(value, list):
                for inner in value:
                    check(inner)
            else:
                assert value is None or isinstance(value, str), (name, value)

        check(rows)
        for row in rows:
            # Every text is that of the column's ID, and a key in the URL finds its row.
            key = row.get("id") or row.get("customer_ptr") or row["customer"]
            assert get(api, f"/{name}/{key}/") == row


@pytest.mark.parametrize(
    ("customer", "products"),
    [
        (NEGATIVE, [BIG, NEXT]),
        (NEGATIVE_TEXT, [text("ulid-flake", BIG), text("ulid-flake", NEXT)]),
        (NEGATIVE_TEXT.upper(), [text("ulid-flake", BIG).lower(), NEXT]),
    ],
    ids=["integers", "text", "text of another case"],
)
def test_writes_take_text_and_integers(api, order, customer, products) -> None:
    made = post(api, "/orders/", {"customer": customer, "products": products})
    assert made["customer"] == NEGATIVE_TEXT
    stored = Order.objects.get(pk=int(made["id"]))
    assert stored.customer_id == NEGATIVE
    assert {product.pk for product in stored.products.all()} == {BIG, NEXT}
    changed = api.patch(f"/orders/{made['id']}/", {"products": products[:1]}, format="json")
    assert changed.json()["products"] == [text("ulid-flake", BIG)]


@pytest.mark.parametrize("given", [NEXT, texts_of("ulid-flake").write(NEXT)])
def test_a_field_that_is_no_key_is_written(api, given) -> None:
    made = post(
        api, "/events/", {"moment": given, "optional": given if isinstance(given, int) else text("randflake", NEXT)}
    )
    assert made["moment"] == text("ulid-flake", NEXT)
    event = Event.objects.get()
    assert (event.moment, event.optional) == (NEXT, NEXT)
    # A missing value is made when a row is created, and may be removed later.
    changed = api.patch(f"/events/{made['id']}/", {"optional": None}, format="json").json()
    assert changed == made | {"optional": None}


def test_every_kind_of_field_is_written_as_it_is_read(api, order) -> None:
    event = Event.objects.create(id=NEGATIVE, moment=5)
    shipment = post(api, "/shipments/", {"event": NEGATIVE_TEXT, "document": "507F1F77BCF86CD799439011"})
    assert shipment["document"] == "507f1f77bcf86cd799439011"
    assert shipment["event"] == NEGATIVE_TEXT
    assert UUID(shipment["id"]) == Shipment.objects.get(event=event).pk
    first = post(api, "/parcels/", {"shipment": shipment["id"], "others": []})
    second = post(api, "/parcels/", {"shipment": shipment["id"], "others": [first["id"].lower()]})
    assert second["others"] == [first["id"]]
    given = {"ticket": NEXT, "code": "code_0000000000005", "document": "doc_01h455vb4pex5vsknk084sn02q"}
    invoice = post(api, "/invoices/", given)
    assert invoice == given | {"id": invoice["id"], "ticket": text_of_ticket(NEXT), "label": invoice["label"]}
    assert re.fullmatch("invoice_[0-9a-z]{13}", invoice["id"]) and invoice["label"].startswith("sales_label_")
    line = post(api, "/lines/", {"invoice": invoice["id"], "others": [invoice["id"]]})
    assert (line["invoice"], line["others"]) == (invoice["id"], [invoice["id"]])
    by_number = Invoice._meta.pk._texts.read(invoice["id"])
    assert post(api, "/lines/", {"invoice": by_number})["invoice"] == invoice["id"]
    ticket = post(api, "/tickets/", {"number": text("tsid", NEXT), "token": "9m4e2mr0ui3e8a215n4g"})
    assert Ticket.objects.get().number == NEXT and ticket["number"] == text("tsid", NEXT)
    note = post(api, "/notes/", {"order": text("randflake", BIG), "customer": NEGATIVE})
    assert (note["order"], note["customer"]) == (text("randflake", BIG), NEGATIVE_TEXT)
    assert Note.objects.get().order == order
    account = post(api, "/accounts/", {"customer": NEGATIVE_TEXT})
    assert account == {"customer": NEGATIVE_TEXT, "event": None}


def text_of_ticket(id: int) -> str:
    return texts_of("tsid", "ticket").write(id)


def test_a_unique_field_is_compared_as_an_id(api) -> None:
    Invoice.objects.create(ticket=NEXT)
    for same in (NEXT, text_of_ticket(NEXT), "ticket_" + text_of_ticket(NEXT)[7:].upper()):
        assert post(api, "/invoices/", {"ticket": same}, 400) == {
            "ticket": ["invoice with this ticket already exists."]
        }


#: JSON, and what the reason says. The customer is a Randflake.
BAD = [
    ("1.0", "id must be an integer, not float"),
    ("2125041057055170560.0", "id must be an integer, not float"),
    ("1e3", "id must be an integer, not float"),
    ("-0.0", "id must be an integer, not float"),
    ("true", "id must be an integer, not bool"),
    ("false", "id must be an integer, not bool"),
    ("{}", "id must be an integer, not dict"),
    ("[]", "id must be an integer, not list"),
    ("[5]", "id must be an integer, not list"),
    ('{"id": 5}', "id must be an integer, not dict"),
    ("9223372036854775808", "give a signed 64-bit integer"),
    ("-9223372036854775809", "give a signed 64-bit integer"),
    ("1" + "0" * 400, "give a signed 64-bit integer"),
    ('"1.5"', "base32hex text has no character '.'"),
    ('" 5"', "base32hex text has no character ' '"),
    ('"-5"', "base32hex text has no character '-'"),
    ('"wxyz"', "base32hex text has no character 'w'"),
    ('"2125041057055170560"', "base32hex text stands for a number that does not fit"),
    ('"vvvvvvvvvvvvv"', "base32hex text stands for a number that does not fit"),
    ('"' + "1" * 5000 + '"', "base32hex text has 5000 characters"),
    ('"\\u0000"', "base32hex text has no character '\\0'"),
    ('"\\ud800"', "base32hex text has no character"),
    ('"٥"', "base32hex text has no character '٥'"),
    ('"🙂"', "base32hex text has no character '🙂'"),
    ('""', "This field may not be null."),
    ("null", "This field may not be null."),
    ("5", 'Invalid pk "5" - object does not exist.'),
]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=[bad[:24] for bad, _ in BAD])
def test_bad_input_is_refused_with_the_reason(api, bad, reason) -> None:
    body = f'{{"customer": {bad}, "products": []}}'
    response = api.post("/orders/", body, content_type="application/json")
    assert response.status_code == 400, response.content
    assert reason in response.json()["customer"][0]
    body = f'{{"customer": null, "products": [{bad}]}}'
    response = api.post("/orders/", body, content_type="application/json")
    assert response.status_code == 400
    assert "products" in response.json()
    body = f'{{"moment": {bad}}}'
    response = api.post("/events/", body, content_type="application/json")
    assert response.status_code == (201 if bad == "5" else 400), response.content


def test_json_that_python_does_not_read_is_refused(api) -> None:
    for bad in ("9" * 5000, "NaN", "Infinity", "0x10", "05", "+5"):
        body = f'{{"customer": {bad}, "products": []}}'
        assert api.post("/orders/", body, content_type="application/json").status_code == 400


@pytest.mark.parametrize(
    ("url", "data", "reason"),
    [
        ("/tickets/", {"number": "0ep7trc000w0100"}, "crockford text"),
        ("/tickets/", {"token": 5}, "id must be text (str), not int"),
        ("/tickets/", {"token": "c6e52g2mrqcjl44hf179"}, ""),
        ("/shipments/", {"document": "507f1f77bcf86cd79943901"}, "has 23 characters: give 24"),
        ("/shipments/", {"document": 507123}, "id must be text (str), not int"),
        ("/shipments/", {"event": "x"}, "base32hex text has no character 'x'"),
        ("/invoices/", {"ticket": "order_0000000000005"}, 'the text does not begin with "ticket" and an underscore'),
        ("/invoices/", {"document": 5}, "id must be a uuid.UUID, not int"),
        ("/invoices/", {"document": "01890a5d-ac96-774b-bcce-b302099a8057"}, 'does not begin with "doc"'),
        ("/lines/", {"invoice": "invoice_x"}, ""),
        ("/lines/", {"invoice": 1.5}, "id must be an integer, not float"),
        ("/parcels/", {"shipment": "nothing"}, "a UUID's text has no 7 characters"),
        ("/parcels/", {"others": ["nothing"]}, ""),
        ("/notes/", {"order": "x"}, "base32hex text has no character 'x'"),
        ("/notes/", {"order": 2.5}, "id must be an integer, not float"),
        ("/notes/", {"order": 7}, "does not exist"),
        ("/accounts/", {"customer": "x"}, "base32hex text has no character 'x'"),
        ("/products/", {"id": 5}, None),
    ],
)
def test_each_kind_of_field_refuses_what_is_none_of_its_ids(api, url, data, reason) -> None:
    answer = post(api, url, data, 400)
    if reason is not None:
        assert reason in answer[next(iter(data))][0]


@pytest.mark.parametrize(
    "bad", ["5", "-5", "1.5", "true", '"x"', "{}", "[]", "[5]", '"\\u0000"', '"\\ud800"', '""', "null"]
)
def test_keys_that_are_uuids_refuse_what_is_none(api, bad) -> None:
    response = api.post("/parcels/", f'{{"shipment": {bad}, "others": []}}', content_type="application/json")
    assert response.status_code == 400, response.content
    assert "UUID" in response.json()["shipment"][0] or "null" in response.json()["shipment"][0]


def test_uuids_of_other_versions_are_read(api) -> None:
    shipment = Shipment.objects.create(id=uuid4())
    assert post(api, "/parcels/", {"shipment": shipment.pk.hex, "others": []})["shipment"] == str(shipment.pk)


def test_a_form_sends_text(api, order) -> None:
    response = api.post("/orders/", {"customer": NEGATIVE_TEXT, "products": [text("ulid-flake", NEXT)]})
    assert response.status_code == 201, response.content
    assert Order.objects.get(pk=response.json()["id"]).products.get().pk == NEXT
    event = Event.objects.create(optional=5)
    response = api.patch(f"/events/{text('randflake', event.pk)}/", {"optional": ""})
    assert response.json()["optional"] is None
    assert api.post("/orders/", {"customer": str(NEGATIVE)}).status_code == 400


def test_nested_serializers_have_text(api, order) -> None:
    nested = get(api, f"/nested/{NEXT}/")
    assert nested["customer"]["id"] == NEGATIVE_TEXT
    assert {product["id"] for product in nested["products"]} == {text("ulid-flake", id) for id in (BIG, NEXT)}

    class Deep(serializers.ModelSerializer):
        class Meta:
            model = Note
            fields = "__all__"
            depth = 2

    deep = Deep(Note.objects.create(order=order)).data
    assert deep["order"]["id"] == str(NEXT)
    assert deep["order"]["tracking"] == text("randflake", BIG)
    assert deep["order"]["customer"]["id"] == NEGATIVE_TEXT


def test_relations_that_are_only_read_are_text(order) -> None:
    class Read(serializers.ModelSerializer):
        customer_of_order = serializers.PrimaryKeyRelatedField(source="order.customer", read_only=True)
        products = serializers.PrimaryKeyRelatedField(source="order.products", many=True, read_only=True)

        class Meta:
            model = Note
            fields = ("order", "customer", "customer_of_order", "products")
            read_only_fields = ("order", "customer")

    assert Read(Note.objects.create(order=order)).data == {
        "order": text("randflake", BIG),
        "customer": None,
        "customer_of_order": NEGATIVE_TEXT,
        "products": [text("ulid-flake", BIG), text("ulid-flake", NEXT)],
    }


def test_a_nested_serializer_is_written(order) -> None:
    class Written(serializers.ModelSerializer):
        order = OrderSerializer()

        class Meta:
            model = Note
            fields = ("order",)

    written = Written(data={"order": {"customer": NEGATIVE_TEXT, "products": [text("ulid-flake", BIG)]}})
    assert written.is_valid(), written.errors
    assert written.validated_data["order"]["customer"].pk == NEGATIVE
    refused = Written(data={"order": {"customer": 1.5, "products": [BIG]}})
    assert not refused.is_valid()
    assert refused.errors == {"order": {"customer": ["id must be an integer, not float"]}}


def test_hyperlinks_have_the_text_and_are_read_back(api, order) -> None:
    linked = get(api, f"/linked/{NEXT}/")
    assert linked["url"] == f"http://testserver/orders/{NEXT}/"
    assert linked["customer"] == f"http://testserver/customers/{NEGATIVE_TEXT}/"
    assert sorted(linked["products"]) == sorted(
        f"http://testserver/products/{text('ulid-flake', id)}/" for id in (BIG, NEXT)
    )
    made = post(api, "/linked/", {"customer": linked["customer"], "products": linked["products"]})
    assert made["customer"] == linked["customer"]
    assert set(get(api, made["customer"])["orders"]) == {made["id"], str(NEXT)}
    for bad in ("/customers/x/", f"/orders/{NEXT}/", f"/customers/{NEGATIVE}/", NEGATIVE_TEXT, NEGATIVE, 1.5, "", {}):
        post(api, "/linked/", {"customer": bad, "products": []}, 400)


def test_urls_of_viewsets_take_the_text_and_nothing_else(api, order) -> None:
    assert get(api, f"/customers/{NEGATIVE_TEXT}/")["name"] == "Ada"
    for other in (NEGATIVE_TEXT.upper(), str(NEGATIVE), "x", "5", "vvvvvvvvvvvvv", "1.5"):
        assert api.get(f"/customers/{other}/").status_code == 404
    # Routers with regular expressions do for the texts that the database reads: decimals, prefixes.
    assert get(api, f"/plain/orders/{NEXT}/")["id"] == str(NEXT)
    # Before version 5, Django gives SQLite decimals of any size.
    large = ("9223372036854775808", "9" * 50) if django.VERSION >= (5,) else ()
    for other in ("x", "%00", "1e3", "٥", *large):
        assert api.get(f"/plain/orders/{other}/").status_code == 404
    invoice = Invoice.objects.create()
    assert get(api, f"/invoices/{invoice.pk}/")["id"] == invoice.pk
    assert api.get("/invoices/invoice_x/").status_code == 404
    assert api.delete(f"/customers/{NEGATIVE_TEXT}/").status_code == 204
    assert not Customer.objects.exists()


def test_a_serializer_without_a_model_names_the_fields(order) -> None:
    data = {"order": str(NEXT), "customer": NEGATIVE_TEXT, "tracked": text("randflake", BIG)}
    read = PaymentSerializer(data=data)
    assert read.is_valid(), read.errors
    assert read.validated_data == {"order": NEXT, "customer": order.customer, "tracked": order}
    assert PaymentSerializer({"order": NEXT, "customer": order.customer, "tracked": order}).data == data
    assert not PaymentSerializer(data=data | {"order": 1.5}).is_valid()
    assert not PaymentSerializer(data=data | {"tracked": Decimal(5)}).is_valid()


def test_the_fields_are_for_saibans_model_fields_only() -> None:
    with pytest.raises(TypeError, match="needs one of saiban's model fields"):
        IdField(User._meta.get_field("username"))
    assert IdField(Order._meta.get_field("customer")).to_representation(NEGATIVE) == NEGATIVE_TEXT
    by_name = IdSlugRelatedField(queryset=Customer.objects.all(), slug_field="name")
    ada = Customer.objects.create(name="Ada")
    assert by_name.to_internal_value("Ada") == ada
    assert by_name.to_representation(ada) == "Ada"


@pytest.mark.parametrize(
    ("slug", "text_of_order"),
    [
        ("pk", str(NEXT)),
        ("customer_id", NEGATIVE_TEXT),
        ("customer__pk", NEGATIVE_TEXT),
        ("customer__id", NEGATIVE_TEXT),
        ("customer__name", "Ada"),
        ("comment", "soon"),
    ],
)
def test_a_relation_by_a_field_of_a_related_model(order, slug, text_of_order) -> None:
    Order.objects.create(customer=Customer.objects.create(name="Grace"))
    Order.objects.filter(pk=NEXT).update(comment="soon")
    order.refresh_from_db()
    field = IdSlugRelatedField(queryset=Order.objects.all(), slug_field=slug)
    assert field.to_representation(order) == text_of_order
    assert field.to_internal_value(text_of_order) == order


def test_a_relation_by_an_attribute_that_is_no_field(order, monkeypatch) -> None:
    monkeypatch.setattr(Order, "label", property(lambda order: f"of {order.customer.name}"), raising=False)
    assert IdSlugRelatedField(read_only=True, slug_field="label").to_representation(order) == "of Ada"
    assert IdSlugRelatedField(read_only=True, slug_field="imag").to_representation(5) == 0


def test_a_value_that_was_set_as_text_is_still_text_of_its_id() -> None:
    # Not saved and read yet, so that it is what the code has put there.
    assert OrderSerializer(Order(id=str(NEXT), tracking=str(BIG))).data["tracking"] == text("randflake", BIG)


def test_what_a_project_sets_itself_comes_first(order) -> None:
    class Meta:
        model = Order
        fields = ("id", "customer")

    class Own(serializers.ModelSerializer):
        id = serializers.IntegerField()
        customer = serializers.StringRelatedField()

    own = type("OwnOrder", (Own,), {"Meta": Meta})
    assert own(order).data == {"id": NEXT, "customer": "Ada"}
    options = {"Meta": type("Meta", (Meta,), {"extra_kwargs": {"id": {"read_only": False, "help_text": "yours"}}})}
    writable = type("WritableOrder", (serializers.ModelSerializer,), options)(data={"id": "5", "customer": NEGATIVE})
    assert writable.is_valid(), writable.errors
    assert writable.validated_data["id"] == 5


def test_fields_that_are_none_of_saibans_are_as_before(order) -> None:
    class UserSerializer(serializers.ModelSerializer):
        class Meta:
            model = User
            fields = ("id", "username", "is_staff", "groups")

    user = User.objects.create(username="ada")
    kinds = {name: type(field).__name__ for name, field in UserSerializer(user).fields.items()}
    assert kinds == {
        "id": "IntegerField",
        "username": "CharField",
        "is_staff": "BooleanField",
        "groups": "ManyRelatedField",
    }
    assert UserSerializer(user).data == {"id": user.pk, "username": "ada", "is_staff": False, "groups": []}


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
def test_filters_refuse_what_is_no_id(api, query, name, reason) -> None:
    assert reason in get(api, f"/orders/?{query}", 400)[name][0]


@pytest.mark.parametrize(
    "name", ["customers", "orders", "invoices", "events", "shipments", "notes", "lines", "accounts"]
)
def test_browsable_pages_render(api, order, name) -> None:
    Note.objects.create(order=order)
    page = api.get(f"/{name}/", HTTP_ACCEPT="text/html")
    assert page.status_code == 200
    assert page["Content-Type"].startswith("text/html")
    html = page.content.decode()
    assert str(NEGATIVE) not in html
    if name == "orders":
        assert f'<option value="{NEGATIVE_TEXT}"' in html
        page = api.get(f"/orders/{NEXT}/", HTTP_ACCEPT="text/html").content.decode()
        assert f'<option value="{NEGATIVE_TEXT}" selected' in page
    if name == "notes":
        # The form of the filters, which has the choices' keys too.
        assert f'<option value="{NEGATIVE_TEXT}"' in html


@pytest.fixture(scope="module")
def schema():
    from drf_spectacular.generators import SchemaGenerator

    with override_settings(ROOT_URLCONF="django_tests.api.urls"):
        return SchemaGenerator(urlconf="django_tests.api.urls").get_schema(request=None, public=True)


def test_the_schema_is_of_text(schema) -> None:
    order = schema["components"]["schemas"]["Order"]["properties"]
    assert order["id"] == {
        "type": "string",
        "pattern": order["id"]["pattern"],
        "example": order["id"]["example"],
        "readOnly": True,
    }
    assert order["customer"]["type"] == order["products"]["items"]["type"] == order["customer_id"]["type"] == "string"
    for name, component in schema["components"]["schemas"].items():
        for key, property in component.get("properties", {}).items():
            found = property.get("items", property)
            if found.get("type") == "integer":
                assert key == "room", (name, key)
            if "example" in found:
                assert re.fullmatch(found["pattern"], found["example"])
    patterned = sum("pattern" in str(component) for component in schema["components"]["schemas"].values())
    assert patterned > 10


def test_the_schema_of_paths_and_filters_is_of_text(schema) -> None:
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                found = parameter["schema"].get("items", parameter["schema"])
                assert found["type"] == "string", (path, parameter)
    by_name = {one["name"]: one["schema"] for one in schema["paths"]["/shipments/"]["get"]["parameters"]}
    assert "pattern" in by_name["label"]
    assert "pattern" in by_name["document__in"]["items"]
    assert by_name["label__startswith"] == by_name["document__icontains"] == {"type": "string"}
    (by_customer,) = (one for one in schema["paths"]["/orders/"]["get"]["parameters"] if one["name"] == "customer")
    assert "pattern" in by_customer["schema"]


def test_the_schema_is_valid(schema) -> None:
    from drf_spectacular.validation import validate_schema

    validate_schema(schema)


def test_the_readmes_examples(api) -> None:
    section = README.split("### Django REST framework\n")[1].split("\n### ")[0]
    assert len(section.strip().splitlines()) <= 40
    in_settings, in_urls = re.findall(r"```python\n(.*?)```", section, re.S)
    names = {"INSTALLED_APPS": []}
    exec(in_settings, names)
    assert set(names["INSTALLED_APPS"]) <= set(settings.INSTALLED_APPS)
    names = {
        "Customer": Customer,
        "CustomerSerializer": CustomerSerializer,
        "DefaultRouter": DefaultRouter,
        "ModelViewSet": ModelViewSet,
        "register_converters": register_converters,
    }
    exec(in_urls, names)
    Customer.objects.create(id=NEGATIVE, name="Ada")
    with override_settings(ROOT_URLCONF=type("Urls", (), {"urlpatterns": names["router"].urls})):
        assert get(api, f"/customers/{NEGATIVE_TEXT}/")["id"] == NEGATIVE_TEXT
        assert api.get(f"/customers/{NEGATIVE}/").status_code == 404
    examples = dict(re.findall(r"^\| (.*?) \| .*`\"(.*)\"` \|$", section, re.M))
    assert examples == {
        "`Snowflake…`": text("snowflake", BIG),
        "`Tsid…`, `Randflake…`, `UlidFlake…`": text("tsid", BIG),
        "any field with `prefix`": texts_of("snowflake", "order").write(BIG),
    }
    for declared in re.findall(r"(IdField\(.*?\))[`)]", section):
        assert isinstance(eval(declared, {"IdField": IdField, "Order": Order}), IdField)


@pytest.mark.parametrize("field", [IdField, IdSlugRelatedField])
def test_the_docstrings_examples(field) -> None:
    names = {"IdField": IdField, "IdSlugRelatedField": IdSlugRelatedField, "Order": Order, "Customer": Customer}
    test = doctest.DocTestParser().get_doctest(field.__doc__, names, field.__name__, None, None)
    assert doctest.DocTestRunner().run(test) == doctest.TestResults(failed=0, attempted=len(test.examples))
    assert test.examples


def test_saiban_imports_it_for_nobody() -> None:
    for module in ("saiban", "saiban.contrib", "saiban.contrib.django.fields", "saiban.contrib.django.converters"):
        program = (
            f"import django.conf, sys; django.conf.settings.configure(); import {module};"
            "print([name for name in sys.modules if 'rest_framework' in name or 'spectacular' in name])"
        )
        assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


def test_a_project_without_the_optional_packages_starts() -> None:
    program = (
        "import sys, django, django.conf as c;"
        "sys.modules['django_filters'] = sys.modules['drf_spectacular'] = None;"
        "c.settings.configure(INSTALLED_APPS=['django.contrib.contenttypes', 'django.contrib.auth', 'rest_framework',"
        " 'saiban.contrib.rest_framework']);"
        "django.setup();"
        "from rest_framework.serializers import ModelSerializer as M;"
        "print(list(M.serializer_field_mapping.values())[-1])"
    )
    assert "IdField" in subprocess.check_output([sys.executable, "-c", program], text=True)
