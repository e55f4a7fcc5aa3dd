"""Relations that only the tests of Django REST framework have."""

from django.db import models
from saiban.contrib.django import fields

from django_tests.shop.models import Customer, Event, Order


class Note(models.Model):
    """A relation by a field that is not the primary key, and one that may be empty."""

    id = fields.SnowflakeAutoField(generator="orders", primary_key=True)
    order = models.ForeignKey(Order, on_delete=models.CASCADE, to_field="tracking")
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, null=True, blank=True)


class Account(models.Model):
    """A primary key that is a relation."""

    customer = models.OneToOneField(Customer, on_delete=models.CASCADE, primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True)
