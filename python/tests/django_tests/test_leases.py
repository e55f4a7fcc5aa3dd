"""Leased nodes: without settings, in memory like the database, and with the key `lease`."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
import saiban
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import models
from django.test.utils import isolate_apps
from saiban.contrib.django import fields, generators
from saiban.contrib.django.generators import get_generator, reset_generators

from django_tests.shop.models import Customer, Event, Order, Product, Ticket

SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
NOBODY = "postgres://app:HIDDEN@127.0.0.1:1/shop"


def lease_of(name: str) -> saiban.Lease:
    """Returns the lease of the process's generator with this name."""
    get_generator(name)
    lease = generators._made[name].lease
    assert lease is not None
    return lease


def granted(file: Path) -> list[tuple[Any, ...]]:
    """Returns namespace, first node, end and holder of the leases in an SQLite file."""
    with sqlite3.connect(file) as store:
        slots = "SELECT namespace, nodes_start, nodes_end, holder FROM saiban_slots WHERE end_us > 0 ORDER BY 1, 2"
        rows = store.execute(slots).fetchall()
    store.close()
    return rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "leases.db"


def test_without_any_setting_fields_lease_their_nodes(saiban_setting) -> None:
    saiban_setting(None)
    with isolate_apps("django_tests.shop"):

        class Thing(models.Model):
            id = fields.SnowflakeAutoField(primary_key=True)
            number = fields.UlidFlakeField()

            class Meta:
                app_label = "shop"

        assert Thing.check() == []
        key, number = (Thing._meta.get_field(name).generate() for name in ("id", "number"))
    assert get_generator() is get_generator("snowflake") is not get_generator("ulid-flake")
    assert get_generator("snowflake").inspect(key).node in lease_of("snowflake").nodes
    assert get_generator("ulid-flake").inspect(number).node in lease_of("ulid-flake").nodes


def test_a_randflake_needs_its_secret_and_no_more(saiban_setting) -> None:
    saiban_setting({"default": {"scheme": "randflake", "secret": SECRET}})
    assert Customer.check() == []
    ada = Customer.objects.create(name="Ada")
    assert get_generator().inspect(ada.pk).node in lease_of("default").nodes


def test_every_field_of_a_project_can_lease(saiban_setting) -> None:
    saiban_setting(
        {
            "default": {"scheme": "randflake", "secret": SECRET},
            "orders": {"scheme": "snowflake", "layout": "discord"},
            "events": {"scheme": "ulid-flake", "entropy_size": 2, "epoch_ms": 1_577_836_800_000},
            "tickets": {"scheme": "tsid", "layout": "tsid-4096"},
        }
    )
    assert checks.run_checks() == []
    order = Order.objects.create(customer=Customer.objects.create(name="Ada"))
    order.products.add(Product.objects.create(title="Engine"))
    event, ticket = Event.objects.create(), Ticket.objects.create()
    made_by = {"default": event.pk, "orders": order.pk, "events": event.moment, "tickets": ticket.pk}
    for name, made in made_by.items():
        assert get_generator(name).inspect(made).node in lease_of(name).nodes


def test_options_of_a_lease_reach_the_lease(saiban_setting, file: Path) -> None:
    lease = {"url": f"sqlite://{file}", "namespace": "eu.orders", "nodes": 4, "ttl_s": 60, "holder": "a test"}
    saiban_setting({"orders": {"scheme": "snowflake", "layout": "discord", "shards": 4, "lease": lease}})
    assert generators.check_generator("orders") is None
    assert not file.exists(), "a check takes nothing"
    nodes = lease_of("orders").nodes
    assert len(nodes) == 4
    assert granted(file) == [("eu.orders", nodes.start, nodes.stop, "a test")]
    assert get_generator("orders").inspect(get_generator("orders").generate()).node in nodes


def test_a_namespace_has_the_name_of_its_generator_and_that_of_default_the_name_of_its_scheme(
    saiban_setting, file: Path
) -> None:
    url = f"sqlite://{file}"
    saiban_setting(
        {
            "default": {"scheme": "snowflake", "lease": url},
            "orders": {"scheme": "snowflake", "lease": url},
            "events": {"scheme": "ulid-flake", "lease": url},
        }
    )
    for name in ("default", "orders", "events"):
        get_generator(name)
    assert [namespace for namespace, *_ in granted(file)] == ["events", "orders", "snowflake"]


def test_a_changed_setting_releases_its_leases(saiban_setting, file: Path) -> None:
    saiban_setting({"default": {"scheme": "snowflake", "lease": f"sqlite://{file}"}})
    before = get_generator()
    assert before.generate()
    assert len(granted(file)) == 1
    reset_generators()
    assert granted(file) == []
    with pytest.raises(saiban.LeaseLostError, match="released"):
        before.generate()
    assert get_generator().generate()
    assert len(granted(file)) == 1


def test_nothing_is_leased_where_the_setting_says_so(saiban_setting) -> None:
    saiban_setting(
        {
            "alone": {"scheme": "ulid-flake", "lease": False},
            # This generator shares no cursor with other processes, so it is refused in an ID space
            # with a shared cursor.
            "careless": {"scheme": "ulid-flake", "allow_collisions": True, "epoch_ms": 5},
            "given": {"scheme": "ulid-flake", "scalability": 0},
            "node": {"scheme": "snowflake", "node": 0},
        }
    )
    guarantees = {name: get_generator(name).stats().guarantee for name in ("alone", "careless", "given", "node")}
    assert guarantees == {"alone": "unique_in_process", "careless": "probable", "given": "unique", "node": "unique"}
    assert {made.lease for made in generators._made.values()} == {None}


def test_threads_that_need_the_first_id_at_once_share_one_lease(saiban_setting, file: Path) -> None:
    saiban_setting({"default": {"scheme": "snowflake", "lease": f"sqlite://{file}"}})
    together = threading.Barrier(8)
    made: list[int] = []

    def make() -> None:
        together.wait()
        made.extend(get_generator().generate() for _ in range(100))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == len(made) == 800
    assert len(granted(file)) == 1


def test_a_forked_child_leases_different_nodes(saiban_setting, file: Path) -> None:
    saiban_setting({"default": {"scheme": "snowflake", "lease": f"sqlite://{file}"}})
    first = get_generator().generate()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            made = [get_generator().generate() for _ in range(100)]
            os.write(writing, " ".join(map(str, made)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as output:
        children = [int(id) for id in output.read().split()]
    os.waitpid(child, 0)
    ours = [first, *(get_generator().generate() for _ in range(100))]
    assert len({*ours, *children}) == 201
    nodes = [{get_generator().inspect(id).node for id in made} for made in (ours, children)]
    assert nodes[0] == set(lease_of("default").nodes)
    assert nodes[0].isdisjoint(nodes[1])


def test_a_forked_child_has_a_separate_store_in_memory(saiban_setting) -> None:
    saiban_setting(None)
    assert get_generator().generate()
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if get_generator().generate() else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_unreachable_store_is_reported_when_a_row_is_made_and_not_before(saiban_setting) -> None:
    lease = {"url": NOBODY, "wait_s": 1}
    saiban_setting({"default": {"scheme": "randflake", "secret": SECRET, "lease": lease}})
    assert Customer.check() == []
    with pytest.raises(saiban.StoreUnavailableError) as refused:
        Customer.objects.create(name="Ada")
    assert refused.value.__notes__ == ["SAIBAN['default'] leases its nodes from the store that its 'lease' names."]
    assert "HIDDEN" not in str(refused.value)


def test_a_namespace_of_other_ids_is_refused_with_the_setting_to_change(saiban_setting, file: Path) -> None:
    url = f"sqlite://{file}"
    saiban_setting({"orders": {"scheme": "snowflake", "lease": url}})
    get_generator("orders")
    saiban_setting({"orders": {"scheme": "snowflake", "layout": "discord", "lease": url}})
    with pytest.raises(
        ImproperlyConfigured, match=r"SAIBAN\['orders'\]: .*SAIBAN\['orders'\]\['lease'\]\['namespace'\]"
    ):
        get_generator("orders")
    saiban_setting(
        {"orders": {"scheme": "snowflake", "layout": "discord", "lease": {"url": url, "namespace": "orders-2"}}}
    )
    assert get_generator("orders").generate()


#: The keys of an entry besides its scheme, and the error that they cause.
WRONG = {
    "a node too": ({"node": 1, "lease": NOBODY}, r"has both 'lease' and 'node'"),
    "a node of the environment too": ({"node_env": "NODE", "lease": {}}, r"has both 'lease' and 'node_env'"),
    "no URL": ({"lease": 5}, r"\['lease'\] must be a store's URL, a dictionary, or False"),
    "an unknown key": ({"lease": {"ttl": 60}}, r"\['lease'\] has keys that leases do not: ttl"),
    "a store": ({"store": NOBODY}, r"does not: store\. Give the store and its namespace in 'lease'"),
    "a store's namespace": ({"namespace": "orders", "lease": NOBODY}, r"does not: namespace\. Give .* in 'lease'"),
    "two stores": ({"lease": {"url": NOBODY, "database": "default"}}, r"has both 'url' and 'database'"),
    "no such database": ({"lease": {"database": "other"}}, r"no DATABASES\['other'\]"),
    "no such name": ({"lease": {"namespace": "a b"}}, r"the namespace 'a b': give .*\['namespace'\], 1 to 64"),
    "a state file": ({"state": "/tmp/ids"}, r"leases its nodes, and 'state' goes with nodes that are given"),
    "a window": ({"window": (1, 2)}, r"leases its nodes, and 'window' goes with nodes that are given"),
    "more shards than nodes": ({"shards": 2}, "2 shards cannot be made"),
    "more nodes than there are": ({"lease": {"nodes": 1025}}, "1025"),
    "no nodes": ({"lease": {"nodes": 0}}, "nodes"),
    "nodes in words": ({"lease": {"nodes": "four"}}, "'str' object cannot be interpreted as an integer"),
}


@pytest.mark.parametrize(("lease", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_lease_is_named_by_the_checks(saiban_setting, lease: dict[str, Any], message: str) -> None:
    saiban_setting({"orders": {"scheme": "snowflake", **lease}})
    (error,) = Order._meta.pk._check_generator()
    assert (error.id, error.level) == ("saiban.E001", checks.ERROR)
    assert "SAIBAN['orders']" in error.msg or "DATABASES" in error.msg
    with pytest.raises(ImproperlyConfigured, match=message) as refused:
        generators.check_generator("orders")
    assert str(refused.value) == error.msg
    assert "HIDDEN" not in error.msg


@pytest.mark.parametrize("lease", [{"ttl_s": 0}, {"url": "ftp://app:HIDDEN@host/"}, {"wait_s": "long"}])
def test_errors_that_only_the_store_finds_are_reported_at_the_first_id(saiban_setting, lease: dict[str, Any]) -> None:
    saiban_setting({"orders": {"scheme": "snowflake", "lease": lease}})
    with pytest.raises(ImproperlyConfigured, match=r"SAIBAN\['orders'\]: ") as refused:
        get_generator("orders")
    assert "HIDDEN" not in str(refused.value)
