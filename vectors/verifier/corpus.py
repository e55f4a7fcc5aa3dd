"""Reads the IDs that others published or made, as the public descriptions define them.

Sources, besides those of layout.py and schemes.py:
  mastodon   lib/mastodon/snowflake.rb: 48 bits of Unix ms | 16 bits of a hash and a sequence
  baidu      baidu/uid-generator, README: 28 bits of seconds since 2016-05-20 at UTC+8 |
             22 worker | 13 sequence
  TSID       tsid-creator, README: 42 bits of ms since 2020-01-01 | 10 node | 12 counter,
             in Crockford's base32
  UUID       RFC 9562: version 1 counts 100 ns from 1582-10-15, version 7 counts ms from 1970
  ULID       github.com/ulid/spec: 48 bits of Unix ms | 80 random, in Crockford's base32
  ObjectId   MongoDB manual, "ObjectId": 4 bytes of Unix seconds | 5 of the process | 3 of a counter
  XID        rs/xid, README: an ObjectId's bytes in 20 characters of base32hex
  tick ID    19 digits: the 100 ns since 0001-01-01, or 2^63 - 1 minus that number; then random
             digits
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from . import schemes

LAYOUTS = {
    "twitter": "unused:1 timestamp:41,epoch=1288834974657 node:10 sequence:12",
    "discord": "timestamp:42,epoch=1420070400000 node:10 sequence:12",
    "instagram": "timestamp:41,epoch=1314220021721 node:13 sequence:10",
    "mastodon": "timestamp:48 sequence:16",
    "sonyflake": "unused:1 timestamp:39@10ms,epoch=2014-09-01 sequence:8 node:16",
    "sonyflake_v2": "unused:1 timestamp:39@10ms,epoch=2025-01-01 sequence:8 node:16",
    "baidu": "unused:1 timestamp:28@s,epoch=1463673600000 node:22 sequence:13",
}
TSID_LAYOUTS = {"tsid-1024": "timestamp:42,epoch=2020-01-01 node:10 sequence:12"}
ULID_FLAKE = "unused:1 timestamp:43,epoch={} random:20"
ULID_FLAKE_SCALABLE = "unused:1 timestamp:43,epoch={} random:15 node:5"
UNIT_MS = {"ms": 1, "s": 1000}
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GREGORIAN_TICKS = 0x01B21DD213814000
TICKS_TO_1970 = 621355968000000000
LAST_TICK = (1 << 63) - 1
UUID_FORM = re.compile(
    r"(?i)(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}|[0-9a-f]{32}"
)
UUID_SCHEMES = tuple(f"uuid-{kind}" for kind in ("v1", "v3", "v4", "v5", "v6", "v7", "v8", "nil", "max"))
PARTLESS = ("uuid-v3", "uuid-v5", "uuid-v8", "uuid-nil", "uuid-max")

LEAST = 250
LEAST_AMBIGUOUS = 15
MAX_MADE = 0.45
MAX_OF_ONE = 0.15
NEEDED = {("snowflake", name) for name in LAYOUTS}
NEEDED |= {(name, None) for name in (*UUID_SCHEMES, "ulid", "objectid", "xid", "randflake", "ulid-flake")}
NEEDED |= {("ulid-flake", "scalable"), ("tsid", "tsid-1024"), ("tick-id", "ascending"), ("tick-id", "descending")}


def _epoch_ms(written: str) -> int:
    if re.fullmatch(r"-?[0-9]+", written):
        return int(written)
    moment = datetime.fromisoformat(written.removesuffix("Z")).replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def _laid_out(value: int, layout: str) -> dict[str, int]:
    """Returns the parts of an ID of this layout, with all fields of the node as one number."""
    parts: dict[str, int] = {}
    node_bits = 0
    for item in reversed(layout.split(" ")):
        found = re.fullmatch(r"([a-z]+)(?:\.[a-z]+)?:([0-9]+)(?:@([0-9]*)([a-z]+))?(?:,epoch=(\S+))?", item)
        kind, bits, count, unit, epoch = found.groups()
        field, value = value & ((1 << int(bits)) - 1), value >> int(bits)
        if kind == "timestamp":
            tick_ms = int(count or 1) * UNIT_MS[unit or "ms"]
            parts["timestamp_ms"] = _epoch_ms(epoch or "0") + field * tick_ms
        elif kind == "node":
            parts["node"] = parts.get("node", 0) | field << node_bits
            node_bits += int(bits)
        elif kind != "unused":
            parts[kind] = field
        elif field:
            raise ValueError("an unused bit is set")
    if value:
        raise ValueError("the ID is wider than its layout")
    return parts


def _decimal(text: str) -> int:
    if not re.fullmatch(r"0|-?[1-9][0-9]*", text):
        raise ValueError("no decimal number")
    return int(text)


def _crockford(text: str, length: int) -> int:
    if len(text) != length:
        raise ValueError(f"has not {length} characters")
    value = 0
    for character in text.upper():
        value = value << 5 | CROCKFORD.index(character)
    return value


def _uuid_bits(text: str) -> int:
    if not UUID_FORM.fullmatch(text):
        raise ValueError("no form of a UUID")
    return int(re.sub(r"(?i)urn:uuid:|[{}-]", "", text), 16)


def _snowflake(entry: dict) -> dict[str, int]:
    layout = entry["layout"]
    return _laid_out(_decimal(entry["text"]), LAYOUTS.get(layout, layout))


def _randflake(entry: dict) -> dict[str, int]:
    scheme = schemes.of("randflake", {"secret": entry["secret"]})
    text = entry["text"]
    return scheme.inspect(int(text) if re.fullmatch(r"-?[0-9]{15,}", text) else scheme.from_text(text, False))


def _ulid_flake(entry: dict) -> dict[str, int]:
    text = entry["text"]
    value = _decimal(text) if text.isdecimal() and len(text) != 13 else _crockford(text, 13)
    layout = ULID_FLAKE_SCALABLE if entry.get("layout") == "scalable" else ULID_FLAKE
    return _laid_out(value, layout.format(entry.get("epoch_ms", schemes.ULID_FLAKE_EPOCH_MS)))


def _tsid(entry: dict) -> dict[str, int]:
    text = entry["text"]
    value = _crockford(text, 13) if len(text) == 13 else _decimal(text) % (1 << 64)
    return _laid_out(value, TSID_LAYOUTS[entry["layout"]])


def _ulid(entry: dict) -> dict[str, int]:
    text = entry["text"]
    value = _uuid_bits(text) if len(text) > 26 else _crockford(text, 26)
    return _laid_out(value, "timestamp:48 random:80")


def _uuid(entry: dict) -> dict[str, int]:
    bits, kind = _uuid_bits(entry["text"]), entry["scheme"].removeprefix("uuid-")
    if kind in ("nil", "max"):
        if bits != (0 if kind == "nil" else (1 << 128) - 1):
            raise ValueError(f"is not the {kind} UUID")
        return {}
    if bits >> 62 & 3 != 2 or bits >> 76 & 15 != int(kind[1:]):
        raise ValueError(f"its bits do not say {kind} of RFC 9562")
    high, middle, low = bits >> 80, bits >> 64 & 0xFFF, bits & ((1 << 62) - 1)
    if kind == "v4":
        return {"random": high << 74 | middle << 62 | low}
    if kind == "v7":
        return {"timestamp_ms": high, "random": middle << 62 | low}
    if kind not in ("v1", "v6"):
        return {}
    ticks = high << 12 | middle if kind == "v6" else middle << 48 | (high & 0xFFFF) << 32 | high >> 16
    return {
        "timestamp_ms": (ticks - GREGORIAN_TICKS) // 10_000,
        "node": low & ((1 << 48) - 1),
        "sequence": low >> 48,
    }


def _objectid(entry: dict) -> dict[str, int]:
    if not re.fullmatch(r"(?i)[0-9a-f]{24}", entry["text"]):
        raise ValueError("is not 24 hexadecimal digits")
    return _laid_out(int(entry["text"], 16), "timestamp:32@s node:40 sequence:24")


def _xid(entry: dict) -> dict[str, int]:
    if not re.fullmatch(r"[0-9a-v]{19}[0g]", entry["text"]):
        raise ValueError("is not 20 characters of base32hex")
    return _laid_out(int(entry["text"], 32) >> 4, "timestamp:32@s node:40 sequence:24")


def _tick_id(entry: dict) -> dict[str, int]:
    digits = 3 if entry["layout"] == "descending" else 4
    ticks, random = re.fullmatch(rf"([0-9]{{19}})_([0-9]{{{digits}}})", entry["text"]).groups()
    count = LAST_TICK - int(ticks) if entry["layout"] == "descending" else int(ticks)
    return {"timestamp_ms": (count - TICKS_TO_1970) // 10_000, "random": int(random)}


READERS = {
    "snowflake": _snowflake,
    "randflake": _randflake,
    "ulid-flake": _ulid_flake,
    "tsid": _tsid,
    "ulid": _ulid,
    "objectid": _objectid,
    "tick-id": _tick_id,
    "xid": _xid,
} | dict.fromkeys(UUID_SCHEMES, _uuid)


def read(entry: dict) -> dict[str, str]:
    """Returns the parts of an entry's text, each as decimal text."""
    return {name: str(value) for name, value in READERS[entry["scheme"]](entry).items()}


def problem(entry: dict) -> str | None:
    """Returns what is wrong with an entry that fits the schema, or None."""
    try:
        parts = read(entry)
    except (ValueError, AttributeError) as error:
        return f"cannot be read: {error}"
    if "parts" not in entry:
        # Some tools write a format incorrectly: their IDs have a scheme, but no parts.
        excused = entry["scheme"] in PARTLESS or entry.get("ambiguous", False)
        return None if excused else "has no parts"
    if parts != entry["parts"]:
        return f"has the parts {parts}, not {entry['parts']}"
    if not set(entry.get("stated", [])) <= set(parts):
        return "states a part that it has not"
    if "created" in entry:
        away_ms = abs(int(parts["timestamp_ms"]) - _epoch_ms(entry["created"]))
        if away_ms > entry["within_ms"]:
            return f"its time is {away_ms} ms away from the one that the source states"
    return None


def checks(document: dict) -> Iterator[tuple[str, str | None]]:
    """Yields checks of all entries together, so that an incomplete set fails."""
    entries = document["entries"]
    yield f"at least {LEAST} entries", None if len(entries) >= LEAST else f"there are {len(entries)}"
    twice = [text for text, count in Counter(entry["text"] for entry in entries).items() if count > 1]
    yield "no text twice", str(twice) if twice else None
    made = sum(entry["kind"] == "made" for entry in entries)
    yield "most are published", None if made <= MAX_MADE * len(entries) else f"{made} are made"
    groups = Counter((entry["scheme"], entry.get("layout")) for entry in entries)
    missing = sorted(str(group) for group in NEEDED - groups.keys())
    yield "all schemes are there", f"missing: {missing}" if missing else None
    large = [str(group) for group, count in groups.items() if count > MAX_OF_ONE * len(entries)]
    yield "none outweighs the others", ", ".join(large) or None
    hard = sum(entry.get("ambiguous", False) for entry in entries)
    yield "hard ones are among them", None if hard >= LEAST_AMBIGUOUS else f"only {hard}"
