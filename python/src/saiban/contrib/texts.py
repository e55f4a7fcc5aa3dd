"""The text of IDs, for the integrations: reads and writes the IDs of one scheme in one form."""

from __future__ import annotations

import functools
import operator
import string
from typing import TYPE_CHECKING, Any
from uuid import UUID

import saiban
from saiban import _native

if TYPE_CHECKING:
    from saiban._schemes import _Encoding, _Scheme

#: An ID of each scheme, for JSON schemas.
_INTEGER = 2125041057055170560
_EXAMPLES: dict[str, str | UUID] = {
    "uuid": UUID("01890a5d-ac96-774b-bcce-b302099a8057"),
    "uuid-v1": UUID("c232ab00-9414-11ec-b3c8-9f6bdeced846"),
    "uuid-v4": UUID("919108f7-52d1-4320-9bac-f847db4148a8"),
    "uuid-v7": UUID("01890a5d-ac96-774b-bcce-b302099a8057"),
    "ulid": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "objectid": "507f1f77bcf86cd799439011",
    "tick-id": "0639314107345836530_9381",
}
#: The bits of a UUID that have its version and variant.
_FIXED = 0xF << 76 | 0x3 << 62
#: Numbers of 128 bits: the limits, and numbers that differ in all bits.
_ODD = 0x9E3779B97F4A7C15F39CC0605CEDC835
_SPREAD = [0, (1 << 128) - 1, 1 << 127, (1 << 127) - 1, *(number * _ODD % (1 << 128) for number in range(200))]


class IdTexts:
    """Reads and writes the IDs of a scheme.

    scheme: the scheme's name. encoding: the text is the number in this encoding (see saiban.encode)
    in place of the canonical text. prefix: what the text begins with.

    Raises UnknownNameError for a scheme or an encoding; InvalidArgumentError for an invalid prefix,
    and for an encoding together with a prefix, or with a scheme whose IDs are text.

    >>> from saiban.contrib.texts import IdTexts
    >>> texts = IdTexts("snowflake", encoding="base62")
    >>> texts.write(2125041057055170560), texts.read("2Wyi3Ucx9Hs")
    ('2Wyi3Ucx9Hs', 2125041057055170560)
    """

    def __init__(self, scheme: _Scheme, *, encoding: _Encoding | None = None, prefix: str | None = None) -> None:
        self.scheme, self.encoding, self.prefix = scheme, encoding, prefix
        self._texts = _native.Texts(scheme, prefix=prefix)
        row = _native.schemes()[scheme]
        #: What an ID is in Python.
        self.type: type[int | str | UUID] = {"integer": int, "uuid": UUID, "text": str}[row["form"]]
        if encoding is None:
            return
        if prefix is not None:
            raise saiban.InvalidArgumentError(f"encoding is {encoding!r} and prefix {prefix!r}: give one of them")
        if self.type is str:
            raise saiban.InvalidArgumentError(f"encoding is {encoding!r}, but IDs of {scheme} are text: leave it out")
        self._encoded(0)

    def __repr__(self) -> str:
        options = {"encoding": self.encoding, "prefix": self.prefix}
        given = "".join(f", {name}={value!r}" for name, value in options.items() if value is not None)
        return f"IdTexts({self.scheme!r}{given})"

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(IdTexts, self.scheme, encoding=self.encoding, prefix=self.prefix), ()

    def read(self, value: object) -> Any:
        """Returns the ID of a text, or an ID as it is.

        Raises IdOutOfRangeError, WrongTypeError (also for float and bool), TextLengthError,
        TextCharacterError, TextOverflowError, TextNotCanonicalError, as Generator.from_text does.
        """
        id: Any = value
        if isinstance(value, str):
            id = self._texts.read(value) if self.encoding is None else self._decoded(value)
        # Checks the type and the range.
        text = self._texts.write(id)
        if self.type is str:
            # IDs that are text have the prefix themselves.
            return text
        return operator.index(id) if self.type is int else id

    def write(self, value: object) -> str:
        """Returns the text of an ID, or the text as it is.

        Raises what `read` raises.
        """
        id = self.read(value)
        if self.type is str:
            return str(id)
        return self._texts.write(id) if self.encoding is None else self._encoded(int(id))

    def json_schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the text, with a pattern of its characters and length."""
        example = _EXAMPLES.get(self.scheme, _INTEGER)
        if self.type is str and example is _INTEGER:
            example = "0" * _native.schemes()[self.scheme]["width"]
        start = f"{self.prefix}_" if self.prefix else ""
        # Without the prefix: `write` would look for it in IDs that are text.
        text = self._texts.write(example) if isinstance(example, str) else self.write(example)
        if isinstance(example, str):
            pattern = f"[0-9A-Za-z_]{{{len(text) - len(start)}}}"
        else:
            pattern = _pattern([text.removeprefix(start) for text in self._samples(example)])
        schema = {"type": "string", "pattern": f"^{start}{pattern}$", "examples": [text]}
        return schema | ({"format": "uuid"} if self.type is UUID and self.encoding is self.prefix is None else {})

    def _samples(self, example: int | UUID) -> list[str]:
        """Returns texts that have every character that texts have, the shortest and the longest too."""
        samples = []
        for number in _SPREAD:
            if isinstance(example, UUID):
                id: int | UUID = UUID(int=number & ~_FIXED | example.int & _FIXED)
            else:
                id = (number >> 64) - (1 << 63)
            try:
                samples.append(self.write(id))
            except saiban.IdOutOfRangeError:
                continue  # the scheme has no negative IDs
        return samples

    def _decoded(self, text: str) -> int | UUID:
        assert self.encoding is not None
        if self.type is UUID:
            return UUID(int=saiban.decode(text, self.encoding, bits=128))
        return saiban.decode(text, self.encoding)

    def _encoded(self, number: int) -> str:
        assert self.encoding is not None
        return saiban.encode(number, self.encoding, bits=128 if self.type is UUID else 64)


def _pattern(texts: list[str]) -> str:
    """Returns a regular expression of the characters and lengths of these texts."""
    # Sorted, a hyphen comes first, where it stands for itself.
    characters = "".join(sorted(set("".join(texts))))
    for run in (string.digits, string.ascii_uppercase, string.ascii_lowercase):
        characters = characters.replace(run, f"{run[0]}-{run[-1]}")
    lengths = sorted({len(text) for text in texts})
    return f"[{characters}]{{{lengths[0]}}}" if len(lengths) == 1 else f"[{characters}]{{{lengths[0]},{lengths[-1]}}}"
