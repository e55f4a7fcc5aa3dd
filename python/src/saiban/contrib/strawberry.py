"""Scalars for Strawberry: IDs that are integers in Python, and text in GraphQL.

JavaScript changes the digits of JSON numbers above 2**53, and most 64-bit IDs are larger. GraphQL's
own `Int` has 32 bits.

    @strawberry.type
    class Order:
        id: SnowflakeId

    schema = strawberry.Schema(query=Query, config=StrawberryConfig(scalar_map=SCALARS))

An input is the text of an ID, or an integer up to 2**53 - 1. Invalid values are GraphQL errors with
saiban's message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NewType

import strawberry

from saiban.contrib.graphql import IdFunctions

if TYPE_CHECKING:
    from strawberry.types.scalar import ScalarDefinition

    from saiban.names import Encoding, Scheme

__all__ = ["SCALARS", "RandflakeId", "SnowflakeId", "UlidFlakeId", "id_scalar"]


def id_scalar(
    scheme: Scheme, *, name: str, encoding: Encoding | None = None, prefix: str | None = None
) -> ScalarDefinition:
    """Returns a scalar of IDs, for the `scalar_map` of StrawberryConfig.

    Args:
        scheme: The scheme's name, such as "snowflake".
        name: The scalar's name in the schema.
        encoding: The text is the number in this encoding (see saiban.encode), in place of the
            canonical text.
        prefix: The text begins with this prefix and an underscore.

    Raises:
        saiban.UnknownNameError: The scheme or the encoding is unknown.
        saiban.InvalidArgumentError: The prefix is invalid, or an encoding is given together with a
            prefix, or for a scheme whose IDs are text.

    Example:
        >>> from typing import NewType
        >>> import strawberry
        >>> from saiban.contrib.strawberry import id_scalar
        >>> from strawberry.schema.config import StrawberryConfig
        >>> OrderId = NewType("OrderId", int)
        >>> @strawberry.type
        ... class Query:
        ...     @strawberry.field
        ...     def order(self, id: OrderId) -> OrderId:
        ...         return id
        >>> scalars = {OrderId: id_scalar("snowflake", name="OrderId", prefix="order")}
        >>> schema = strawberry.Schema(query=Query, config=StrawberryConfig(scalar_map=scalars))
        >>> schema.execute_sync('{ order(id: "order_1tzd9jmde9r00") }').data
        {'order': 'order_1tzd9jmde9r00'}
    """
    functions = IdFunctions(scheme, encoding=encoding, prefix=prefix)
    return strawberry.scalar(
        name=name,
        description=functions.description,
        serialize=functions.serialize,
        parse_value=functions.parse_value,
        parse_literal=functions.parse_literal,
    )


#: A Snowflake: an int in Python, its decimal digits in GraphQL.
SnowflakeId = NewType("SnowflakeId", int)
#: A Randflake: an int in Python, 13 characters or fewer in GraphQL.
RandflakeId = NewType("RandflakeId", int)
#: A Ulid-Flake: an int in Python, 13 characters in GraphQL.
UlidFlakeId = NewType("UlidFlakeId", int)

#: The scalars of these types: `StrawberryConfig(scalar_map=SCALARS)`, or `{**SCALARS, …}`.
SCALARS: dict[object, ScalarDefinition] = {
    SnowflakeId: id_scalar("snowflake", name="SnowflakeId"),
    RandflakeId: id_scalar("randflake", name="RandflakeId"),
    UlidFlakeId: id_scalar("ulid-flake", name="UlidFlakeId"),
}
