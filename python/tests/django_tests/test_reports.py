"""Django's error reports, on pages and in mails, contain no password and no secret."""

from __future__ import annotations

import base64
import copy
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.db import connections, models
from django.http import HttpResponse
from django.test import Client
from django.test.utils import isolate_apps, override_settings
from django.urls import path
from django.utils.log import AdminEmailHandler
from saiban.contrib.django import fields
from saiban.contrib.django.generators import check_generator, get_generator

SECRET = bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5")
#: The password as text. It is split here, because a report shows the source of functions too.
PASSWORD = "-".join(["hun", "ter2"])
URL = f"postgres://app:{PASSWORD}@127.0.0.1:1/shop"
DATABASE = {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": "shop",
    "USER": "app",
    "PASSWORD": PASSWORD,
    "HOST": "127.0.0.1",
    "PORT": 1,
}
RANDFLAKE = {"scheme": "randflake", "secret": SECRET}

#: The setting, and a text in the report that shows the lease request among the variables.
REPORTED: dict[str, tuple[dict[str, Any], str]] = {
    "a store that is none": ({**RANDFLAKE, "lease": f"x{URL}"}, "LeaseRequest(database=None, "),
    "a store that is away": ({**RANDFLAKE, "lease": {"url": URL, "wait_s": 1}}, "LeaseRequest(database=None, "),
    "a database that is away": (
        {"scheme": "randflake", "secret_env": "OUR_SECRET", "lease": {"database": "shop", "wait_s": 1}},
        "LeaseRequest(database=&#x27;shop&#x27;, ",
    ),
    "a database that cannot be a store": ({**RANDFLAKE, "lease": {"database": "other"}}, "passfile"),
    "a database without a name": ({**RANDFLAKE, "lease": {"database": "nameless"}}, "supply the NAME"),
    "a secret that is none": ({"scheme": "randflake", "secret_env": "WRONG_SECRET", "lease": URL}, "WRONG_SECRET"),
    "an unknown key": ({**RANDFLAKE, "lease": URL, "salt": 1}, "salt"),
    "a store in place of a lease": ({**RANDFLAKE, "store": URL}, "in &#x27;lease&#x27;"),
    "an unknown key of the lease": ({**RANDFLAKE, "lease": {"url": URL, "ttl": 1}}, "described"),
    "a lease of no time": ({**RANDFLAKE, "lease": {"url": URL, "ttl_s": 0}}, "LeaseRequest(database=None, "),
    "a wrong option": ({**RANDFLAKE, "lease": {"url": URL, "wait_s": 1}, "shards": 2}, "arguments"),
}


def make(request):
    return HttpResponse(str(get_generator().generate()))


def check(request):
    check_generator()
    return HttpResponse()


def fail(request):
    raise RuntimeError("before anybody asked for an ID")


urlpatterns = [path("make/", make), path("check/", check), path("fail/", fail)]


def forms() -> Iterator[str]:
    """Yields the notations of secret and password, of all and of the larger part."""
    yield PASSWORD
    for part in (SECRET, SECRET[:8], SECRET[8:]):
        yield from (part.hex(), part.hex().upper(), repr(part)[2:-1], ", ".join(map(str, part)))
    yield base64.b64encode(SECRET).decode().rstrip("=")
    yield str(int.from_bytes(SECRET, "big"))


@pytest.fixture
def reports(monkeypatch) -> Iterator[None]:
    """Sets databases and variables for leases, and mails that contain Django's error page."""
    monkeypatch.setenv("OUR_SECRET", SECRET.hex())
    monkeypatch.setenv("WRONG_SECRET", f"{SECRET.hex()}0")
    usable = connections.configure_settings({"default": {}, "shop": copy.deepcopy(DATABASE)})["shop"]
    databases = {
        "shop": usable,
        "other": {**usable, "OPTIONS": {"passfile": PASSWORD}},
        "nameless": {**usable, "NAME": ""},
    }
    for alias, database in databases.items():
        monkeypatch.setitem(connections.settings, alias, database)
    handler = AdminEmailHandler(include_html=True)
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    with override_settings(ROOT_URLCONF=__name__, ADMINS=[("Ada", "ada@example.org")]):
        yield
    logger.removeHandler(handler)
    for alias in databases:
        if hasattr(connections._connections, alias):
            delattr(connections._connections, alias)


def reported(url: str) -> Iterator[str]:
    """Yields the reports of this request's error: the page, and the mail in both forms."""
    with override_settings(DEBUG=True):
        response = Client(raise_request_exception=False).get(url)
    assert response.status_code == 500
    yield response.content.decode()
    mail.outbox.clear()
    with override_settings(DEBUG=False):
        assert Client(raise_request_exception=False).get(url).status_code == 500
    # Django's own handler sends a mail too, without the page.
    (message,) = (message for message in mail.outbox if message.alternatives)
    yield message.alternatives[0][0]
    yield message.body


def assert_nothing_secret(*reports: str) -> None:
    for form in forms():
        for report in reports:
            assert form not in report


@pytest.mark.parametrize(("entry", "shown"), REPORTED.values(), ids=REPORTED)
def test_error_reports_of_django_show_no_secret(reports, saiban_setting, entry: dict[str, Any], shown: str) -> None:
    saiban_setting({"default": copy.deepcopy(entry)})
    page, html, text = reported("/make/")
    assert shown in page and shown in html
    assert_nothing_secret(page, html, text)


@pytest.mark.parametrize("what", ["a database that cannot be a store", "a secret that is none", "a wrong option"])
def test_exceptions_of_a_check_show_no_secret(reports, saiban_setting, what: str) -> None:
    saiban_setting({"default": copy.deepcopy(REPORTED[what][0])})
    assert_nothing_secret(*reported("/check/"))


def test_an_error_in_the_projects_code_shows_no_store_url(reports, saiban_setting) -> None:
    saiban_setting({"default": {**RANDFLAKE, "lease": URL}, "orders": {"scheme": "snowflake", "lease": {"url": URL}}})
    with isolate_apps("django_tests.shop"):

        class Sale(models.Model):
            id = fields.SnowflakeAutoField(primary_key=True)

            class Meta:
                app_label = "shop"

    for report in reported("/fail/"):
        assert "before anybody asked for an ID" in report
        assert_nothing_secret(report)
    # The project's setting has not changed.
    assert settings.SAIBAN["default"]["lease"] == URL == f"{settings.SAIBAN['orders']['lease']['url']}"
