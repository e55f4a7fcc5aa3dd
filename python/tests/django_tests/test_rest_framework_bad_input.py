"""Django REST framework: each kind of field refuses bad input with status 400 and the reason."""

from __future__ import annotations

import pytest

from django_tests.rest import api, order, post

# Fixtures of another file.
__all__ = ["api", "order"]

#: JSON, and what the reason says. The customer is a Randflake.
BAD = [
    ("1.0", "id must be an integer, not float"),
    ("2125041057055170560.0", "id must be an integer, not float"),
    ("1e3", "id must be an integer, not float"),
    ("-0.0", "id must be an integer, not float"),
    ("true", "id must be an integer, not bool"),
    ("false", "id must be an integer, not bool"),
    ("{}", "id must be an integer, not dict"),
    ("[]", "id must be an integer, not list"),
    ("[5]", "id must be an integer, not list"),
    ('{"id": 5}', "id must be an integer, not dict"),
    ("9223372036854775808", "give a signed 64-bit integer"),
    ("-9223372036854775809", "give a signed 64-bit integer"),
    ("1" + "0" * 400, "give a signed 64-bit integer"),
    ('"1.5"', "base32hex text has no character '.'"),
    ('" 5"', "base32hex text has no character ' '"),
    ('"-5"', "base32hex text has no character '-'"),
    ('"wxyz"', "base32hex text has no character 'w'"),
    ('"2125041057055170560"', "base32hex text stands for a number that does not fit"),
    ('"vvvvvvvvvvvvv"', "base32hex text stands for a number that does not fit"),
    ('"' + "1" * 5000 + '"', "base32hex text has 5000 characters"),
    ('"\\u0000"', "base32hex text has no character '\\0'"),
    ('"\\ud800"', "base32hex text has no character"),
    ('"٥"', "base32hex text has no character '٥'"),
    ('"🙂"', "base32hex text has no character '🙂'"),
    ('""', "This field may not be null."),
    ("null", "This field may not be null."),
    ("5", 'Invalid pk "5" - object does not exist.'),
]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=[bad[:24] for bad, _ in BAD])
def test_bad_input_is_refused_with_the_reason(api, bad, reason) -> None:
    body = f'{{"customer": {bad}, "products": []}}'
    response = api.post("/orders/", body, content_type="application/json")
    assert response.status_code == 400, response.content
    assert reason in response.json()["customer"][0]
    body = f'{{"customer": null, "products": [{bad}]}}'
    response = api.post("/orders/", body, content_type="application/json")
    assert response.status_code == 400
    assert "products" in response.json()
    body = f'{{"moment": {bad}}}'
    response = api.post("/events/", body, content_type="application/json")
    assert response.status_code == (201 if bad == "5" else 400), response.content


def test_json_that_python_does_not_read_is_refused(api) -> None:
    for bad in ("9" * 5000, "NaN", "Infinity", "0x10", "05", "+5"):
        body = f'{{"customer": {bad}, "products": []}}'
        assert api.post("/orders/", body, content_type="application/json").status_code == 400


@pytest.mark.parametrize(
    ("url", "data", "reason"),
    [
        ("/tickets/", {"number": "0ep7trc000w0100"}, "crockford text"),
        ("/tickets/", {"token": 5}, "id must be text (str), not int"),
        ("/tickets/", {"token": "c6e52g2mrqcjl44hf179"}, ""),
        ("/shipments/", {"document": "507f1f77bcf86cd79943901"}, "has 23 characters: give 24"),
        ("/shipments/", {"document": 507123}, "id must be text (str), not int"),
        ("/shipments/", {"event": "x"}, "base32hex text has no character 'x'"),
        ("/invoices/", {"ticket": "order_0000000000005"}, 'the text does not begin with "ticket" and an underscore'),
        ("/invoices/", {"document": 5}, "id must be a uuid.UUID, not int"),
        ("/invoices/", {"document": "01890a5d-ac96-774b-bcce-b302099a8057"}, 'does not begin with "doc"'),
        ("/lines/", {"invoice": "invoice_x"}, ""),
        ("/lines/", {"invoice": 1.5}, "id must be an integer, not float"),
        ("/parcels/", {"shipment": "nothing"}, "a UUID's text has no 7 characters"),
        ("/parcels/", {"others": ["nothing"]}, ""),
        ("/notes/", {"order": "x"}, "base32hex text has no character 'x'"),
        ("/notes/", {"order": 2.5}, "id must be an integer, not float"),
        ("/notes/", {"order": 7}, "does not exist"),
        ("/accounts/", {"customer": "x"}, "base32hex text has no character 'x'"),
        ("/products/", {"id": 5}, None),
    ],
)
def test_each_kind_of_field_refuses_invalid_ids(api, url, data, reason) -> None:
    answer = post(api, url, data, 400)
    if reason is not None:
        assert reason in answer[next(iter(data))][0]


@pytest.mark.parametrize(
    "bad", ["5", "-5", "1.5", "true", '"x"', "{}", "[]", "[5]", '"\\u0000"', '"\\ud800"', '""', "null"]
)
def test_keys_that_are_uuids_refuse_other_values(api, bad) -> None:
    response = api.post("/parcels/", f'{{"shipment": {bad}, "others": []}}', content_type="application/json")
    assert response.status_code == 400, response.content
    assert "UUID" in response.json()["shipment"][0] or "null" in response.json()["shipment"][0]
