"""Customers, whose keys tell nothing, orders, whose keys sort by time, and receipts, whose keys need no node."""

from django.db import models
from django.urls import reverse
from saiban.contrib.django.fields import SnowflakeAutoField, UlidField, UuidV7Field


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


class Receipt(models.Model):
    # Neither needs an entry in SAIBAN. Both sort by time too.
    id = UuidV7Field(primary_key=True)
    number = UlidField(unique=True)
    order = models.OneToOneField(Order, on_delete=models.CASCADE)

    def __str__(self) -> str:
        return self.number
