# ruff: noqa: RUF012 (written by makemigrations)

import django.db.models.deletion
import saiban.contrib.django.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Customer",
            fields=[
                (
                    "id",
                    saiban.contrib.django.fields.SnowflakeAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name="Order",
            fields=[
                (
                    "id",
                    saiban.contrib.django.fields.SnowflakeAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", saiban.contrib.django.fields.UlidFlakeField(unique=True)),
                (
                    "customer",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="shop.customer"),
                ),
            ],
        ),
    ]
