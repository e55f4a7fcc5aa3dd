"""Rows that a migration makes."""

from django.db import migrations


def make(apps, schema_editor):
    customer, order = apps.get_model("shop", "Customer"), apps.get_model("shop", "Order")
    for customer in customer.objects.bulk_create([customer(name="of a migration") for _ in range(3)]):
        order.objects.create(customer=customer)


class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
