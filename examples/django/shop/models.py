"""Customers, whose keys tell nothing, and orders, whose keys sort by time."""

from django.db import models
from django.urls import reverse
from saiban.contrib.django.fields import SnowflakeAutoField


class Customer(models.Model):
    # No key is written down: it is DEFAULT_AUTO_FIELD, a Randflake ID.
    name = models.CharField(max_length=100)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("customer", kwargs={"pk": self.pk})


class Order(models.Model):
    id = SnowflakeAutoField(generator="orders", primary_key=True)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    recipients = models.ManyToManyField(Customer, related_name="parcels", help_text="Who gets a parcel")
    item = models.CharField(max_length=100)

    class Meta:
        # A Snowflake's order is that of time: no column for it, and no index, is needed.
        ordering = ("id",)

    def __str__(self) -> str:
        return self.item

    def get_absolute_url(self) -> str:
        return reverse("order", kwargs={"pk": self.pk})
