"""Values that error reports do not show: Django's debug page and error mails, and other collectors,
include the variables of all running functions, and the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Hidden(Generic[Value]):
    """A value that only `reveal` returns. It is not text, bytes or a tuple, because collectors
    print those.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Value) -> None:
        self._value = value

    def reveal(self) -> Value:
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return "<hidden>"


class HiddenText(str):
    """Text in a setting, whose `repr` is hidden. Other code uses it as plain text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<hidden>"


def revealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns these values, with the hidden ones revealed. Do not keep the result in a variable."""
    return {key: value.reveal() if isinstance(value, Hidden) else value for key, value in values.items()}
