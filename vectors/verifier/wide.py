"""Unsigned numbers of 16 to 128 bits as text, and the forms of a UUID.

Sources: those of text.py; RFC 9562 section 4 for the hyphenated form and the URN. Errors have the
order of text.py, with the number's own bits instead of 64. Numbers have no sign. Each form of a
UUID has one length. A letter of the other case, also in the URN's prefix, is TEXT_NOT_CANONICAL.
Lenient decoding accepts all forms in any case, and distinguishes them by length.
"""

from __future__ import annotations

import base64

from . import text
from .errors import Refused

FORMS = {
    "hyphenated": "########-####-####-####-############",
    "simple": "#" * 32,
    "braced": "{########-####-####-####-############}",
    "urn": "urn:uuid:########-####-####-####-############",
}


def full_width(encoding: str, bits: int) -> int:
    """Returns the number of characters that any number of this many bits fits in."""
    if encoding in FORMS:
        return len(FORMS[encoding])
    if encoding == "base64url":
        return -(-8 * -(-bits // 8) // 6)
    return len(text.digits_of((1 << bits) - 1, text.ALPHABETS[encoding]))


def form(encoding: str, bits: int, width: int | None) -> int | None:
    if encoding not in FORMS and encoding not in text.ALPHABETS:
        raise Refused("UNKNOWN_NAME")
    if not 16 <= bits <= 128:
        raise Refused("INVALID_ARGUMENT")
    full = full_width(encoding, bits)
    is_one_length = encoding in FORMS or encoding == "base64url"
    if width is None:
        return full if is_one_length or encoding == "crockford" else None
    if not (full if is_one_length else 1) <= width <= full:
        raise Refused("WIDTH_OUT_OF_RANGE")
    return width


def encode(value: int, encoding: str, bits: int, width: int | None = None) -> str:
    fixed = form(encoding, bits, width)
    if value >= 1 << bits:
        raise Refused("ID_OUT_OF_RANGE")
    if encoding in FORMS:
        digits = iter(f"{value:032x}")
        return "".join(next(digits) if place == "#" else place for place in FORMS[encoding])
    if encoding == "base64url":
        return base64.urlsafe_b64encode(value.to_bytes(-(-bits // 8), "big")).decode().rstrip("=")
    written = text.digits_of(value, text.ALPHABETS[encoding])
    if fixed is None:
        return written
    if len(written) > fixed:
        raise Refused("WIDTH_OUT_OF_RANGE")
    return written.rjust(fixed, text.ALPHABETS[encoding][0])


def read_form(written: str, shape: str, any_case: bool) -> int:
    if len(written) != len(shape):
        raise Refused("TEXT_LENGTH")
    digits = ""
    for position, (character, wanted) in enumerate(zip(written, shape)):
        right = "0123456789abcdef" if wanted == "#" else wanted
        if character not in right:
            if not character.isascii() or character.lower() not in right:
                raise Refused("TEXT_CHARACTER", position)
            if not any_case:
                raise Refused("TEXT_NOT_CANONICAL")
        if wanted == "#":
            digits += character
    return int(digits, 16)


def decode_form(written: str, encoding: str, lenient: bool) -> int:
    shape = FORMS[encoding]
    if lenient:
        shape = next((each for each in FORMS.values() if len(each) == len(written)), None)
        if shape is None:
            raise Refused("TEXT_LENGTH")
    return read_form(written, shape, lenient)


def decode(written: str, encoding: str, bits: int, width: int | None, lenient: bool, any_case: bool = False) -> int:
    fixed = form(encoding, bits, width)
    if encoding in FORMS:
        number = decode_form(written, encoding, lenient)
    else:
        number = read(written, encoding, bits, fixed, lenient, any_case or lenient)
    if number >= 1 << bits:
        raise Refused("TEXT_OVERFLOW")
    return number


def read(written: str, encoding: str, bits: int, fixed: int | None, lenient: bool, any_case: bool) -> int:
    if lenient and encoding in text.PADDED:
        written = written.rstrip("=")
    if encoding == "base64url" or (fixed and not lenient):
        shortest = longest = fixed
    else:
        shortest, longest = 1, text.LONGEST_LENIENT if lenient else full_width(encoding, bits)
    if not shortest <= len(written) <= longest:
        raise Refused("TEXT_LENGTH")
    digits = list(text.digits_in(written, 0, encoding, lenient, any_case))
    if not digits:
        raise Refused("TEXT_LENGTH")
    if not lenient and fixed is None and digits[0] == 0 and len(digits) > 1:
        raise Refused("TEXT_NOT_CANONICAL")
    number = 0
    for digit in digits:
        number = number * len(text.ALPHABETS[encoding]) + digit
    if encoding == "base64url":
        spare = 6 * len(digits) - 8 * -(-bits // 8)
        if number & ((1 << spare) - 1):
            raise Refused("TEXT_NOT_CANONICAL")
        number >>= spare
    return number
