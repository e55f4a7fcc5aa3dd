"""Makes rows in every way that Django has, reads them, prints the steps, and fails on errors."""

from __future__ import annotations

import os
import secrets
from datetime import timedelta
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment
from django.urls import reverse
from saiban.contrib.django.generators import get_generator

from shop.models import Customer, Order, Receipt

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: object, **options: object) -> None:
        setup_test_environment()
        self.by_the_orm()
        self.by_the_admin()
        self.without_a_node()
        self.by_time()
        self.read_back()
        self.nothing_secret_in_migrations()

    def tell(self, text: str) -> None:
        self.stdout.write(f"\n{text}")

    def row(self, *cells: object) -> None:
        widths = (22, 22, 16)
        self.stdout.write("  " + "".join(f"{cell!s:<{width}}" for cell, width in zip(cells, widths, strict=False)))

    def ensure(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise CommandError(otherwise)

    def by_the_orm(self) -> None:
        self.tell("By the ORM: create, bulk_create, get_or_create, a foreign key and a many-to-many")
        ada = Customer.objects.create(name="Ada")
        grace, hedy = Customer.objects.bulk_create([Customer(name="Grace"), Customer(name="Hedy")])
        again, created = Customer.objects.get_or_create(name="Ada")
        self.ensure(again == ada and not created, "get_or_create made Ada twice")
        order = Order.objects.create(customer=ada, item="Analytical engine")
        order.recipients.add(grace, hedy)
        self.ensure(set(order.recipients.all()) == {grace, hedy}, "the many-to-many lost a recipient")
        self.ensure(list(hedy.parcels.filter(customer=ada)) == [order], "the foreign key found no order")
        self.row("customer", "Randflake ID", "text")
        for customer in (ada, grace, hedy):
            self.row(customer, customer.pk, get_generator().to_text(customer.pk))
        self.row("order", "Snowflake ID", "text")
        self.row(order, order.pk, get_generator("orders").to_text(order.pk))

    def by_the_admin(self) -> None:
        self.tell("By the admin's own forms: a customer with an order in its inline form, then an order by itself")
        password = secrets.token_urlsafe()
        User.objects.create_superuser("admin", password=password)
        client = Client()
        self.ensure(client.login(username="admin", password=password), "the admin did not let us in")

        ada, grace = Customer.objects.get(name="Ada"), Customer.objects.get(name="Grace")
        self.post(
            client,
            "admin:shop_customer_add",
            {
                "name": "Katherine",
                "orders-TOTAL_FORMS": 1,
                "orders-INITIAL_FORMS": 0,
                "orders-0-item": "Star chart",
                "orders-0-recipients": [ada.pk],
            },
        )
        katherine = Customer.objects.get(name="Katherine")
        chart = katherine.orders.get()
        self.ensure(list(chart.recipients.all()) == [ada], "the inline form lost its recipient")
        self.row(katherine, katherine.pk, get_generator().to_text(katherine.pk))
        self.row(chart, chart.pk, get_generator("orders").to_text(chart.pk))

        form = {"customer": grace.pk, "recipients": [ada.pk, katherine.pk], "item": "Compiler"}
        self.post(client, "admin:shop_order_add", form)
        compiler = Order.objects.get(item="Compiler")
        self.ensure(set(compiler.recipients.all()) == {ada, katherine}, "the form lost a recipient")
        self.row(compiler, compiler.pk, get_generator("orders").to_text(compiler.pk))
        for name, key in (("customer", katherine.pk), ("order", compiler.pk)):
            page = client.get(reverse(f"admin:shop_{name}_change", args=[key]))
            self.ensure(page.status_code == 200, f"the admin does not find {name} {key}")

    def without_a_node(self) -> None:
        self.tell("Receipts: a UUID v7 and a ULID, which have no node")
        made = Receipt.objects.bulk_create([Receipt(order=order) for order in Order.objects.all()])
        for by in ("pk", "number"):
            self.ensure(list(Receipt.objects.order_by(by)) == made, f"receipts do not sort by time: {by}")
        for receipt in Receipt.objects.select_related("order"):
            self.stdout.write(f"  {receipt.order!s:<20}{receipt.pk!s:<38}{receipt.number}")

    def by_time(self) -> None:
        self.tell("Asked for by time, by the primary key alone: orders from the second of the compiler's on")
        ids = get_generator("orders")
        compiler = Order.objects.get(item="Compiler")
        start = ids.inspect(compiler.pk).time.replace(microsecond=0)
        first, last = ids.range(start, start + timedelta(hours=1))
        found = Order.objects.filter(pk__range=(first, last))
        self.ensure(compiler in found, "the range lost an order")
        self.ensure(not Order.objects.filter(pk__range=ids.range(0, start)).filter(pk=compiler.pk), "nor is it before")
        self.stdout.write(f"  {start:%H:%M:%S} and an hour: BETWEEN {first} AND {last}: {', '.join(map(str, found))}")

    def post(self, client: Client, name: str, form: dict[str, object]) -> None:
        url = reverse(name)
        self.ensure(client.get(url).status_code == 200, f"{url} shows no form")
        answer = client.post(url, form)
        self.ensure(answer.status_code == 302, f"{url} did not take the form: {answer.content.decode()}")

    def read_back(self) -> None:
        self.tell("Read back by ID, and by text in a URL")
        client = Client()
        rows = [*Customer.objects.order_by("name"), *Order.objects.all()]
        nodes: dict[type, set[int | None]] = {Customer: set(), Order: set()}
        for row in rows:
            self.ensure(type(row).objects.get(pk=row.pk) == row, f"{row} is not found by its ID")
            url = row.get_absolute_url()
            page = client.get(url)
            found = page.status_code == 200 and f"<h1>{row}</h1>" in page.content.decode()
            self.ensure(found and str(row.pk) in page.content.decode(), f"{url} does not show {row}")
            parts = get_generator("orders" if isinstance(row, Order) else "default").inspect(row.pk)
            nodes[type(row)].add(parts.node)
            self.stdout.write(f"  GET {url:<34} 200  {row!s:<20} {parts.time:%H:%M:%S}  node {parts.node}")
        self.ensure(all(len(of_one) == 1 for of_one in nodes.values()), f"one process, but nodes {nodes}")
        items = list(Order.objects.values_list("item", flat=True))
        self.ensure(items == ["Analytical engine", "Star chart", "Compiler"], f"orders do not sort by time: {items}")
        for url in ("/customers/0000000000000/", "/customers/ABC/", "/orders/007/"):
            self.ensure(client.get(url).status_code == 404, f"{url} should not be found")
            self.stdout.write(f"  GET {url:<34} 404  no canonical text")

    def nothing_secret_in_migrations(self) -> None:
        self.tell("What the migrations hold of it: the names of fields and of generators, no secret and no node")
        with connection.cursor() as cursor:
            cursor.execute("SELECT sql FROM sqlite_master WHERE name IN ('shop_customer', 'shop_order')")
            tables = [sql for (sql,) in cursor.fetchall()]
        content = Path(os.environ["SAIBAN_SECRET_FILE"]).read_text().strip()
        for file in sorted(MIGRATIONS.glob("0*.py")):
            text = file.read_text()
            for line in text.splitlines():
                if "saiban.contrib.django.fields." in line:
                    self.stdout.write(f"  {file.name}: {line.strip()}")
            hidden = (content, "secret", "node", "SAIBAN")
            self.ensure(not any(word in text for word in hidden), f"{file.name} holds a secret or a node")
        for sql in tables:
            self.ensure('"id" bigint NOT NULL PRIMARY KEY' in sql, f"a key is no BIGINT: {sql}")
        self.stdout.write('  in the database: "id" bigint NOT NULL PRIMARY KEY')
        self.tell("All as it should be.")
