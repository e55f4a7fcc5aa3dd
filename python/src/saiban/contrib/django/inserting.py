"""Inserts rows with IDs that are unique by chance. If the table already has an ID, another is made.

A failed insert rolls back only its own changes, also within `transaction.atomic` and with
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
