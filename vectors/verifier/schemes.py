"""Snowflake, TSID, Randflake and Ulid-Flake: compose, inspect, text, the errors of construction,
and generate.

Sources:
  Snowflake   github.com/twitter-archive/snowflake; those of the layouts are in layout.py
  TSID        github.com/f4b6a3/tsid-creator, README and TsidFormatTest.java: 42 ms since 2020-01-01
              | node | counter; 13 characters of Crockford's base32, 64 bits unsigned, in any case
  Randflake   github.com/gosuda/randflake: 30 bits of seconds since 1730000000 | 17 node |
              17 sequence, encrypted with SPARX-64/128; the block is the number's eight
              little-endian bytes
  Ulid-Flake  github.com/ulid-flake/spec: 0 | 43 ms since 2024-01-01 | 20 random, or 15 random |
              5 scalability
"""

from __future__ import annotations

from . import sparx, text
from .cursor import Cursor
from .errors import Refused
from .layout import Layout
from .times import parts_of_time

I64 = range(-(1 << 63), 1 << 63)
ULID_FLAKE_EPOCH_MS = 1704067200000
RANDFLAKE = Layout([("timestamp", 30), ("node", 17), ("sequence", 17)], 1730000000000, 1_000_000)


class Scheme:
    """The base of the four schemes. Dicts are the vectors' `in` and `out` with integers as int."""

    layout: Layout
    low_field = "sequence"
    low_error = "SEQUENCE_OUT_OF_RANGE"
    node_name = "node"
    unit_ms = 1
    canonical = "decimal"

    # Encrypts the bits of the layout to an ID. Only Randflake does.
    def sealed(self, value: int) -> int:
        return value

    def opened(self, value: int) -> int:
        return value

    def compose(self, parts: dict) -> int:
        tick = self.layout.tick_at(parts["timestamp_ms"], parts.get("submillisecond_ns", 0))
        node = parts.get(self.node_name, parts.get("node", 0))
        if not 0 <= node <= self.layout.highest("node"):
            raise Refused("NODE_OUT_OF_RANGE")
        low = parts[self.low_field]
        if not 0 <= low <= self.layout.highest("sequence"):
            raise Refused(self.low_error)
        rollback = parts.get("rollback", 0)
        if not 0 <= rollback <= self.layout.highest("rollback"):
            raise Refused("ROLLBACK_OUT_OF_RANGE")
        return self.sealed(self.layout.joined(timestamp=tick, node=node, sequence=low, rollback=rollback))

    def inspect(self, value: int) -> dict:
        if value not in I64:
            raise Refused("ID_OUT_OF_RANGE")
        fields = self.layout.split(self.opened(value))
        if fields is None:
            raise Refused("ID_OUT_OF_RANGE")
        parts = parts_of_time(self.layout, fields["timestamp"]) | {self.low_field: fields["sequence"]}
        if self.layout.widths["node"]:
            parts["node"] = fields["node"]
        if self.layout.widths["rollback"]:
            parts["rollback"] = fields["rollback"]
        return parts

    def to_text(self, value: int) -> str:
        self.inspect(value)
        return text.encode(value, self.canonical, None)

    def from_text(self, written: str, lenient: bool) -> int:
        value = text.decode(written, self.canonical, None, lenient)
        self.inspect(value)
        return value

    def nodes(self, given: dict) -> tuple[int, int]:
        """Checks and returns the requested range of nodes [first, end)."""
        limit = self.layout.highest("node") + 1
        if not self.layout.widths["node"]:
            return 0, 1
        if given.get("node") is not None:
            first, end = given["node"], given["node"] + 1
        elif given.get("nodes") is not None:
            first, end = given["nodes"]
        else:
            raise Refused("NODE_REQUIRED")
        if not 0 <= first < end <= limit:
            raise Refused("NODE_OUT_OF_RANGE")
        return first, end

    def window(self, given: dict) -> tuple[int, int]:
        """Returns the ticks that are wholly in the window, which must be in the layout's time."""
        layout = self.layout
        start, end = 0, layout.highest("timestamp") + 1
        if given.get("window") is not None:
            start_us, end_us = ((moment * self.unit_ms - layout.epoch_ms) * 1000 for moment in given["window"])
            if start_us < 0 or end_us > end * layout.tick_us:
                raise Refused("INVALID_WINDOW")
            start, end = -(-start_us // layout.tick_us), end_us // layout.tick_us
        if given.get("not_before") is not None:
            start = max(start, self.first_tick_after(given["not_before"]))
        if start >= end:
            raise Refused("INVALID_WINDOW")
        return start, end

    def first_tick_after(self, known: int) -> int:
        """Returns the first tick whose time, in the window's unit, is later than this one."""

        def told(tick: int) -> int:
            return self.layout.unix_ms(tick) // self.unit_ms

        low, high = 0, self.layout.highest("timestamp") + 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if told(middle) > known else (middle + 1, high)
        return low

    def generator(self, given: dict) -> Generator:
        return Generator(self, given)


class Generator:
    """A generator whose positions are tick, node index and sequence, in that order."""

    def __init__(self, scheme: Scheme, given: dict) -> None:
        self.scheme = scheme
        self.first_node, end_node = scheme.nodes(given)
        room = (end_node - self.first_node) << scheme.layout.widths["sequence"]
        window, policy = scheme.window(given), given.get("rollback")
        self.cursor = Cursor(scheme.layout, room, window, given.get("max_wait_ms"), policy)

    def next(self, clock_ms: int) -> int:
        tick, low, rollback = self.cursor.next(clock_ms)
        layout = self.scheme.layout
        index, sequence = low >> layout.widths["sequence"], low & layout.highest("sequence")
        fields = {"timestamp": tick, "node": self.first_node + index, "sequence": sequence, "rollback": rollback}
        return self.scheme.sealed(layout.joined(**fields))


class Snowflake(Scheme):
    def __init__(self, config: dict) -> None:
        self.layout = Layout.of(config["layout"])
        if not self.layout.widths["node"]:
            raise Refused("INVALID_LAYOUT")


class Tsid(Snowflake):
    canonical = "crockford"

    def from_text(self, written: str, lenient: bool) -> int:
        value = text.decode_any_case_crockford(written, lenient)
        self.inspect(value)
        return value


class Randflake(Scheme):
    layout = RANDFLAKE
    unit_ms = 1000
    canonical = "base32hex"

    def __init__(self, config: dict) -> None:
        self.key = bytes.fromhex(config["secret"])
        if len(self.key) != 16:
            raise Refused("INVALID_SECRET")

    def sealed(self, value: int) -> int:
        block = value.to_bytes(8, "little", signed=True)
        return int.from_bytes(sparx.encrypt(self.key, block), "little", signed=True)

    def opened(self, value: int) -> int:
        block = value.to_bytes(8, "little", signed=True)
        return int.from_bytes(sparx.decrypt(self.key, block), "little", signed=True)


class UlidFlake(Scheme):
    low_field = "random"
    low_error = "RANDOM_OUT_OF_RANGE"
    node_name = "scalability"
    canonical = "crockford"

    def __init__(self, config: dict) -> None:
        self.scalable = config["scalable"]
        self.entropy_size = config["entropy_size"]
        if not 1 <= self.entropy_size <= (2 if self.scalable else 3):
            raise Refused("INVALID_ENTROPY_SIZE")
        low = [("sequence", 15), ("node", 5)] if self.scalable else [("sequence", 20)]
        self.layout = Layout([("unused", 1), ("timestamp", 43), *low], int(config["epoch_ms"]), 1000)

    def from_text(self, written: str, lenient: bool) -> int:
        value = text.decode_any_case_crockford(written, lenient)
        if value < 0:
            raise Refused("TEXT_OVERFLOW")
        return value

    def nodes(self, given: dict) -> tuple[int, int]:
        scalability = given.get("scalability")
        return super().nodes({"node": scalability})

    def generator(self, given: dict) -> UlidFlakeGenerator:
        return UlidFlakeGenerator(self, given)


class UlidFlakeGenerator(Generator):
    """A generator of Ulid-Flakes, whose next() returns the predictable parts: time, node, new tick.

    The model counts random parts from 0. Real ones start anywhere in the field. The vectors have
    few IDs in a tick, so that real random parts reach the end of the field in at most about one run
    in a thousand.
    """

    def next(self, clock_ms: int) -> dict:
        tick, low, _ = self.cursor.next(clock_ms)
        parts = {"timestamp_ms": self.scheme.layout.unix_ms(tick), "new_tick": low == 0}
        if self.scheme.layout.widths["node"]:
            parts["node"] = self.first_node
        return parts


def of(subject: str, config: dict) -> Scheme:
    return {"snowflake": Snowflake, "tsid": Tsid, "randflake": Randflake, "ulid-flake": UlidFlake}[subject](config)
