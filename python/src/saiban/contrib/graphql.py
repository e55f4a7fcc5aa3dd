"""The functions of GraphQL scalars for IDs, for the integrations of Strawberry and Graphene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphql import GraphQLError, IntValueNode, StringValueNode, ValueNode, print_ast

import saiban
from saiban.contrib.texts import IdTexts

if TYPE_CHECKING:
    from saiban.names import Encoding, Scheme

#: JavaScript's Number.MAX_SAFE_INTEGER: clients may have changed the digits of larger numbers.
MAX_INTEGER = 2**53 - 1


class IdFunctions:
    """Writes the IDs of a scheme as text, and reads them from text, or from integers that JavaScript
    keeps exactly.

    scheme, encoding, prefix: the arguments of IdTexts, which raises errors for invalid ones.

    >>> from saiban.contrib.graphql import IdFunctions
    >>> functions = IdFunctions("snowflake")
    >>> functions.serialize(2125041057055170560), functions.parse_value("2125041057055170560")
    ('2125041057055170560', 2125041057055170560)
    """

    def __init__(self, scheme: Scheme, *, encoding: Encoding | None = None, prefix: str | None = None) -> None:
        self._texts = IdTexts(scheme, encoding=encoding, prefix=prefix)
        (example,) = self._texts.json_schema()["examples"]
        #: The scalar's description in the schema.
        self.description: str = f'An ID as text, such as "{example}".'
        if self._texts.type is int:
            self.description += " An input may also be an integer up to 2^53 - 1."

    def serialize(self, value: object) -> str:
        """Returns the text of an ID in a result.

        Raises what `IdTexts.write` raises; the server then reports it as the error of the field.
        """
        return self._texts.write(value)

    def parse_value(self, value: object) -> Any:
        """Returns the ID of a variable.

        Raises GraphQLError with saiban's message. Its extensions have the kind of the error, and the
        position of the first bad character.
        """
        return self._read(value)

    def parse_literal(self, node: ValueNode, variables: dict[str, Any] | None = None) -> Any:
        """Returns the ID of a literal in a query: text in quotes, or an integer.

        Raises what `parse_value` raises.
        """
        if isinstance(node, StringValueNode):
            return self._read(node.value, node)
        # `int` raises ValueError for thousands of digits.
        if isinstance(node, IntValueNode) and len(node.value) <= 20:
            return self._read(int(node.value), node)
        raise GraphQLError(f"{print_ast(node)[:40]} is not an ID: give the ID as text in quotes", node)

    def _read(self, value: object, node: ValueNode | None = None) -> Any:
        if isinstance(value, int) and abs(value) > MAX_INTEGER:
            raise GraphQLError(
                f"the integer {value} is outside the range from -(2^53 - 1) to 2^53 - 1, in which JavaScript keeps "
                "all digits: send the ID as text",
                node,
            )
        try:
            return self._texts.read(value)
        except saiban.SaibanError as error:
            details: dict[str, Any] = {"kind": error.kind}
            if error.position is not None:
                details["position"] = error.position
            raise GraphQLError(str(error), node, extensions=details) from error
