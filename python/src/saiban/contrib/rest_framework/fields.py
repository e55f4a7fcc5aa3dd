"""Serializer fields for IDs: text out, text or an integer in.

The text is that of the URL converters: decimal for Snowflakes, 13 characters for TSIDs, prefix and
number for a field with a prefix. A ModelSerializer has these fields without naming them, if
`saiban.contrib.rest_framework` is in INSTALLED_APPS. Name them where you declare a field yourself:

    class PaymentSerializer(serializers.Serializer):
        order = IdField(Order._meta.pk)
        customer = PrimaryKeyRelatedField(
            queryset=Customer.objects.all(), pk_field=IdField(Customer._meta.pk)
        )
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.db.models.constants import LOOKUP_SEP
from rest_framework import serializers

import saiban
from saiban.contrib.django.fields import _GeneratedField, _PrefixedField
from saiban.contrib.texts import IdTexts

__all__ = ["IdField", "IdSlugRelatedField"]


class IdField(serializers.Field):
    """A serializer field for the IDs of one of saiban's model fields.

    Text is read in any case, as in Django's forms. An integer is the ID itself, where the column is
    a BIGINT. Invalid IDs raise ValidationError (status 400) with saiban's reason.

    Args:
        model_field: The model field, such as `Order._meta.pk`, or a foreign key to it.
        **kwargs: Those of every serializer field, such as `read_only`.

    Raises:
        TypeError: The model field is none of saiban's.

    Example:
        >>> field = IdField(Order._meta.pk)
        >>> field.to_representation(2125041057055170560)
        '2125041057055170560'
        >>> field.to_internal_value("2125041057055170560")
        2125041057055170560
    """

    def __init__(self, model_field: models.Field, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        found = id_field(model_field)
        if found is None:
            raise TypeError(f"IdField needs one of saiban's model fields, or a foreign key to one, not {model_field!r}")
        self.model_field = found

    def to_representation(self, value: Any) -> str:
        return to_text(self.model_field, value)

    def to_internal_value(self, data: Any) -> Any:
        try:
            return from_text(self.model_field, data)
        except saiban.SaibanError as error:
            raise serializers.ValidationError(str(error), code="invalid") from error


class IdSlugRelatedField(serializers.SlugRelatedField):
    """A relation by another field than the primary key, as of a ForeignKey with `to_field`.

    Reads and writes IDs as text, like IdField. Other fields behave as in SlugRelatedField. The
    field may be one of a related model: `customer__id`.

    Example:
        >>> field = IdSlugRelatedField(slug_field="tracking", queryset=Order.objects.all())
        >>> field.to_representation(Order(tracking=2125041057055170560))
        '1qvd9ikde9o00'
    """

    def to_internal_value(self, data: Any) -> Any:
        field = id_field_at(self.get_queryset().model, self.slug_field)
        return super().to_internal_value(data if field is None else IdField(field).to_internal_value(data))

    def to_representation(self, obj: models.Model) -> Any:
        value = super().to_representation(obj)
        field = id_field_at(type(obj), self.slug_field)
        return value if field is None or value is None else to_text(field, value)


_texts_of = functools.cache(IdTexts)


def id_field(field: models.Field) -> models.Field | None:
    """Returns the field of saiban's whose IDs a model field has, itself or as a foreign key.

    `None` for other fields.
    """
    while field.remote_field:
        field = field.target_field
    return field if isinstance(field, _GeneratedField) else None


def id_field_at(model: type, path: str) -> models.Field | None:
    """Returns the saiban field at a path of names, such as `customer__id`, that begins at a model.
    For a foreign key, returns the field to which the key refers.

    Returns `None` for other fields, and for attributes that are not fields.
    """
    # `model` may be any class: SlugRelatedField shows attributes of any object.
    with contextlib.suppress(FieldDoesNotExist, AttributeError):
        for name in path.split(LOOKUP_SEP):
            field = model._meta.pk if name == "pk" else model._meta.get_field(name)
            model = field.related_model
        return id_field(field)
    return None


def to_text(field: models.Field, value: Any) -> str:
    """Returns the text of a value of one of saiban's model fields."""
    if isinstance(value, str) and not isinstance(field, models.IntegerField):
        return value
    return id_texts(field).write(field.to_python(value))


def from_text(field: models.Field, data: Any) -> Any:
    """Returns the value of one of saiban's model fields: from its text, or from an integer.

    Raises saiban.SaibanError for an invalid ID.
    """
    texts = id_texts(field)
    id = texts.read(data, lenient=True)
    return texts.write(id) if isinstance(field, _PrefixedField) else id


def id_texts(field: models.Field) -> IdTexts:
    """Returns the object that reads and writes the IDs of one of saiban's model fields."""
    return _texts_of(field.scheme, prefix=getattr(field, "prefix", None))
