"""Keys and a column from saiban, with generators that have no entry in the settings."""

from django.db import models
from saiban.contrib.django.fields import UlidFlakeField


class Customer(models.Model):
    name = models.CharField(max_length=40)


class Order(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
    number = UlidFlakeField(unique=True)
