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
from integrations import README, javascript
from rest_framework import serializers
from rest_framework.routers import DefaultRouter
from rest_framework.viewsets import ModelViewSet
from saiban.contrib.django.converters import register_converters
from saiban.contrib.django.entries import texts_of
from saiban.contrib.rest_framework.fields import IdField, IdSlugRelatedField

from django_tests.api.models import Account, Note
from django_tests.api.serializers import CustomerSerializer, OrderSerializer, PaymentSerializer
from django_tests.rest import BIG, NEGATIVE, NEGATIVE_TEXT, NEXT, api, get, order, post, text
from django_tests.shop.models import Customer, Event, Guest, Invoice, Line, Order, Parcel, Shipment, Ticket

# Fixtures of another file.
__all__ = ["api", "order"]


def test_an_id_goes_through_javascript_and_back(api, order) -> None:
    read = json.loads(javascript(api.get(f"/orders/{NEXT}/").content.decode()))
    assert read["id"] == str(NEXT)
    sent = javascript(json.dumps({"customer": read["customer"], "products": read["products"]}))
    response = api.post("/orders/", sent, content_type="application/json")
    assert response.status_code == 201, response.content
    copy = Order.objects.exclude(pk=NEXT).get()
    assert copy.customer_id == NEGATIVE
    assert {product.pk for product in copy.products.all()} == {BIG, NEXT}


def test_javascript_changes_the_numbers_that_rest_framework_sends_by_itself() -> None:
    class Plain(serializers.Serializer):
        id = serializers.IntegerField()

    sent = json.dumps(Plain({"id": NEXT}).data)
    assert json.loads(javascript(sent)) != json.loads(sent)


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


def test_a_relation_by_an_attribute_that_is_not_a_field(order, monkeypatch) -> None:
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
