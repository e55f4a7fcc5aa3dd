"""Models that use every field."""

from django.db import models
from saiban.contrib.django import fields


class Customer(models.Model):
    # The primary key is that of DEFAULT_AUTO_FIELD, a Randflake ID.
    name = models.CharField(max_length=40)

    def __str__(self):
        return self.name


class Product(models.Model):
    id = fields.UlidFlakeAutoField(generator="events", primary_key=True)
    title = models.CharField(max_length=40, unique=True)

    def __str__(self):
        return self.title


class Order(models.Model):
    id = fields.SnowflakeAutoField(generator="orders", primary_key=True)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    products = models.ManyToManyField(Product, related_name="orders")
    tracking = fields.RandflakeField(unique=True)
    comment = models.CharField(max_length=40, blank=True)


class Event(models.Model):
    id = fields.RandflakeField(primary_key=True)
    number = fields.SnowflakeField(generator="orders")
    moment = fields.UlidFlakeField(generator="events", editable=True)
    optional = fields.RandflakeField(null=True, default=None, editable=True)


class Guest(Customer):
    room = models.IntegerField(default=1)


class Shipment(models.Model):
    id = fields.UuidV7Field(primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True)
    label = fields.UlidField(unique=True)
    document = fields.ObjectIdField(editable=True)

    def __str__(self):
        return self.label


class Parcel(models.Model):
    id = fields.UlidField(primary_key=True)
    shipment = models.ForeignKey(Shipment, on_delete=models.CASCADE, related_name="parcels")
    others = models.ManyToManyField("self", blank=True)


class Invoice(models.Model):
    id = fields.SnowflakeAutoField(generator="orders", prefix="invoice", primary_key=True)
    ticket = fields.TsidField(generator="tickets", prefix="ticket", unique=True, editable=True)
    label = fields.UlidField(prefix="sales_label", editable=True)
    document = fields.UuidV7Field(prefix="doc", editable=True)
    code = fields.RandflakeField(prefix="code", null=True, default=None, editable=True)

    def __str__(self):
        return self.id


class Line(models.Model):
    id = fields.UuidV7Field(primary_key=True, prefix="")
    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE, related_name="lines")
    others = models.ManyToManyField(Invoice, blank=True)


class Ticket(models.Model):
    id = fields.TsidAutoField(generator="tickets", primary_key=True)
    number = fields.TsidField(generator="tickets", editable=True)
    token = fields.XidField(unique=True, editable=True)
