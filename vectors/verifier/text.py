"""Numbers as text: digits from the most significant one, and base64url of eight big-endian bytes.

Sources: RFC 4648 sections 5 (base64url), 7 (base32hex) and 8 (hex); crockford.com/base32.html;
Bitcoin's `base58.cpp` for the alphabet of base58. Decimal is signed, every other encoding takes the
64 bits as unsigned.

Decoding refuses, in this order:

1. a length, in characters, that the form cannot have: TEXT_LENGTH;
2. the first wrong character from the left: TEXT_CHARACTER if the alphabet does not contain it
   (Crockford's aliases are not in the alphabet), TEXT_NOT_CANONICAL if it is a letter of the other
   case;
3. a leading zero that the shortest form does not have, or a minus before zero: TEXT_NOT_CANONICAL;
4. a number of more than 64 bits: TEXT_OVERFLOW; for base64url, bits below the last byte that are
   not 0: TEXT_NOT_CANONICAL.

Lenient decoding accepts any number of leading zeros (up to 128 characters in all), the other case,
Crockford's aliases and hyphens, and "=" at the end of base32hex and base64url. It does not accept
base64url text of more or fewer than eight bytes. It requires exactly 13 digits for a Ulid-Flake or
TSID, 26 for a ULID and 24 for an ObjectId, hyphens not counted. Another number of digits is
TEXT_LENGTH, before all other errors.
"""

from __future__ import annotations

import base64
import string
from collections.abc import Iterator

from .errors import Refused

BITS = 64
DIGITS = string.digits + string.ascii_lowercase
CROCKFORD = "".join(c for c in string.digits + string.ascii_uppercase if c not in "ILOU")
BASE58 = "".join(c for c in string.digits + string.ascii_uppercase + string.ascii_lowercase if c not in "0OIl")
BASE64URL = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
ALPHABETS = {
    "decimal": DIGITS[:10],
    "hex": DIGITS[:16],
    "binary": DIGITS[:2],
    "crockford": CROCKFORD,
    "base32hex": DIGITS[:32],
    "base36": DIGITS,
    "base58": BASE58,
    "base62": string.digits + string.ascii_uppercase + string.ascii_lowercase,
    "base64url": BASE64URL,
}
ANY_CASE = ("hex", "crockford", "base32hex", "base36")
PADDED = ("base32hex", "base64url")
ALIASES = {"I": 1, "i": 1, "L": 1, "l": 1, "O": 0, "o": 0}
LONGEST_LENIENT = 128
CUSTOMARY_WIDTH = {"crockford": 13, "base64url": 11}


def digits_of(value: int, alphabet: str) -> str:
    text = ""
    while value:
        value, digit = divmod(value, len(alphabet))
        text = alphabet[digit] + text
    return text or alphabet[0]


def full_width(encoding: str) -> int:
    """Returns the number of characters that any 64 bits fit in."""
    return 11 if encoding == "base64url" else len(digits_of((1 << BITS) - 1, ALPHABETS[encoding]))


def form(encoding: str, width: int | None) -> int | None:
    """Returns the requested width, or the default one; None means the shortest text."""
    if encoding not in ALPHABETS:
        raise Refused("UNKNOWN_NAME")
    if width is None:
        return CUSTOMARY_WIDTH.get(encoding)
    least = 11 if encoding == "base64url" else 1
    if not least <= width <= full_width(encoding):
        raise Refused("WIDTH_OUT_OF_RANGE")
    return width


def signed(word: int) -> int:
    return word - (1 << BITS) if word >> (BITS - 1) else word


def encode(value: int, encoding: str, width: int | None) -> str:
    fixed = form(encoding, width)
    assert -(1 << 63) <= value < 1 << 63
    if encoding == "base64url":
        return base64.urlsafe_b64encode(value.to_bytes(8, "big", signed=True)).decode().rstrip("=")
    if encoding == "decimal":
        if fixed is not None and value < 0:
            raise Refused("WIDTH_OUT_OF_RANGE")
        text = str(value)
    else:
        text = digits_of(value % (1 << BITS), ALPHABETS[encoding])
    if fixed is None:
        return text
    if len(text) > fixed:
        raise Refused("WIDTH_OUT_OF_RANGE")
    return text.rjust(fixed, ALPHABETS[encoding][0])


def decode(text: str, encoding: str, width: int | None, lenient: bool) -> int:
    fixed = form(encoding, width)
    return read(text, encoding, fixed, lenient, lenient)


def check_digits(text: str, width: int) -> None:
    """Checks the number of digits, without hyphens, of a scheme whose texts have one width."""
    if len(text.replace("-", "")) != width:
        raise Refused("TEXT_LENGTH")


def decode_any_case_crockford(text: str, lenient: bool) -> int:
    """Reads the text of a Ulid-Flake or TSID: 13 characters in any case."""
    if lenient:
        check_digits(text, 13)
    return read(text, "crockford", 13, lenient, True)


def read(text: str, encoding: str, fixed: int | None, lenient: bool, any_case: bool) -> int:
    if lenient and encoding in PADDED:
        text = text.rstrip("=")
    if encoding == "base64url" or (fixed and not lenient):
        shortest = longest = fixed
    else:
        shortest, longest = 1, LONGEST_LENIENT if lenient else full_width(encoding)
    if not shortest <= len(text) <= longest:
        raise Refused("TEXT_LENGTH")

    minus = encoding == "decimal" and text.startswith("-") and (fixed is None)
    digits = list(digits_in(text, int(minus), encoding, lenient, any_case))
    if not digits:
        raise Refused("TEXT_LENGTH")
    if not lenient and fixed is None and digits[0] == 0 and (minus or len(digits) > 1):
        raise Refused("TEXT_NOT_CANONICAL")

    number = 0
    for digit in digits:
        number = number * len(ALPHABETS[encoding]) + digit
    if encoding == "decimal":
        number = -number if minus else number
        if not -(1 << 63) <= number < 1 << 63:
            raise Refused("TEXT_OVERFLOW")
        return number
    if encoding == "base64url":
        if number & 3:
            raise Refused("TEXT_NOT_CANONICAL")
        number >>= 2
    if number >= 1 << BITS:
        raise Refused("TEXT_OVERFLOW")
    return signed(number)


def digits_in(text: str, start: int, encoding: str, lenient: bool, any_case: bool) -> Iterator[int]:
    """Yields the digits of the characters from `start` on."""
    alphabet = ALPHABETS[encoding]
    for position in range(start, len(text)):
        character = text[position]
        if character in alphabet:
            yield alphabet.index(character)
        elif encoding in ANY_CASE and character.isascii() and character.swapcase() in alphabet:
            if not any_case:
                raise Refused("TEXT_NOT_CANONICAL")
            yield alphabet.index(character.swapcase())
        elif lenient and encoding == "crockford" and character in ALIASES:
            yield ALIASES[character]
        elif not (lenient and encoding == "crockford" and character == "-"):
            raise Refused("TEXT_CHARACTER", position)
