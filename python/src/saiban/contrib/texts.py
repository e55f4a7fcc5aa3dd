"""The text of IDs, for the integrations: reads and writes the IDs of one scheme in one form."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any
from uuid import UUID

import saiban
from saiban import _native
from saiban.contrib import schemas
from saiban.contrib.schemes import SCHEMES

if TYPE_CHECKING:
    from saiban.names import Encoding, Scheme


class IdTexts:
    """Reads and writes the IDs of a scheme.

    scheme: the scheme's name. encoding: the text is the number in this encoding (see saiban.encode)
    in place of the canonical text. prefix: what the text begins with. UUIDs may have any
    version, because columns may have older UUIDs.

    Raises UnknownNameError for a scheme or an encoding; InvalidArgumentError for an invalid prefix,
    and for an encoding together with a prefix, or with a scheme whose IDs are text.

    >>> from saiban.contrib.texts import IdTexts
    >>> texts = IdTexts("snowflake", encoding="base62")
    >>> texts.write(2125041057055170560), texts.read("2Wyi3Ucx9Hs")
    ('2Wyi3Ucx9Hs', 2125041057055170560)
    """

    def __init__(self, scheme: Scheme, *, encoding: Encoding | None = None, prefix: str | None = None) -> None:
        self.scheme, self.encoding = scheme, encoding
        self.prefix: str | None = prefix
        self._texts = _native.Texts(scheme, prefix=prefix)
        #: What an ID is in Python.
        self.type: type[int | str | UUID] = {"integer": int, "uuid": UUID, "text": str}[SCHEMES[scheme]["form"]]
        if encoding is not None and prefix is not None:
            raise saiban.InvalidArgumentError(f"encoding is {encoding!r} and prefix {prefix!r}: give one of them")
        if encoding is not None and self.type is str:
            raise saiban.InvalidArgumentError(f"encoding is {encoding!r}, but IDs of {scheme} are text: leave it out")
        self._encoding, self._bits = encoding, 64
        if self.type is UUID and prefix is None:
            # _native.Texts accepts UUIDs of other versions only with a prefix, which may be empty.
            self._texts = _native.Texts(scheme, prefix="")
            self._encoding, self._bits = encoding or "hyphenated", 128
        if self._encoding is not None:
            self._encoded(0)  # checks the name

    def __repr__(self) -> str:
        options = {"encoding": self.encoding, "prefix": self.prefix}
        given = "".join(f", {name}={value!r}" for name, value in options.items() if value is not None)
        return f"IdTexts({self.scheme!r}{given})"

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(IdTexts, self.scheme, encoding=self.encoding, prefix=self.prefix), ()

    def read(self, value: object, *, lenient: bool = False) -> Any:
        """Returns the ID of a text, or an ID as it is.

        lenient: whether to read more texts than the canonical one, as saiban.decode does.

        Raises IdOutOfRangeError, WrongTypeError (also for float and bool), TextLengthError,
        TextCharacterError, TextOverflowError, TextNotCanonicalError, as Generator.from_text does.
        """
        id: Any = self._parsed(value, lenient) if isinstance(value, str) else value
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
        id: Any = self._parsed(value) if isinstance(value, str) else value
        # Checks the type and the range.
        text = self._texts.write(id)
        return text if self._encoding is None else self._encoded(int(id))

    def json_schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the text, with a pattern of its characters and length."""
        return schemas.json_schema(self)

    def _parsed(self, text: str, lenient: bool = False) -> int | str | UUID:
        if self._encoding is None:
            return self._texts.read(text, lenient=lenient)
        number = saiban.decode(text, self._encoding, bits=self._bits, lenient=lenient)
        return UUID(int=number) if self.type is UUID else number

    def _encoded(self, number: int) -> str:
        assert self._encoding is not None
        return saiban.encode(number, self._encoding, bits=self._bits)
