"""The schema of drf-spectacular: IDs are text with a pattern and an example."""

from __future__ import annotations

import re

import pytest
from django.test import override_settings


@pytest.fixture(scope="module")
def schema():
    from drf_spectacular.generators import SchemaGenerator

    with override_settings(ROOT_URLCONF="django_tests.api.urls"):
        return SchemaGenerator(urlconf="django_tests.api.urls").get_schema(request=None, public=True)


def test_the_schema_is_of_text(schema) -> None:
    order = schema["components"]["schemas"]["Order"]["properties"]
    assert order["id"] == {
        "type": "string",
        "pattern": order["id"]["pattern"],
        "example": order["id"]["example"],
        "readOnly": True,
    }
    assert order["customer"]["type"] == order["products"]["items"]["type"] == order["customer_id"]["type"] == "string"
    for name, component in schema["components"]["schemas"].items():
        for key, property in component.get("properties", {}).items():
            found = property.get("items", property)
            if found.get("type") == "integer":
                assert key == "room", (name, key)
            if "example" in found:
                assert re.fullmatch(found["pattern"], found["example"])
    patterned = sum("pattern" in str(component) for component in schema["components"]["schemas"].values())
    assert patterned > 10


def test_the_schema_of_paths_and_filters_is_of_text(schema) -> None:
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                found = parameter["schema"].get("items", parameter["schema"])
                assert found["type"] == "string", (path, parameter)
    by_name = {one["name"]: one["schema"] for one in schema["paths"]["/shipments/"]["get"]["parameters"]}
    assert "pattern" in by_name["label"]
    assert "pattern" in by_name["document__in"]["items"]
    assert by_name["label__startswith"] == by_name["document__icontains"] == {"type": "string"}
    (by_customer,) = (one for one in schema["paths"]["/orders/"]["get"]["parameters"] if one["name"] == "customer")
    assert "pattern" in by_customer["schema"]


def test_the_schema_is_valid(schema) -> None:
    from drf_spectacular.validation import validate_schema

    validate_schema(schema)
