"""Makes text the default for saiban's model fields in every ModelSerializer."""

from __future__ import annotations

import functools
from typing import Any

from django.db import models
from django.db.models.query_utils import DeferredAttribute
from rest_framework import serializers
from rest_framework.serializers import ModelSerializer
from rest_framework.utils import model_meta

from saiban.contrib.django.fields import _GeneratedField
from saiban.contrib.rest_framework.fields import IdField, IdSlugRelatedField, id_field

#: Arguments that every serializer field takes. Those for text and numbers, such as max_value, do
#: not apply to IDs.
_COMMON = ("read_only", "required", "allow_null", "label", "help_text", "validators")


@functools.cache
def change_serializers() -> None:
    """Makes IdField the default in every ModelSerializer: for fields, relations and `customer_id`.

    Classes derived from ModelSerializer inherit it, and their own settings come first.
    """
    ModelSerializer.serializer_field_mapping[_GeneratedField] = IdField
    if ModelSerializer.serializer_related_to_field is serializers.SlugRelatedField:
        ModelSerializer.serializer_related_to_field = IdSlugRelatedField
    build_standard_field = ModelSerializer.build_standard_field
    build_property_field = ModelSerializer.build_property_field
    get_fields = ModelSerializer.get_fields

    @functools.wraps(build_standard_field)
    def standard_field(
        self: ModelSerializer, field_name: str, model_field: models.Field
    ) -> tuple[type, dict[str, Any]]:
        field_class, kwargs = build_standard_field(self, field_name, model_field)
        if issubclass(field_class, IdField):
            kwargs = {key: kwargs[key] for key in _COMMON if key in kwargs} | {"model_field": model_field}
        return field_class, kwargs

    @functools.wraps(build_property_field)
    def property_field(self: ModelSerializer, field_name: str, model_class: type) -> tuple[type, dict[str, Any]]:
        # The column of a foreign key, such as customer_id.
        attribute = getattr(model_class, field_name)
        if isinstance(attribute, DeferredAttribute) and id_field(attribute.field):
            return IdField, {"model_field": attribute.field, "read_only": True}
        return build_property_field(self, field_name, model_class)

    @functools.wraps(get_fields)
    def all_fields(self: ModelSerializer) -> dict[str, serializers.Field]:
        fields = get_fields(self)
        for name, field in fields.items():
            related = getattr(field, "child_relation", field)
            if isinstance(related, serializers.PrimaryKeyRelatedField) and related.pk_field is None:
                model = _target(self.Meta.model, related, field.source or name)
                if model is not None and id_field(model._meta.pk):
                    related.pk_field = IdField(model._meta.pk)
        return fields

    ModelSerializer.build_standard_field = standard_field
    ModelSerializer.build_property_field = property_field
    ModelSerializer.get_fields = all_fields


def _target(model: type[models.Model], related: serializers.RelatedField, source: str) -> type[models.Model] | None:
    """Returns the model that a serializer's relation leads to: by its queryset, or by the source."""
    if related.queryset is not None:
        return related.queryset.model
    for name in source.split("."):
        relation = model_meta.get_field_info(model).relations.get(name)
        if relation is None:
            return None
        model = relation.related_model
    return model
