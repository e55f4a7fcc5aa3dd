"""Layouts of 16 to 128 bits: their text, their JSON and their properties.

The source is README.md, "The text of a layout".

Presets, besides those of layout.py:
  bwmarrin   github.com/bwmarrin/snowflake: Twitter's layout and epoch
  mastodon   lib/mastodon/snowflake.rb: 48 bits of Unix ms | 16 bits of a hash and a sequence
  baidu      baidu/uid-generator, README: 1 | 28 bits of seconds since 2016-05-20 at UTC+8 |
             22 worker | 13 sequence
  ulid-flake, ulid-flake-scalable
             github.com/ulid-flake/spec: 1 | 43 bits of ms since 2024-01-01 | 20 random, or
             15 random and 5 scalability id; a step of one byte
  tsid-256, tsid-1024, tsid-4096
             github.com/f4b6a3/tsid-creator, README: 42 ms since 2020-01-01 | node | counter
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from . import times
from .errors import Refused

PRESETS = {
    "twitter": "unused:1 timestamp:41,epoch=1288834974657 node:10 sequence:12",
    "discord": "timestamp:42,epoch=2015-01-01 node:10 sequence:12",
    "instagram": "timestamp:41,epoch=1314220021721 node:13 sequence:10",
    "sonyflake": "unused:1 timestamp:39@10ms,epoch=2014-09-01 sequence:8 node:16",
    "sonyflake_v2": "unused:1 timestamp:39@10ms,epoch=2025-01-01 sequence:8 node:16",
    "mastodon": "timestamp:48 sequence:16",
    "baidu": "unused:1 timestamp:28@s,epoch=2016-05-19T16:00:00Z node:22 sequence:13",
}
ALIASES = {"bwmarrin": "twitter"}
#: Layouts of other schemes than Snowflake: their names are read, and never written.
READ_ONLY = {
    "ulid-flake": "unused:1 timestamp:43,epoch=2024-01-01 random:20,step=255",
    "ulid-flake-scalable": "unused:1 timestamp:43,epoch=2024-01-01 random:15,step=255 node:5",
    "tsid-256": "timestamp:42,epoch=2020-01-01 node:8 sequence:14",
    "tsid-1024": "timestamp:42,epoch=2020-01-01 node:10 sequence:12",
    "tsid-4096": "timestamp:42,epoch=2020-01-01 node:12 sequence:10",
}
UNIT_US = {
    "d": 86_400_000_000,
    "h": 3_600_000_000,
    "min": 60_000_000,
    "s": 1_000_000,
    "ms": 1_000,
    "us": 1,
}
KEYS = {"timestamp": "epoch", "constant": "value", "random": "step", "sequence": "start"}
MAX_BITS = {"timestamp": 63, "node": 63, "rollback": 4, "unused": 127, "constant": 127, "sequence": 64, "random": 127}
NAME = re.compile(r"[a-z][a-z0-9_]{0,15}")
PLAIN = re.compile(r"0|[1-9][0-9]*")
DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,3}))?Z)?")
UNIX = datetime(1970, 1, 1, tzinfo=UTC)
I64_MAX = (1 << 63) - 1
U64_MAX = (1 << 64) - 1


def bad() -> Refused:
    return Refused("INVALID_LAYOUT")


def plain(text: str) -> int:
    if not PLAIN.fullmatch(text):
        raise bad()
    return int(text)


def number(text: str) -> int:
    """Reads a decimal or hexadecimal number."""
    return int(text[2:], 16) if re.fullmatch(r"0x[0-9a-fA-F]+", text) else plain(text)


def unix_ms(text: str) -> int:
    if not re.fullmatch(r"0|-?[1-9][0-9]*", text) or not -I64_MAX - 1 <= int(text) <= I64_MAX:
        raise bad()
    return int(text)


def moment(text: str) -> int:
    """Reads an epoch: Unix milliseconds, a date, or a time in UTC."""
    if re.fullmatch(r"-?[0-9]+", text):
        return unix_ms(text)
    found = DATE.fullmatch(text)
    if not found:
        raise bad()
    date, time, fraction = found.groups()
    try:
        whole = datetime.fromisoformat(f"{date}T{time or '00:00:00'}+00:00")
    except ValueError:
        raise bad() from None
    if whole.strftime("%H:%M:%S") != (time or "00:00:00"):
        raise bad()  # some versions of Python read 24:00 as the next day
    return (whole - UNIX) // timedelta(milliseconds=1) + int((fraction or "0").ljust(3, "0"))


def written_moment(ms: int) -> str:
    try:
        time = UNIX + timedelta(milliseconds=ms)
    except OverflowError:
        return str(ms)
    date = time.date().isoformat()
    return date if ms % 86_400_000 == 0 else f"{date}T{time:%H:%M:%S}.{ms % 1000:03}Z"


@dataclass(frozen=True)
class Field:
    kind: str
    bits: int
    name: str = ""
    value: int = 0
    step: int = 0
    random_start: bool = False

    @property
    def is_counter(self) -> bool:
        return self.kind == "sequence" or (self.kind == "random" and self.step > 0)

    @property
    def part(self) -> str:
        """The part of an ID that the field belongs to."""
        return "counter" if self.is_counter else self.kind


class AnyLayout:
    """A valid layout.

    Its parts are `timestamp` (in ticks), `node`, `counter` (a sequence or a growing random part),
    `random` and `rollback`.
    """

    def __init__(self, fields: list[Field], epoch_ms: int, tick_us: int | Fraction) -> None:
        self.fields, self.epoch_ms, self.tick_us = fields, epoch_ms, tick_us
        self.size = sum(field.bits for field in fields)
        self.check_fields()
        self.widths = dict.fromkeys(("timestamp", "node", "counter", "random", "rollback"), 0)
        self.shifts: dict[str, int] = {}
        self.fixed = self.fixed_mask = 0
        left = self.size
        for field in fields:
            left -= field.bits
            if field.kind in ("unused", "constant"):
                self.fixed |= field.value << left
                self.fixed_mask |= ((1 << field.bits) - 1) << left
            else:
                self.widths[field.part] += field.bits
                self.shifts[field.part] = left
        if self.widths["timestamp"] > 63 or self.widths["node"] > 63 or self.widths["rollback"] > 4:
            raise bad()
        if not 0 < self.tick_us * 1000 <= U64_MAX or self.unix_ms(self.highest("timestamp")) > I64_MAX:
            raise bad()
        # schemes.py calls the counter `sequence`.
        self.widths["sequence"] = self.widths["counter"]

    def check_fields(self) -> None:
        fields = self.fields
        kinds = [field.part for field in fields]
        names = [field.name for field in fields if field.name]
        nodes = [index for index, kind in enumerate(kinds) if kind == "node"]
        valid = (
            len(fields) <= 16
            and 16 <= self.size <= 128
            and all(1 <= field.bits <= MAX_BITS[field.kind] for field in fields)
            and all(field.value < 1 << field.bits and field.step < 1 << field.bits for field in fields)
            and kinds.count("timestamp") == 1
            and all(kinds.count(kind) <= 1 for kind in ("counter", "random", "rollback"))
            and len(names) == len(set(names)) <= 8
            and (len(nodes) <= 1 or (len(names) == len(nodes) and nodes[-1] - nodes[0] == len(nodes) - 1))
        )
        if not valid:
            raise bad()

    @classmethod
    def of_text(cls, text: str) -> AnyLayout:
        if text and ":" not in text and " " not in text:
            text = (PRESETS | READ_ONLY).get(ALIASES.get(text, text), "")
            if not text:
                raise Refused("UNKNOWN_NAME")
        epoch_ms, tick_us, fields = 0, 1000, []
        for item in re.split(" +", text):
            head, *options = item.split(",")
            found = re.fullmatch(r"([a-z]+)(?:\.([^:]*))?:([^@]*)(?:@([0-9]*)([^0-9].*|))?", head, re.DOTALL)
            if not found or found[1] not in MAX_BITS or len(options) > 1:
                raise bad()
            kind, name, bits, count, unit = found.groups()
            if name is not None and (kind != "node" or not NAME.fullmatch(name)):
                raise bad()
            field = Field(kind, plain(bits), name or "")
            if unit is not None:
                if kind != "timestamp" or unit not in UNIT_US:
                    raise bad()
                tick_us = (plain(count) if count else 1) * UNIT_US[unit]
            for option in options:
                key, equals, value = option.partition("=")
                if not equals or key != KEYS.get(kind):
                    raise bad()
                if key == "epoch":
                    epoch_ms = moment(value)
                else:
                    field = replace(field, **one_option(key, value))
            if kind == "constant" and not options:
                raise bad()
            fields.append(field)
        return cls(fields, epoch_ms, tick_us)

    @classmethod
    def of_json(cls, text: str) -> AnyLayout:
        try:
            document = json.loads(
                text, parse_int=Literal, parse_float=Literal, parse_constant=Literal, object_pairs_hook=each_key_once
            )
        except ValueError:
            raise bad() from None
        if not isinstance(document, dict) or not isinstance(document.get("fields"), list):
            raise bad()
        if set(document) - {"fields", "epoch_ms", "tick_us"}:
            raise bad()
        fields = [json_field(item) for item in document["fields"]]
        return cls(fields, unix_ms(leaf(document, "epoch_ms", "0")), number(leaf(document, "tick_us", "1000")))

    def text(self) -> str:
        return " ".join(self.item(field) for field in self.fields)

    def item(self, field: Field) -> str:
        written = field.kind + ("." + field.name if field.name else "") + f":{field.bits}"
        if field.kind == "timestamp":
            unit, us = next((unit, us) for unit, us in UNIT_US.items() if self.tick_us % us == 0)
            count = self.tick_us // us
            if (count, unit) != (1, "ms"):
                written += f"@{'' if count == 1 else count}{unit}"
            if self.epoch_ms:
                written += ",epoch=" + written_moment(self.epoch_ms)
        elif field.kind == "constant":
            written += f",value={field.value}"
        elif field.step:
            written += f",step={field.step}"
        elif field.random_start:
            written += ",start=random"
        return written

    def json(self) -> str:
        items = []
        for field in self.fields:
            item = {"kind": field.kind} | ({"name": field.name} if field.name else {}) | {"bits": field.bits}
            if field.kind == "constant":
                item["value"] = str(field.value)
            if field.step:
                item["step"] = str(field.step)
            if field.random_start:
                item["start"] = "random"
            items.append(item)
        document = {"fields": items, "epoch_ms": str(self.epoch_ms), "tick_us": str(self.tick_us)}
        return json.dumps(document, separators=(",", ":"))

    def preset(self) -> str | None:
        own = self.text()
        return next((name for name, text in PRESETS.items() if AnyLayout.of_text(text).text() == own), None)

    def with_rollback_bits(self, bits: int) -> AnyLayout:
        """Takes the lowest bits of the node; without a node, the highest bits of the counter."""
        nodes = [index for index, field in enumerate(self.fields) if field.kind == "node"]
        counters = [index for index, field in enumerate(self.fields) if field.is_counter]
        givers = nodes or counters
        if not 1 <= bits <= 4 or not givers or self.fields[givers[-1]].bits <= bits:
            raise bad()
        last = givers[-1]
        narrower = replace(self.fields[last], bits=self.fields[last].bits - bits)
        pair = [narrower, Field("rollback", bits)] if nodes else [Field("rollback", bits), narrower]
        fields = [*self.fields[:last], *pair, *self.fields[last + 1 :]]
        return AnyLayout(fields, self.epoch_ms, self.tick_us)

    def highest(self, part: str) -> int:
        return (1 << self.widths[part]) - 1

    @property
    def is_growing(self) -> bool:
        return any(field.step for field in self.fields)

    @property
    def step(self) -> int:
        return max(field.step for field in self.fields)

    @property
    def random_start(self) -> bool:
        return any(field.random_start for field in self.fields)

    @property
    def is_unique(self) -> bool:
        return self.widths["counter"] > 0 or self.widths["random"] == 0

    @property
    def is_time_ordered(self) -> bool:
        return all(shift <= self.shifts["timestamp"] for shift in self.shifts.values())

    def tick_at(self, unix_ms: int, submillisecond_ns: int = 0) -> int:
        return times.tick_at(self, unix_ms, submillisecond_ns)

    def unix_ms(self, tick: int) -> int:
        return self.epoch_ms + tick * self.tick_us // 1000

    def joined(self, **parts: int) -> int:
        """Returns the unsigned number of these parts. Parts that are not given are 0."""
        word = self.fixed
        for part, value in parts.items():
            assert 0 <= value <= self.highest(part), (part, value)
            if self.widths[part]:
                word |= value << self.shifts[part]
        return word

    def split(self, word: int) -> dict[str, int]:
        if not 0 <= word < 1 << self.size or word & self.fixed_mask != self.fixed:
            raise Refused("ID_OUT_OF_RANGE")
        return {part: word >> shift & self.highest(part) for part, shift in self.shifts.items()}

    def interval(self, start_ms: int, end_ms: int) -> tuple[int, int]:
        """Returns the first and the last tick that overlap this half-open interval."""
        if start_ms >= end_ms:
            raise Refused("INVALID_WINDOW")
        tick_ms = Fraction(self.tick_us) / 1000
        first = (start_ms - self.epoch_ms) // tick_ms
        last = -((self.epoch_ms - end_ms) // tick_ms) - 1
        if last < 0:
            raise Refused("TIMESTAMP_BEFORE_EPOCH")
        if first > self.highest("timestamp"):
            raise Refused("TIMESTAMP_OVERFLOW")
        return max(first, 0), min(last, self.highest("timestamp"))

    def node_parts(self) -> dict[str, tuple[int, int]]:
        """Returns {name: (shift within the node, bits)}."""
        left, found = self.widths["node"], {}
        for field in self.fields:
            if field.kind == "node":
                left -= field.bits
                if field.name:
                    found[field.name] = (left, field.bits)
        return found

    def answers(self) -> dict:
        """Returns the layout's properties in the vectors' form, with exact rates."""
        counter, random = self.widths["counter"], self.widths["random"]
        per_tick = 1 << (counter or random)
        mean = Fraction(per_tick)
        if self.is_growing:
            mean = 1 + Fraction(per_tick - 1, self.step + 1)
        elif self.random_start:
            mean = Fraction(3 * per_tick, 4) + Fraction(1, 2)
        bits = self.size - self.fixed_mask.bit_count()
        nodes = self.highest("node") + 1
        per_node = mean * 1_000_000 / self.tick_us
        ticks = self.highest("timestamp") + 1
        preset = self.preset()
        return ({"name": preset} if preset else {}) | {
            "text": self.text(),
            "json": self.json(),
            "size_bits": self.size,
            "bits": bits,
            "epoch_ms": str(self.epoch_ms),
            "tick_us": str(self.tick_us),
            "first_ms": str(self.epoch_ms),
            "last_ms": str(self.unix_ms(ticks - 1)),
            "lifetime_ms": str(min(ticks * self.tick_us // 1000, U64_MAX)),
            "ids_per_tick": str(per_tick),
            "nodes": str(nodes),
            "ids": str(min(1 << bits, (1 << 128) - 1)),
            "per_node": per_node,
            "in_all": per_node * nodes,
            "is_unique": self.is_unique,
            "is_time_ordered": self.is_time_ordered,
            "places": self.places(),
        }

    def places(self) -> list[dict]:
        left, found = self.size, []
        for field in self.fields:
            left -= field.bits
            place = {"kind": field.kind} | ({"name": field.name} if field.name else {})
            found.append(place | {"bits": field.bits, "shift": left, "max": str((1 << field.bits) - 1)})
        return found


class Literal(str):
    """The text of a number in JSON."""


def one_option(key: str, value: str) -> dict:
    if key == "value":
        return {"value": number(value)}
    if key == "step":
        step = plain(value)
        if not 1 <= step <= U64_MAX:
            raise bad()
        return {"step": step}
    if value not in ("0", "random"):
        raise bad()
    return {"random_start": value == "random"}


def leaf(item: dict, key: str, default: str | None = None) -> str:
    value = item.get(key, default)
    if not isinstance(value, str):
        raise bad()
    return str(value)


def each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise bad()
    return dict(pairs)


def json_field(item: object) -> Field:
    if not isinstance(item, dict):
        raise bad()
    kind = item.get("kind")
    if not isinstance(kind, str) or isinstance(kind, Literal) or kind not in MAX_BITS:
        raise bad()
    allowed = {"kind", "bits"} | ({"name"} if kind == "node" else set())
    if kind != "timestamp" and kind in KEYS:
        allowed.add(KEYS[kind])
    if set(item) - allowed or (kind == "constant" and "value" not in item):
        raise bad()
    field = Field(kind, number(leaf(item, "bits")))
    if "name" in item:
        if isinstance(item["name"], Literal) or not NAME.fullmatch(leaf(item, "name")):
            raise bad()
        field = replace(field, name=item["name"])
    for key in ("value", "step", "start"):
        if key in item:
            field = replace(field, **one_option(key, leaf(item, key)))
    return field
