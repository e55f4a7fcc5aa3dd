"""A page for each customer and each order."""

from django.views.generic import DetailView

from .models import Customer, Order


class CustomerView(DetailView):
    model = Customer


class OrderView(DetailView):
    model = Order
