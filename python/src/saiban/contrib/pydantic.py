"""Types for Pydantic, FastAPI and django-ninja: IDs that are numbers in Python, and text in JSON.

JavaScript changes the digits of JSON numbers above 2**53, and most 64-bit IDs are larger.

    class Order(BaseModel):
        id: SnowflakeId

A field of such a type reads the text of an ID, or an integer: from JSON, in Python, and as a path
or query parameter of FastAPI or django-ninja. It writes text in JSON; `model_dump()` keeps the
integer. Invalid values are a ValidationError with saiban's message, and FastAPI and django-ninja
return status 422.

A field of type saiban.Parts accepts a Parts, or the dictionary that its as_dict() returns. In JSON
it is that dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, SerializationInfo
from pydantic_core import PydanticCustomError, core_schema

import saiban
from saiban.contrib.texts import IdTexts

if TYPE_CHECKING:
    from saiban.names import Encoding, Scheme

__all__ = ["IdText", "RandflakeId", "SnowflakeId", "UlidFlakeId"]


class IdText:
    """An annotation: the value is an ID in Python, and text in JSON.

    scheme: the scheme's name, such as "snowflake". The annotated type is `int`; for the schemes of
    UUIDs it is `uuid.UUID`, of every version, and for ULID, ObjectId and XID `str`. It may be a
    NewType of these. An optional ID is `Annotated[int, IdText(…)] | None`.
    encoding: the text is the number in this encoding (see saiban.encode) in place of the canonical
    text. prefix: the text begins with this prefix and an underscore.

    Raises UnknownNameError for an unknown scheme or encoding; InvalidArgumentError for an invalid
    prefix, and for an encoding together with a prefix, or with a scheme whose IDs are text;
    WrongTypeError if it annotates any other type, such as `int | None` or a subclass of `int`.

    >>> from typing import Annotated
    >>> from pydantic import BaseModel
    >>> from saiban.contrib.pydantic import IdText
    >>> class Order(BaseModel):
    ...     id: Annotated[int, IdText("snowflake", encoding="base62")]
    >>> Order(id=2125041057055170560).model_dump_json()
    '{"id":"2Wyi3Ucx9Hs"}'
    """

    def __init__(self, scheme: Scheme, *, encoding: Encoding | None = None, prefix: str | None = None) -> None:
        self._texts = IdTexts(scheme, encoding=encoding, prefix=prefix)

    def __repr__(self) -> str:
        return repr(self._texts).replace("IdTexts", "IdText", 1)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        while hasattr(source, "__supertype__"):
            source = source.__supertype__  # the type of a NewType
        if source is not self._texts.type:
            given, needed = source.__name__ if isinstance(source, type) else source, self._texts.type.__name__
            raise saiban.WrongTypeError(
                f"{self!r} annotates {given}: annotate {needed}, and write an optional ID as "
                f"Annotated[{needed}, …] | None"
            )
        return core_schema.no_info_plain_validator_function(
            self._read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self._write,
                info_arg=True,
                # Pydantic does not validate a default of None.
                when_used="unless-none",
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self._texts.json_schema()

    def _write(self, value: object, info: SerializationInfo[Any]) -> Any:
        return self._texts.write(value) if _is_for_json(info) else value

    def _read(self, value: object) -> Any:
        try:
            return self._texts.read(value)
        except saiban.SaibanError as error:
            raise _invalid(error) from error


def _is_for_json(info: SerializationInfo[Any]) -> bool:
    # django-ninja passes this context to model_dump(), and writes the result as JSON.
    is_ninja = isinstance(info.context, dict) and "response_status" in info.context
    return is_ninja or info.mode == "json"


def _invalid(error: saiban.SaibanError) -> PydanticCustomError:
    context = {"reason": str(error)} | ({} if error.position is None else {"position": error.position})
    return PydanticCustomError("saiban_" + error.kind.lower(), "{reason}", context)


def parts_schema(handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """Returns Pydantic's schema of saiban.Parts, which calls this function."""
    types = get_type_hints(saiban.PartsDict)
    fields = {name: core_schema.typed_dict_field(handler.generate_schema(type)) for name, type in types.items()}
    read = core_schema.no_info_after_validator_function(_parts, core_schema.typed_dict_schema(fields))
    return core_schema.json_or_python_schema(
        json_schema=read,
        python_schema=core_schema.union_schema([core_schema.is_instance_schema(saiban.Parts), read]),
        serialization=core_schema.plain_serializer_function_ser_schema(_write_parts, info_arg=True),
    )


def _write_parts(value: saiban.Parts[Any], info: SerializationInfo[Any]) -> Any:
    return value.as_dict() if _is_for_json(info) else value


def _parts(found: saiban.PartsDict) -> saiban.Parts[Any]:
    def number(part: int | str | None) -> int | None:
        return None if part is None else int(part)

    try:
        return saiban.Parts(
            scheme=found["scheme"],
            layout=found["layout"],
            id=IdTexts(found["scheme"]).type(found["id"]),
            bits=found["bits"],
            timestamp_ms=found["timestamp_ms"],
            submillisecond_ns=found["submillisecond_ns"],
            node=number(found["node"]),
            node_parts={name: int(part) for name, part in found["node_parts"].items()},
            sequence=number(found["sequence"]),
            random=number(found["random"]),
            rollback=found["rollback"],
            secret_index=found["secret_index"],
            prefix=found["prefix"],
        )
    except saiban.SaibanError as error:
        raise _invalid(error) from error


#: A Snowflake: an int in Python, its decimal digits in JSON.
SnowflakeId = Annotated[int, IdText("snowflake")]
#: A Randflake: an int in Python, 13 characters or fewer in JSON.
RandflakeId = Annotated[int, IdText("randflake")]
#: A Ulid-Flake: an int in Python, 13 characters in JSON.
UlidFlakeId = Annotated[int, IdText("ulid-flake")]
