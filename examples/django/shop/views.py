"""A page for each customer and each order, and a way to buy."""

import os

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.generic import DetailView
from saiban.contrib.django.generators import get_generator

from .models import Customer, Order


class CustomerView(DetailView):
    model = Customer


class OrderView(DetailView):
    model = Order


@csrf_exempt  # for programs, not browsers; a real shop would authenticate the client
@require_POST
def buy(request: HttpRequest) -> JsonResponse:
    """Creates a new customer with a first order."""
    order = Order.objects.create(customer=Customer.objects.create(name="Somebody"), item="Punched card")
    node = get_generator("orders").inspect(order.pk).node
    # As text, because JavaScript would round a number of this size.
    return JsonResponse({"worker": os.getpid(), "node": node, "order": str(order.pk)}, status=201)
