"""Helpers for the tests of Django REST framework: rows with keys above 2**53, and a client."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import override_settings
from rest_framework.test import APIClient
from saiban.contrib.django.entries import texts_of

from django_tests.shop.models import Customer, Order, Product

#: Above 2**53, where the numbers of JavaScript have gaps: these end in …0560 and …0561.
BIG = 2125041057055170560
NEXT = BIG + 1
NEGATIVE = -232447010193727000
NEGATIVE_TEXT = "fphhelk04q8f8"


@pytest.fixture
def api() -> Iterator[APIClient]:
    """Returns a client of the project's API."""
    with override_settings(ROOT_URLCONF="django_tests.api.urls"):
        yield APIClient(raise_request_exception=True)


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
