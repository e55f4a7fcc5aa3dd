"""Makes text the default for saiban's model fields in django-filter's FilterSet for REST framework."""

from __future__ import annotations

from typing import Any

from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django_filters import fields, filters
from django_filters.rest_framework.filterset import FILTER_FOR_DBFIELD_DEFAULTS

import saiban
from saiban.contrib.django.fields import _GeneratedField
from saiban.contrib.rest_framework.fields import from_text, id_field_at, to_text

__all__ = ["IdFilter", "IdModelChoiceFilter", "IdModelMultipleChoiceFilter"]


def _read(field: models.Field, value: Any) -> Any:
    try:
        return from_text(field, value)
    except saiban.SaibanError as error:
        raise ValidationError(str(error), code="invalid") from error


class _IdFormField(forms.CharField):
    def __init__(self, *, model_field: models.Field, **kwargs: Any) -> None:
        super().__init__(empty_value=None, **kwargs)
        self.model_field = model_field

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return None if text is None else _read(self.model_field, text)


class _RelatedText:
    """The choices' values are text. Mixed in before a form field of django-filter."""

    def _field(self) -> models.Field | None:
        return id_field_at(self.queryset.model, self.to_field_name or "pk")

    def _key(self, value: Any) -> Any:
        field = self._field()
        is_text = isinstance(value, str) and value not in ("", self.null_value)
        return _read(field, value) if field is not None and is_text else value

    def prepare_value(self, value: Any) -> Any:
        prepared, field = super().prepare_value(value), self._field()
        return to_text(field, prepared) if isinstance(value, models.Model) and field is not None else prepared


class _ModelChoiceField(_RelatedText, fields.ModelChoiceField):
    def to_python(self, value: Any) -> Any:
        return super().to_python(self._key(value))


class _ModelMultipleChoiceField(_RelatedText, fields.ModelMultipleChoiceField):
    def _check_values(self, value: Any) -> Any:
        return super()._check_values([self._key(one) for one in value])


#: The lookups that take IDs. All others, such as startswith, take parts of an ID's text.
_ID_LOOKUPS = {"exact", "in", "lt", "lte", "gt", "gte", "range"}


class IdFilter(filters.Filter):
    """A filter by IDs of one of saiban's model fields, as text: IdFilter(model_field=Order._meta.pk).

    Invalid IDs raise ValidationError (status 400) with saiban's reason. Lookups of parts of the
    text, such as startswith and icontains, take any text.
    """

    field_class: type[forms.Field] = _IdFormField

    def __init__(self, *args: Any, model_field: models.Field, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.lookup_expr in _ID_LOOKUPS:
            self.extra["model_field"] = model_field
            return
        self.field_class = forms.CharField
        if apps.is_installed("drf_spectacular"):
            from drf_spectacular.utils import extend_schema_field

            # The pattern of the model field is for whole IDs.
            extend_schema_field({"type": "string"})(self)


class IdModelChoiceFilter(filters.ModelChoiceFilter):
    """A ModelChoiceFilter whose keys are text, if they are saiban's."""

    field_class = _ModelChoiceField


class IdModelMultipleChoiceFilter(filters.ModelMultipleChoiceFilter):
    """A ModelMultipleChoiceFilter whose keys are text, if they are saiban's."""

    field_class = _ModelMultipleChoiceField


_RELATED = {
    filters.ModelChoiceFilter: IdModelChoiceFilter,
    filters.ModelMultipleChoiceFilter: IdModelMultipleChoiceFilter,
}


def change_filters() -> None:
    """Makes these filters the default in `django_filters.rest_framework.FilterSet`."""
    defaults = FILTER_FOR_DBFIELD_DEFAULTS
    defaults[_GeneratedField] = {"filter_class": IdFilter, "extra": lambda field: {"model_field": field}}
    for kind, default in defaults.items():
        if default["filter_class"] in _RELATED:
            defaults[kind] = {**default, "filter_class": _RELATED[default["filter_class"]]}
