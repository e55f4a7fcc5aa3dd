"""URL converters for IDs as text: canonical text in, an int to the view, and back. Any other text is not found (404).

    register_converters()
    urlpatterns = [path("customers/<randflake:pk>/", views.customer, name="customer")]

One ID has one URL: case and leading zeros are not forgiven. No secret is needed, and none is checked: a Randflake ID
that nobody made is a key that no row has.
"""

from __future__ import annotations

from django.urls import register_converter

import saiban

__all__ = ["RandflakeConverter", "SnowflakeConverter", "UlidFlakeConverter", "register_converters"]


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


def register_converters() -> None:
    """Makes <snowflake:…>, <randflake:…> and <ulidflake:…> known to Django's URL patterns.

    Doing it more than once does no harm.
    """
    register_converter(SnowflakeConverter, "snowflake")
    register_converter(RandflakeConverter, "randflake")
    register_converter(UlidFlakeConverter, "ulidflake")
