"""The schema of IDs for drf-spectacular: text with a pattern and an example."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension

from saiban.contrib.rest_framework.fields import id_texts


class IdFieldExtension(OpenApiSerializerFieldExtension):
    """Describes an IdField as `type: string`."""

    target_class: str | type[object] | None = "saiban.contrib.rest_framework.fields.IdField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema = id_texts(self.target.model_field).json_schema()
        # OpenAPI 3.0 has one example.
        example = schema.pop("examples")[0]
        return {**schema, "example": example}
