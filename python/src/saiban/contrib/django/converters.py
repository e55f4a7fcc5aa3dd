"""URL converters between the canonical text of an ID, in the URL, and the ID, in the view. Any
other text is not found (404).

    register_converters()
    urlpatterns = [path("customers/<randflake:pk>/", views.customer, name="customer")]

Each field of `fields` has a converter: UlidFlakeField has UlidFlakeConverter, as in <ulidflake:pk>.
Auto fields share the converter of the scheme's other field, and for UUIDs Django has its own,
<uuid:pk>. IDs that are text in Python are text in the view too. Every ID has exactly one URL:
another case or leading zeros do not match. Converters need no secret and check none: a made-up
Randflake ID is a key without a row.

A field with a prefix has a converter by the name that you give it. The view gets the field's text.

    register_converters(order=Order._meta.pk)
    urlpatterns = [path("orders/<order:pk>/", views.order, name="order")]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import AutoField, Field
from django.urls import register_converter
from django.urls.converters import get_converters

from saiban.contrib.django import fields
from saiban.contrib.django.entries import texts_of
from saiban.contrib.schemes import SCHEMES

if TYPE_CHECKING:

    def __getattr__(name: str) -> type[Any]: ...


class _Converter:
    scheme: str
    prefix: str | None
    regex: str

    # Django treats a ValueError as "not found"; every bad text raises one.
    def to_python(self, value: str) -> int | str:
        id = texts_of(self.scheme, self.prefix).read(value)
        if self.prefix is not None:
            return value
        if self.to_url(id) != value:
            raise ValueError(f"{value!r} is not the canonical text of an ID")
        return id

    def to_url(self, value: Any) -> str:
        texts = texts_of(self.scheme, self.prefix)
        try:
            return texts.write(texts.read(value) if self.prefix is not None and isinstance(value, str) else value)
        except TypeError as error:
            # Django treats a ValueError as "no such URL", as for an empty template variable.
            raise ValueError(str(error)) from error


def _converter(name: str, field: Field | type[Field]) -> type[_Converter]:
    width, prefix = SCHEMES[field.scheme]["width"], getattr(field, "prefix", None)
    # These patterns also match some texts that are not IDs, which are refused when they are read.
    if prefix is not None:
        regex = f"{prefix}_[0-9a-z]+" if prefix else "[0-9a-z]+"
    else:
        regex = "-?[0-9A-Za-z]+" if width is None else f"[0-9A-Za-z]{{{width}}}"
    members = {"__doc__": f"Canonical text of {field.scheme} IDs.", "__module__": __name__}
    return type(name, (_Converter,), {**members, "scheme": field.scheme, "prefix": prefix, "regex": regex})


_CONVERTERS = {
    name: _converter(name, field)
    for field in map(vars(fields).get, fields.__all__)
    if not issubclass(field, AutoField) and SCHEMES[field.scheme]["form"] != "uuid"
    for name in [field.__name__.removesuffix("Field") + "Converter"]
}
globals().update(_CONVERTERS)

__all__ = [*_CONVERTERS, "register_converters"]


def register_converters(**prefixed: Field) -> None:
    """Registers the converters for Django's URL patterns: <snowflake:…>, <ulidflake:…>, <ulid:…>
    and so on, and those of fields with a prefix, by the names of the arguments.

    Further calls do no harm.
    """
    for name, converter in _CONVERTERS.items():
        _register(converter, name.removesuffix("Converter").lower())
    for name, field in prefixed.items():
        _register(_converter(f"{type(field).__name__}Converter", field), name)


def _register(converter: type[_Converter], name: str) -> None:
    # Django 6 raises for a name that is registered.
    known = get_converters().get(name)
    if not isinstance(known, _Converter) or (known.scheme, known.prefix) != (converter.scheme, converter.prefix):
        register_converter(converter, name)
