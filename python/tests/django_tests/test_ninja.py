"""django-ninja: IDs keep their digits in JSON, with the types of saiban.contrib.pydantic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from django.test import Client, override_settings
from django.urls import path
from integrations import BAD_SNOWFLAKES, CHANGED, javascript
from ninja import Field, ModelSchema, NinjaAPI, Schema
from pydantic import TypeAdapter
from saiban.contrib.pydantic import IdText, RandflakeId, SnowflakeId

from django_tests.rest import BIG, NEGATIVE, NEGATIVE_TEXT, NEXT, order
from django_tests.shop.models import Invoice, Order

__all__ = ["order"]

api = NinjaAPI()


class Payment(Schema):
    id: SnowflakeId
    customer: RandflakeId | None = None
    others: list[SnowflakeId] = Field(default_factory=list)
    amounts: dict[SnowflakeId, int] = Field(default_factory=dict)


class OrderSchema(ModelSchema):
    """The keys are declared: django-ninja knows only the types of their columns."""

    id: SnowflakeId
    tracking: RandflakeId
    customer_id: RandflakeId

    class Meta:
        model = Order
        fields = ("id", "tracking", "comment")


class InvoiceSchema(ModelSchema):
    id: Annotated[str, "the text with the prefix"]

    class Meta:
        model = Invoice
        fields = ("id",)


class PlainSchema(ModelSchema):
    class Meta:
        model = Order
        fields = ("id",)


@api.post("/payments", response=Payment)
def pay(request: Any, payment: Payment) -> Any:
    assert type(payment.id) is int
    return payment


@api.post("/untyped", response=Payment)
def pay_untyped(request: Any, payment: Payment) -> Any:
    return payment.dict()


@api.get("/payments/{id}", response=list[Payment])
def payments(request: Any, id: SnowflakeId, other: SnowflakeId | None = None) -> Any:
    return [Payment(id=id, others=[other or id])]


@api.get("/orders", response=list[OrderSchema])
def orders(request: Any) -> Any:
    return Order.objects.all()


@api.get("/orders/{id}", response=OrderSchema)
def one(request: Any, id: SnowflakeId) -> Any:
    return Order.objects.get(pk=id)


@api.get("/invoices/{id}", response=InvoiceSchema)
def invoice(request: Any, id: str) -> Any:
    return Invoice.objects.get(pk=id)


@api.get("/plain/{id}", response=PlainSchema)
def plain(request: Any, id: int) -> Any:
    return Order.objects.get(pk=id)


urlpatterns = [path("api/", api.urls)]


@pytest.fixture(autouse=True)
def client() -> Iterator[Client]:
    with override_settings(ROOT_URLCONF=__name__):
        yield Client()


def post(client: Client, url: str, content: str, status: int = 200) -> str:
    answer = client.post(url, content, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def get(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


@pytest.mark.parametrize("url", ["/api/payments", "/api/untyped"])
def test_every_digit_is_kept_in_every_place(client: Client, url: str) -> None:
    sent = {"id": str(BIG), "customer": NEGATIVE_TEXT, "others": [str(NEXT)], "amounts": {str(NEXT): 5}}
    first = javascript(post(client, url, javascript(json.dumps(sent))))
    assert json.loads(first) == sent
    assert javascript(post(client, url, first)) == first


def test_paths_and_queries_are_read(client: Client) -> None:
    got = json.loads(javascript(get(client, f"/api/payments/{BIG}?other={NEXT}")))
    assert (got[0]["id"], got[0]["others"], got[0]["customer"]) == (str(BIG), [str(NEXT)], None)
    for url in ("/api/payments/12x", f"/api/payments/7?other={2**63}"):
        answer = client.get(url)
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["type"].startswith("saiban_")


@pytest.mark.parametrize(("value", "reason"), BAD_SNOWFLAKES.items(), ids=lambda text: text[:30])
def test_bad_input_is_refused_with_the_reason(client: Client, value: str, reason: str) -> None:
    (error,) = json.loads(post(client, "/api/payments", f'{{"id": {value}}}', 422))["detail"]
    assert error["loc"] == ["body", "payment", "id"]
    assert re.search(reason, error["msg"])


def test_declared_keys_of_models_are_text(client: Client, order: Order) -> None:
    (listed,) = json.loads(javascript(get(client, "/api/orders")))
    assert json.loads(javascript(get(client, f"/api/orders/{listed['id']}"))) == listed
    tracking = TypeAdapter(RandflakeId).dump_python(BIG, mode="json")
    assert listed == {"id": str(NEXT), "customer_id": NEGATIVE_TEXT, "tracking": tracking, "comment": ""}
    assert order.customer_id == NEGATIVE


def test_other_keys_of_models_are_numbers(client: Client, order: Order) -> None:
    assert json.loads(javascript(get(client, f"/api/plain/{order.pk}"))) == {"id": CHANGED}


def test_a_field_with_a_prefix_is_declared_as_text(client: Client) -> None:
    made = Invoice.objects.create()
    assert json.loads(javascript(get(client, f"/api/invoices/{made.pk}"))) == {"id": made.pk}


def test_only_responses_of_django_ninja_are_text_in_python() -> None:
    payment = Payment(id=BIG, others=[NEXT])
    assert payment.model_dump()["id"] == BIG
    assert payment.model_dump(context={"request": None})["id"] == BIG
    assert payment.model_dump(context={"response_status": 200})["id"] == str(BIG)
    assert payment.model_dump(context=["response_status"])["id"] == BIG
    assert payment.model_dump(context=7, mode="json")["id"] == str(BIG)
    adapter = TypeAdapter(Annotated[int, IdText("snowflake")])
    assert adapter.dump_python(BIG) == BIG


def test_the_schema_is_of_text() -> None:
    schemas = api.get_openapi_schema()["components"]["schemas"]
    for name in ("Payment", "OrderSchema"):
        assert schemas[name]["properties"]["id"]["type"] == "string"
