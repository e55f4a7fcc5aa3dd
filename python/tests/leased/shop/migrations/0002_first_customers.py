# ruff: noqa: RUF012 (as makemigrations writes it)
"""A migration that creates rows."""

from django.db import migrations


def make(apps, schema_editor):
    customers, orders = apps.get_model("shop", "Customer").objects, apps.get_model("shop", "Order").objects
    for customer in customers.bulk_create([customers.model(name="of a migration") for _ in range(3)]):
        orders.create(customer=customer)


class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
