"""The JSON schemas of IDs that are text, for the integrations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import saiban
from saiban import _native
from saiban.contrib.schemes import SCHEMES

if TYPE_CHECKING:
    from saiban.contrib.texts import IdTexts
    from saiban.names import Encoding

#: An example ID of each scheme. All schemes of integers share the example _INTEGER.
_EXAMPLES: dict[str, str | UUID] = {
    "uuid": UUID("01890a5d-ac96-774b-bcce-b302099a8057"),
    "uuid-v1": UUID("c232ab00-9414-11ec-b3c8-9f6bdeced846"),
    "uuid-v4": UUID("919108f7-52d1-4320-9bac-f847db4148a8"),
    "uuid-v7": UUID("01890a5d-ac96-774b-bcce-b302099a8057"),
    "ulid": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "objectid": "507f1f77bcf86cd799439011",
    "tick-id": "0639314107345836530_9381",
}
_INTEGER = 2125041057055170560

#: The characters of each encoding, as in a regular expression.
_CHARACTERS: dict[Encoding, str] = {
    "decimal": "-0-9",
    "hex": "0-9a-f",
    "binary": "01",
    "crockford": "0-9A-HJKMNP-TV-Z",
    "base32hex": "0-9a-v",
    "base36": "0-9a-z",
    "base58": "1-9A-HJ-NP-Za-km-z",
    "base62": "0-9A-Za-z",
    "base64url": "-0-9A-Z_a-z",
    "hyphenated": "-0-9a-f",
    "simple": "0-9a-f",
    "braced": "-0-9a-f{}",
    "urn": "-0-9:a-finru",
}
#: The characters of every other encoding, and of every other scheme's text.
_OTHERS = "0-9a-v"
#: The encodings in which the canonical text of integers is written.
_CANONICAL: tuple[Encoding, ...] = ("decimal", "base32hex", "crockford")
#: The canonical text of the other schemes, as regular expressions.
_TEXTS = {
    "ulid": f"[{_CHARACTERS['crockford']}]{{26}}",
    "objectid": "[0-9a-f]{24}",
    "tick-id": "[0-9]{19}_[0-9]{3,4}",
}


def json_schema(texts: IdTexts) -> dict[str, Any]:
    """Returns the JSON schema of the text of these IDs: its pattern, and an example.

    >>> from saiban.contrib.schemas import json_schema
    >>> from saiban.contrib.texts import IdTexts
    >>> json_schema(IdTexts("snowflake", prefix="order"))["pattern"]
    '^order_[0-9a-hjkmnp-tv-z]{13}$'
    """
    example = _EXAMPLES.get(texts.scheme, _INTEGER)
    if texts.type is str and example is _INTEGER:
        example = "0" * SCHEMES[texts.scheme]["width"]
    if isinstance(example, str):
        # `write` requires the prefix in IDs that are text, and this example has none.
        text = _native.Texts(texts.scheme, prefix=texts.prefix).write(example)
    else:
        text = texts.write(example)
    is_uuid = isinstance(example, UUID)
    if texts.prefix is not None:
        start = f"{texts.prefix}_" if texts.prefix else ""
        pattern = f"{start}[{_CHARACTERS['crockford'].lower()}]{{{len(text) - len(start)}}}"
    elif isinstance(example, str):
        pattern = _TEXTS.get(texts.scheme, f"[{_OTHERS}]{{{len(example)}}}")
    elif is_uuid:
        pattern = _pattern(texts.encoding or "hyphenated", 0, 2**128 - 1, bits=128)
    else:
        canonical = next((one for one in _CANONICAL if saiban.encode(_INTEGER, one) == text), _CANONICAL[0])
        pattern = _pattern(texts.encoding or canonical, 0, -(2**63), bits=64)
    schema = {"type": "string", "pattern": f"^{pattern}$", "examples": [text]}
    return schema | ({"format": "uuid"} if is_uuid and texts.encoding is texts.prefix is None else {})


def _pattern(encoding: Encoding, *extremes: int, bits: int) -> str:
    """Returns a regular expression of text in an encoding.

    extremes: the numbers that have the shortest text and the longest.
    """
    lengths = [str(len(saiban.encode(number, encoding, bits=bits))) for number in extremes]
    return f"[{_CHARACTERS.get(encoding, _OTHERS)}]{{{','.join(dict.fromkeys(lengths))}}}"
