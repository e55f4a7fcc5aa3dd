"""Customers with opaque keys, orders with keys that sort by time, receipts without a node."""

from django.db import models
from django.urls import reverse
from saiban.contrib.django.fields import SnowflakeAutoField, UlidField, UuidV7Field


class Customer(models.Model):
    # The primary key is that of DEFAULT_AUTO_FIELD, a Randflake ID.
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
        # Snowflakes sort by time, so no other column and no index is needed.
        ordering = ("id",)

    def __str__(self) -> str:
        return self.item

    def get_absolute_url(self) -> str:
        return reverse("order", kwargs={"pk": self.pk})


class Receipt(models.Model):
    # Neither of these fields needs an entry in SAIBAN. Both sort by time too.
    id = UuidV7Field(primary_key=True)
    number = UlidField(unique=True)
    order = models.OneToOneField(Order, on_delete=models.CASCADE)

    def __str__(self) -> str:
        return self.number
