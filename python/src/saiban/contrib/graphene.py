"""Scalars for Graphene: IDs that are integers in Python, and text in GraphQL.

JavaScript changes the digits of JSON numbers above 2**53, and most 64-bit IDs are larger. GraphQL's
own `Int` has 32 bits.

    class Order(graphene.ObjectType):
        id = SnowflakeId(required=True)

An input is the text of an ID, or an integer up to 2**53 - 1. Invalid values are GraphQL errors with
saiban's message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphene.types.scalars import Scalar

import saiban
from saiban.contrib.graphql import IdFunctions

if TYPE_CHECKING:
    from saiban.names import Encoding, Scheme

__all__ = ["IdScalar", "RandflakeId", "SnowflakeId", "UlidFlakeId"]


class IdScalar(Scalar):  # type: ignore[misc] # Graphene has no types.
    """Base class of scalars of IDs.

    Args:
        scheme: The scheme's name, such as "snowflake".
        encoding: The text is the number in this encoding (see saiban.encode), in place of the
            canonical text.
        prefix: The text begins with this prefix and an underscore.

    Raises:
        saiban.UnknownNameError: The scheme or the encoding is unknown.
        saiban.InvalidArgumentError: The prefix is invalid; an encoding is given together with a
            prefix, or for a scheme whose IDs are text; or an encoding or a prefix is given without
            a scheme.

    Example:
        >>> import graphene
        >>> from saiban.contrib.graphene import IdScalar
        >>> class OrderId(IdScalar, scheme="snowflake", prefix="order"):
        ...     pass
        >>> class Query(graphene.ObjectType):
        ...     order = OrderId(id=OrderId(required=True))
        ...
        ...     def resolve_order(self, info, id):
        ...         return id
        >>> graphene.Schema(query=Query).execute('{ order(id: "order_1tzd9jmde9r00") }').data
        {'order': 'order_1tzd9jmde9r00'}
    """

    class Meta:
        abstract = True

    def __init_subclass__(
        cls,
        *,
        scheme: Scheme | None = None,
        encoding: Encoding | None = None,
        prefix: str | None = None,
        **options: Any,
    ) -> None:
        if scheme is not None:
            functions = IdFunctions(scheme, encoding=encoding, prefix=prefix)
            # Graphene reads these functions from the class.
            for name in ("serialize", "parse_value", "parse_literal"):
                setattr(cls, name, staticmethod(getattr(functions, name)))
            options.setdefault("description", functions.description)
        elif encoding is not None or prefix is not None:
            raise saiban.InvalidArgumentError(
                f"{cls.__name__} has an encoding or a prefix, but no scheme: give a scheme, as in "
                f'class {cls.__name__}(IdScalar, scheme="snowflake", …)'
            )
        super().__init_subclass__(**options)


class SnowflakeId(IdScalar, scheme="snowflake"):
    """A Snowflake: an int in Python, its decimal digits in GraphQL."""


class RandflakeId(IdScalar, scheme="randflake"):
    """A Randflake: an int in Python, 13 characters or fewer in GraphQL."""


class UlidFlakeId(IdScalar, scheme="ulid-flake"):
    """A Ulid-Flake: an int in Python, 13 characters in GraphQL."""
