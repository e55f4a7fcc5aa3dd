"""A page that creates a row in each of three tables, with keys of different schemes."""

import os

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django_tests.shop.models import Customer, Order, Product


def sell(request: HttpRequest) -> JsonResponse:
    customer = Customer.objects.create(name="Ada")
    order = Order.objects.create(customer=customer)
    product = Product.objects.create(title=f"thing {order.pk}")
    keys = {"customer": customer.pk, "order": order.pk, "product": product.pk}
    return JsonResponse({"pid": os.getpid(), "node": int(os.environ["SAIBAN_NODE"]), **keys})


urlpatterns = [path("sell", sell)]
