from collections.abc import Coroutine, Iterable, Mapping
from datetime import date as _date
from datetime import datetime
from os import PathLike
from types import GenericAlias
from typing import Any, ClassVar, Generic, Literal, NoReturn, SupportsIndex, TypeAlias, final, overload
from uuid import UUID

from typing_extensions import Buffer, TypeVar, disjoint_base

from saiban.values import Candidate, Capacity, Place, Rate

__all__ = [
    "Counter",
    "CounterStatus",
    "DailyCounter",
    "DailyNumber",
    "Flake",
    "Generator",
    "Layout",
    "Lease",
    "LeaseEnd",
    "LeaseStatus",
    "ManualClock",
    "ObjectId",
    "Parts",
    "Randflake",
    "RemoteGenerator",
    "RemoteStatus",
    "SharedCounter",
    "Snowflake",
    "Stats",
    "TickId",
    "Ulid",
    "UlidFlake",
    "Uuid",
    "candidates",
    "decode",
    "encode",
    "error_kinds",
    "inspect",
    "notice_fork",
    "panics",
    "run_cli",
    "uuid_from_guid_bytes",
    "uuid_to_guid_bytes",
]

_Encoding: TypeAlias = Literal[
    "decimal",
    "hex",
    "binary",
    "crockford",
    "base32hex",
    "base36",
    "base58",
    "base62",
    "base64url",
    "hyphenated",
    "simple",
    "braced",
    "urn",
]
_Scheme: TypeAlias = Literal[
    "snowflake",
    "randflake",
    "ulid-flake",
    "flake",
    "ulid",
    "uuid",
    "uuid-v1",
    "uuid-v4",
    "uuid-v7",
    "objectid",
    "tick-id",
]
_Kind: TypeAlias = Literal["unused", "timestamp", "node", "sequence", "random", "rollback", "constant"]
_Field: TypeAlias = tuple[_Kind, int] | tuple[_Kind, int, dict[str, int | str]]
_GivenField: TypeAlias = tuple[_Kind, SupportsIndex] | tuple[_Kind, SupportsIndex, Mapping[str, Any]] | list[Any]
_Preset: TypeAlias = Literal["twitter", "discord", "instagram", "sonyflake", "sonyflake_v2", "mastodon", "baidu"]
_Order: TypeAlias = Literal["ascending", "descending"]
_Node: TypeAlias = SupportsIndex | Mapping[str, SupportsIndex]
_Time: TypeAlias = SupportsIndex | datetime
_Rollback: TypeAlias = Literal["hold", "error", "bits"]
_Scope: TypeAlias = Literal["machine", "process"]
_Guarantee: TypeAlias = Literal["unique", "unique_in_process", "probable"]
_Leased: TypeAlias = Literal["snowflake", "randflake", "ulid-flake", "flake"]
_LeaseState: TypeAlias = Literal["idle", "acquiring", "active", "renewing", "draining", "expired", "lost", "invalid"]

# What an ID is.
_Id = TypeVar("_Id", default=int)

@disjoint_base
class Generator(Generic[_Id]):
    """What every generator can do: the base of them all.

    It is for annotations and isinstance. What an ID is depends on the scheme: Generator[int] makes
    integers (Snowflake, Randflake, UlidFlake, Flake), Generator[uuid.UUID] UUIDs (Uuid), Generator[str] text
    (Ulid, ObjectId, TickId). Generator alone is Generator[int]. One generator may be used by many threads
    at once.
    """

    @property
    def scheme(self) -> _Scheme:
        """The scheme's name: snowflake, randflake, ulid-flake, flake, ulid, uuid-v1, uuid-v4, uuid-v7, objectid or
        tick-id.
        """
    def generate(self) -> _Id:
        """Makes an ID, waiting for at most max_wait_ms.

        With scope "process", and on the system's clock, the first ID waits for the tick after the one in which the
        generator was built, up to a second for Randflake, where no random bits keep generators apart; with scope
        "machine" the first generator of a layout since the machine was started waits as long, or 2 ms. Other threads
        run meanwhile; Ctrl-C is heard when the wait is over.

        Raises WouldWaitError where the next ID needs a longer wait, or any with a ManualClock;
        ClockBackwardError where the clock is further behind the last ID, and with the policy "error" where
        it is behind at all; ClockJumpedError where it has jumped ahead by more than max_jump_s;
        LeaseNotBegunError and LeaseExpiredError outside the window; with lease= LeaseExpiredError and
        LeaseLostError while there is no lease, and what Lease.acquire raises in a copy made by fork, which first
        acquires one of its own; else, with scope "process" or a state file, ForkedError in such a copy, where no random
        bits keep generators apart;
        TimestampBeforeEpochError and TimestampOverflowError for a clock outside the layout's time;
        StateUnavailableError where the state file cannot be written, or the memory of scope "machine" be used;
        EntropyUnavailableError.
        """
    def try_generate(self) -> _Id | None:
        """Makes an ID if that needs no wait, else returns None.

        That is None at first where generate waits for the generator's first tick.

        Raises what generate raises, except WouldWaitError.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[_Id]:
        """Makes this many IDs, at most 10 million a call, waiting as generate does before each.

        Raises what generate raises, and InvalidArgumentError for a count that is negative or too large.
        """
    def fill(self, buffer: Buffer, /) -> int:
        """Fills a buffer with IDs, waiting as generate does; returns how many it wrote.

        The buffer is one-dimensional and of signed 64-bit integers, such as a numpy int64 array or
        array.array("q"). For IDs of more than 64 bits it is one of bytes, such as a bytearray: each ID takes as
        many of them as its bits need (Parts.id_bytes: 16 of a UUID, 12 of an ObjectId, 10 of a tick ID), the highest
        first. Filling stops early where no more can be had but some were written.

        Raises what generate raises when not one could be had; WrongTypeError for anything but a writable
        buffer of that kind; InvalidArgumentError for bytes into which no whole number of IDs goes.

        >>> import array, saiban
        >>> ids = array.array("q", bytes(8 * 100))
        >>> saiban.Snowflake(node=7).fill(ids)
        100
        >>> saiban.Uuid(7).fill(bytearray(16 * 100))
        100
        """
    def generate_text(self, encoding: _Encoding | None = None) -> str:
        """Makes an ID and writes it as its canonical text, or in an encoding (see saiban.encode).

        Raises what generate raises, and UnknownNameError.
        """
    @overload
    def to_text(self: Generator[int], id: SupportsIndex, encoding: _Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode).

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and UnknownNameError.
        """
    @overload
    def to_text(self, id: _Id, encoding: _Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode).

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and UnknownNameError.
        """
    def from_text(self, text: str, *, lenient: bool = False) -> _Id:
        """Reads an ID from its canonical text; with lenient=True also from what people make of it. Of a ULID and a
        Ulid-Flake ID any case is read in both ways, as their specifications say; else each ID has one text.

        Raises TextLengthError, TextCharacterError (with the position), TextOverflowError,
        TextNotCanonicalError, and IdOutOfRangeError when the number is not an ID of this scheme and layout.
        """
    @overload
    def inspect(self: Generator[int], id: SupportsIndex | str, /) -> Parts[int]:
        """Takes an ID, or its canonical text, apart.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """
    @overload
    def inspect(self, id: _Id | str, /) -> Parts[_Id]:
        """Takes an ID, or its canonical text, apart.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """
    def range(self, start: _Time, end: _Time) -> tuple[_Id, _Id]:
        """The smallest and the largest ID that can have been made in the half-open interval from start to end:
        for asking a database, by its primary key, for what was made when (BETWEEN, both included).

        start, end: Unix milliseconds, or datetimes with a time zone. Ticks that lie partly in the interval
        count; what lies outside the format's time is left out.

        Raises NotTimeOrderedError for a scheme whose IDs are not in the order of their times: Randflake, UUID
        versions 1 and 4, and a layout in which something stands above the time; InvalidWindowError for an
        interval that is empty, or in which IDs turn negative; TimestampBeforeEpochError and
        TimestampOverflowError for one outside the format's time.

        >>> import datetime, saiban
        >>> day = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
        >>> saiban.Snowflake(node=7).range(day, day + datetime.timedelta(days=1))
        (1741610183685046272, 1741972571550646271)
        """
    def stats(self) -> Stats:
        """What the generator tells of itself.

        How many IDs were issued, how often it waited, how often it found the clock set back, how long it
        lasts, what its IDs promise, and which generators share its cursor.

        Raises ClockUnavailableError.
        """
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Snowflake(Generator[int]):
    """Makes Snowflake IDs: time, node, sequence.

    IDs sort by time and tell it to anyone.

    node: a node that no other machine has (0 to 1023 in Twitter's layout), or nodes: a range of them.
    lease: a Lease for this layout, in place of node, nodes, window, not_before and state: IDs are of its nodes and
    time.
    layout: Layout.TWITTER unless another preset or one of your own is given.
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with
    the tick after it. Without it, on the system's clock and with scope "process", they begin with the tick after
    the one in which the generator was built, so that a restart within a tick repeats nothing.
    state: the path of a file that remembers which ticks were used: a clock that was set back while the
    program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold": goes on in the tick it has reached, then waits;
    "error": ClockBackwardError at once; "bits": counts the step in the layout's rollback field and goes on.
    By default "bits" for a layout with such a field (see Layout.with_rollback_bits), else "hold".
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
    do not contend; their IDs are ordered among each other by tick only.
    scope: which generators of the same node share a cursor, so that none repeats another's ID: "machine", those of
    all processes of this user on this machine, also restarted and forked ones; "process", those of this process.
    By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the system's
    clock, and of a lease a store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks.

    Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
    InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file StateInUseError; for that and for
    scope "machine" StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more than
    max_jump_s behind the last ID of this machine.

    Source: Twitter, "Announcing Snowflake" (2010).

    >>> import saiban
    >>> ids = saiban.Snowflake(node=7)
    >>> ids.inspect(ids.generate()).node
    7
    """

    def __new__(
        cls,
        *,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        layout: Layout | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: _Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Snowflake: ...
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        submillisecond_ns: SupportsIndex | None = None,
        node: _Node,
        sequence: SupportsIndex,
        rollback: SupportsIndex | None = 0,
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: rounded down to the tick. submillisecond_ns: with
        timestamp_ms the nanoseconds after that, 0 to 999,999, which a layout of such ticks tells. node: a number, or
        where its parts have names a mapping of them. rollback: how often the clock had stepped back, 0 by default,
        for a layout with a rollback field.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError, RollbackOutOfRangeError; InvalidArgumentError for nanoseconds that are none of a
        millisecond.

        >>> import saiban
        >>> saiban.Snowflake(node=0).compose(timestamp_ms=1_704_067_200_000, node=7, sequence=1)
        1741610183685074945
        """

@final
class Randflake(Generator[int]):
    """Makes Randflake IDs: time, node and sequence, encrypted. Half of all IDs are negative.

    node: a node that no other machine has, 0 to 131071, or nodes: a range of them.
    lease: a Lease for this secret, in place of node, nodes, window, not_before and state: IDs are of its nodes and
    time.
    secret: 16 random bytes (the command: saiban secret), the same on every machine. Who has it can read
    an ID's time and node.
    window: (start, end), half-open, Unix seconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for these nodes, Unix seconds; IDs begin with the
    second after it. Without it, on the system's clock and with scope "process", they begin with the second after
    the one in which the generator was built, so that a restart within a second repeats nothing: the first ID may
    wait that long.
    state: the path of a file that remembers which seconds were used: a clock that was set back while the
    program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the second it has
    reached, then waits; "error": ClockBackwardError at once.
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
    do not contend.
    scope: which generators of the same node share a cursor, so that none repeats another's ID: "machine", those of
    all processes of this user on this machine, also restarted and forked ones; "process", those of this process.
    By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the system's
    clock, and of a lease a store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2000.

    An ID is no token: always authorise. Lasts until 2058-11-05.

    Raises InvalidSecretError, NodeRequiredError, NodeOutOfRangeError, NodeInUseError,
    InvalidWindowError, InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file
    StateInUseError; for that and for scope "machine" StateMismatchError, StateUnavailableError;
    ClockBackwardError where the clock is more than max_jump_s behind the last ID of this machine.

    Source: github.com/gosuda/randflake (2024).

    >>> import saiban
    >>> ids = saiban.Randflake(node=42, secret=bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5"))
    >>> ids.compose(timestamp_ms=1_733_706_297_000, node=42, sequence=1)
    4594531474933654033
    >>> ids.to_text(4594531474933654033)
    '3vgoe12ccb8gh'
    """

    def __new__(
        cls,
        *,
        secret: Buffer,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: _Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Randflake: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        node: SupportsIndex,
        sequence: SupportsIndex,
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: rounded down to the second.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError.
        """

@final
class UlidFlake(Generator[int]):
    """Makes Ulid-Flake IDs: time, and a random part that grows within a millisecond.

    IDs sort by time and tell it to anyone.

    scalability: 0 to 31, an id that no other machine has; without it IDs are stand-alone, and unique within
    the scope only.
    lease: a Lease for ulid-flake, in place of scalability, allow_collisions, window, not_before and state: IDs are
    scalable, of its node and time. It leases one node, and for another epoch_ms it is given the layout of that epoch.
    entropy_size: how many random bytes an ID grows by within a millisecond, 1 to 3, scalable 1 to 2.
    epoch_ms: the time of tick 0, Unix milliseconds; by default 2024-01-01.
    allow_collisions: has scope "process", and lets a process made by fork go on with its parent's generator or id.
    Random bits do not keep two processes apart: a few of their IDs will be equal.
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for this id, Unix milliseconds; IDs begin with the
    millisecond after it. Without it, on the system's clock and with scope "process", they begin with the
    millisecond after the one in which the generator was built, so that a restart within it repeats nothing.
    state: the path of a file that remembers which milliseconds were used: a clock that was set back while
    the program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the millisecond it has
    reached, then waits; "error": ClockBackwardError at once.
    scope: which generators of the same id, or of none, share a cursor, so that none repeats another's ID: "machine",
    those of all processes of this user on this machine, also restarted and forked ones; "process", those of this
    process. By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the
    system's clock, no allow_collisions, and of a lease a store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2.

    Raises NodeOutOfRangeError for the scalability, NodeInUseError, InvalidEntropySizeError,
    InvalidLayoutError for the epoch or the policy "bits", InvalidWindowError, UnknownNameError,
    InvalidArgumentError; for the state file StateInUseError; for that and for scope "machine" StateMismatchError,
    StateUnavailableError; ClockBackwardError where the clock is more than max_jump_s behind the last ID of this
    machine.

    Source: github.com/ulid-flake/spec (2024).

    >>> import saiban
    >>> ids = saiban.UlidFlake()
    >>> ids.to_text(14246757444195114)
    '00CMXB6TAK4SA'
    """

    def __new__(
        cls,
        *,
        scalability: SupportsIndex | None = None,
        lease: Lease | None = None,
        entropy_size: SupportsIndex | None = None,
        epoch_ms: SupportsIndex | None = None,
        allow_collisions: bool | None = False,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        scope: _Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> UlidFlake: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        random: SupportsIndex,
        scalability: SupportsIndex | None = None,
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone. Only scalable IDs have a scalability id; without one
        given, the generator's own is taken.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        RandomOutOfRangeError.
        """

@final
class Flake(Generator[int]):
    """Makes IDs of a layout of your own, of 16 to 128 bits: integers, those of more than 64 bits never negative.

    layout: what the bits are; see Layout.from_text.
    node: a node that no other machine has, or nodes: a range of them; for a layout with a node field.
    lease: a Lease for this layout, in place of node, nodes, window, not_before and state: IDs are of its nodes and
    time.
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with
    the tick after it. Without it, on the system's clock and with scope "process", they begin with the tick after
    the one in which the generator was built, so that a restart within a tick repeats nothing.
    state: the path of a file that remembers which ticks were used: a clock that was set back while the
    program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold": goes on in the tick it has reached, then waits;
    "error": ClockBackwardError at once; "bits": counts the step in the layout's rollback field and goes on.
    By default "bits" for a layout with such a field, else "hold".
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
    do not contend; their IDs are ordered among each other by tick only.
    scope: which generators of the same node share a cursor, so that none repeats another's ID: "machine", those of
    all processes of this user on this machine, also restarted and forked ones; "process", those of this process.
    By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the
    system's clock, a layout whose time, node and sequence have 63 bits or fewer together, and of a lease a store that
    other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks.

    What IDs promise depends on the layout (see Stats.guarantee): with a node and a sequence, or a random part that
    grows, they are unique; without a node within the scope; with a random part only it is Layout.collision_odds
    that tells.

    Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError, UnknownNameError,
    InvalidLayoutError; InvalidArgumentError for a node of a layout without; for the state file StateInUseError; for
    that and for scope "machine" StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more
    than max_jump_s behind the last ID of this machine.

    >>> import saiban
    >>> layout = saiban.Layout.from_text("timestamp:48 node.region:4 node.host:12 sequence:16 random:16")
    >>> ids = saiban.Flake(layout, node=layout.node_of_parts({"region": 2, "host": 7}))
    >>> ids.inspect(ids.generate()).node_parts
    {'region': 2, 'host': 7}
    """

    def __new__(
        cls,
        layout: Layout,
        *,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: _Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Flake: ...
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        submillisecond_ns: SupportsIndex | None = None,
        node: _Node | None = 0,
        sequence: SupportsIndex | None = 0,
        random: SupportsIndex | None = 0,
        rollback: SupportsIndex | None = 0,
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: rounded down to the tick. submillisecond_ns: with
        timestamp_ms the nanoseconds after that, 0 to 999,999, which a layout of such ticks tells. node: a number, or
        where its parts have names a mapping of them. A part that the layout does not have must be 0 or left out.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError, SequenceOutOfRangeError,
        RandomOutOfRangeError, RollbackOutOfRangeError; UnknownNameError for a name that no part of the node has;
        InvalidArgumentError for a part of the node that is missing, and for nanoseconds that are none of a millisecond.

        >>> import saiban
        >>> ids = saiban.Flake(saiban.Layout.from_text("timestamp:48 sequence:16 random:32"))
        >>> hex(ids.compose(timestamp_ms=1_700_000_000_000, sequence=1, random=2))
        '0x18bcfe56800000100000002'
        """

@final
class Ulid(Generator[str]):
    """Makes ULIDs, 26 characters of Crockford's base32: time, and 80 random bits that grow by one within a
    millisecond.

    IDs sort by time, as text too, and tell it to anyone. Text is upper case; any case is read, as the
    specification says, and from_text answers upper case. A copy made by fork goes on with random bits of
    its own: two generators make equal IDs with a chance of 2^-80 for each pair from one millisecond.

    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin with the millisecond
    after it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the millisecond it has
    reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2.

    Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, and InvalidLayoutError for the policy
    "bits".

    Source: github.com/ulid/spec (2016-2019).

    >>> import saiban
    >>> ids = saiban.Ulid()
    >>> ids.inspect("01ARYZ6S41TSV4RRFFQ69G5FAV").time.isoformat()
    '2016-07-30T22:36:16.385000+00:00'
    """

    def __new__(
        cls,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: _Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Ulid: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        random: SupportsIndex,
    ) -> str:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone. random: 80 bits.

        Raises TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError.

        >>> import saiban
        >>> saiban.Ulid().compose(timestamp_ms=1_469_918_176_385, random=1)
        '01ARYZ6S410000000000000001'
        """
    def generate_bytes(self) -> bytes:
        """Makes an ID as 16 bytes, the highest first.

        Raises what generate raises.
        """
    def to_bytes(self, id: str) -> bytes:
        """The 16 bytes of an ID, the highest first.

        Raises what from_text raises.
        """
    def from_bytes(self, bytes: Buffer) -> str:
        """The ID of these 16 bytes, the highest first.

        Raises InvalidArgumentError for another number of bytes.
        """
    def to_uuid(self, id: str) -> UUID:
        """The uuid.UUID of the same 128 bits: for a UUID column. It is of no version of RFC 9562.

        Raises what from_text raises.

        >>> import saiban
        >>> saiban.Ulid().to_uuid("01ARYZ6S41TSV4RRFFQ69G5FAV")
        UUID('01563df3-6481-d676-4c61-efb99302bd5b')
        """
    def from_uuid(self, uuid: UUID) -> str:
        """The ID of the same 128 bits as a uuid.UUID."""

@final
class Uuid(Generator[UUID]):
    """Makes UUIDs of version 1, 4 or 7: objects of uuid.UUID.

    Version 7: Unix milliseconds, and 74 random bits that grow by a random step within a millisecond (RFC 9562
    section 6.2, method 2): IDs of a generator ascend strictly, and nobody can guess the next one. They sort by
    time and tell it to anyone. Version 4: 122 random bits, and nothing else. Version 1: 100 ns since 1582, with
    a clock sequence and a node that the generator draws; its IDs are not in the order of their times.

    Randomness is saiban's own pool, which a copy made by fork never shares with its parent.

    version: 7, the default, 4 or 1. Version 4 takes no options but the clock, which it does not
    read.
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin after it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the tick it has reached, then
    waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2, and of version 1 none but for 2 ticks of 100 ns.

    Raises InvalidArgumentError, InvalidWindowError, UnknownNameError, EntropyUnavailableError, and
    InvalidLayoutError for the policy "bits".

    Source: RFC 9562 (2024).

    >>> import saiban
    >>> ids = saiban.Uuid(7)
    >>> older, newer = ids.generate(), ids.generate()
    >>> older < newer, newer.version
    (True, 7)
    """

    def __new__(
        cls,
        version: SupportsIndex | None = 7,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: _Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Uuid: ...
    @property
    def version(self) -> int:
        """The version: 1, 4 or 7."""
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        submillisecond_ns: SupportsIndex | None = None,
        random: SupportsIndex | None = None,
        clock_sequence: SupportsIndex | None = None,
        node: SupportsIndex | None = None,
    ) -> UUID:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        Version 7: timestamp_ms or time (a datetime with a time zone), and random, 74 bits. Version 4: random, 122
        bits. Version 1: timestamp_ms or time, clock_sequence, 14 bits, and node, 48. With timestamp_ms
        submillisecond_ns may be given, the nanoseconds after that, 0 to 999,999; a datetime has its microseconds.
        A time is rounded down to the tick: a millisecond, of version 1 100 ns.

        Raises InvalidArgumentError for a part that is missing, or that the version does not have;
        TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError, SequenceOutOfRangeError,
        NodeOutOfRangeError.

        >>> import saiban
        >>> random = 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F          # RFC 9562, appendix A.6
        >>> saiban.Uuid(7).compose(timestamp_ms=1_645_557_742_000, random=random)
        UUID('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
        """

@final
class ObjectId(Generator[str]):
    """Makes ObjectIds that MongoDB and its drivers take as their own, 24 hexadecimal digits: seconds, 40 bits that the
    generator has drawn, and a counter of 24. Drivers count on over seconds; this counter begins each second with the
    number that the generator drew.

    IDs sort by second, as text too, and tell it to anyone: at most 16,777,216 a second. A copy made by fork goes on
    with bits of its own: two generators make equal IDs with a chance of 2^-40, and what their counters meet.
    Lasts until 2106-02-07.

    window: (start, end), half-open, Unix seconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used, Unix seconds; IDs begin with the second after it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the second it has
    reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2000.

    Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, EntropyUnavailableError, and
    InvalidLayoutError for the policy "bits".

    Source: MongoDB manual, "ObjectId"; MongoDB specifications, "BSON ObjectID".

    >>> import saiban
    >>> ids = saiban.ObjectId()
    >>> ids.inspect("507f1f77bcf86cd799439011").time.isoformat()
    '2012-10-17T21:13:27+00:00'
    """

    def __new__(
        cls,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: _Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> ObjectId: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        node: SupportsIndex,
        sequence: SupportsIndex,
    ) -> str:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: rounded down to the second. node: the 40 bits that
        generators draw. sequence: the counter's 24.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError, SequenceOutOfRangeError.

        >>> import saiban
        >>> saiban.ObjectId().compose(timestamp_ms=1_350_508_407_000, node=0xBCF86CD799, sequence=0x439011)
        '507f1f77bcf86cd799439011'
        """
    def generate_bytes(self) -> bytes:
        """Makes an ID as 12 bytes, as BSON has it.

        Raises what generate raises.
        """
    def to_bytes(self, id: str) -> bytes:
        """The 12 bytes of an ID, as BSON has it.

        Raises what from_text raises.
        """
    def from_bytes(self, bytes: Buffer) -> str:
        """The ID of these 12 bytes, as BSON has it.

        Raises InvalidArgumentError for another number of bytes.
        """

@final
class TickId(Generator[str]):
    """Makes tick IDs, for key-value and table stores that sort by text: 100 ns since 0001-01-01, .NET's ticks, and
    random digits.

    Ascending IDs are {ticks:019}_{random:04}; descending ones, of which the newest come first,
    {9223372036854775807 - ticks:019}_{random:03}. Generators of one process and order count together and use no
    tick twice. Two processes may use the same one, and then only the random digits keep their IDs apart: have the
    store refuse an ID that is there, and answer with another. IDs tell their time to anyone.

    order: "ascending", the default, or "descending".
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin after it.
    rollback: what happens when the clock steps back. "hold", the default: goes on up to 1 ms ahead of the
    clock, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default none but for 2 ticks of 100 ns.

    Raises UnknownNameError, InvalidArgumentError, InvalidWindowError, and InvalidLayoutError for the policy
    "bits".

    >>> import saiban
    >>> ids = saiban.TickId("descending")
    >>> older, newer = ids.generate(), ids.generate()
    >>> newer < older
    True
    """

    def __new__(
        cls,
        order: _Order | None = "ascending",
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: _Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> TickId: ...
    @property
    def order(self) -> _Order:
        """Which come first in a store that sorts by text: the oldest ("ascending") or the newest ("descending")."""
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        submillisecond_ns: SupportsIndex | None = None,
        random: SupportsIndex,
    ) -> str:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: its microseconds count. submillisecond_ns: with timestamp_ms
        the nanoseconds after that, 0 to 999,999, rounded down to 100. random: four digits, descending three.

        Raises TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError; InvalidArgumentError for
        nanoseconds that are none of a millisecond.

        >>> import saiban
        >>> saiban.TickId("ascending").compose(timestamp_ms=1_764_079_890_000, submillisecond_ns=123_400, random=42)
        '0638996766900001234_0042'
        """

@final
class ManualClock:
    """A clock for tests: it stands still until it is set or advanced, in either direction, and never waits.

    Times are Unix milliseconds, 0 to 18446744073709. The generator sees later changes. Where its next
    ID needs a wait, `generate` raises WouldWaitError.

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
        """Moves the time by so many milliseconds, backwards when negative.

        Raises ClockUnavailableError for a time that no clock can show; the old one stays.
        """
    def now_ms(self) -> int:
        """The time it shows, Unix milliseconds."""
    def __reduce__(self) -> NoReturn: ...

@final
class Layout:
    """How the 16 to 128 bits of an ID are divided, and what its time is counted in.

    A value: equal, hashable, and it pickles. from_text reads one from text, the same in all languages.

    fields: (kind, bits) from the highest bit to the lowest, 16 to 128 bits in all; kinds are unused,
    timestamp, node, sequence, random, rollback (1 to 4 bits: see with_rollback_bits) and constant. A third item is a
    dictionary of what else a field has: {"value": 3} what a constant always is; {"name": "worker"} of a part of
    the node, which may have several with names, side by side; {"start": "random"} of a sequence that begins each
    tick with a number drawn in the lower half of its range; {"step": 255} of a random part that is drawn anew each
    tick and grows by 1 to so much within it, where one without is drawn afresh for each ID.
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
    BWMARRIN: ClassVar[Layout]
    MASTODON: ClassVar[Layout]
    BAIDU: ClassVar[Layout]
    def __new__(
        cls, fields: Iterable[_GivenField], *, epoch_ms: SupportsIndex = 0, tick_us: SupportsIndex = 1000
    ) -> Layout: ...
    @staticmethod
    def preset(name: _Preset | Literal["bwmarrin", "ulid-flake", "ulid-flake-scalable"], /) -> Layout:
        """The preset of this name: twitter, discord, instagram, sonyflake, sonyflake_v2, mastodon, baidu, bwmarrin,
        which is Twitter's, ulid-flake or ulid-flake-scalable.

        Raises UnknownNameError for any other text.
        """
    @property
    def name(self) -> _Preset | None:
        """The preset's name when this is one that Snowflake or Flake makes IDs of, else None: the layouts of UlidFlake
        (ulid-flake, ulid-flake-scalable) have none.
        """
    @staticmethod
    def from_text(text: str, /) -> Layout:
        """Reads a layout from text, the same in all languages and in configuration files; a preset's name is read too.

        Fields stand from the highest bit to the lowest, with spaces between them: unused:BITS,
        constant:BITS,value=NUMBER, timestamp:BITS@UNIT,epoch=TIME (UNIT is us, ms, s, min, h or d, with a number
        before it or none, by default ms; TIME a date, a time in UTC, or Unix milliseconds, by default
        1970-01-01), node:BITS or several node.NAME:BITS, sequence:BITS (,start=random), random:BITS (,step=NUMBER),
        rollback:BITS.

        Raises InvalidLayoutError, which names the part, with its position.

        >>> import saiban
        >>> text = "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12"
        >>> saiban.Layout.from_text(text).to_text()
        'unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12'
        """
    def to_text(self) -> str:
        """The canonical text: what is the default is left out. str(layout) is the same."""
    @staticmethod
    def from_json(json: str, /) -> Layout:
        """Reads a layout from JSON: what to_json writes, or the same with numbers in place of text.

        Raises InvalidLayoutError, which names the part, or line and column.
        """
    def redis_script(self) -> str:
        """A script for Redis that makes IDs of this layout: for EVAL with any client, redis-py's register_script say.
        KEYS[1] is a hash whose field node says which node the IDs have, ARGV[1] how many are wanted, 4096 at most. It
        answers a list of texts; or the error SAIBAN_WAIT and the microseconds after which to ask again.

        Raises InvalidArgumentError for a layout that is not made of time, node and sequence, of at most 64 bits.

        >>> import saiban
        >>> "redis.call" in saiban.Layout.TWITTER.redis_script()
        True
        """
    def redis_library(self, name: str) -> str:
        """The same as a library of functions, for FUNCTION LOAD (Redis 7): FCALL name 1 key count.

        Raises what redis_script raises, and for a name that is not made of 1 to 48 small letters, digits and _.
        """
    def postgres_function(self, name: str, node: SupportsIndex) -> str:
        """SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs of this layout and node:
        for DEFAULT name() of a column.

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
        """How many bits an ID has: 16 to 128."""
    @property
    def first_ms(self) -> int:
        """When the first tick begins, Unix milliseconds: the epoch."""
    @property
    def lifetime_ms(self) -> int:
        """How long the layout lasts, from the first tick to the end of the last, milliseconds."""
    @property
    def capacity(self) -> Capacity:
        """How many IDs the layout holds: a saiban.Capacity.

        >>> import saiban
        >>> saiban.Layout.TWITTER.capacity
        Capacity(ids_per_tick=4096, nodes=1024, bits=63, ids=9223372036854775808)
        """
    @property
    def ids_per_second(self) -> Rate:
        """How many IDs can be made in a second, for as long as one likes, on the average where that is drawn: a
        saiban.Rate.

        >>> import saiban
        >>> saiban.Layout.SONYFLAKE.ids_per_second
        Rate(per_node=25600.0, in_all=1677721600.0)
        """
    @property
    def is_unique(self) -> bool:
        """Whether time, node, and sequence or growing random part tell every ID from all others. Where a random part
        alone does it is False: see collision_odds.
        """
    @property
    def guarantee(self) -> _Guarantee:
        """What the IDs of generators of this layout promise: see Stats.guarantee."""
    @property
    def is_time_ordered(self) -> bool:
        """Whether IDs are in the order of their times: nothing that differs stands above the timestamp."""
    def collision_odds(self, ids_per_second: float, seconds: float) -> float:
        """The probability, 0.0 to 1.0, that at least two IDs are equal of those that one node makes in so many
        seconds, at so many a second; without a node field, that all make who make any. 0.0 where IDs are unique,
        and 1.0 of infinitely many.

        Raises InvalidArgumentError for a number that is negative or NaN.

        >>> import saiban
        >>> layout = saiban.Layout.from_text("timestamp:48 random:80")
        >>> f"{layout.collision_odds(1_000_000, 365 * 86_400):.3e}"
        '1.304e-08'
        """
    def node_of_parts(self, parts: Mapping[str, SupportsIndex], /) -> int:
        """The node of these parts, a mapping of each one's name to its number.

        Raises UnknownNameError for a name that no part has, InvalidArgumentError for a part that is missing,
        NodeOutOfRangeError for a number that does not fit its part.

        >>> import saiban
        >>> layout = saiban.Layout.from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12")
        >>> layout.node_of_parts({"worker": 3, "datacenter": 2})
        67
        """
    def node_parts(self, node: SupportsIndex, /) -> dict[str, int]:
        """The parts of this node, by name; empty where they have no names.

        Raises NodeOutOfRangeError for a node that is not of this layout.

        >>> import saiban
        >>> saiban.Layout.from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12").node_parts(67)
        {'datacenter': 2, 'worker': 3}
        """
    @property
    def fields(self) -> tuple[_Field, ...]:
        """(kind, bits) from the highest bit to the lowest, with a dictionary as a third item where a field has options:
        what Layout takes. See places for where they stand.
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
        """The largest number of the clock's steps back that an ID can tell, 0 when there is no rollback field."""
    def with_rollback_bits(self, bits: SupportsIndex, /) -> Layout:
        """The same layout with bits for the times that the clock has stepped back, 1 to 4, taken from the low
        end of the node field; without one from the high end of the sequence, or of the random part that grows.

        Each value of them is a node of its own, so that a generator goes on when the clock steps back.

        Raises InvalidLayoutError for other than 1 to 4 bits, for a field that is not wider, and where there is a
        rollback field.

        >>> import saiban
        >>> layout = saiban.Layout.TWITTER.with_rollback_bits(2)
        >>> layout.max_node, layout.max_rollback
        (255, 3)
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parts(Generic[_Id]):
    """The parts of an ID; what a scheme does not have is None.

    A value: equal, hashable, and it pickles.

    >>> import saiban
    >>> parts = saiban.Snowflake(node=0).inspect(1741610183685074945)
    >>> parts.time.isoformat(), parts.node, parts.sequence
    ('2024-01-01T00:00:00+00:00', 7, 1)
    """

    def __new__(
        cls,
        *,
        scheme: _Scheme,
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
    ) -> Parts[Any]: ...
    @property
    def scheme(self) -> _Scheme:
        """The family: snowflake, randflake, ulid-flake, flake, ulid, uuid-v1, uuid-v4, uuid-v7, uuid (of another
        version), objectid or tick-id.
        """
    @property
    def layout(self) -> str | None:
        """The layout's name, where it is a preset: twitter, discord, …; of a UUID of another version than 1, 4 and
        7 that: v6, nil, …; of a tick ID the order.
        """
    @property
    def id(self) -> _Id:
        """The ID itself, as generators make it: an int, of a UUID a uuid.UUID, of a ULID, ObjectId or tick ID text."""
    @property
    def text(self) -> str:
        """The ID as its canonical text."""
    @property
    def id_bytes(self) -> bytes:
        """The ID as bytes, the highest first, as many as its bits need: 8 of an ID of 64 bits, 12 of an ObjectId."""
    @property
    def bits(self) -> int:
        """The width of the ID: 64 bits, or what its scheme or layout has."""
    @property
    def timestamp_ms(self) -> int | None:
        """When its tick began, Unix milliseconds, rounded down; None where the scheme has no time (UUID v4)."""
    @property
    def submillisecond_ns(self) -> int | None:
        """By how many nanoseconds its tick began later than timestamp_ms: 0 to 999,999; of a UUID v1 or v6 and of a
        tick ID a number of hundreds. None where ticks are whole milliseconds, and where the scheme has no time.

        >>> import saiban
        >>> parts = saiban.TickId("ascending").inspect("0638996766900001234_0042")
        >>> parts.timestamp_ms, parts.submillisecond_ns
        (1764079890000, 123400)
        """
    @property
    def time(self) -> datetime | None:
        """When its tick began, a datetime in UTC, rounded down to the microsecond: what is below that,
        submillisecond_ns tells. None outside the years 1 to 9999.
        """
    @property
    def node(self) -> int | None:
        """The node; of a scalable Ulid-Flake the scalability id, of a UUID v1 its 48 bits, of an ObjectId what its
        generator drew.
        """
    @property
    def node_parts(self) -> dict[str, int]:
        """The parts of the node that have names of their own, by name; empty where it has none."""
    @property
    def sequence(self) -> int | None:
        """The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock sequence."""
    @property
    def random(self) -> int | None:
        """The random part."""
    @property
    def rollback(self) -> int | None:
        """How often the clock had stepped back, counted in the layout's rollback bits."""
    @property
    def secret_index(self) -> int | None:
        """Which of several secrets this was read with: 0 for secret, 1 and up for old_secrets; see inspect."""
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Lease:
    """Nodes that nobody else has, as long as the store can be reached.

    Lease.acquire takes them from a store, where everybody takes theirs: a range of node ids, for ttl_s
    seconds. They are renewed in the background after a third of that. A generator that is made with lease=
    makes IDs of these nodes, and none outside the lease's time. Where the store cannot be reached until that
    is over IDs stop with LeaseExpiredError, and where it says that the nodes are another's with
    LeaseLostError; they go on by themselves as soon as there is a new lease, whose nodes may be others.

    The nodes are given back by release, at the end of `with`, when neither the lease nor a generator of it is
    there any more, and when the interpreter ends, after all other threads. A program that is killed, or ends
    by os._exit, holds them until its lease is over.

    In a copy of the process made by fork, such as a worker of gunicorn with --preload, a lease acquires nodes
    of its own when it is first used there, which may take wait_s; the parent keeps its own. A lease of memory:
    cannot, and raises ForkedError.

    One lease may be used by many threads and generators at once, all of its scheme and layout: others raise
    NamespaceMismatchError.

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
        scheme: _Leased | None = "snowflake",
        layout: Layout | None = None,
        secret: Buffer | None = None,
        create: bool | None = None,
        max_ttl_s: SupportsIndex | None = 3600,
        max_clock_skew_s: SupportsIndex | None = 10,
        holder: str | None = None,
        wait_s: SupportsIndex | None = 10,
    ) -> Lease:
        """Acquires a lease from a store, waiting for it for at most wait_s. Other threads run meanwhile; Ctrl-C is
        heard when the wait is over.

        url: the store: sqlite:///path, postgres://, mysql://, redis://, etcd://, zookeeper://, with user and
        password as each server's clients have them; saiban://:TOKEN@host, a service (saiban serve); or memory:NAME,
        which is in this process alone.
        namespace: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and . ; generators whose IDs go into one column
        have one.
        nodes: how many, next to each other, 1 to 65536. ttl_s: for how many seconds at a time, 1 up to what the
        name space allows; a process that was killed holds its nodes so long.
        scheme, layout, secret: what the IDs are: snowflake (Layout.TWITTER unless another is given), randflake
        (with its secret, of which the store is told a check number only), ulid-flake (scalable IDs, of the
        usual epoch unless a layout is given) or flake (with its layout).
        create: whether the name space is made where there is none. An empty store is no proof that nobody has
        nodes, so that on a server somebody must say so once, here or by the command `saiban lease init`; None
        is True for sqlite: and memory:.
        max_ttl_s: the longest lease that a name space made so allows, 1 to 2592000 (30 days).
        max_clock_skew_s: how far this machine's clock may be from the store's.
        holder: who it is, for people, up to 120 characters; by default host and process id.
        wait_s: how long to wait for a store that cannot be reached, at least a second.

        Raises InvalidArgumentError, UnknownNameError, InvalidSecretError; StoreUnavailableError,
        StoreCorruptError, StoreUnsupportedError; NamespaceUnknownError, NamespaceMismatchError where the name
        space is for other IDs, NamespaceFullError, NamespaceQuarantinedError; ClockSkewError. No message holds
        the URL's password.

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
        scheme: _Leased | None = "snowflake",
        layout: Layout | None = None,
        secret: Buffer | None = None,
        create: bool | None = None,
        max_ttl_s: SupportsIndex | None = 3600,
        max_clock_skew_s: SupportsIndex | None = 10,
        holder: str | None = None,
        wait_s: SupportsIndex | None = 10,
    ) -> Coroutine[Any, Any, Lease]:
        """The same as acquire, as a coroutine of asyncio: `lease = await saiban.Lease.acquire_async(url)`. The
        event loop goes on meanwhile.

        >>> import asyncio, saiban
        >>> async def main():
        ...     async with await saiban.Lease.acquire_async("memory:example") as lease:
        ...         return saiban.Snowflake(lease=lease).generate()
        >>> asyncio.run(main()) > 0
        True
        """
    @property
    def nodes(self) -> range:
        """The nodes of now, which are others after a lease was lost, or ended, and in a copy of the process made
        by fork.

        Raises LeaseLostError while there is no lease, StoreUnavailableError where the store is why; in a copy
        of the process what acquire raises, and ForkedError for a lease of memory:.
        """
    def status(self) -> LeaseStatus:
        """How it is doing.

        Raises in a copy of the process made by fork what acquire raises, and ForkedError for a lease of
        memory:.
        """
    def renew(self) -> None:
        """Asks the store for more time now instead of after a third of it, without waiting for the answer, which
        status tells.

        Raises what status raises.
        """
    def release(self) -> None:
        """Gives the nodes back: others may have them at once, and generators of the lease raise LeaseLostError
        from now on.

        Waits for the store for at most 5 seconds; other threads run meanwhile. Released again it does nothing.

        Raises StoreUnavailableError where the store could not be told: the lease ends by itself then.
        """
    def __enter__(self) -> Lease: ...
    def __exit__(self, *_error: object) -> None: ...
    def __aenter__(self) -> Coroutine[Any, Any, Lease]: ...
    def __aexit__(self, *_error: object) -> Coroutine[Any, Any, None]: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Counter:
    """Counts in this process's memory: 1, 2, 3 ..., or from start on, by step. It begins anew with every process:
    for numbers that last take a SharedCounter.

    Any number of threads may use it; each number comes once. A copy made by fork raises ForkedError.

    start: 0 to 2**63 - 1. step: 1 to 2**63 - 1. Counters with the same step, and starts of other remainders by it,
    share no number.

    Raises InvalidArgumentError.

    >>> import saiban
    >>> counter = saiban.Counter(start=2, step=5)
    >>> counter.generate(), counter.generate_many(2)
    (2, [7, 12])
    """

    def __new__(cls, *, start: SupportsIndex = 1, step: SupportsIndex = 1) -> Counter: ...
    def generate(self) -> int:
        """The next number.

        Raises CounterExhaustedError past 2**63 - 1; ForkedError in a copy of the process made by fork.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[int]:
        """The next numbers, this many, at most 10 million a call.

        Raises what generate raises, and InvalidArgumentError for a count that is negative or too large.
        """

@final
class SharedCounter:
    """Numbers from a store that many processes share: each once, whoever asks.

    A process takes a block of numbers with one round trip, and fetches the next before it needs it. One
    process's numbers grow; those of several are mixed. What a process has in hand when it ends is lost, two
    blocks at most: there are gaps. A copy made by fork takes numbers of its own; one of memory: raises
    ForkedError.

    url: the store: sqlite:///path, postgres://, mysql:// or redis://, with user and password as each server's
    clients have them, or memory:NAME, which is in this process alone. Nothing is asked before the first number.
    name: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and .
    start, step: the first number, 0 to 2**63 - 1, and what lies between two, 1 to 2**63 - 1; the store remembers
    both, and refuses others. Stores whose numbers go into one column have the same step, as many as they are or
    more, and starts of other remainders by it.
    block_size: how many numbers are taken at a time, 1 to 1000000; None: as many as last for two seconds, one at
    first, and max_block_size at most.
    create: whether the counter is made where there is none. An empty store is no proof that no numbers are used,
    so that on a server somebody must say so once, here or by the command `saiban counter init`; None is True for
    sqlite: and memory:.
    wait_s: how long to wait for a store where no number is in hand, at least a second.
    gapless: refused where it is True, with the reason.

    Raises InvalidArgumentError, and StoreUnsupportedError for a kind of store that keeps no counters. No message
    holds the URL's password.

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
    def generate(self) -> int:
        """The next number. Where none is in hand the store is waited for; other threads run meanwhile.

        Raises what the store says where no number is in hand: StoreUnavailableError when it could not be asked in
        wait_s; at once CounterUnknownError, CounterMismatchError where it counts otherwise, CounterBehindError
        where it has forgotten numbers, CounterExhaustedError, StoreCorruptError, StoreUnsupportedError;
        ForkedError in a copy of the process, of a counter in memory.
        """
    def generate_async(self) -> Coroutine[Any, Any, int]:
        """The same as generate, as a coroutine of asyncio: the event loop goes on meanwhile, and so do its threads. A
        thread for all who wait for this counter's numbers waits for the store. A wait that is cancelled may leave a
        number out.

        >>> import asyncio, saiban
        >>> asyncio.run(saiban.SharedCounter("memory:async").generate_async())
        1
        """
    def try_generate(self) -> int | None:
        """The next number if it is in hand, else None: then more are being fetched.

        Raises ForkedError in a copy of the process, of a counter in memory.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[int]:
        """The next numbers, this many, at most 10 million a call; fewer only where an error came in between.

        Raises what generate raises where there was none, and InvalidArgumentError for a count that is negative or
        too large.
        """
    def status(self) -> CounterStatus:
        """How it is doing in this process.

        Raises ForkedError in a copy of the process, of a counter in memory.
        """

@final
class CounterStatus:
    """How a counter is doing in this process; see SharedCounter.status.

    >>> import saiban
    >>> counter = saiban.SharedCounter("memory:status", block_size=10)
    >>> _ = counter.generate()
    >>> counter.status().in_hand, counter.status().calls, counter.status().why
    (9, 1, None)
    """

    @property
    def in_hand(self) -> int:
        """How many numbers are in hand: they would be lost if the process ended now."""
    @property
    def block_size(self) -> int:
        """How many are taken at a time at the moment."""
    @property
    def calls(self) -> int:
        """How often the store was asked."""
    @property
    def why(self) -> str | None:
        """What went wrong when it was asked last; None if nothing did."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RemoteGenerator(Generator[_Id]):
    """Hands out IDs that a service makes (saiban serve), taken in blocks in advance.

    The next block is fetched when half of one is used, so that an ID which is in hand costs no round trip. What is
    not used within max_age_ms is dropped, and what is in hand when the process ends is never used. A copy made by
    fork has none of its parent's IDs: its first is of a block of its own.

    What an ID is, the scheme says: an int, a uuid.UUID or text, as of the generators of that scheme. inspect, range
    and the texts need no service; of a Randflake inspect raises InvalidArgumentError, as only the service has the
    secret. stats are those of this process's IDs.

    url: saiban://:TOKEN@host:7609, or saibans:// for TLS with ca=, cert= and key= (files); token_file= has the token
    of either. Several hosts, divided by commas, are asked in turn when one does not answer.
    scheme: the name that the service has it under.
    block: how many IDs are taken with one round trip, 1 to 100000, and no more than the service allows.
    max_age_ms: how long after it was asked for an ID may be handed out, 1 to 3600000 milliseconds: IDs tell the time
    at which the service made them.
    wait_s: how long to wait for the service where no ID is in hand, at least a second.

    Asks the service what the scheme is, and waits for that; other threads run meanwhile.

    Raises InvalidArgumentError; what the service says: UnknownNameError for a scheme that it does not have;
    StoreUnavailableError when it could not be asked in wait_s, or does not let this program; StoreUnsupportedError
    for a scheme that this saiban does not know. generate raises what the service says, and StoreUnavailableError.
    No message holds the token.

    >>> import saiban
    >>> try:
    ...     ids = saiban.RemoteGenerator("saiban://127.0.0.1:7609", scheme="snowflake", block=100, wait_s=1)
    ...     next_id = ids.generate()
    ... except saiban.StoreUnavailableError as error:
    ...     next_id = None  # nobody runs saiban serve here
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
        """The name that the service has the scheme under."""
    @property
    def layout(self) -> Layout | None:
        """The layout of its IDs, where the scheme may have others; else None."""
    def status(self) -> RemoteStatus:
        """How it is doing in this process."""

@final
class RemoteStatus:
    """How a remote generator is doing in this process; see RemoteGenerator.status."""

    @property
    def in_hand(self) -> int:
        """How many IDs are in hand: they would never be used if the process ended now."""
    @property
    def dropped(self) -> int:
        """How many IDs were dropped, because nobody wanted them before they were too old."""
    @property
    def calls(self) -> int:
        """How often the service was asked for IDs."""
    @property
    def why(self) -> str | None:
        """What went wrong when it was asked last; None if nothing did."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class DailyCounter:
    """Numbers that begin anew with each day of a time zone, 20261121-000001: each once, whoever asks.

    The day is the clock's, also where that goes back: numbers of a day that was left go on where they were. What
    is in hand when a day ends is not used. All else is as of a SharedCounter.

    url, name, block_size, max_block_size, create, wait_s, gapless: as of a SharedCounter.
    zone: a name of the IANA time zone database.
    format: the text: {date:...} as strftime writes it, of %Y %y %m %d %j %F %b %B %a %A %u %G %g %V, and {n}, or
    {n:06} with zeros up to six digits; all else stands for itself, and a brace for two.
    first: each day's first number.

    Raises what SharedCounter raises, and InvalidArgumentError for a zone or a format that cannot be.

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
    def generate(self) -> DailyNumber:
        """The next number of today. Where none is in hand the store is waited for; other threads run meanwhile.

        Raises what SharedCounter.generate raises; ClockUnavailableError.
        """
    def generate_async(self) -> Coroutine[Any, Any, DailyNumber]:
        """The same as generate, as a coroutine of asyncio, as that of SharedCounter."""
    def try_generate(self) -> DailyNumber | None:
        """The next number of today if it is in hand, else None: then more are being fetched."""
    def status(self) -> CounterStatus:
        """How it is doing in this process."""

@final
class DailyNumber:
    """A number of a day; as text, both in the counter's format."""

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
    """How a lease is doing; see Lease.status.

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
        state: _LeaseState,
        nodes: range | None,
        end_ms: SupportsIndex,
        grants: SupportsIndex,
        renewals: SupportsIndex,
        why: str | None,
    ) -> LeaseStatus: ...
    @property
    def state(self) -> _LeaseState:
        """Where it is: acquiring, active (it has nodes), renewing (the same, and more time was asked for),
        draining (it is being given back), idle (it was given back), expired, lost, or invalid.
        """
    @property
    def nodes(self) -> range | None:
        """The nodes; None while there is no lease."""
    @property
    def end_ms(self) -> int:
        """When it ends unless it is renewed, Unix milliseconds; 0 while there is none."""
    @property
    def grants(self) -> int:
        """How many leases there were: more than one, when one was lost, or ended."""
    @property
    def renewals(self) -> int:
        """How often it was renewed."""
    @property
    def why(self) -> str | None:
        """What went wrong when the store was asked last; None if nothing did."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stats:
    """What a generator tells of itself; see Generator.stats.

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
        guarantee: _Guarantee,
        scope: _Scope,
    ) -> Stats: ...
    @property
    def issued(self) -> int:
        """How many IDs were issued for its nodes, by all generators that share their cursor: those of this process, or
        of this machine. While others issue it may lag by what one tick holds.
        """
    @property
    def waits(self) -> int:
        """How often generate, generate_many or fill of this generator waited."""
    @property
    def rollbacks(self) -> int:
        """How often this generator found the clock behind the last ID, each time anew after it had returned."""
    @property
    def time_left_ms(self) -> int:
        """How long IDs can be issued still, milliseconds: to the end of the window or, without one, of the
        format. 0 when it is over.
        """
    @property
    def guarantee(self) -> _Guarantee:
        """What its IDs promise: unique, as long as no generator outside its scope has the same node at the same
        time; unique_in_process, because generators outside its scope can make the same ones; probable, because
        collisions were allowed.
        """
    @property
    def scope(self) -> _Scope:
        """Which generators of the same nodes share its cursor: machine, those of all processes of this user on this
        machine; process, those of this process, or none where random bits or a ManualClock keep it apart.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def encode(
    value: SupportsIndex,
    encoding: _Encoding,
    *,
    width: SupportsIndex | None = None,
    bits: SupportsIndex | None = 64,
) -> str:
    """Writes an integer as text.

    encoding: decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url; or a form of a
    UUID: hyphenated, simple, braced or urn.
    width: exactly so many characters, zeros in front; by default the customary form: of crockford,
    base64url and the forms of a UUID the full width (crockford 13, base64url 11), of others the shortest.
    bits: the width of the number, 16 to 128. 64, the default, stands for the signed integers that IDs of up to
    64 bits are: decimal is signed, the others take the 64 bits as unsigned. Of any other width the number is
    unsigned.

    Raises IdOutOfRangeError for a number of more bits, UnknownNameError, InvalidArgumentError for a width of
    number that there is not, and WidthOutOfRangeError when the value or the encoding does not fit the width.

    >>> import saiban
    >>> saiban.encode(14246757444195114, "crockford")
    '00CMXB6TAK4SA'
    >>> saiban.encode(7, "base62", width=11)
    '00000000007'
    >>> saiban.encode(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f, "base58", bits=128)
    'BihbxwwQ4NZZpKRH9JDCz'
    """

def decode(
    text: str,
    encoding: _Encoding,
    *,
    width: SupportsIndex | None = None,
    lenient: bool = False,
    bits: SupportsIndex | None = 64,
) -> int:
    """Reads an integer from text: one text per number for the form asked for.

    encoding, width, bits: as in encode.
    lenient: also takes the other case where the alphabet has one case, leading zeros, trailing "=" in
    base32hex and base64url, Crockford's aliases (i and l for 1, o for 0, hyphens anywhere), and any form of a
    UUID for another.

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
    scheme: _Scheme | None = None,
    layouts: Iterable[Layout] | None = (),
    epoch_ms: SupportsIndex | None = None,
    bits: SupportsIndex | None = None,
) -> list[Candidate]:
    """What an ID of unknown origin can be, and why: a list of saiban.Candidate, the most plausible first.

    It takes what inspect takes, and raises the same. An answer is evidence, no proof.

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
    scheme: _Scheme | None = None,
    layouts: Iterable[Layout] | None = (),
    epoch_ms: SupportsIndex | None = None,
    bits: SupportsIndex | None = None,
) -> list[Parts[Any]]:
    """What an ID of unknown origin can be: a list of Parts, the most plausible first.

    The list is empty when nothing fits. candidates tells why each stands where it does.

    id: a number, a uuid.UUID, bytes (8, 12 or 16, the highest first: IDs of 64, 96 or 128 bits), or text: what a
    scheme writes, a decimal number of up to 128 bits, a UUID in any of its forms, letters in either case, or, less
    likely, a number in any other encoding.
    secret: 16 bytes; only with it Randflake IDs can be read, and every number is one.
    old_secrets: secrets that were in use before, at most 7. The most plausible time tells which one
    fitted: secret_index of the parts, 0 for secret, 1 and up for these. That is no proof.
    scheme: look for this one only; "uuid" for UUIDs of every version.
    layouts: look for IDs of these too, at most 4: of your own, or presets, which are then more likely.
    epoch_ms: the epoch from which presets and Ulid-Flake are counted, Unix milliseconds, in place of their own.
    bits: the width of a number, 16 to 128, by default 64; text, bytes and UUIDs have their own.

    Raises the error of the form that the text is most like when no scheme reads the text; IdOutOfRangeError
    for a number of more bits; InvalidSecretError, UnknownNameError, InvalidLayoutError for the epoch;
    InvalidArgumentError for too many secrets or layouts, old secrets without secret, another number of bytes,
    and for bits that are out of range or given with anything but a number.

    >>> import saiban
    >>> saiban.inspect("00CMXB6TAK4SA")[0].time.isoformat()
    '2024-06-06T06:06:06.666000+00:00'
    >>> saiban.inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV")[0].scheme
    'ulid'
    """

def uuid_to_guid_bytes(uuid: UUID, /) -> bytes:
    """The 16 bytes of a UUID as Microsoft's GUID lies in memory: of the first three groups the lowest byte first.

    The same as uuid.bytes_le. What RFC 9562 has, the highest byte first, is uuid.bytes.

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
    """Looks whether this process is a copy made by fork, whose generators are the parent's.

    saiban gives it to os.register_at_fork. In the same process, and where the core has heard of the fork
    from libc, it changes nothing.
    """

@final
class LeaseEnd:
    """The leases of an interpreter. What was kept is given back when this is taken apart, which Python does with a
    module's contents when no other thread of the interpreter runs any more.
    """

    def __new__(cls) -> LeaseEnd: ...
    def release(self) -> None:
        """Gives all back, waiting for at most 3 seconds."""
    def keep(self) -> None:
        """Keeps them until this is taken apart."""

def panics() -> None:
    """Panics: with this the tests see that no panic crosses into Python."""

def error_kinds() -> list[tuple[int, str, str]]:
    """Every kind of error: its number, its name and its meaning, the same in all languages.

    >>> import saiban
    >>> saiban.error_kinds()[0]
    (1, 'CLOCK_BACKWARD', 'The clock is behind the last ID by more than the longest wait allowed.')
    """

def run_cli(arguments: list[str], /) -> int:
    """Runs the command `saiban` with these arguments (without the program's name); returns its exit code."""
