"""Inserts of IDs that are unique by chance: where the table has one already, another is inserted.

An insert that fails takes back only what it did itself, also within `transaction.atomic` and with
ATOMIC_REQUESTS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

import saiban

Id = TypeVar("Id")
Inserted = TypeVar("Inserted")


def insert_unique(
    generate: Callable[[], Id], insert: Callable[[Id], Inserted], *, attempts: int = 5, using: str | None = None
) -> Inserted:
    """saiban.insert_unique, with each insert in a `transaction.atomic` of its own.

        ids = saiban.TickId("descending")

        def add(topic, amount):
            insert = lambda key: Event.objects.create(topic=topic, row_key=key, amount=amount)
            return insert_unique(ids.generate, insert)

    generate: makes an ID. insert: inserts it. attempts: how many IDs are tried, 1 or more. using:
    the database's name in DATABASES, the default one unless it is given.

    `insert` must force an INSERT, as `objects.create` does: `save()` of an object with an existing
    primary key is an UPDATE, which overwrites that row.

    Raises Django's IntegrityError of the last conflict, with a note, when all attempts met one;
    every other error as it is, other IntegrityErrors too; InvalidArgumentError for attempts below
    1.
    """
    return saiban.insert_unique(generate, insert, attempts=attempts, savepoint=lambda: transaction.atomic(using=using))
