"""The tests that `manage.py test` runs, on each kind of database."""

from __future__ import annotations

import json
import os
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import saiban
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client, LiveServerTestCase, TestCase, TransactionTestCase
from saiban.contrib.django import generators, stores
from saiban.contrib.django.generators import get_generator

from leased import urls
from leased.shop.models import Customer, Order

PATIENCE_S = 60


def lease_of(scheme: str) -> saiban.Lease:
    get_generator(scheme)
    lease = generators._made[scheme].lease
    assert lease is not None
    return lease


@contextmanager
def the_store_keeps_the_lease() -> Iterator[None]:
    """Renews the lease afterwards, which fails if the store was emptied."""
    lease = lease_of("snowflake")
    before = lease.status()
    yield
    lease.renew()
    end = time.monotonic() + PATIENCE_S
    while (status := lease.status()).renewals == before.renewals:
        assert time.monotonic() < end, status
        time.sleep(0.01)
    assert (status.state, status.nodes, status.grants) == ("active", before.nodes, 1), status


class RowsOfAMigration(TestCase):
    def test_a_migration_has_made_rows(self) -> None:
        keys = list(Customer.objects.filter(name="of a migration").values_list("pk", flat=True))
        # The previous tests have flushed a kept database.
        expected = 0 if os.environ.get("SHOP_TEST_KEPT") else 3
        assert len(set(keys)) == Order.objects.count() == expected
        assert all(key < Customer.objects.create(name="Ada").pk for key in keys)


class RowsInATransaction(TestCase):
    def test_keys_are_of_the_leased_nodes(self) -> None:
        order = Order.objects.create(customer=Customer.objects.create(name="Ada"))
        assert get_generator().inspect(order.pk).node in lease_of("snowflake").nodes
        assert get_generator("ulid-flake").inspect(order.number).node in lease_of("ulid-flake").nodes

    def test_the_store_is_this_test_database(self) -> None:
        name, url = str(connection.settings_dict["NAME"]), stores.store_url()
        if connection.vendor != "sqlite":
            assert url.endswith(f"/{name}") and "test_" in name
        elif "mode=memory" in name:
            assert url == "memory:django-default"
        else:
            assert url == f"sqlite://{name}-saiban-leases"

    def test_a_rolled_back_transaction_releases_no_lease(self) -> None:
        with the_store_keeps_the_lease():
            with transaction.atomic():
                first = Customer.objects.create(name="Ada")
                transaction.set_rollback(True)
            assert Customer.objects.create(name="Ada").pk > first.pk


class ARequestThatFails(TransactionTestCase):
    def test_the_rollback_of_a_failed_request_releases_no_lease(self) -> None:
        client = Client(raise_request_exception=False)
        with the_store_keeps_the_lease():
            assert client.get("/fail").status_code == 500
            assert not Customer.objects.filter(name="Grace").exists()
            sold = client.get("/sell").json()
        assert urls.undone[-1].pk not in sold["customers"]
        assert sold["nodes"] == list(lease_of("snowflake").nodes)


class Flush(TransactionTestCase):
    def test_flush_empties_no_store(self) -> None:
        with the_store_keeps_the_lease():
            before = Customer.objects.create(name="Ada").pk
            call_command("flush", interactive=False, verbosity=0)
            assert not Customer.objects.exists()
            assert Customer.objects.create(name="Ada").pk > before


class AServer(LiveServerTestCase):
    def test_the_thread_of_a_live_server_shares_the_lease(self) -> None:
        with urllib.request.urlopen(f"{self.live_server_url}/sell") as answer:
            sold = json.load(answer)
        assert Customer.objects.filter(pk__in=sold["customers"]).count() == 20
        assert sold["nodes"] == list(lease_of("snowflake").nodes)
