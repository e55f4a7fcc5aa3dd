"""Model fields with IDs of saiban: columns of type BIGINT, text or UUID.

    class Order(models.Model):
        id = SnowflakeAutoField(generator="orders", primary_key=True)
        tracking = RandflakeField(unique=True)
        receipt = UlidField(unique=True)

The value is made in Python when an object without one is first saved: by save, create, bulk_create,
get_or_create, forms and the admin. The database generates no value. As with any primary key with a
default, saving a new object inserts a row, and a duplicate ID raises IntegrityError;
`save(force_update=True)` updates a row.

`generator` is a name in the setting SAIBAN, by default "default": no secret or node id enters a
migration. Only Randflake's secret needs a setting. Each process leases its own nodes from the
project's default database when it makes its first ID. ULIDs, UUIDs, ObjectIds and XIDs have no
nodes: by default their fields use the generator with the scheme's name. The auto fields may be
DEFAULT_AUTO_FIELD. Django's checks report errors in the setting (saiban.E001), things that it names
but this process lacks (saiban.W001), and apps that override DEFAULT_AUTO_FIELD (saiban.W002).

Every field takes `prefix`: SnowflakeAutoField(prefix="order", primary_key=True). Its values in
Python are then text, "order_" and the number in Crockford's base32, and forms, the admin, URLs,
serializers and fixtures use this text. The column is that of the field without a prefix, so adding
or changing a prefix alters no table. Queries take the text, and also the column's number or
uuid.UUID. saiban.contrib.django.converters makes URL converters for such fields.
"""

from __future__ import annotations

import functools
from typing import Any

from django.core import checks
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import models

import saiban

# Registers the check of DEFAULT_AUTO_FIELD.
from saiban.contrib.django import checks as _checks  # noqa: F401
from saiban.contrib.django.entries import DEFAULT, MissingError, entry, hide_urls, resolve, texts_of
from saiban.contrib.django.generators import check_generator, get_generator
from saiban.contrib.schemes import SCHEMES, has_nodes

__all__ = [
    "ObjectIdField",
    "RandflakeAutoField",
    "RandflakeField",
    "SnowflakeAutoField",
    "SnowflakeField",
    "TsidAutoField",
    "TsidField",
    "UlidField",
    "UlidFlakeAutoField",
    "UlidFlakeField",
    "UuidV7Field",
    "XidField",
]


def _made_on_save() -> None:
    """A marker default. With a default on the primary key, Django inserts a new object without a
    SELECT or UPDATE.

    Without it, Django would try an UPDATE first, and a new object with an existing ID would
    silently overwrite that row.
    """


class _GeneratedField:
    """The base of all fields, which makes a missing value. It is mixed in before a Django field."""

    #: The scheme that SAIBAN[generator] must have.
    scheme: str
    #: The generator of a field without `generator`: "default" if the scheme has nodes, otherwise
    #: the one with the scheme's name.
    default_generator: str = DEFAULT

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "scheme" in vars(cls) and not has_nodes(cls.scheme):
            cls.default_generator = cls.scheme

    def __new__(cls, *args: Any, prefix: str | None = None, **kwargs: Any) -> Any:
        if prefix is None or issubclass(cls, _PrefixedField):
            return super().__new__(cls)
        return _prefixed(cls)(*args, prefix=prefix, **kwargs)

    def __init__(self, *args: Any, generator: str | None = None, prefix: None = None, **kwargs: Any) -> None:
        self.generator: str = self.default_generator if generator is None else generator
        super().__init__(*args, **kwargs)
        if self.primary_key and not self.has_default():
            self.default = _made_on_save

    def contribute_to_class(self, *args: Any, **kwargs: Any) -> None:
        super().contribute_to_class(*args, **kwargs)
        # The report of any error from here on may show all settings.
        hide_urls()

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        if kwargs.get("default") is _made_on_save:
            del kwargs["default"]
        if self.generator != self.default_generator:
            kwargs["generator"] = self.generator
        return name, path, args, kwargs

    def generate(self) -> Any:
        """Returns a new value.

        Raises ImproperlyConfigured, what saiban.Generator.generate raises, and at the first call
        also what saiban.Lease.acquire raises.
        """
        ids = get_generator(self.generator, self.scheme)
        id = ids.generate()
        if ids.prefix is not None and isinstance(id, str):
            # The column does not contain the generator's own prefix.
            id = texts_of(self.scheme, ids.prefix).read(id)
        return id

    def get_pk_value_on_save(self, instance: models.Model) -> Any:
        # Django calls this for a primary key without a value: in save, and in bulk_create.
        return self.generate()

    def pre_save(self, instance: models.Model, add: bool) -> Any:
        value = super().pre_save(instance, add)
        if value is None and (add or instance._state.adding):
            value = self.generate()
            setattr(instance, self.attname, value)
        return value

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        return [*super().check(**kwargs), *self._check_generator()]

    def _check_generator(self) -> list[checks.CheckMessage]:
        try:
            name = resolve(self.generator, self.scheme)
            scheme = entry(name)["scheme"]
            if scheme != self.scheme:
                needs = f"{type(self).__name__} needs {self.scheme!r}"
                raise ImproperlyConfigured(f"SAIBAN[{name!r}]['scheme'] is {scheme!r}, but {needs}.")
            check_generator(name)
        except MissingError as error:
            # Not every process that runs the checks makes IDs: a migration job may have neither
            # node nor secret.
            return [checks.Warning(str(error), obj=self, id="saiban.W001")]
        except ImproperlyConfigured as error:
            return [checks.Error(str(error), obj=self, id="saiban.E001")]
        return []


class _Column(_GeneratedField):
    """A column that is not in forms by default."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # As with Django's auto fields, an object without a value is valid.
        kwargs["blank"] = True
        kwargs.setdefault("editable", False)
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["blank"]
        if self.editable:
            kwargs["editable"] = True
        else:
            del kwargs["editable"]
        return name, path, args, kwargs


class _IdField(_Column, models.BigIntegerField):
    """A BIGINT column."""


class _TextField(_Column, models.CharField):
    """A column of text with the width of the scheme's IDs."""

    #: Missing values are None: no ID is empty.
    empty_strings_allowed = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["max_length"] = SCHEMES[self.scheme]["width"]
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_length"]
        return name, path, args, kwargs

    def to_python(self, value: Any) -> str | None:
        """Returns the canonical text of input in any case, and with an alphabet's aliases."""
        if value in self.empty_values:
            return None
        try:
            return texts_of(self.scheme).read(str(value), lenient=True)
        except saiban.SaibanError as error:
            raise ValidationError(str(error), code="invalid") from error

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"empty_value": None, **kwargs})


class _IdAutoField(_GeneratedField, models.BigAutoField):
    """A primary key, which may be DEFAULT_AUTO_FIELD."""

    # The INSERT contains the value, so the database generates and returns none.
    db_returning = False

    def get_internal_type(self) -> str:
        # The column is a plain BIGINT: no sequence, no IDENTITY, no AUTO_INCREMENT.
        return "BigIntegerField"


class _PrefixedField(_Column, models.Field):
    """A column of prefixed text in Python. The database stores the values of the field without a
    prefix.

    For Django it is neither a field of numbers nor one of UUIDs: forms, validators and serializers
    see text.
    """

    #: The class of the field without a prefix.
    plain: type[models.Field]
    #: Missing values are None: no ID is empty.
    empty_strings_allowed = False
    #: The options that do not change the column: `prefix` is one.
    non_db_attrs = (*models.Field.non_db_attrs, "prefix")

    def __init__(self, *args: Any, prefix: str, **kwargs: Any) -> None:
        self.prefix = prefix
        self._texts = texts_of(self.scheme, prefix)
        self._column = self.plain(primary_key=issubclass(self.plain, models.AutoField))
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "prefix": self.prefix}

    def generate(self) -> str:
        return self._texts.write(super().generate())

    def to_python(self, value: Any) -> str | None:
        """Returns the canonical text of input, or of a value in the column."""
        if value in self.empty_values:
            return None
        try:
            if isinstance(value, str):
                value = self._texts.read(value, lenient=True)
            return self._texts.write(value)
        except saiban.SaibanError as error:
            raise ValidationError(str(error), code="invalid") from error

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> str | None:
        return None if value is None else self._texts.write(value)

    def get_prep_value(self, value: Any) -> Any:
        """Returns the column's value. Invalid text raises ValueError, as in a number field."""
        value = super().get_prep_value(value)
        return self._texts.read(value) if isinstance(value, str) else value

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        value = value if prepared else self.get_prep_value(value)
        return self._column.get_db_prep_value(value, connection, prepared=True)

    def get_internal_type(self) -> str:
        return self._column.get_internal_type()

    def db_type(self, connection: Any) -> str | None:
        return self._column.db_type(connection)

    def rel_db_type(self, connection: Any) -> str | None:
        return self._column.rel_db_type(connection)

    def cast_db_type(self, connection: Any) -> str | None:
        return self._column.cast_db_type(connection)

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"empty_value": None, **kwargs})


@functools.cache
def _prefixed(plain: type[models.Field]) -> type[models.Field]:
    """Returns the class of this field with a prefix. Migrations use the plain class's name."""
    names = {name: getattr(plain, name) for name in ("__doc__", "__module__", "__qualname__", "scheme")}
    return type(plain.__name__, (_PrefixedField,), {**names, "plain": plain})


class SnowflakeField(_IdField):
    """A column of Snowflake IDs."""

    scheme = "snowflake"


class RandflakeField(_IdField):
    """A column of Randflake IDs, half of which are negative."""

    scheme = "randflake"


class UlidFlakeField(_IdField):
    """A column of Ulid-Flake IDs."""

    scheme = "ulid-flake"


class TsidField(_IdField):
    """A column of TSIDs, which sort by time until 2089-09-06."""

    scheme = "tsid"


class SnowflakeAutoField(_IdAutoField):
    """A primary key of Snowflake IDs."""

    scheme = "snowflake"


class RandflakeAutoField(_IdAutoField):
    """A primary key of Randflake IDs, half of which are negative: Django's <int:pk> does not match those in URLs."""

    scheme = "randflake"


class UlidFlakeAutoField(_IdAutoField):
    """A primary key of Ulid-Flake IDs."""

    scheme = "ulid-flake"


class TsidAutoField(_IdAutoField):
    """A primary key of TSIDs, which sort by time until 2089-09-06."""

    scheme = "tsid"


class UlidField(_TextField):
    """A column of ULIDs: 26 characters, which sort by time."""

    scheme = "ulid"


class ObjectIdField(_TextField):
    """A column of ObjectIds, MongoDB's: 24 hexadecimal digits, which sort by second."""

    scheme = "objectid"


class XidField(_TextField):
    """A column of XIDs: 20 characters, which sort by second."""

    scheme = "xid"


class UuidV7Field(_Column, models.UUIDField):
    """A column of UUIDs of version 7, which sort by time: Django's UUIDField with values of its own."""

    scheme = "uuid-v7"
