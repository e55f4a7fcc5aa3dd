"""Integers as text and back."""

from __future__ import annotations

import saiban

from ..case import Case

# All 64 bits are in use, so that the text has the maximum length.
ID = 0x6ED3_19C4_0B5A_F217


def cases() -> list[Case]:
    return [case for encoding in ("base62", "crockford") for case in _both_ways(encoding)]


def _both_ways(encoding: str) -> list[Case]:
    text = saiban.encode(ID, encoding)
    return [
        Case(f"python.{encoding}.encode", "saiban", saiban.encode, ID, encoding),
        Case(f"python.{encoding}.decode", "saiban", saiban.decode, text, encoding),
    ]
