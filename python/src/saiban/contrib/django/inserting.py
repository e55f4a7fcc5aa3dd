"""Inserts rows with IDs that are unique by chance, and reloads IDs after `bulk_create` with conflicts.

If the table already has an ID, `insert_unique` tries again with a new one. A failed insert rolls
back only its own changes, also within `transaction.atomic` and with ATOMIC_REQUESTS.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from django.db import models, router, transaction

import saiban
from saiban.contrib.django.fields import _GeneratedField

__all__ = ["insert_unique", "reload_ids"]

Id = TypeVar("Id")
Inserted = TypeVar("Inserted")


def insert_unique(
    generate: Callable[[], Id], insert: Callable[[Id], Inserted], *, attempts: int = 5, using: str | None = None
) -> Inserted:
    """Like saiban.insert_unique, with each insert in a `transaction.atomic` of its own.

        ids = saiban.TickId("descending")

        def add(topic, amount):
            insert = lambda key: Event.objects.create(topic=topic, row_key=key, amount=amount)
            return insert_unique(ids.generate, insert)

    generate: makes an ID. insert: inserts it. attempts: the number of IDs to try, at least 1.
    using: the database's name in DATABASES; by default the default database.

    `insert` must force an INSERT, as `objects.create` does: `save()` of an object with an existing
    primary key is an UPDATE, which overwrites that row.

    Raises Django's IntegrityError of the last conflict, with a note, if all attempts met one; every
    other error as it is, also other IntegrityErrors; InvalidArgumentError for attempts below 1.
    """
    return saiban.insert_unique(generate, insert, attempts=attempts, savepoint=lambda: transaction.atomic(using=using))


def reload_ids(objects: Iterable[models.Model], unique_fields: Collection[str], *, using: str | None = None) -> None:
    """Sets the IDs of objects to those of their rows, after a `bulk_create` that ignored or updated
    conflicts.

    `bulk_create` gives each object its ID before the INSERT. If the table already has a row with the
    unique values of an object, the row keeps its ID, and the object's new ID is not in the table.
    `reload_ids` sets the primary key, and the other fields that saiban generates.

    Args:
        objects: Objects of one model. An object with `None` in a unique field conflicts with no
            row, and keeps its IDs. Text is compared exactly, also in a column that ignores case.
        unique_fields: The names of the fields of the unique constraint, as in `bulk_create`.
        using: The name in DATABASES of the database; by default the one for writing the model.

    Raises:
        Model.DoesNotExist: An object has no row with its unique values. The objects before it have
            been changed.
        django.core.exceptions.FieldDoesNotExist: The model has no such field.

    Example:
        >>> products = [Product(title="Pen"), Product(title="Ink")]
        >>> _ = Product.objects.bulk_create(products, ignore_conflicts=True)
        >>> reload_ids(products, ["title"])
    """
    objects = list(objects)
    if not objects:
        return
    model = type(objects[0])
    unique = [model._meta.get_field(name) for name in unique_fields]
    generated = [field for field in model._meta.concrete_fields if isinstance(field, _GeneratedField)]
    names = [field.attname for field in (*unique, *generated)]
    manager = model._base_manager.using(using or router.db_for_write(model))

    def key_of(object: models.Model) -> tuple[Any, ...]:
        return tuple(field.to_python(getattr(object, field.attname)) for field in unique)

    for first in range(0, len(objects), _OBJECTS_PER_QUERY):
        by_key = {}
        for object in objects[first : first + _OBJECTS_PER_QUERY]:
            if None not in (key := key_of(object)):
                by_key.setdefault(key, []).append(object)
        if not by_key:
            continue
        named = (models.Q(**dict(zip(names, key))) for key in by_key)
        rows = manager.filter(functools.reduce(operator.or_, named)).values_list(*names)
        found = {row[: len(unique)]: row[len(unique) :] for row in rows}
        for key, those in by_key.items():
            if key not in found:
                values = ", ".join(f"{field.name}={value!r}" for field, value in zip(unique, key))
                raise model.DoesNotExist(f"no row of {model._meta.label} has {values}: give the unique fields")
            for object in those:
                for field, value in zip(generated, found[key]):
                    setattr(object, field.attname, value)


#: SQLite allows 999 parameters, and expressions of depth 1000.
_OBJECTS_PER_QUERY = 100
