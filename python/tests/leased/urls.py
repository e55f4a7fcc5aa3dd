"""A page that creates rows, and one that fails after it has."""

import os

from django.http import HttpRequest, JsonResponse
from django.urls import path
from saiban.contrib.django.generators import get_generator

from leased.shop.models import Customer, Order

#: The rows of the failing page.
undone: list[Customer] = []


def sell(request: HttpRequest) -> JsonResponse:
    customers = Customer.objects.bulk_create([Customer(name="Ada") for _ in range(20)])
    orders = Order.objects.bulk_create([Order(customer=customer) for customer in customers])
    ids = get_generator()
    nodes = {ids.inspect(customer.pk).node for customer in customers}
    made = {"customers": [customer.pk for customer in customers], "orders": [order.number for order in orders]}
    return JsonResponse({"pid": os.getpid(), "nodes": sorted(nodes), **made})


def fail(request: HttpRequest) -> JsonResponse:
    undone.append(Customer.objects.create(name="Grace"))
    raise RuntimeError("after the row was made")


urlpatterns = [path("sell", sell), path("fail", fail)]
