"""The admin's forms add, change and delete rows with keys from saiban."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from django_tests.shop.models import Customer, Order, Product


@pytest.fixture
def admin() -> Client:
    User.objects.create_superuser("admin", "", "admin")
    client = Client()
    assert client.login(username="admin", password="admin")
    return client


def inline(*orders: dict[str, object]) -> dict[str, object]:
    data = {"orders-TOTAL_FORMS": len(orders), "orders-INITIAL_FORMS": sum("id" in order for order in orders)}
    for number, order in enumerate(orders):
        data |= {f"orders-{number}-{name}": value for name, value in order.items()}
    return data


def test_add_forms_with_foreign_key_and_many_to_many(admin: Client) -> None:
    assert admin.post("/admin/shop/customer/add/", {"name": "Ada", **inline()}).status_code == 302
    for title in ("Pen", "Ink"):
        assert admin.post("/admin/shop/product/add/", {"title": title}).status_code == 302
    customer = Customer.objects.get(name="Ada")
    products = list(Product.objects.all())
    form = {"customer": customer.pk, "products": [product.pk for product in products], "comment": "by hand"}
    assert admin.get("/admin/shop/order/add/").status_code == 200
    assert admin.post("/admin/shop/order/add/", form).status_code == 302
    order = Order.objects.get(comment="by hand")
    assert order.customer == customer
    assert set(order.products.all()) == set(products)


def test_inline_forms_add_and_change(admin: Client) -> None:
    pen = Product.objects.create(title="Pen")
    data = {"name": "Ada", **inline({"comment": "first", "products": [pen.pk]})}
    assert admin.post("/admin/shop/customer/add/", data).status_code == 302
    customer = Customer.objects.get(name="Ada")
    order = customer.orders.get(comment="first")
    assert list(order.products.all()) == [pen]

    known = {"id": order.pk, "customer": customer.pk, "comment": "changed", "products": [pen.pk]}
    data = {"name": "Ada L.", **inline(known, {"comment": "second", "products": [pen.pk]})}
    assert admin.post(reverse("admin:shop_customer_change", args=[customer.pk]), data).status_code == 302
    assert set(customer.orders.values_list("comment", flat=True)) == {"changed", "second"}


def test_rows_with_negative_keys_are_shown_changed_and_deleted(admin: Client) -> None:
    customer = Customer.objects.create(pk=-232447010193727000, name="Ada")
    change = reverse("admin:shop_customer_change", args=[customer.pk])
    assert b"Ada" in admin.get("/admin/shop/customer/").content
    assert admin.get(change).status_code == 200
    assert admin.post(change, {"name": "Grace", **inline()}).status_code == 302
    assert Customer.objects.get(pk=customer.pk).name == "Grace"
    delete = reverse("admin:shop_customer_delete", args=[customer.pk])
    assert admin.post(delete, {"post": "yes"}).status_code == 302
    assert not Customer.objects.exists()
