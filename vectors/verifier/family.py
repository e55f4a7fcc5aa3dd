"""Flake, ULID, UUID, ObjectId, XID and tick IDs: compose, inspect, text, bytes, generate, and
ranges of every scheme.

Sources, besides those of grammar.py:
  ULID       github.com/ulid/spec: 48 bits of Unix ms | 80 random, 26 characters of Crockford's
             base32 in any case
  UUID       RFC 9562: section 5.1 (v1: 60 bits of 100 ns since 1582-10-15 in three pieces, 14 of
             clock sequence, 48 of node), 5.4 (v4: 122 random bits), 5.7 (v7: 48 of Unix ms,
             74 random bits), 4 (text), 4.1 (variant 10)
  GUID       [MS-DTYP] 2.3.4.2: the first three groups have their lowest byte first
  ObjectId   MongoDB specifications, bson-objectid: 4 bytes of Unix seconds | 5 of the process |
             3 of a counter
  XID        github.com/rs/xid, README: an ObjectId's 12 bytes in base32hex (RFC 4648 section 7),
             20 characters in lower case without padding; the four bits after the last byte are 0
  tick ID    .NET's DateTime.Ticks, 100 ns since 0001-01-01: 19 digits, "_", 4 digits;
             descending: 2^63 - 1 minus the ticks, "_", 3 digits
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from fractions import Fraction

from . import text, wide
from .cursor import Cursor
from .errors import Refused
from .grammar import AnyLayout, Field
from .schemes import Scheme
from .times import parts_of_time

HUNDRED_NS = Fraction(1, 10)  # in microseconds
UNSEEN_BITS = 63
VARIANT = 0b10 << 62
LOW_62 = (1 << 62) - 1
LAST_TICK = (1 << 63) - 1


def signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def checked(value: int, highest: int, error: str) -> int:
    if not 0 <= value <= highest:
        raise Refused(error)
    return value


class Family(Scheme):
    """The base of all schemes here. IDs of more than 64 bits are unsigned."""

    layout: AnyLayout
    bits = 128
    ahead = 0
    encoding = "decimal"
    any_case = False
    fixed: int | None = None
    order_of_time = True

    def from_text(self, written: str, lenient: bool) -> int:
        value = wide.decode(written, self.encoding, self.bits, self.fixed, lenient, self.any_case)
        self.inspect(value)
        return value

    def to_text(self, value: int, encoding: str | None = None) -> str:
        self.inspect(value)
        return wide.encode(value, encoding or self.encoding, self.bits, None if encoding else self.fixed)

    def to_bytes(self, value: int) -> bytes:
        self.inspect(value)
        return value.to_bytes(self.bits // 8, "big")

    def from_bytes(self, octets: bytes) -> int:
        assert len(octets) == self.bits // 8
        value = int.from_bytes(octets, "big")
        self.inspect(value)
        return value

    def nodes(self, given: dict) -> tuple[int, int]:
        if "node" in given or "nodes" in given:
            raise Refused("INVALID_ARGUMENT")
        return 0, 1

    def counter_bits(self) -> int:
        return self.layout.widths["counter"]

    def cursor(self, given: dict) -> Cursor:
        first, end = self.nodes(given)
        window = self.window(given)
        room = (end - first) << self.counter_bits()
        return Cursor(self.layout, room, window, given.get("max_wait_ms"), given.get("rollback"), self.ahead)

    def generated(self, given: dict) -> Iterator[dict | str]:
        """Yields the predictable parts of each ID, the whole ID, or an error."""
        cursor, before = self.cursor(given), None
        for clock_ms in given["clock_ms"]:
            try:
                tick, low, rollback = cursor.next(clock_ms)
            except Refused as refused:
                yield {"error": refused.kind}
                continue
            yield self.foretold(given, tick, low, rollback, before)
            before = tick

    def foretold(self, given: dict, tick: int, low: int, rollback: int, before: int | None) -> dict | str:
        return {"timestamp_ms": str(self.layout.unix_ms(tick)), "new_tick": tick != before}

    def id_of_tick(self, tick: int, *, last: bool) -> int:
        """Returns the smallest or the largest ID of a tick."""
        parts = {part: self.layout.highest(part) for part in ("node", "counter", "random", "rollback")} if last else {}
        return self.layout.joined(timestamp=tick, **parts)

    def range(self, start_ms: int, end_ms: int) -> tuple[int, int]:
        if not self.order_of_time:
            raise Refused("NOT_TIME_ORDERED")
        first, last = self.layout.interval(start_ms, end_ms)
        return self.id_of_tick(first, last=False), self.id_of_tick(last, last=True)


class Flake(Family):
    def __init__(self, config: dict) -> None:
        self.layout = AnyLayout.of_text(config["layout"])
        self.bits = self.layout.size
        self.order_of_time = self.layout.is_time_ordered

    def shown(self, word: int) -> int:
        return signed(word) if self.bits <= 64 else word

    def compose(self, parts: dict) -> int:
        layout = self.layout
        node = self.node_of(parts["node_parts"]) if "node_parts" in parts else parts.get("node", 0)
        tick = layout.tick_at(parts["timestamp_ms"], parts.get("submillisecond_ns", 0))
        checked(node, layout.highest("node"), "NODE_OUT_OF_RANGE")
        rollback = checked(parts.get("rollback", 0), layout.highest("rollback"), "ROLLBACK_OUT_OF_RANGE")
        sequence, random = parts.get("sequence", 0), parts.get("random", 0)
        if layout.is_growing:
            counter, random = checked(random, layout.highest("counter"), "RANDOM_OUT_OF_RANGE"), 0
            assert not sequence
        else:
            counter = checked(sequence, layout.highest("counter"), "SEQUENCE_OUT_OF_RANGE")
            checked(random, layout.highest("random"), "RANDOM_OUT_OF_RANGE")
        return self.shown(layout.joined(timestamp=tick, node=node, counter=counter, random=random, rollback=rollback))

    def node_of(self, given: dict[str, int]) -> int:
        parts = self.layout.node_parts()
        if set(given) - set(parts):
            raise Refused("UNKNOWN_NAME")
        if set(parts) - set(given):
            raise Refused("INVALID_ARGUMENT")
        node = 0
        for name, (shift, bits) in parts.items():
            node |= checked(given[name], (1 << bits) - 1, "NODE_OUT_OF_RANGE") << shift
        return node

    def inspect(self, value: int) -> dict:
        layout = self.layout
        fields = layout.split(value % (1 << 64) if self.bits <= 64 else value)
        parts = parts_of_time(layout, fields["timestamp"])
        for part in ("node", "rollback", "random"):
            if layout.widths[part]:
                parts[part] = fields[part]
        if layout.widths["counter"]:
            parts["random" if layout.is_growing else "sequence"] = fields["counter"]
        named = layout.node_parts()
        if named:
            node = fields["node"]
            parts["node_parts"] = {name: node >> shift & ((1 << bits) - 1) for name, (shift, bits) in named.items()}
        return parts

    def from_text(self, written: str, lenient: bool) -> int:
        if self.bits != 64:
            return super().from_text(written, lenient)
        value = text.decode(written, "decimal", None, lenient)
        self.inspect(value)
        return value

    def to_text(self, value: int, encoding: str | None = None) -> str:
        if self.bits != 64 or encoding in wide.FORMS:
            return super().to_text(value % (1 << self.bits) if encoding else value, encoding)
        self.inspect(value)
        return text.encode(value, encoding or "decimal", None)

    def nodes(self, given: dict) -> tuple[int, int]:
        if not self.layout.widths["node"]:
            return super().nodes(given)
        first, end = Scheme.nodes(self, given)
        if self.layout.is_growing and end - first > 1:
            raise Refused("NODE_OUT_OF_RANGE")
        return first, end

    def counter_bits(self) -> int:
        is_chance = self.layout.widths["random"] and not self.layout.widths["counter"]
        return UNSEEN_BITS if is_chance else self.layout.widths["counter"]

    def foretold(self, given: dict, tick: int, low: int, rollback: int, before: int | None) -> dict | str:
        layout = self.layout
        node, counter = self.nodes(given)[0] + (low >> self.counter_bits()), low & layout.highest("counter")
        is_drawn = layout.widths["random"] or layout.is_growing or layout.random_start
        if not is_drawn:
            return str(self.shown(layout.joined(timestamp=tick, node=node, counter=counter, rollback=rollback)))
        answer = super().foretold(given, tick, low, rollback, before)
        if layout.widths["node"]:
            answer["node"] = str(node)
        if layout.widths["counter"] and not layout.is_growing and not layout.random_start:
            answer["sequence"] = str(counter)
        return answer

    def range(self, start_ms: int, end_ms: int) -> tuple[int, int]:
        first, last = map(self.shown, super().range(start_ms, end_ms))
        if first > last:
            raise Refused("INVALID_WINDOW")
        return first, last


class Ulid(Family):
    encoding, any_case = "crockford", True

    def __init__(self, config: dict) -> None:
        self.layout = AnyLayout([Field("timestamp", 48), Field("random", 80, step=1)], 0, 1000)

    def from_text(self, written: str, lenient: bool) -> int:
        if lenient:
            text.check_digits(written, 26)
        return super().from_text(written, lenient)

    def compose(self, parts: dict) -> int:
        tick = self.layout.tick_at(parts["timestamp_ms"])
        random = checked(parts["random"], self.layout.highest("counter"), "RANDOM_OUT_OF_RANGE")
        return self.layout.joined(timestamp=tick, counter=random)

    def inspect(self, value: int) -> dict:
        assert 0 <= value < 1 << 128
        return {"timestamp_ms": value >> 80, "random": value % (1 << 80)}


class Uuid(Family):
    encoding = "hyphenated"

    def __init__(self, config: dict) -> None:
        self.version = config["version"]
        if self.version not in (1, 4, 7):
            raise Refused("INVALID_ARGUMENT")
        self.order_of_time = self.version == 7
        if self.version == 1:
            self.layout = AnyLayout([Field("timestamp", 60)], -12_219_292_800_000, HUNDRED_NS)
            self.ahead = 10_000
        else:
            self.layout = AnyLayout([Field("timestamp", 48), Field("random", 74, step=1 << 32)], 0, 1000)

    def joined(self, high_48: int, middle_12: int, low_62: int) -> int:
        return high_48 << 80 | self.version << 76 | middle_12 << 64 | VARIANT | low_62

    def compose(self, parts: dict) -> int:
        if self.version == 4:
            if "submillisecond_ns" in parts:
                raise Refused("INVALID_ARGUMENT")
            random = checked(parts["random"], (1 << 122) - 1, "RANDOM_OUT_OF_RANGE")
            return self.joined(random >> 74, random >> 62 & 0xFFF, random & LOW_62)
        tick = self.layout.tick_at(parts["timestamp_ms"], parts.get("submillisecond_ns", 0))
        if self.version == 7:
            random = checked(parts["random"], (1 << 74) - 1, "RANDOM_OUT_OF_RANGE")
            return self.joined(tick, random >> 62, random & LOW_62)
        sequence = checked(parts["clock_sequence"], (1 << 14) - 1, "SEQUENCE_OUT_OF_RANGE")
        node = checked(parts["node"], (1 << 48) - 1, "NODE_OUT_OF_RANGE")
        low_32, mid_16, high_12 = tick % (1 << 32), tick >> 32 & 0xFFFF, tick >> 48
        return self.joined(low_32 << 16 | mid_16, high_12, sequence << 48 | node)

    def inspect(self, value: int) -> dict:
        if value >> 62 & 3 != 2 or value >> 76 & 15 != self.version:
            raise Refused("ID_OUT_OF_RANGE")
        high, middle, low = value >> 80, value >> 64 & 0xFFF, value & LOW_62
        if self.version == 4:
            return {"random": high << 74 | middle << 62 | low}
        if self.version == 7:
            return {"timestamp_ms": high, "random": middle << 62 | low}
        ticks = middle << 48 | (high & 0xFFFF) << 32 | high >> 16
        return parts_of_time(self.layout, ticks) | {"sequence": low >> 48, "node": low & ((1 << 48) - 1)}

    def to_guid_bytes(self, value: int) -> bytes:
        octets = self.to_bytes(value)
        return octets[3::-1] + octets[5:3:-1] + octets[7:5:-1] + octets[8:]

    def from_guid_bytes(self, octets: bytes) -> int:
        return self.from_bytes(octets[3::-1] + octets[5:3:-1] + octets[7:5:-1] + octets[8:])

    def cursor(self, given: dict) -> Cursor:
        if self.version == 4 and set(given) - {"clock_ms"}:
            raise Refused("INVALID_ARGUMENT")
        return super().cursor(given)

    def generated(self, given: dict) -> Iterator[dict | str]:
        if self.version == 4:
            self.cursor(given)
            return iter([{}] * len(given["clock_ms"]))
        return super().generated(given)

    def foretold(self, given: dict, tick: int, low: int, rollback: int, before: int | None) -> dict | str:
        return {"ticks": str(tick)} if self.version == 1 else super().foretold(given, tick, low, rollback, before)

    def id_of_tick(self, tick: int, *, last: bool) -> int:
        return self.joined(tick, 0xFFF if last else 0, LOW_62 if last else 0)


class ObjectId(Family):
    bits = 96
    encoding, fixed = "hex", 24
    unit_ms = 1000

    def __init__(self, config: dict) -> None:
        self.layout = AnyLayout([Field("timestamp", 32), Field("sequence", 24)], 0, 1_000_000)

    def from_text(self, written: str, lenient: bool) -> int:
        """Leniency accepts the other case, and no other width."""
        value = wide.decode(written, self.encoding, self.bits, self.fixed, False, any_case=lenient)
        self.inspect(value)
        return value

    def compose(self, parts: dict) -> int:
        seconds = self.layout.tick_at(parts["timestamp_ms"])
        node = checked(parts["node"], (1 << 40) - 1, "NODE_OUT_OF_RANGE")
        counter = checked(parts["sequence"], (1 << 24) - 1, "SEQUENCE_OUT_OF_RANGE")
        return int.from_bytes(seconds.to_bytes(4, "big") + node.to_bytes(5, "big") + counter.to_bytes(3, "big"), "big")

    def inspect(self, value: int) -> dict:
        octets = value.to_bytes(12, "big")
        seconds, node, counter = (int.from_bytes(octets[a:b], "big") for a, b in ((0, 4), (4, 9), (9, 12)))
        return {"timestamp_ms": seconds * 1000, "node": node, "sequence": counter}

    def id_of_tick(self, tick: int, *, last: bool) -> int:
        return int.from_bytes(tick.to_bytes(4, "big") + (b"\xff" if last else b"\0") * 8, "big")


class Xid(ObjectId):
    def to_text(self, value: int, encoding: str | None = None) -> str:
        if encoding:
            return super().to_text(value, encoding)
        return base64.b32hexencode(self.to_bytes(value)).decode().rstrip("=").lower()

    def from_text(self, written: str, lenient: bool) -> int:
        if len(written) != 20:
            raise Refused("TEXT_LENGTH")
        number = 0
        for digit in text.digits_in(written, 0, "base32hex", False, lenient):
            number = number << 5 | digit
        if number & 15:
            raise Refused("TEXT_NOT_CANONICAL")
        return number >> 4


class TickId(Family):
    """An ID as a number consists of the digits of its text, without the underscore."""

    bits = 77
    ahead = 10_000

    def __init__(self, config: dict) -> None:
        self.layout = AnyLayout([Field("timestamp", 63)], -62_135_596_800_000, HUNDRED_NS)
        self.is_descending = config["order"] == "descending"
        self.digits = 3 if self.is_descending else 4

    def joined(self, ticks: int, random: int) -> int:
        return (LAST_TICK - ticks if self.is_descending else ticks) * 10**self.digits + random

    def compose(self, parts: dict) -> int:
        ticks = self.layout.tick_at(parts["timestamp_ms"], parts.get("submillisecond_ns", 0))
        return self.joined(ticks, checked(parts["random"], 10**self.digits - 1, "RANDOM_OUT_OF_RANGE"))

    def inspect(self, value: int) -> dict:
        ticks, random = divmod(value, 10**self.digits)
        assert 0 <= ticks <= LAST_TICK
        return parts_of_time(self.layout, LAST_TICK - ticks if self.is_descending else ticks) | {"random": random}

    def to_text(self, value: int, encoding: str | None = None) -> str:
        if encoding:
            return wide.encode(value, encoding, self.bits)
        written = f"{value:0{19 + self.digits}d}"
        return f"{written[:19]}_{written[19:]}"

    def from_text(self, written: str, lenient: bool) -> int:
        if len(written) != 20 + self.digits:
            raise Refused("TEXT_LENGTH")
        for position, character in enumerate(written):
            if character not in ("_" if position == 19 else "0123456789"):
                raise Refused("TEXT_CHARACTER", position)
        if int(written[:19]) > LAST_TICK:
            raise Refused("TEXT_OVERFLOW")
        return int(written[:19] + written[20:])

    def foretold(self, given: dict, tick: int, low: int, rollback: int, before: int | None) -> dict | str:
        return {"ticks": str(tick)}

    def id_of_tick(self, tick: int, *, last: bool) -> int:
        return self.joined(tick, 10**self.digits - 1 if last != self.is_descending else 0)

    def range(self, start_ms: int, end_ms: int) -> tuple[int, int]:
        first, last = self.layout.interval(start_ms, end_ms)
        ends = [self.joined(first, 0), self.joined(first, 10**self.digits - 1)]
        ends += [self.joined(last, 0), self.joined(last, 10**self.digits - 1)]
        return min(ends), max(ends)


class Randflake(Family):
    """Only for ranges, which Randflake refuses because its IDs are not in time order."""

    order_of_time = False

    def __init__(self, config: dict) -> None:
        pass


class UlidFlake(Flake):
    """Only for ranges: a layout with the text of a Ulid-Flake."""

    def __init__(self, config: dict) -> None:
        low = "random:15,step=255 node:5" if config["scalable"] else "random:20,step=255"
        super().__init__({"layout": f"unused:1 timestamp:43,epoch={config['epoch_ms']} {low}"})

    def to_text(self, value: int, encoding: str | None = None) -> str:
        return text.encode(value, "crockford", None)


class Tsid(Flake):
    """Only for ranges: a layout with the text of a TSID."""

    def to_text(self, value: int, encoding: str | None = None) -> str:
        return text.encode(value, "crockford", None)


SCHEMES = {
    "flake": Flake,
    "snowflake": Flake,
    "ulid-flake": UlidFlake,
    "tsid": Tsid,
    "randflake": Randflake,
    "ulid": Ulid,
    "uuid": Uuid,
    "objectid": ObjectId,
    "tick-id": TickId,
    "xid": Xid,
}


def of(subject: str, config: dict) -> Family:
    return SCHEMES[config["scheme"] if subject == "range" else subject](config)
