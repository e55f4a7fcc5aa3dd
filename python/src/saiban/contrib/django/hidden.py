"""Values that show themselves to nobody: Django's debug page and error mails, and what else
collects errors, write down the variables of every function that was running, and the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Hidden(Generic[Value]):
    """A value that only who asks for it gets. No text, no bytes and no tuple: collectors look into those."""

    __slots__ = ("_value",)

    def __init__(self, value: Value) -> None:
        self._value = value

    def reveal(self) -> Value:
        return self._value

    def __repr__(self) -> str:
        return "<hidden>"


class HiddenText(str):
    """The same for a setting, which remains what it was for everybody else."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<hidden>"


def revealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """These values for who needs them. Not to be kept in a variable."""
    return {key: value.reveal() if isinstance(value, Hidden) else value for key, value in values.items()}
