"""Types for msgspec: IDs that are integers in Python, and text in JSON and MessagePack.

JavaScript changes the digits of JSON numbers above 2**53, and most 64-bit IDs are above.

    class Order(msgspec.Struct):
        id: SnowflakeId

    json = msgspec.json.encode(Order(SnowflakeId(ids.generate())), enc_hook=enc_hook)
    order = msgspec.json.decode(json, type=Order, dec_hook=dec_hook)

msgspec writes a plain `int` as a number, and does not check types when you create a Struct: wrap
each ID in its type, which type checkers require. UUIDs, ULIDs, ObjectIds and XIDs need no such type:
msgspec writes `uuid.UUID` and `str` as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import saiban
from saiban.contrib.texts import IdTexts

if TYPE_CHECKING:
    from typing import Self

    from saiban.names import Encoding, Scheme

__all__ = ["IntId", "RandflakeId", "SnowflakeId", "UlidFlakeId", "dec_hook", "enc_hook", "schema_hook"]


class IntId(int):
    """Base class of IDs that are `int` in Python and text for msgspec.

    Subclasses give the scheme's name, and perhaps an encoding (see saiban.encode) or a prefix of
    the text. They take an integer, or the text of an ID.

    Raises UnknownNameError, InvalidArgumentError for the arguments of a subclass; for a value
    IdOutOfRangeError, WrongTypeError, TextLengthError, TextCharacterError, TextOverflowError,
    TextNotCanonicalError, and InvalidArgumentError if the class has no scheme.

    >>> import msgspec
    >>> from saiban.contrib.msgspec import IntId, enc_hook
    >>> class OrderId(IntId, scheme="snowflake", encoding="base62"):
    ...     pass
    >>> OrderId("2Wyi3Ucx9Hs")
    2125041057055170560
    >>> msgspec.json.encode(OrderId(2125041057055170560), enc_hook=enc_hook)
    b'"2Wyi3Ucx9Hs"'
    """

    texts: ClassVar[IdTexts]

    def __init_subclass__(
        cls, *, scheme: Scheme | None = None, encoding: Encoding | None = None, prefix: str | None = None
    ) -> None:
        super().__init_subclass__()
        if scheme is not None:
            cls.texts = IdTexts(scheme, encoding=encoding, prefix=prefix)
            if cls.texts.type is not int:
                raise saiban.InvalidArgumentError(
                    f"IDs of {scheme} are not integers: annotate the field with {cls.texts.type.__name__}"
                )
        elif encoding is not None or prefix is not None:
            raise saiban.InvalidArgumentError(
                f"{cls.__name__} has an encoding or a prefix, but no scheme: give a scheme, as in "
                f'class {cls.__name__}(IntId, scheme="snowflake", …)'
            )

    def __new__(cls, value: int | str) -> Self:
        return super().__new__(cls, _texts_of(cls).read(value))


def _texts_of(type: type[IntId]) -> IdTexts:
    try:
        return type.texts
    except AttributeError:
        raise saiban.InvalidArgumentError(
            f'{type.__name__} has no scheme: use a subclass with one, such as class OrderId(IntId, scheme="snowflake")'
        ) from None


class SnowflakeId(IntId, scheme="snowflake"):
    """A Snowflake: an int in Python, its decimal digits for msgspec."""


class RandflakeId(IntId, scheme="randflake"):
    """A Randflake: an int in Python, 13 characters or fewer for msgspec."""


class UlidFlakeId(IntId, scheme="ulid-flake"):
    """A Ulid-Flake: an int in Python, 13 characters for msgspec."""


def enc_hook(value: object) -> str:
    """Writes IDs as text: for msgspec.json.encode, msgspec.json.Encoder and msgspec.to_builtins.

    Raises NotImplementedError for values of other types.

    >>> import msgspec
    >>> from saiban.contrib.msgspec import SnowflakeId, enc_hook
    >>> msgspec.json.encode([SnowflakeId(2125041057055170560)], enc_hook=enc_hook)
    b'["2125041057055170560"]'
    """
    if isinstance(value, IntId):
        return value.texts.write(int(value))
    raise NotImplementedError(f"saiban's enc_hook writes IDs only, not {type(value).__name__}")


def dec_hook(type: type[Any], value: Any) -> Any:
    """Reads IDs from text or integers: for msgspec.json.decode, msgspec.json.Decoder and
    msgspec.convert.

    msgspec raises ValidationError with the message of saiban's error, and the field's path.

    Raises NotImplementedError for other types.

    >>> import msgspec
    >>> from saiban.contrib.msgspec import SnowflakeId, dec_hook
    >>> msgspec.json.decode('"2125041057055170560"', type=SnowflakeId, dec_hook=dec_hook)
    2125041057055170560
    """
    if issubclass(type, IntId):
        return type(value)
    raise NotImplementedError(f"saiban's dec_hook reads IDs only, not {type.__name__}")


def schema_hook(type: type[Any]) -> dict[str, Any]:
    """Returns the JSON schema of IDs: for msgspec.json.schema.

    Raises NotImplementedError for other types.

    >>> import msgspec
    >>> from saiban.contrib.msgspec import SnowflakeId, schema_hook
    >>> msgspec.json.schema(SnowflakeId, schema_hook=schema_hook)["type"]
    'string'
    """
    if issubclass(type, IntId):
        return _texts_of(type).json_schema()
    raise NotImplementedError(f"saiban's schema_hook knows IDs only, not {type.__name__}")
