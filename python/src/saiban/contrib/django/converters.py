"""URL converters for IDs as text: canonical text in, the ID to the view, and back. Any other text is not found (404).

    register_converters()
    urlpatterns = [path("customers/<randflake:pk>/", views.customer, name="customer")]

ULIDs and ObjectIds are text in the view too; UUIDs have a converter of Django's own, <uuid:pk>. One ID has one URL:
case and leading zeros are not forgiven. No secret is needed, and none is checked: a Randflake ID that nobody made is a
key that no row has.
"""

from __future__ import annotations

from django.urls import register_converter

import saiban

__all__ = [
    "ObjectIdConverter",
    "RandflakeConverter",
    "SnowflakeConverter",
    "UlidConverter",
    "UlidFlakeConverter",
    "register_converters",
]


class _Converter:
    regex: str
    encoding: str

    def to_python(self, value: str) -> int:
        # Django takes a ValueError for "not found"; every bad text is one.
        return saiban.decode(value, self.encoding)

    def to_url(self, value: int) -> str:
        try:
            return saiban.encode(value, self.encoding)
        except TypeError as error:
            # Django takes a ValueError for "no such URL"; an empty template variable is one.
            raise ValueError(str(error)) from error


class SnowflakeConverter(_Converter):
    """Decimal text, as in <snowflake:pk>."""

    regex = "-?[0-9]{1,19}"
    encoding = "decimal"


class RandflakeConverter(_Converter):
    """base32hex text, lower case, shortest, as in <randflake:pk>."""

    regex = "[0-9a-v]{1,13}"
    encoding = "base32hex"


class UlidFlakeConverter(_Converter):
    """13 characters of Crockford's base32, upper case, as in <ulidflake:pk>."""

    # The highest bit of an ID is 0, so that the first of 13 characters is at most 7.
    regex = "[0-7][0-9A-HJKMNP-TV-Z]{12}"
    encoding = "crockford"


class _TextConverter(_Converter):
    """Of IDs that are text in Python."""

    bits: int
    width: int

    def to_python(self, value: str) -> str:
        saiban.decode(value, self.encoding, bits=self.bits, width=self.width)
        return value

    def to_url(self, value: str) -> str:
        try:
            return self.to_python(value)
        except TypeError as error:
            raise ValueError(str(error)) from error


class UlidConverter(_TextConverter):
    """26 characters of Crockford's base32, upper case, as in <ulid:pk>."""

    # 26 characters hold 130 bits, so that the first one is at most 7.
    regex = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
    encoding, bits, width = "crockford", 128, 26


class ObjectIdConverter(_TextConverter):
    """24 hexadecimal digits, lower case, as in <objectid:pk>."""

    regex = "[0-9a-f]{24}"
    encoding, bits, width = "hex", 96, 24


def register_converters() -> None:
    """Makes <snowflake:…>, <randflake:…>, <ulidflake:…>, <ulid:…> and <objectid:…> known to Django's URL patterns.

    Doing it more than once does no harm.
    """
    register_converter(SnowflakeConverter, "snowflake")
    register_converter(RandflakeConverter, "randflake")
    register_converter(UlidFlakeConverter, "ulidflake")
    register_converter(UlidConverter, "ulid")
    register_converter(ObjectIdConverter, "objectid")
