"""The setting SAIBAN: its valid values, and the errors for wrong ones."""

from __future__ import annotations

import os
import re

import pytest
import saiban
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from saiban.contrib.django import fields
from saiban.contrib.django.generators import MissingError, get_generator

from django_tests.shop.models import Customer, Order

SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
ID = 4594531474933654033


def test_a_generator_is_made_once_and_again_when_the_setting_changes(saiban_setting) -> None:
    before = get_generator("orders")
    assert get_generator("orders") is before
    saiban_setting({"orders": {"scheme": "snowflake", "node": 3}})
    assert get_generator("orders") is not before
    assert get_generator("orders").inspect(get_generator("orders").generate()).node == 3


@pytest.mark.parametrize("content", [SECRET.hex().encode(), SECRET.hex().upper().encode() + b"\n"])
def test_a_secret_comes_from_a_file(saiban_setting, tmp_path, content: bytes) -> None:
    file = tmp_path / "secret"
    file.write_bytes(content)
    saiban_setting({"default": {"scheme": "randflake", "node": 5, "secret_file": str(file)}})
    assert get_generator().inspect(ID).node == 42


def test_secret_and_node_come_from_the_environment(saiban_setting, monkeypatch) -> None:
    monkeypatch.setenv("OUR_SECRET", SECRET.hex())
    monkeypatch.setenv("OUR_NODES", "16:32")
    saiban_setting({"default": {"scheme": "randflake", "nodes_env": "OUR_NODES", "secret_env": "OUR_SECRET"}})
    assert get_generator().inspect(ID).node == 42
    assert get_generator().inspect(get_generator().generate()).node in range(16, 32)


def test_every_key_reaches_the_generator(saiban_setting, monkeypatch) -> None:
    monkeypatch.setenv("OUR_ID", "30")
    layout = {
        "fields": [["unused", 1], ["timestamp", 41], ["node", 6], ["sequence", 16]],
        "epoch_ms": 1_577_836_800_000,
    }
    saiban_setting(
        {
            "range": {"scheme": "snowflake", "nodes": (8, 16), "layout": layout, "max_wait_ms": 9},
            "window": {"scheme": "snowflake", "node": 1, "window": (1_700_000_000_000, 2_000_000_000_000)},
            "ulid": {"scheme": "ulid-flake", "scalability_env": "OUR_ID", "entropy_size": 2, "epoch_ms": 0},
        }
    )
    assert get_generator("range").layout.max_node == 63
    assert "nodes=range(8, 16)" in repr(get_generator("range"))
    assert "window=(1700000000000, 2000000000000)" in repr(get_generator("window"))
    assert repr(get_generator("ulid")) == "saiban.UlidFlake(scalability=30, entropy_size=2, epoch_ms=0)"


def test_every_option_of_a_generator_has_a_key(saiban_setting) -> None:
    common = {"not_before": 1_700_000_000, "max_jump_s": 60, "max_wait_ms": 5}
    saiban_setting(
        {
            "default": {
                "scheme": "randflake",
                "nodes": (64, 72),
                "secret": SECRET,
                "shards": 4,
                "scope": "machine",
                "rollback": "error",
                **common,
            },
            "orders": {
                "scheme": "snowflake",
                "node": 2,
                "layout": saiban.Layout.TWITTER.with_rollback_bits(2),
                "rollback": "bits",
                **common,
            },
            "events": {
                "scheme": "ulid-flake",
                "rollback": "hold",
                "scope": "process",
                "state": None,
                "lease": False,
                **common,
            },
        }
    )
    shown = repr(get_generator())
    for part in ("nodes=range(64, 72)", "not_before=1700000000", "rollback='error'", "shards=4", "max_jump_s=60"):
        assert part in shown
    assert "scope='machine'" in shown
    assert get_generator("orders").layout.max_rollback == 3
    assert "rollback='bits'" in repr(get_generator("orders"))
    assert repr(get_generator("events")) == (
        "saiban.UlidFlake(entropy_size=1, epoch_ms=1704067200000, not_before=1700000000, rollback='hold', "
        "scope='process', max_jump_s=60, max_wait_ms=5)"
    )
    assert Customer.check() == Order.check() == []


def test_a_layout_with_rollback_bits_can_be_described(saiban_setting) -> None:
    fields_ = [["unused", 1], ["timestamp", 41], ["node", 8], ["rollback", 2], ["sequence", 12]]
    saiban_setting({"orders": {"scheme": "snowflake", "node": 2, "layout": {"fields": fields_}}})
    assert get_generator("orders").layout.max_rollback == 3


def test_checks_do_not_interfere_with_a_generator_in_use(saiban_setting) -> None:
    parents = get_generator()
    parents.generate()
    assert Customer.check() == []
    assert parents.generate()
    # The nodes overlap those of a generator in this process. This is an error only when an ID is
    # made.
    others = saiban.Randflake(nodes=range(4_300, 4_310), secret=SECRET)
    saiban_setting({"default": {"scheme": "randflake", "node": 4_305, "secret": SECRET}})
    assert Customer.check() == []
    with pytest.raises(ImproperlyConfigured, match=r"SAIBAN\['default'\]: nodes \[4300, 4310\) overlap"):
        get_generator()
    assert others.generate()


def test_a_state_file_is_used_by_the_generator_and_not_by_checks(saiban_setting, tmp_path, monkeypatch) -> None:
    path = tmp_path / "orders.state"
    monkeypatch.setenv("OUR_STATE", str(path))
    setting = {"orders": {"scheme": "snowflake", "node": 425, "state_env": "OUR_STATE"}}
    saiban_setting({**setting, "default": {"scheme": "randflake", "node": 4_244, "secret": SECRET}})
    # A check neither creates nor locks the file, which another process may be using.
    assert Order.check() == []
    assert not list(tmp_path.iterdir())
    at_work = get_generator("orders")
    customer = Customer.objects.create(name="Ada")
    order = Order.objects.create(customer=customer)
    assert path.is_file()
    assert Order.check() == []
    assert get_generator("orders") is at_work
    assert Order.objects.create(customer=customer).pk > order.pk


def test_a_state_file_in_use_is_reported_when_a_row_is_made(saiban_setting, tmp_path) -> None:
    path = tmp_path / "default.state"
    other = saiban.Randflake(node=4_245, secret=SECRET, state=path)
    saiban_setting({"default": {"scheme": "randflake", "node": 4_246, "secret": SECRET, "state": path}})
    assert Customer.check() == []
    with pytest.raises(ImproperlyConfigured, match=r"SAIBAN\['default'\]: the state file .* is in use"):
        Customer.objects.create(name="Ada")
    del other
    saiban_setting({"default": {"scheme": "randflake", "node": 4_245, "secret": SECRET, "state": path}})
    assert Customer.objects.create(name="Ada").pk


#: The setting, and the error that it causes.
WRONG = {
    "no dictionary": ("randflake", "setting SAIBAN must be a dictionary"),
    "no secret, as there is no setting": (None, r"SAIBAN\['randflake'\] needs 'secret_file' or 'secret_env'"),
    "no default": ({"other": {"scheme": "ulid-flake"}}, r"SAIBAN\['randflake'\] needs 'secret_file'"),
    "entry is no dictionary": ({"default": "randflake"}, r"SAIBAN\['default'\] must be a dictionary"),
    "no scheme": ({"default": {"node": 1}}, r"SAIBAN\['default'\]\['scheme'\] is None; give one of 'snowflake'"),
    "unknown scheme": ({"default": {"scheme": "guid"}}, "is 'guid'; give one of 'snowflake', 'randflake'"),
    "unknown key": ({"default": {"scheme": "randflake", "nod": 1}}, "keys that randflake does not: nod"),
    "another scheme": ({"default": {"scheme": "snowflake", "node": 1}}, "needs 'randflake'"),
    "no node": (
        {"default": {"scheme": "randflake", "secret": SECRET, "lease": False}},
        "needs a node that no other has",
    ),
    "no secret": ({"default": {"scheme": "randflake", "node": 1}}, "needs 'secret_file' or 'secret_env'"),
    "two secrets": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "secret_env": "X"}},
        "has both 'secret' and 'secret_env'",
    ),
    "node out of range": ({"default": {"scheme": "randflake", "node": 2**17, "secret": SECRET}}, "0 to 131071"),
    "node is text": ({"default": {"scheme": "randflake", "node": "1", "secret": SECRET}}, "node must be an integer"),
    "short secret": ({"default": {"scheme": "randflake", "node": 1, "secret": b"1"}}, "1 bytes: give 16"),
    "nodes are no pair": ({"default": {"scheme": "randflake", "nodes": 5, "secret": SECRET}}, "must be a pair"),
    "window is empty": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "window": (5, 5)}},
        "contains no time of this layout",
    ),
    "unknown policy": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "rollback": "jump"}},
        "give hold, error or bits",
    ),
    "unknown scope": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "scope": "thread"}},
        "give process or machine",
    ),
    "scope of a scheme without nodes": (
        {"default": {"scheme": "ulid", "scope": "machine"}},
        "keys that ulid does not: scope",
    ),
    "shards without nodes": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "shards": 2}},
        "2 shards cannot be made",
    ),
    "state is a number": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "state": 5}},
        "expected str, bytes or os.PathLike object, not int",
    ),
    "two states": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "state": "ids", "state_env": "X"}},
        "has both 'state' and 'state_env'",
    ),
    "environment is no number": (
        {"default": {"scheme": "randflake", "node_env": "PATH", "secret": SECRET}},
        "is no integer",
    ),
    "environment is no secret": (
        {"default": {"scheme": "randflake", "node": 1, "secret_env": "PATH"}},
        "must be 32 hexadecimal digits",
    ),
}

#: Settings that name something missing.
MISSING = {
    "node": ({"default": {"scheme": "randflake", "node_env": "NO_SUCH", "secret": SECRET}}, "variable NO_SUCH"),
    "secret": ({"default": {"scheme": "randflake", "node": 1, "secret_env": "NO_SUCH"}}, "variable NO_SUCH"),
    "file": ({"default": {"scheme": "randflake", "node": 1, "secret_file": "/no/such"}}, "cannot be read"),
    "state": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "state_env": "NO_SUCH"}},
        "variable NO_SUCH",
    ),
    "folder": (
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "state": "/no/such/ids.state"}},
        "names a file in /no/such, which is no folder",
    ),
}


def messages() -> list[checks.CheckMessage]:
    return Customer.check()


@pytest.mark.parametrize(("setting", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_setting_is_named(saiban_setting, setting, message: str) -> None:
    saiban_setting(setting)
    (error,) = messages()
    assert (error.id, error.level) == ("saiban.E001", checks.ERROR)
    assert re.search(message, error.msg), error.msg
    if "another scheme" not in message and "needs 'randflake'" not in message:
        with pytest.raises(ImproperlyConfigured, match=message):
            Customer.objects.create(name="Ada")


@pytest.mark.parametrize(("setting", "message"), MISSING.values(), ids=MISSING.keys())
def test_a_missing_setting_is_a_warning_and_an_error_when_used(saiban_setting, setting, message: str) -> None:
    saiban_setting(setting)
    (warning,) = messages()
    assert (warning.id, warning.level) == ("saiban.W001", checks.WARNING)
    assert re.search(message, warning.msg), warning.msg
    with pytest.raises(MissingError, match=message):
        Customer.objects.create(name="Ada")


def test_messages_never_repeat_a_secret(saiban_setting, monkeypatch, tmp_path) -> None:
    file = tmp_path / "secret"
    file.write_text("OUR-HIDDEN-TEXT")
    monkeypatch.setenv("OUR_SECRET", "OUR-HIDDEN-TEXT")
    for source in ({"secret_file": str(file)}, {"secret_env": "OUR_SECRET"}, {"secret": "OUR-HIDDEN-TEXT"}):
        saiban_setting({"default": {"scheme": "randflake", "node": 1, **source}})
        (error,) = messages()
        assert error.id == "saiban.E001"
        assert "HIDDEN" not in error.msg


def test_a_generator_name_that_is_no_scheme_needs_an_entry(saiban_setting) -> None:
    for setting, there in ((None, "none"), ({}, "none"), ({"default": {"scheme": "ulid"}}, "'default'")):
        saiban_setting(setting)
        with pytest.raises(ImproperlyConfigured, match=rf"SAIBAN\['orders'\] is not set; there is: {there}\."):
            get_generator("orders")


def test_the_project_passes_its_checks() -> None:
    assert checks.run_checks() == []


def test_an_auto_field_must_be_the_primary_key() -> None:
    field = fields.SnowflakeAutoField(generator="orders")
    field.set_attributes_from_name("id")
    field.model = Order
    assert "fields.E100" in {message.id for message in field.check()}


def ids_of_a_child() -> str:
    """Makes IDs with "orders" in a forked child; returns them or the error."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            output = " ".join(str(get_generator("orders").generate()) for _ in range(1_000))
        except ImproperlyConfigured as error:
            output = str(error)
        with os.fdopen(writing, "w") as pipe:
            pipe.write(output)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        output = pipe.read()
    os.waitpid(child, 0)
    return output


def test_a_forked_process_continues_with_its_parents_nodes_and_repeats_nothing() -> None:
    parents = get_generator("orders")
    assert parents.stats().scope == "machine"
    made = parents.generate_many(1_000)
    made += map(int, ids_of_a_child().split())
    made += parents.generate_many(1_000)
    assert len(set(made)) == 3_000
    assert {parents.inspect(id).node for id in made} == {424}


def test_a_forked_process_is_refused_nodes_that_belong_to_its_parent_alone(saiban_setting) -> None:
    saiban_setting({"orders": {"scheme": "snowflake", "node": 426, "scope": "process"}})
    parents = get_generator("orders")
    parents.generate()
    output = ids_of_a_child()
    assert "SAIBAN['orders']" in output and "belong to the process that this one was forked from" in output
    assert get_generator("orders") is parents
    assert parents.generate()


def test_checks_know_the_scopes(saiban_setting) -> None:
    for scope in ("machine", "process", None):
        default = {"scheme": "randflake", "node": 427, "secret": SECRET, "scope": scope}
        saiban_setting({"default": default, "orders": {"scheme": "snowflake", "node": 427, "scope": scope}})
        assert Order.check() == []
        assert get_generator("orders").stats().scope == (scope or "machine")


def test_exceptions_of_a_generator_reach_the_caller(saiban_setting) -> None:
    saiban_setting(
        {"default": {"scheme": "randflake", "node": 1, "secret": SECRET, "window": (1_730_000_001, 1_730_000_002)}}
    )
    with pytest.raises(saiban.LeaseExpiredError):
        Customer.objects.create(name="Ada")
