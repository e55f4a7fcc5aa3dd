"""IDs as text in URLs: each ID has one text, and any other text is not found."""

from __future__ import annotations

import pytest
import saiban
from django.test import Client
from django.urls import NoReverseMatch, reverse
from saiban.contrib.django.converters import register_converters

from django_tests.shop.models import Invoice

SAME = {
    "randflake": [(4594531474933654033, "3vgoe12ccb8gh"), (-232447010193727000, "fphhelk04q8f8"), (0, "0")],
    "snowflake": [(1741610183685074944, "1741610183685074944"), (-1, "-1"), (0, "0")],
    "ulidflake": [(14246757444195114, "00CMXB6TAK4SA"), (2**63 - 1, "7ZZZZZZZZZZZZ")],
    "tsid": [(529448671641628673, "0EP7TRC000W01"), (-1, "FZZZZZZZZZZZZ"), (0, "0000000000000")],
    "ulid": [("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), ("7" + "Z" * 25, "7" + "Z" * 25)],
    "xid": [("9m4e2mr0ui3e8a215n4g", "9m4e2mr0ui3e8a215n4g"), ("0" * 20, "0" * 20)],
    "objectid": [("507f1f77bcf86cd799439011", "507f1f77bcf86cd799439011"), ("0" * 24, "0" * 24)],
}


@pytest.mark.parametrize(("name", "id", "text"), [(name, *pair) for name, pairs in SAME.items() for pair in pairs])
def test_an_id_round_trips_through_a_url(name: str, id: int | str, text: str) -> None:
    url = reverse(name, kwargs={"pk": id})
    assert url == f"/{name}/{text}/"
    assert Client().get(url).json() == {"pk": id, "type": type(id).__name__}


@pytest.mark.parametrize(
    "url",
    [
        "/randflake/3VGOE12CCB8GH/",
        "/randflake/03vgoe12ccb8g/",
        "/randflake/vvvvvvvvvvvvv/",
        "/randflake/3vgoe12ccb8gw/",
        "/randflake/-5/",
        "/snowflake/05/",
        "/snowflake/-0/",
        "/snowflake/9223372036854775808/",
        "/snowflake/five/",
        "/ulidflake/00cmxb6tak4sa/",
        "/ulidflake/0CMXB6TAK4SA/",
        "/ulidflake/00CMXB6TAK4SI/",
        "/ulidflake/8000000000000/",
        "/tsid/0ep7trc000w01/",
        "/tsid/EP7TRC000W01/",
        "/tsid/G000000000000/",
        "/tsid/529448671641628673/",
        "/ulid/01arz3ndektsv4rrffq69g5fav/",
        "/ulid/81ARZ3NDEKTSV4RRFFQ69G5FAV/",
        "/ulid/01ARZ3NDEKTSV4RRFFQ69G5FA/",
        "/xid/9M4E2MR0UI3E8A215N4G/",
        "/xid/9m4e2mr0ui3e8a215n4/",
        "/xid/c6e52g2mrqcjl44hf179/",
        "/objectid/507F1F77BCF86CD799439011/",
        "/objectid/507f1f77bcf86cd79943901/",
    ],
)
def test_any_other_text_is_not_found(url: str) -> None:
    assert Client().get(url).status_code == 404


@pytest.mark.parametrize("value", [2**63, "", "five", None, 1.5])
def test_a_value_that_is_no_id_has_no_url(value) -> None:
    for name in ("randflake", "ulid", "objectid", "xid"):
        with pytest.raises(NoReverseMatch):
            reverse(name, kwargs={"pk": value})


@pytest.mark.filterwarnings("error")
def test_converters_are_registered_more_than_once() -> None:
    register_converters(invoice=Invoice._meta.pk)
    register_converters(invoice=Invoice._meta.pk)


def test_texts_are_those_of_the_generators() -> None:
    for name, ids in {
        "randflake": saiban.Randflake(node=4243, secret=bytes(16)),
        "snowflake": saiban.Snowflake(node=425),
        "ulidflake": saiban.UlidFlake(scalability=25),
        "tsid": saiban.Tsid(node=425),
        "ulid": saiban.Ulid(),
        "objectid": saiban.ObjectId(),
        "xid": saiban.Xid(),
    }.items():
        made = ids.generate()
        assert reverse(name, kwargs={"pk": made}) == f"/{name}/{ids.to_text(made)}/"
