# What the classes of schemes are is in _schemes.pyi.
# ruff: noqa: F403, F405

from collections.abc import Coroutine, Iterable, Mapping
from datetime import date as _date
from datetime import datetime
from types import GenericAlias
from typing import Any, ClassVar, Generic, NoReturn, Self, SupportsIndex, TypeAlias, final, overload
from uuid import UUID

from typing_extensions import Buffer, TypeVar, disjoint_base

from saiban._schemes import *
from saiban.names import (
    Encoding,
    FieldKind,
    Guarantee,
    LayoutName,
    LeaseScheme,
    LeaseState,
    ReadLayoutName,
    Scheme,
    Scope,
)
from saiban.values import Candidate, Capacity, PartsDict, Place, Rate

__all__ = [
    "Counter",
    "CounterStatus",
    "DailyCounter",
    "DailyNumber",
    "Flake",
    "FlakeGenerator",
    "Generator",
    "Layout",
    "Lease",
    "LeaseStatus",
    "ManualClock",
    "ObjectId",
    "ObjectIdGenerator",
    "Parts",
    "Randflake",
    "RandflakeGenerator",
    "RemoteGenerator",
    "RemoteStatus",
    "SharedCounter",
    "Snowflake",
    "SnowflakeGenerator",
    "Stats",
    "TickId",
    "TickIdGenerator",
    "Tsid",
    "TsidGenerator",
    "Ulid",
    "UlidFlake",
    "UlidFlakeGenerator",
    "UlidGenerator",
    "Uuid",
    "UuidGenerator",
    "Xid",
    "XidGenerator",
    "candidates",
    "decode",
    "encode",
    "error_kinds",
    "inspect",
    "uuid_from_guid_bytes",
    "uuid_to_guid_bytes",
]

_Field: TypeAlias = tuple[FieldKind, int] | tuple[FieldKind, int, dict[str, int | str]]
_GivenField: TypeAlias = (
    tuple[FieldKind, SupportsIndex] | tuple[FieldKind, SupportsIndex, Mapping[str, Any]] | list[Any]
)
_Node: TypeAlias = SupportsIndex | Mapping[str, SupportsIndex]
_Time: TypeAlias = SupportsIndex | datetime

# What an ID is.
_Id = TypeVar("_Id", default=int)

@disjoint_base
class Generator(Generic[_Id]):
    """The base class of all generators, for annotations and isinstance.

    The type of an ID depends on the scheme: Generator[int] makes integers, as Snowflake does;
    Generator[uuid.UUID] makes UUIDs, Generator[str] text, as Ulid does. Generator alone is
    Generator[int]. Many threads can use one generator at once.

    A generator is also an iterator. It never ends: each step makes an ID as generate does, and
    raises its errors.

    >>> import saiban
    >>> ids = saiban.Snowflake(node=7)
    >>> [(name, ids.inspect(id).node) for name, id in zip(["pen", "ink"], ids)]
    [('pen', 7), ('ink', 7)]
    """

    @property
    def scheme(self) -> Scheme:
        """The scheme's name, such as snowflake or uuid-v7."""
    @property
    def prefix(self) -> str | None:
        """The prefix of the text of its IDs; None without a prefix."""
    @property
    def lease(self) -> Lease | None:
        """The lease of its IDs: the one that was given, or its own from its store; None without a
        lease.
        """
    def generate(self) -> _Id:
        """Makes an ID, waiting for at most max_wait_ms.

        With scope "process", and on the system's clock, the first ID waits for the tick after the
        one in which the generator was built: up to a second for Randflake. With scope "machine"
        only the first generator of a layout since the machine was started waits, that long or 2 ms.
        Generators that random bits keep apart have no such wait. Other threads run during a wait;
        Ctrl-C takes effect after it.

        Raises WouldWaitError if the next ID needs a longer wait, or any wait with a ManualClock;
        ClockBackwardError if the clock is further behind the last ID, and with the policy "error"
        if it is behind at all; ClockJumpedError if it has jumped ahead by more than max_jump_s;
        LeaseNotBegunError and LeaseExpiredError outside the window; TimestampBeforeEpochError and
        TimestampOverflowError for a clock outside the layout's time; StateUnavailableError if the
        state file cannot be written, or the file of scope "machine" cannot be used;
        EntropyUnavailableError.

        A generator with a lease raises LeaseExpiredError or LeaseLostError while there is no lease.
        In a forked process it first acquires its own lease, and raises what Lease.acquire raises.
        Any other generator with scope "process" or a state file raises ForkedError in a forked
        process, unless random bits keep generators apart.
        """
    def generate_async(self) -> Coroutine[Any, Any, _Id]:
        """Makes an ID without blocking the event loop: an asyncio coroutine.

        It waits on a timer, for at most max_wait_ms, by default 2000. A RemoteGenerator waits for
        its service for at most wait_s.

        A generator with a state file waits for its disk in a thread of asyncio. In a forked
        process, a generator with a lease acquires its own lease in such a thread.

        Raises what generate raises.

        >>> import asyncio, saiban
        >>> async def main():
        ...     ids = saiban.UlidFlake()
        ...     return await asyncio.gather(*(ids.generate_async() for _ in range(1000)))
        >>> len(set(asyncio.run(main())))
        1000
        """
    def __iter__(self) -> Self: ...
    def __next__(self) -> _Id: ...
    def try_generate(self) -> _Id | None:
        """Makes an ID if that needs no wait, else returns None.

        It returns None at first if generate would wait for the generator's first tick.

        Raises what generate raises, except WouldWaitError.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[_Id]:
        """Makes this many IDs, at most 10 million a call, waiting as generate does before each.

        Raises what generate raises, and InvalidArgumentError for a count that is negative or too
        large.
        """
    def fill(self, buffer: Buffer, /) -> int:
        """Fills a buffer with IDs, waiting as generate does; returns the number of IDs written.

        The buffer is one-dimensional and of signed 64-bit integers, such as a numpy int64 array or
        array.array("q"). For IDs of more than 64 bits it is one of bytes, such as a bytearray: each
        ID takes as many of them as its bits need (Parts.id_bytes: 16 of a UUID, 12 of an ObjectId,
        10 of a tick ID), the highest first. Filling stops early if no more IDs are available after
        the first.

        Raises what generate raises if it can issue no ID at all; WrongTypeError for anything but a
        writable buffer of that kind; InvalidArgumentError if the buffer does not hold a whole
        number of IDs.

        >>> import array, saiban
        >>> ids = array.array("q", bytes(8 * 100))
        >>> saiban.Snowflake(node=7).fill(ids)
        100
        >>> saiban.Uuid(7).fill(bytearray(16 * 100))
        100
        """
    def generate_text(self, encoding: Encoding | None = None) -> str:
        """Makes an ID and writes it as its canonical text, or in an encoding (see saiban.encode),
        which is of the number alone, without a prefix.

        Raises what generate raises, and UnknownNameError.
        """
    @overload
    def to_text(self: Generator[int], id: SupportsIndex, encoding: Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode), which is of the
        number alone, without a prefix.

        An ID of 128 bits, such as a ULID, may also be given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and
        UnknownNameError. With a prefix every uuid.UUID is written, also one of another version.
        """
    @overload
    def to_text(self, id: _Id, encoding: Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode), which is of the
        number alone, without a prefix.

        An ID of 128 bits, such as a ULID, may also be given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and
        UnknownNameError. With a prefix every uuid.UUID is written, also one of another version.
        """
    def from_text(self, text: str, *, lenient: bool = False) -> _Id:
        """Reads an ID from its canonical text, or with lenient=True from variants of it. Any
        case is read in both ways where the scheme's specification says so, as that of ULIDs does,
        and there is no prefix; else each ID has one text.

        Raises TextLengthError, TextCharacterError (with the position; also for another prefix),
        TextOverflowError, TextNotCanonicalError, and IdOutOfRangeError when the number is not an ID
        of this scheme and layout.
        """
    @overload
    def inspect(self: Generator[int], id: SupportsIndex | str, /) -> Parts[int]:
        """Takes an ID, or its canonical text, apart. An ID of 128 bits, such as a ULID, may also be
        given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """
    @overload
    def inspect(self, id: _Id | str, /) -> Parts[_Id]:
        """Takes an ID, or its canonical text, apart. An ID of 128 bits, such as a ULID, may also be
        given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """
    def range(self, start: _Time, end: _Time) -> tuple[_Id, _Id]:
        """The smallest and the largest ID that can have been made in the half-open interval from start
        to end: for a query by primary key (BETWEEN, both included).

        start, end: Unix milliseconds, or datetimes with a time zone. Ticks that lie partly in the
        interval count; what lies outside the format's time is left out.

        Raises NotTimeOrderedError for a scheme whose IDs do not sort by time: Randflake, UUID
        versions 1 and 4, and a layout with a field above the timestamp; InvalidWindowError for an
        interval that is empty, or in which IDs turn negative; TimestampBeforeEpochError and
        TimestampOverflowError for one outside the format's time.

        >>> import datetime, saiban
        >>> day = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
        >>> saiban.Snowflake(node=7).range(day, day + datetime.timedelta(days=1))
        (1741610183685046272, 1741972571550646271)
        """
    def stats(self) -> Stats:
        """Returns statistics of the generator.

        They show how many IDs were issued, how often the generator waited and found the clock set
        back, how long it lasts, what its IDs promise, and which generators share its cursor.

        Raises ClockUnavailableError.
        """
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    def __reduce__(self) -> NoReturn: ...

@final
class ManualClock:
    """A clock for tests: its time changes only by set and advance, in either direction, and it never
    waits.

    Times are Unix milliseconds, 0 to 18446744073709. The generator sees later changes. Where its
    next ID needs a wait, `generate` raises WouldWaitError.

    Raises ClockUnavailableError for a time that no clock can show.

    >>> import saiban
    >>> clock = saiban.ManualClock(1_704_067_200_000)
    >>> saiban.Snowflake(node=7, clock=clock).generate()
    1741610183685074944
    """

    def __new__(cls, timestamp_ms: SupportsIndex) -> ManualClock: ...
    def set(self, timestamp_ms: SupportsIndex) -> None:
        """Shows this time from now on, Unix milliseconds.

        Raises ClockUnavailableError for a time that no clock can show; the old one stays.
        """
    def advance(self, delta_ms: SupportsIndex) -> None:
        """Moves the time by this many milliseconds, backwards if negative.

        Raises ClockUnavailableError for a time that no clock can show; the old one stays.
        """
    def now_ms(self) -> int:
        """The time it shows, Unix milliseconds."""
    def __reduce__(self) -> NoReturn: ...

@final
class Layout:
    """How the 16 to 128 bits of an ID are divided, and the unit of its time.

    A value: equal, hashable, and it pickles. from_text reads one from text, the same in all
    languages.

    fields: (kind, bits) from the highest bit to the lowest, 16 to 128 bits in all; kinds are
    unused, timestamp, node, sequence, random, rollback (1 to 4 bits: see with_rollback_bits) and
    constant. An optional third item is a dictionary with the field's options: {"value": 3} is the
    value of a constant; {"name": "worker"} is the name of a part of the node, which may have
    several parts side by side; {"start": "random"} is for a sequence that begins each tick with a
    random number in the lower half of its range; {"step": 255} is for a random part that is random
    at each new tick and grows by 1 to this number within the tick. Without a step, a random part is
    random for each ID.
    epoch_ms: the time of tick 0, Unix milliseconds; by default the Unix epoch.
    tick_us: the length of a tick in microseconds; by default a millisecond.

    Raises InvalidLayoutError with the field at fault, UnknownNameError for a kind.

    >>> import saiban
    >>> fields = [("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16)]
    >>> saiban.Layout(fields, epoch_ms=1_577_836_800_000).max_node
    63
    """

    TWITTER: ClassVar[Layout]
    DISCORD: ClassVar[Layout]
    INSTAGRAM: ClassVar[Layout]
    SONYFLAKE: ClassVar[Layout]
    SONYFLAKE_V2: ClassVar[Layout]
    MASTODON: ClassVar[Layout]
    BAIDU: ClassVar[Layout]
    BWMARRIN: ClassVar[Layout]
    def __new__(
        cls, fields: Iterable[_GivenField], *, epoch_ms: SupportsIndex = 0, tick_us: SupportsIndex = 1000
    ) -> Layout: ...
    @staticmethod
    def preset(name: LayoutName | ReadLayoutName, /) -> Layout:
        """The preset of this name, such as twitter, discord or ulid-flake. Presets of Snowflakes are
        also constants of this class, such as Layout.TWITTER. bwmarrin is Twitter's.

        Raises UnknownNameError for any other text.
        """
    @property
    def name(self) -> LayoutName | None:
        """The name of a Snowflake's preset, else None: other schemes' presets, such as ulid-flake,
        have none.
        """
    @staticmethod
    def from_text(text: str, /) -> Layout:
        """Reads a layout from text, the same in all languages and in configuration files; a preset's
        name is read too.

        Fields are listed from the highest bit to the lowest, separated by spaces: unused:BITS,
        constant:BITS,value=NUMBER, timestamp:BITS@UNIT,epoch=TIME (UNIT is us, ms, s, min, h or d,
        with a number before it or none, by default ms; TIME a date, a time in UTC, or Unix
        milliseconds, by default 1970-01-01), node:BITS or several node.NAME:BITS, sequence:BITS
        (,start=random), random:BITS (,step=NUMBER), rollback:BITS.

        Raises InvalidLayoutError, which names the part, with its position.

        >>> import saiban
        >>> text = "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12"
        >>> saiban.Layout.from_text(text).to_text()
        'unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12'
        """
    def to_text(self) -> str:
        """The canonical text, without defaults. str(layout) returns this text too."""
    @staticmethod
    def from_json(json: str, /) -> Layout:
        """Reads a layout from JSON, as to_json writes it; numbers may be JSON numbers or text.

        Raises InvalidLayoutError, which names the part, or line and column.
        """
    def redis_script(self) -> str:
        """A script for Redis that makes IDs of this layout: for EVAL with any client, such as
        redis-py's register_script. KEYS[1] is a hash whose field node is the node of the IDs,
        ARGV[1] the number of IDs, at most 4096. The script returns a list of texts, or the error
        SAIBAN_WAIT with the microseconds to wait.

        Raises InvalidArgumentError for a layout that is not made of time, node and sequence, of at
        most 64 bits.

        >>> import saiban
        >>> "redis.call" in saiban.Layout.TWITTER.redis_script()
        True
        """
    def redis_library(self, name: str) -> str:
        """Returns the script as a library of functions, for FUNCTION LOAD (Redis 7): FCALL name 1 key
        count.

        Raises what redis_script raises, and for a name that is not made of 1 to 48 small letters,
        digits and _.
        """
    def postgres_function(self, name: str, node: SupportsIndex) -> str:
        """SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs of this
        layout and node: for DEFAULT name() of a column.

        Raises what redis_library raises; NodeOutOfRangeError.
        """
    def to_json(self) -> str:
        """The layout as JSON, the same in all languages; numbers that may pass 2^53 are text.

        >>> import saiban
        >>> saiban.Layout.from_text("timestamp:44 random:20").to_json()
        '{"fields":[{"kind":"timestamp","bits":44},{"kind":"random","bits":20}],"epoch_ms":"0","tick_us":"1000"}'
        """
    @property
    def places(self) -> tuple[Place, ...]:
        """The fields with their places, from the highest bit to the lowest: a tuple of saiban.Place.

        >>> import saiban
        >>> [(place.kind, place.shift, place.max) for place in saiban.Layout.TWITTER.places][2:]
        [('node', 12, 1023), ('sequence', 0, 4095)]
        """
    @property
    def size_bits(self) -> int:
        """The number of bits of an ID: 16 to 128."""
    @property
    def first_ms(self) -> int:
        """When the first tick begins, Unix milliseconds: the epoch."""
    @property
    def lifetime_ms(self) -> int:
        """How long the layout lasts, from the first tick to the end of the last, milliseconds."""
    @property
    def capacity(self) -> Capacity:
        """The number of IDs that the layout holds: a saiban.Capacity.

        >>> import saiban
        >>> saiban.Layout.TWITTER.capacity
        Capacity(ids_per_tick=4096, nodes=1024, bits=63, ids=9223372036854775808)
        """
    @property
    def ids_per_second(self) -> Rate:
        """The sustained number of IDs a second, of one node and of all: a saiban.Rate. It is the mean
        if the number of IDs in a tick is random.

        >>> import saiban
        >>> saiban.Layout.SONYFLAKE.ids_per_second
        Rate(per_node=25600.0, in_all=1677721600.0)
        """
    @property
    def is_unique(self) -> bool:
        """Whether time, node, and sequence or growing random part distinguish all IDs. It is False if
        only a random part does: see collision_odds.
        """
    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of generators of this layout: see Stats.guarantee."""
    @property
    def is_time_ordered(self) -> bool:
        """Whether IDs sort by time: no variable field is above the timestamp."""
    def collision_odds(self, ids_per_second: float, seconds: float) -> float:
        """The probability, 0.0 to 1.0, that at least two IDs of one node are equal, at this rate and
        after this time. Without a node field it is that of all generators together. It is 0.0 if
        IDs are unique, and 1.0 for infinitely many IDs.

        Raises InvalidArgumentError for a number that is negative or NaN.

        >>> import saiban
        >>> layout = saiban.Layout.from_text("timestamp:48 random:80")
        >>> f"{layout.collision_odds(1_000_000, 365 * 86_400):.3e}"
        '1.304e-08'
        """
    def node_of_parts(self, parts: Mapping[str, SupportsIndex], /) -> int:
        """The node of these parts, a mapping of each one's name to its number.

        Raises UnknownNameError for a name that no part has, InvalidArgumentError for a part that is
        missing, NodeOutOfRangeError for a number that does not fit its part.

        >>> import saiban
        >>> layout = saiban.Layout.from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12")
        >>> layout.node_of_parts({"worker": 3, "datacenter": 2})
        67
        """
    def node_parts(self, node: SupportsIndex, /) -> dict[str, int]:
        """The parts of this node, by name; empty if they have no names.

        Raises NodeOutOfRangeError for a node that is not of this layout.

        >>> import saiban
        >>> saiban.Layout.from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12").node_parts(67)
        {'datacenter': 2, 'worker': 3}
        """
    @property
    def fields(self) -> tuple[_Field, ...]:
        """The fields as Layout takes them: (kind, bits) from the highest bit to the lowest, with a
        dictionary as a third item if a field has options. See places for their positions.
        """
    @property
    def epoch_ms(self) -> int:
        """The time of tick 0, Unix milliseconds."""
    @property
    def last_ms(self) -> int:
        """The last time that the layout can hold, Unix milliseconds: when its last tick begins."""
    @property
    def tick_us(self) -> int:
        """The length of a tick in microseconds."""
    @property
    def max_node(self) -> int:
        """The largest node id, 0 when there is no node field."""
    @property
    def max_rollback(self) -> int:
        """The largest number of clock steps back that an ID can hold; 0 without a rollback field."""
    def with_rollback_bits(self, bits: SupportsIndex, /) -> Layout:
        """Returns this layout with a rollback field of 1 to 4 bits, which counts the clock's steps
        back. The bits are taken from the low end of the node field, or without one from the high
        end of the sequence or the growing random part.

        Each value of the field is like a node of its own, so a generator continues when the clock
        steps back.

        Raises InvalidLayoutError for other than 1 to 4 bits, for a field that is not wider, and
        where there is a rollback field.

        >>> import saiban
        >>> layout = saiban.Layout.TWITTER.with_rollback_bits(2)
        >>> layout.max_node, layout.max_rollback
        (255, 3)
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parts(Generic[_Id]):
    """The parts of an ID. Parts that a scheme does not have are None.

    A value: equal, hashable, and it pickles.

    >>> import saiban
    >>> parts = saiban.Snowflake(node=0).inspect(1741610183685074945)
    >>> parts.time.isoformat(), parts.node, parts.sequence
    ('2024-01-01T00:00:00+00:00', 7, 1)
    """

    def __new__(
        cls,
        *,
        scheme: Scheme,
        id: SupportsIndex | str | UUID,
        timestamp_ms: SupportsIndex | None = None,
        layout: str | None = None,
        node: SupportsIndex | None = None,
        sequence: SupportsIndex | None = None,
        random: SupportsIndex | None = None,
        rollback: SupportsIndex | None = None,
        secret_index: SupportsIndex | None = None,
        node_parts: Mapping[str, SupportsIndex] | None = None,
        bits: SupportsIndex | None = 64,
        submillisecond_ns: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> Parts[Any]: ...
    @property
    def scheme(self) -> Scheme:
        """The scheme's name, such as snowflake or uuid-v7; uuid for a UUID of a version that saiban
        does not make.
        """
    @property
    def layout(self) -> str | None:
        """The layout's name, if it is a preset: twitter, discord, …; for a UUID of another version
        than 1, 4 and 7 the version: v6, nil, …; for a tick ID the order.
        """
    @property
    def id(self) -> _Id:
        """The ID itself, as generators make it: an int, a uuid.UUID or text."""
    @property
    def text(self) -> str:
        """The ID as its canonical text, with the prefix if it has one."""
    @property
    def id_bytes(self) -> bytes:
        """The ID as bytes, the highest first, as many as its bits need: 8 for an ID of 64 bits, 12 for
        an ObjectId.
        """
    @property
    def bits(self) -> int:
        """The width of the ID in bits: 64, or the width of its scheme or layout."""
    @property
    def timestamp_ms(self) -> int | None:
        """When its tick began, Unix milliseconds, rounded down; None if the scheme has no time (UUID
        v4).
        """
    @property
    def submillisecond_ns(self) -> int | None:
        """The nanoseconds from timestamp_ms to the beginning of the tick: 0 to 999,999, a multiple of
        100 for a UUID v1 or v6 and for a tick ID. None if ticks are whole milliseconds, or if the
        scheme has no time.

        >>> import saiban
        >>> parts = saiban.TickId("ascending").inspect("0638996766900001234_0042")
        >>> parts.timestamp_ms, parts.submillisecond_ns
        (1764079890000, 123400)
        """
    @property
    def time(self) -> datetime | None:
        """When its tick began, a datetime in UTC, rounded down to the microsecond; submillisecond_ns
        is exact. None outside the years 1 to 9999.
        """
    @property
    def node(self) -> int | None:
        """The node: for a scalable Ulid-Flake the scalability id, for an ObjectId its 40 random bits,
        for a UUID v1 its 48 bits.
        """
    @property
    def node_parts(self) -> dict[str, int]:
        """The parts of the node by their names; empty if they have no names."""
    @property
    def sequence(self) -> int | None:
        """The sequence number within the tick: for an ObjectId the counter, for a UUID v1 the clock
        sequence.
        """
    @property
    def random(self) -> int | None:
        """The random part."""
    @property
    def rollback(self) -> int | None:
        """The number of times that the clock had stepped back, if the layout has rollback bits."""
    @property
    def secret_index(self) -> int | None:
        """The index of the secret with which the ID was read, if several were given: 0 for secret, 1
        and up for old_secrets; see inspect.
        """
    @property
    def prefix(self) -> str | None:
        """The prefix of the text of the generator's IDs; None without a prefix."""
    def as_dict(self) -> PartsDict:
        """The parts as a dictionary for json.dumps. Its keys are the names of the properties.

        id and random are text, because JavaScript loses digits of numbers above 2**53, and so are a
        node and a sequence above 2**53 - 1. id_bytes is hexadecimal text. time is text as in
        ISO 8601, in UTC, to the millisecond. The npm package writes JSON in this form too, with
        JavaScript's spelling of the names.

        >>> import json, saiban
        >>> parts = saiban.Snowflake(node=0).inspect(1741610183685074945)
        >>> found = json.loads(json.dumps(parts.as_dict()))
        >>> found["id"], found["time"], found["node"]
        ('1741610183685074945', '2024-01-01T00:00:00.000Z', 7)
        """
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any, /) -> Any: ...
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Lease:
    """A lease of nodes: no other holder has them while the lease lasts.

    Lease.acquire takes a range of nodes from a store that all processes share, for ttl_s seconds,
    and renews it in the background after a third of that time. A generator with lease= makes IDs of
    these nodes, and only within the lease's time. If the store cannot be reached until the lease
    ends, generators raise LeaseExpiredError; if another holder has the nodes, LeaseLostError. They
    continue by themselves with a new lease, which may have different nodes.

    A generator that is made with store= acquires a lease of its own, for its own scheme, layout and
    secret.

    The nodes are released by release, at the end of `with`, when the lease and all its generators
    are gone, and when the interpreter ends, after all other threads. A program that is killed, or
    ends with os._exit, holds them until its lease ends.

    In a forked process, such as a worker of gunicorn with --preload, a lease
    acquires nodes of its own when it is first used there, which may take wait_s; the parent keeps
    its own. A lease of memory: cannot, and raises ForkedError.

    One lease may be used by many threads and generators at once, all of its scheme and layout:
    others raise NamespaceMismatchError.

    >>> import saiban
    >>> with saiban.Lease.acquire("memory:example", nodes=4) as lease:
    ...     ids = saiban.Snowflake(lease=lease)
    ...     ids.inspect(ids.generate()).node in lease.nodes
    True
    """

    @classmethod
    def acquire(
        cls,
        url: str,
        *,
        namespace: str | None = "default",
        nodes: SupportsIndex | None = 1,
        ttl_s: SupportsIndex | None = 600,
        scheme: LeaseScheme | None = "snowflake",
        layout: Layout | str | None = None,
        secret: Buffer | None = None,
        create: bool | None = None,
        max_ttl_s: SupportsIndex | None = 3600,
        max_clock_skew_s: SupportsIndex | None = 10,
        holder: str | None = None,
        wait_s: SupportsIndex | None = 10,
    ) -> Lease:
        """Acquires a lease from a store, waiting for it for at most wait_s. Other threads run
        meanwhile; Ctrl-C takes effect after the wait.

        url: the store: sqlite:///path, postgres://, mysql://, redis://, etcd://, zookeeper://, with
        user and password in the usual form of each server; saiban://:TOKEN@host, a service (saiban
        serve); or memory:NAME, which is in this process alone.
        namespace: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and . ; generators whose IDs go
        into one column must use the same namespace.
        nodes: the number of adjacent nodes, 1 to 65536. ttl_s: the length of the lease in seconds,
        1 up to the namespace's maximum; a killed process holds its nodes that long.
        scheme, layout, secret: the IDs of the lease. scheme: one whose generators take a lease.
        layout: by default the scheme's own (snowflake: Layout.TWITTER, ulid-flake: scalable IDs);
        flake has no default. secret: for randflake; the store gets only a check number of it.
        create: whether to create the namespace if it does not exist. An empty store may mean that
        data was lost, so on a server you create it once, with this argument or the command `saiban
        lease init`; None is True for sqlite: and memory:.
        max_ttl_s: the longest lease that a new namespace allows, 1 to 2592000 (30 days).
        max_clock_skew_s: how far this machine's clock may be from the store's.
        holder: the name of this program in listings, up to 120 characters; by default host and
        process id.
        wait_s: how long to wait for a store that cannot be reached, at least a second.

        Raises InvalidArgumentError, UnknownNameError, InvalidSecretError; StoreUnavailableError,
        StoreCorruptError, StoreUnsupportedError; NamespaceUnknownError, NamespaceMismatchError
        where the namespace is for other IDs, NamespaceFullError, NamespaceQuarantinedError;
        ClockSkewError. No message contains the URL's password.

        >>> import saiban
        >>> lease = saiban.Lease.acquire("memory:example", namespace="orders", nodes=4, ttl_s=60)
        >>> len(lease.nodes)
        4
        >>> lease.release()
        """
    @classmethod
    def acquire_async(
        cls,
        url: str,
        *,
        namespace: str | None = "default",
        nodes: SupportsIndex | None = 1,
        ttl_s: SupportsIndex | None = 600,
        scheme: LeaseScheme | None = "snowflake",
        layout: Layout | str | None = None,
        secret: Buffer | None = None,
        create: bool | None = None,
        max_ttl_s: SupportsIndex | None = 3600,
        max_clock_skew_s: SupportsIndex | None = 10,
        holder: str | None = None,
        wait_s: SupportsIndex | None = 10,
    ) -> Coroutine[Any, Any, Lease]:
        """Like acquire, as an asyncio coroutine: `lease = await
        saiban.Lease.acquire_async(url)`. It does not block the event loop.

        >>> import asyncio, saiban
        >>> async def main():
        ...     async with await saiban.Lease.acquire_async("memory:example") as lease:
        ...         return saiban.Snowflake(lease=lease).generate()
        >>> asyncio.run(main()) > 0
        True
        """
    @property
    def nodes(self) -> range:
        """The current nodes, half-open. They can change if the lease was lost or has expired, and in a
        forked process.

        Raises LeaseLostError while there is no lease, StoreUnavailableError if the store is the
        reason; in a forked process what acquire raises, and ForkedError for a lease of memory:.
        """
    def status(self) -> LeaseStatus:
        """Returns the status of the lease. The store is not contacted, except in a forked process,
        which first acquires its own lease.

        Raises in a forked process what acquire raises, and ForkedError for a lease of memory:.
        """
    def renew(self) -> None:
        """Requests a renewal now instead of after a third of the time. It does not wait for the reply:
        see status.

        Raises what status raises.
        """
    def release(self) -> None:
        """Closes every generator of the lease and releases its nodes, which other holders may get at
        once. Generators of the lease then raise LeaseLostError.

        It waits for the store for at most 5 seconds; other threads run meanwhile. A second call
        does nothing.

        Raises StoreUnavailableError if the store does not reply: the lease then expires.
        """
    def __enter__(self) -> Lease: ...
    def __exit__(self, *_error: object) -> None: ...
    def __aenter__(self) -> Coroutine[Any, Any, Lease]: ...
    def __aexit__(self, *_error: object) -> Coroutine[Any, Any, None]: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Counter:
    """Counts in this process's memory: 1, 2, 3 ..., or from start on, by step. It begins again in
    every process: use a SharedCounter for numbers that persist.

    Any number of threads may use it; each number comes once. A forked process raises
    ForkedError. A counter is also an iterator: each step returns the next number, as generate does.

    start: 0 to 2**63 - 1. step: 1 to 2**63 - 1. Counters with equal steps share no number if their
    starts differ modulo the step.

    Raises InvalidArgumentError.

    >>> import saiban
    >>> counter = saiban.Counter(start=2, step=5)
    >>> counter.generate(), counter.generate_many(2)
    (2, [7, 12])
    >>> list(zip("ab", counter))
    [('a', 17), ('b', 22)]
    """

    def __new__(cls, *, start: SupportsIndex = 1, step: SupportsIndex = 1) -> Counter: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> int: ...
    def generate(self) -> int:
        """The next number.

        Raises CounterExhaustedError past 2**63 - 1; ForkedError in a forked process.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[int]:
        """Returns this many numbers, 0 to 10 million; fewer only if the counter runs out of numbers.

        Raises what generate raises, and InvalidArgumentError for a count that is negative or too
        large.
        """

@final
class SharedCounter:
    """Sequential numbers from a store that processes share: no number is issued twice.

    A process takes a block of numbers with one round trip, and fetches the next before it needs it.
    The numbers of one process ascend; those of several processes are interleaved. A process that
    ends loses its prefetched numbers, at most two blocks, so there are gaps. A forked process
    takes its own numbers; a counter of memory: raises ForkedError in it. A counter is also an
    iterator: each step returns the next number, as generate does.

    url: the store: sqlite:///path, postgres://, mysql:// or redis://, with user and password in the
    usual form of each server, or memory:NAME, for this process only. The store is contacted at the
    first number.
    name: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and .
    start, step: the first number, 0 to 2**63 - 1, and the difference between two numbers, 1 to
    2**63 - 1; the store keeps both, and refuses different ones. Stores whose numbers go into one
    column need the same step, at least the number of stores, and different starts from 1 to step.
    block_size: how many numbers are taken at a time, 1 to 1000000; None: as many as last for two
    seconds, one at first, and max_block_size at most.
    create: whether to create the counter if it does not exist. An empty store may mean that data
    was lost, so on a server you create it once, with this argument or the command `saiban counter
    init`; None is True for sqlite: and memory:.
    wait_s: the longest wait for the store if no number is prefetched, at least 1 second.
    gapless: must be False; True is refused with the reason.

    Raises InvalidArgumentError, and StoreUnsupportedError for a kind of store that keeps no
    counters. No message contains the URL's password.

    >>> import saiban
    >>> invoices = saiban.SharedCounter("memory:example", name="invoices", start=2, step=5)
    >>> invoices.generate(), invoices.generate_many(2)
    (2, [7, 12])
    """

    def __new__(
        cls,
        url: str,
        *,
        name: str = "default",
        start: SupportsIndex = 1,
        step: SupportsIndex = 1,
        block_size: SupportsIndex | None = None,
        max_block_size: SupportsIndex = 1000000,
        create: bool | None = None,
        wait_s: SupportsIndex = 10,
        gapless: bool = False,
    ) -> SharedCounter: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> int: ...
    def generate(self) -> int:
        """Returns the next number. If none is prefetched it waits for the store; other threads run
        meanwhile.

        If no number is prefetched: raises StoreUnavailableError when the store does not reply
        within wait_s, and at once CounterUnknownError, CounterMismatchError for other terms,
        CounterBehindError if the store lost numbers, CounterExhaustedError, StoreCorruptError,
        StoreUnsupportedError; ForkedError in a forked process, for a counter in memory.
        """
    def generate_async(self) -> Coroutine[Any, Any, int]:
        """Like generate, as an asyncio coroutine: it blocks neither the event loop nor its threads.
        One thread waits for the store for all callers of this counter. A cancelled wait may skip a
        number.

        >>> import asyncio, saiban
        >>> asyncio.run(saiban.SharedCounter("memory:async").generate_async())
        1
        """
    def try_generate(self) -> int | None:
        """Returns the next number if it is prefetched; otherwise None, and starts to fetch more.

        Raises ForkedError in a forked process, for a counter in memory.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[int]:
        """Returns this many numbers, 0 to 10 million; fewer only if an error occurs after the first.

        Raises what generate raises if there was no number, and InvalidArgumentError for a count
        that is negative or too large.
        """
    def status(self) -> CounterStatus:
        """Returns the counter's status in this process.

        Raises ForkedError in a forked process, for a counter in memory.
        """

@final
class CounterStatus:
    """The status of a counter in this process; see SharedCounter.status.

    >>> import saiban
    >>> counter = saiban.SharedCounter("memory:status", block_size=10)
    >>> _ = counter.generate()
    >>> counter.status().prefetched, counter.status().calls, counter.status().why
    (9, 1, None)
    """

    @property
    def prefetched(self) -> int:
        """The number of prefetched numbers. They are lost when the process ends."""
    @property
    def block_size(self) -> int:
        """The current block size."""
    @property
    def calls(self) -> int:
        """The number of requests to the store."""
    @property
    def why(self) -> str | None:
        """The error of the last request, or None."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RemoteGenerator(Generator[_Id]):
    """Hands out IDs that a service makes (saiban serve), taken in blocks in advance.

    The next block is fetched when half of the current one is used, so a prefetched ID costs no
    round trip. IDs that are not used within max_age_ms are dropped, and a process that ends loses
    its prefetched IDs. A forked process uses none of its parent's prefetched IDs: it fetches its
    own block.

    The scheme decides the type of IDs: int, uuid.UUID or text, as with that scheme's generators.
    inspect, range and the texts need no service. For Randflake inspect raises InvalidArgumentError,
    because only the service has the secret. stats covers this generator's IDs.

    url: saiban://:TOKEN@host:7609, or saibans:// for TLS with ca=, cert= and key= (files);
    token_file= has the token of either. Several hosts, separated by commas, are tried in turn.
    scheme: the scheme's name in the service.
    block: the number of IDs that are fetched with one round trip, 1 to 100000, and no more than the
    service allows.
    max_age_ms: the maximum age of an ID, counted from its request, 1 to 3600000 milliseconds: an ID
    holds the time at which the service made it.
    wait_s: the longest wait for the service if no ID is prefetched, at least 1 second.

    It requests the scheme's description from the service, and waits for it; other threads run
    meanwhile.

    Raises InvalidArgumentError; UnknownNameError if the service does not have the scheme;
    StoreUnavailableError if the service does not reply within wait_s, or refuses the token;
    StoreUnsupportedError for a scheme that this version of saiban does not know. generate raises
    the errors of the service, and StoreUnavailableError. No message contains the token.

    >>> import saiban
    >>> try:
    ...     ids = saiban.RemoteGenerator("saiban://127.0.0.1:7609", scheme="snowflake", wait_s=1)
    ...     next_id = ids.generate()
    ... except saiban.StoreUnavailableError as error:
    ...     next_id = None  # saiban serve does not run here
    """

    def __new__(
        cls,
        url: str,
        *,
        scheme: str,
        block: SupportsIndex = 1000,
        max_age_ms: SupportsIndex = 1000,
        wait_s: SupportsIndex = 10,
    ) -> RemoteGenerator[_Id]: ...
    @property
    def name(self) -> str:
        """The scheme's name in the service."""
    @property
    def layout(self) -> Layout | None:
        """The layout of its IDs, if the scheme has more than one layout; else None."""
    def status(self) -> RemoteStatus:
        """Returns the generator's status in this process. The service is not contacted."""

@final
class RemoteStatus:
    """The status of a remote generator in this process; see RemoteGenerator.status."""

    @property
    def prefetched(self) -> int:
        """The number of prefetched IDs. They are lost when the process ends."""
    @property
    def dropped(self) -> int:
        """The number of IDs that were dropped because they became too old."""
    @property
    def calls(self) -> int:
        """The number of requests to the service."""
    @property
    def why(self) -> str | None:
        """The error of the last request, or None."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class DailyCounter:
    """Numbers that begin again on each day of a time zone, such as 20261121-000001: no number is
    issued twice.

    The clock decides the day, even if it steps back: the numbers of an earlier day then continue.
    Prefetched numbers of a day that has ended are not used. For the rest see SharedCounter.

    url, name, block_size, max_block_size, create, wait_s, gapless: see SharedCounter.
    zone: a name of the IANA time zone database.
    format: the text: {date:...} as strftime writes it, of %Y %y %m %d %j %F %b %B %a %A %u %G %g
    %V, and {n}, or {n:06} with zeros up to six digits; other text is literal, and a double brace is
    a literal brace.
    first: each day's first number.

    Raises what SharedCounter raises, and InvalidArgumentError for an invalid zone or format.

    >>> import saiban
    >>> invoices = saiban.DailyCounter("memory:daily", zone="Europe/Berlin", format="INV-{date:%Y%m%d}-{n:04}")
    >>> invoices.generate().text[-4:]
    '0001'
    """

    def __new__(
        cls,
        url: str,
        *,
        name: str = "default",
        zone: str = "UTC",
        format: str = "{date:%Y%m%d}-{n:06}",
        first: SupportsIndex = 1,
        block_size: SupportsIndex | None = None,
        max_block_size: SupportsIndex = 1000000,
        create: bool | None = None,
        wait_s: SupportsIndex = 10,
        gapless: bool = False,
    ) -> DailyCounter: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> DailyNumber: ...
    def generate(self) -> DailyNumber:
        """Returns the next number of today. If none is prefetched it waits for the store; other
        threads run meanwhile.

        Raises what SharedCounter.generate raises; ClockUnavailableError.
        """
    def generate_async(self) -> Coroutine[Any, Any, DailyNumber]:
        """Like generate, as an asyncio coroutine; see SharedCounter.generate_async."""
    def try_generate(self) -> DailyNumber | None:
        """Returns the next number of today if it is prefetched; otherwise None, and starts to fetch
        more.
        """
    def status(self) -> CounterStatus:
        """Returns the counter's status in this process."""

@final
class DailyNumber:
    """A number of a day. Its text has both in the counter's format."""

    @property
    def date(self) -> _date:
        """The day, a datetime.date."""
    @property
    def number(self) -> int:
        """The number."""
    @property
    def text(self) -> str:
        """Both, in the counter's format."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class LeaseStatus:
    """The status of a lease; see Lease.status.

    A value: equal, hashable, and it pickles.

    >>> import saiban
    >>> with saiban.Lease.acquire("memory:status") as lease:
    ...     status = lease.status()
    >>> status.state, status.nodes == range(status.nodes.start, status.nodes.start + 1), status.why
    ('active', True, None)
    """

    def __new__(
        cls,
        *,
        state: LeaseState,
        nodes: range | None,
        end_ms: SupportsIndex,
        grants: SupportsIndex,
        renewals: SupportsIndex,
        why: str | None,
    ) -> LeaseStatus: ...
    @property
    def state(self) -> LeaseState:
        """The state: acquiring, active (it has nodes), renewing (active, and a renewal was requested),
        draining (it is being released), idle (it was released), expired, lost, or invalid.
        """
    @property
    def nodes(self) -> range | None:
        """The nodes; None while there is no lease."""
    @property
    def end_ms(self) -> int:
        """When the lease ends unless it is renewed, Unix milliseconds; 0 without a lease."""
    @property
    def grants(self) -> int:
        """The number of leases so far: more than one if a lease was lost or expired."""
    @property
    def renewals(self) -> int:
        """The number of renewals."""
    @property
    def why(self) -> str | None:
        """The error of the last request to the store, or None."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stats:
    """Statistics of a generator; see Generator.stats.

    A value: equal, hashable, and it pickles.

    >>> import saiban
    >>> ids = saiban.Snowflake(node=8)
    >>> before = ids.stats().issued
    >>> _ = ids.generate_many(3)
    >>> ids.stats().issued - before, ids.stats().guarantee
    (3, 'unique')
    """

    def __new__(
        cls,
        *,
        issued: SupportsIndex,
        waits: SupportsIndex,
        rollbacks: SupportsIndex,
        time_left_ms: SupportsIndex,
        guarantee: Guarantee,
        scope: Scope,
    ) -> Stats: ...
    @property
    def issued(self) -> int:
        """The number of IDs issued for its nodes, by all generators that share their cursor: those of
        this process, or of this machine. While other generators issue IDs, it may lag by the IDs of
        one tick.
        """
    @property
    def waits(self) -> int:
        """How often generate, generate_many or fill of this generator waited."""
    @property
    def rollbacks(self) -> int:
        """The number of times that this generator found the clock behind its last ID, counted once
        until the clock has returned.
        """
    @property
    def time_left_ms(self) -> int:
        """How long IDs can be issued still, milliseconds: to the end of the window or, without one, of
        the format. 0 when it is over.
        """
    @property
    def guarantee(self) -> Guarantee:
        """What its IDs promise: unique, as long as no generator outside its scope has the same node at
        the same time; unique_in_process, if generators outside its scope can make equal IDs;
        probable, if collisions were allowed.
        """
    @property
    def scope(self) -> Scope:
        """Which generators of the same nodes share its cursor: machine, those of all processes of this
        user on this machine; process, those of this process, or none if random bits or a
        ManualClock keep it apart.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def encode(
    value: SupportsIndex | UUID,
    encoding: Encoding,
    *,
    width: SupportsIndex | None = None,
    bits: SupportsIndex | None = 64,
) -> str:
    """Writes an integer or a uuid.UUID as text.

    encoding: decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url; a
    form of a UUID: hyphenated, simple, braced or urn; or xid, an XID's base32hex of the bytes.
    width: the exact number of characters, with leading zeros. By default the full width for
    crockford (13), base64url (11) and the forms of a UUID, and the shortest text for the others.
    bits: the width of the number, 16 to 128. 64, the default, is for signed 64-bit IDs: decimal
    text is signed, other encodings write the 64 bits as unsigned. Numbers of any other width are
    unsigned. A UUID has 128 bits, which need not be given.

    Raises IdOutOfRangeError for a number of more bits, UnknownNameError, InvalidArgumentError for
    bits outside 16 to 128, and WidthOutOfRangeError when the value or the encoding does not fit the
    width.

    >>> import saiban
    >>> saiban.encode(14246757444195114, "crockford")
    '00CMXB6TAK4SA'
    >>> saiban.encode(7, "base62", width=11)
    '00000000007'
    >>> saiban.encode(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f, "base58", bits=128)
    'BihbxwwQ4NZZpKRH9JDCz'
    >>> import uuid
    >>> saiban.encode(uuid.UUID("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "base58")
    'BihbxwwQ4NZZpKRH9JDCz'
    """

def decode(
    text: str,
    encoding: Encoding,
    *,
    width: SupportsIndex | None = None,
    lenient: bool = False,
    bits: SupportsIndex | None = 64,
) -> int:
    """Decodes text to an integer. Every number has exactly one text in each form.

    encoding, width, bits: as in encode.
    lenient: also takes the other case where the alphabet has one case, leading zeros, trailing "="
    in base32hex and base64url, Crockford's aliases (i and l for 1, o for 0, hyphens anywhere), and
    any form of a UUID for another.

    Raises TextLengthError, TextCharacterError (its position counts from 0), TextOverflowError,
    TextNotCanonicalError, WidthOutOfRangeError, UnknownNameError, InvalidArgumentError.

    >>> import saiban
    >>> saiban.decode("ff", "hex")
    255
    >>> saiban.decode("FF", "hex", lenient=True)
    255
    >>> hex(saiban.decode("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "hyphenated", bits=128))
    '0x17f22e279b07cc398c4dc0c0c07398f'
    """

def candidates(
    id: SupportsIndex | str | Buffer | UUID,
    *,
    secret: Buffer | None = None,
    old_secrets: Iterable[Buffer] | None = (),
    scheme: Scheme | None = None,
    layouts: Iterable[Layout | str] | None = (),
    epoch_ms: SupportsIndex | None = None,
    bits: SupportsIndex | None = None,
) -> list[Candidate]:
    """Returns what an ID of unknown origin can be, with reasons: a list of saiban.Candidate, the most
    plausible first.

    It has the arguments and errors of inspect. The result is evidence, not proof.

    >>> import saiban
    >>> first = saiban.candidates("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")[0]
    >>> first.parts.scheme, [reason.name for reason in first.reasons]
    ('uuid-v7', ['length_and_alphabet', 'canonical_text', 'version_bits', 'time_plausible'])
    """

def inspect(
    id: SupportsIndex | str | Buffer | UUID,
    *,
    secret: Buffer | None = None,
    old_secrets: Iterable[Buffer] | None = (),
    scheme: Scheme | None = None,
    layouts: Iterable[Layout | str] | None = (),
    epoch_ms: SupportsIndex | None = None,
    bits: SupportsIndex | None = None,
) -> list[Parts[Any]]:
    """Returns what an ID of unknown origin can be: a list of Parts, the most plausible first.

    The list is empty if nothing fits. candidates returns the reasons for each rank.

    id: a number, a uuid.UUID, bytes (8, 12 or 16, the highest first: IDs of 64, 96 or 128 bits), or
    text: what a scheme writes, a decimal number of up to 128 bits, a UUID in any of its forms,
    letters in either case, or, less likely, a number in any other encoding.
    secret: 16 bytes; only with it Randflake IDs can be read, and every number is one.
    old_secrets: earlier secrets, at most 7. The secret with the most plausible time is reported as
    secret_index of the parts: 0 for secret, 1 and up for these. This is evidence, not proof.
    scheme: consider this scheme only; "uuid" for UUIDs of every version.
    layouts: also consider these layouts, at most 4: your own, or presets, which then rank higher.
    epoch_ms: the epoch from which presets and Ulid-Flake are counted, Unix milliseconds, in place
    of their own.
    bits: the width of a number, 16 to 128, by default 64; text, bytes and UUIDs have their own.

    Raises the error of the form that the text is most like when no scheme reads the text;
    IdOutOfRangeError for a number of more bits; InvalidSecretError, UnknownNameError,
    InvalidLayoutError for the epoch; InvalidArgumentError for too many secrets or layouts, old
    secrets without secret, another number of bytes, and for bits that are out of range or given
    with anything but a number.

    >>> import saiban
    >>> saiban.inspect("00CMXB6TAK4SA")[0].time.isoformat()
    '2024-06-06T06:06:06.666000+00:00'
    >>> saiban.inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV")[0].scheme
    'ulid'
    """

def uuid_to_guid_bytes(uuid: UUID, /) -> bytes:
    """The 16 bytes of a UUID in the order of Microsoft's GUID in memory: the first three groups have
    their lowest byte first.

    This is uuid.bytes_le. RFC 9562's order, the highest byte first, is uuid.bytes.

    >>> import saiban, uuid
    >>> saiban.uuid_to_guid_bytes(uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")).hex()
    '33221100554477668899aabbccddeeff'
    """

def uuid_from_guid_bytes(bytes: Buffer, /) -> UUID:
    """The UUID of these 16 bytes of a GUID.

    Raises InvalidArgumentError for another number of bytes.

    >>> import saiban
    >>> saiban.uuid_from_guid_bytes(bytes.fromhex("33221100554477668899aabbccddeeff"))
    UUID('00112233-4455-6677-8899-aabbccddeeff')
    """

def notice_fork() -> None:
    """Checks whether this process was forked, so that its generators are the parent's.

    saiban passes this function to os.register_at_fork. It does nothing in the same process, or if
    the core's hook has already seen the fork.
    """

@final
class LeaseEnd:
    """The leases of an interpreter. Dropping this object releases them. Python drops the contents of a
    module once no other thread of the interpreter runs.
    """

    def __new__(cls) -> LeaseEnd: ...
    def release(self) -> None:
        """Releases all leases, waiting for at most 3 seconds."""
    def keep(self) -> None:
        """Keeps the leases until this object is dropped, which releases them."""

def attempt(ids: Generator[_Id], waited_s: float) -> _Id | float | None:
    """Tries to make an ID for `generate_async`. Returns the ID; or a float, the seconds until the next
    attempt; or None, if `generate` may block and must run in a thread. waited_s: how many seconds
    the caller has waited.
    """

def panics() -> None:
    """Panics. Tests use it to check that no panic reaches Python."""

def error_kinds() -> list[tuple[int, str, str]]:
    """Every kind of error: its number, its name and its meaning, the same in all languages.

    >>> import saiban
    >>> saiban.error_kinds()[0]
    (1, 'CLOCK_BACKWARD', 'The clock is further behind the last ID than the longest allowed wait.')
    """

def run_cli(arguments: list[str], /) -> int:
    """Runs the command `saiban` with these arguments (without the program's name); returns its exit
    code.
    """

def schemes() -> dict[str, dict[str, Any]]:
    """Returns the properties of each scheme, by name. generator: makes its generators. made: the
    scheme of their IDs. options: the names of the generators' options. form: integer, text or uuid.
    width: the width of the canonical text; None if the shortest text is canonical, or if it depends
    on the layout.
    """

def leased_layout(scheme: str, epoch_ms: int) -> Layout | None:
    """Returns the layout of a scheme's IDs with a lease and this epoch."""

def names() -> dict[str, list[str]]:
    """Returns the values of each type of saiban.names, by the type's name."""

@final
class Texts:
    """Reads and writes the texts of a scheme's IDs, with or without a prefix. The IDs themselves have
    no prefix: an ID that is text is the text without it.
    """

    def __new__(cls, scheme: str, *, prefix: str | None = None) -> Texts: ...
    def read(self, text: str, *, lenient: bool = False) -> int | str | UUID:
        """Reads an ID from its text."""
    def write(self, id: SupportsIndex | str | UUID, /) -> str:
        """Writes an ID as its text."""
