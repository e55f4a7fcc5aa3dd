"""Columns of TSIDs, with the entry's layout and leased nodes, and of XIDs, which need no node."""

from __future__ import annotations

import pytest
import saiban
from django.core import checks
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.forms import modelform_factory
from django.test import Client
from django.test.utils import isolate_apps
from django.urls import reverse
from saiban.contrib.django import fields, generators
from saiban.contrib.django.generators import get_generator

from django_tests.shop.models import Ticket
from django_tests.test_admin import admin

__all__ = ["admin"]


def test_rows_get_ids_of_the_entrys_layout() -> None:
    made = [Ticket.objects.create(), *Ticket.objects.bulk_create([Ticket() for _ in range(100)])]
    ids = get_generator("tickets")
    assert isinstance(ids, saiban.Tsid) and ids.layout == saiban.Layout.preset("tsid-4096")
    for ticket in made:
        stored = Ticket.objects.get(pk=ticket.pk)
        assert [ids.inspect(id).node for id in (stored.pk, stored.number)] == [4012, 4012]
    assert len({id for ticket in made for id in (ticket.pk, ticket.number)}) == 202
    # IDs that sort by time do so in the database too.
    assert list(Ticket.objects.order_by("pk")) == made
    assert Ticket._meta.pk.db_type(connection) == Ticket._meta.get_field("number").db_type(connection) == "bigint"


def test_rows_get_xids_without_any_setting(saiban_setting) -> None:
    made = [Ticket.objects.create(), *Ticket.objects.bulk_create([Ticket() for _ in range(100)])]
    tokens = set(Ticket.objects.values_list("token", flat=True))
    assert tokens == {ticket.token for ticket in made} and len(tokens) == 101
    assert {saiban.Xid().inspect(token).scheme for token in tokens} == {"xid"}
    field = Ticket._meta.get_field("token")
    assert (field.db_type(connection), field.deconstruct()[3]) == ("varchar(20)", {"unique": True, "editable": True})
    assert repr(get_generator("xid")) == "saiban.Xid()"
    saiban_setting({"xid": {"scheme": "xid", "node": 1}})
    assert "keys that xid does not: node" in field.check()[0].msg
    saiban_setting({"xid": {"scheme": "objectid"}})
    assert "is 'objectid', but XidField needs 'xid'" in field.check()[0].msg


def test_a_typed_xid_becomes_canonical() -> None:
    form = modelform_factory(Ticket, fields=["token"])
    filled = form({"token": ""})
    assert filled.is_valid(), filled.errors
    assert len(filled.save().token) == 20
    assert form({"token": "9M4E2MR0UI3E8A215N4G"}).save().token == "9m4e2mr0ui3e8a215n4g"
    for wrong in ("9m4e2mr0ui3e8a215n4x", "c6e52g2mrqcjl44hf179", "9m4e2mr0ui3e8a215n4"):
        with pytest.raises(ValidationError):
            fields.XidField().clean(wrong, None)


def test_without_any_setting_the_nodes_are_leased(saiban_setting) -> None:
    saiban_setting(None)
    with isolate_apps("django_tests.shop"):

        class Thing(models.Model):
            id = fields.TsidAutoField(primary_key=True)

            class Meta:
                app_label = "shop"

        assert Thing.check() == []
        made = Thing._meta.pk.generate()
    assert get_generator() is not get_generator("tsid")
    lease = generators._made["tsid"].lease
    assert lease is not None
    assert get_generator("tsid").inspect(made).node in lease.nodes


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"scheme": "snowflake"}, "is 'snowflake', but TsidAutoField needs 'tsid'"),
        ({"scheme": "tsid", "secret": "x"}, "keys that tsid does not: secret"),
        ({"scheme": "tsid", "node": 256, "layout": "tsid-256"}, "256"),
        ({"scheme": "tsid", "node": 1, "layout": "tsid-512"}, "tsid-512"),
    ],
)
def test_a_wrong_setting_is_named(saiban_setting, setting, message: str) -> None:
    saiban_setting({"tickets": setting})
    error = next(found for found in Ticket.check() if found.obj.name == "id")
    assert (error.id, error.level) == ("saiban.E001", checks.ERROR)
    assert message in error.msg


def test_the_admin_adds_shows_and_deletes_rows(admin: Client) -> None:
    assert admin.post("/admin/shop/ticket/add/", {"number": "", "token": ""}).status_code == 302
    ticket = Ticket.objects.get()
    assert ticket.token.encode() in admin.get(reverse("admin:shop_ticket_change", args=[ticket.pk])).content
    assert get_generator("tickets").inspect(ticket.number).node == 4012
    change = reverse("admin:shop_ticket_change", args=[ticket.pk])
    assert str(ticket.number).encode() in admin.get(change).content
    assert admin.post(change, {"number": "-7", "token": ticket.token}).status_code == 302
    ticket.refresh_from_db()
    assert ticket.number == -7
    assert admin.post(reverse("admin:shop_ticket_delete", args=[ticket.pk]), {"post": "yes"}).status_code == 302
    assert not Ticket.objects.exists()
