# The classes of the schemes.
#
# Made by python/generate-stubs from core's registry and bindings/python/src/schemes.rs.

from datetime import datetime
from os import PathLike
from typing import SupportsIndex, final
from uuid import UUID

from typing_extensions import Buffer

from saiban._native import Generator, Layout, Lease, ManualClock, Parts, _Node
from saiban.names import Encoding, Rollback, Scope, TickOrder

__all__ = [
    "Flake",
    "FlakeGenerator",
    "ObjectId",
    "ObjectIdGenerator",
    "Randflake",
    "RandflakeGenerator",
    "Snowflake",
    "SnowflakeGenerator",
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
]

@final
class SnowflakeGenerator(Generator[int]):
    """Makes Snowflake IDs: time, node, sequence.

    IDs sort by time, and anyone can read the time from an ID.

    node: a node that no other machine has (0 to 1023 in Twitter's layout), or nodes: a range of
    them.
    lease: a Lease for this layout, in place of node, nodes, window, not_before and state: IDs
    are of its nodes and time.
    store: a store's URL, as Lease.acquire takes it, in place of lease: the generator acquires a
    lease of its own, of one node, and waits for the store for at most 10 seconds. The property
    lease is that lease.
    namespace: the namespace of that lease, by default "default". Generators whose IDs go into
    one column must use the same namespace.
    layout: Layout.TWITTER unless another preset or one of your own is given.
    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last known ID of these nodes, Unix milliseconds; IDs
    begin with the tick after it. Without it, on the system's clock and with scope "process",
    they begin with the tick after the one in which the generator was built, so that a restart
    within a tick repeats nothing.
    state: the path of a file that remembers which ticks were used: no ID is repeated even if
    the clock is set back while the program is down. Locked (PATH.lock) as long as a generator
    uses it.
    rollback: what happens when the clock steps back. "hold": continues within the tick that it
    has reached, then waits; "error": ClockBackwardError at once; "bits": counts the step in the
    layout's rollback field and continues. By default "bits" for a layout with such a field (see
    Layout.with_rollback_bits), else "hold".
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one
    in turn and do not contend; their IDs are ordered among each other by tick only.
    scope: which generators of the same node share a cursor, so that none repeats another's ID:
    "machine", those of all processes of this user on this machine, also restarted and forked
    ones; "process", those of this process. By default "machine" where it is available, else
    "process" (see Stats.scope): it needs Linux or macOS, the system's clock, and of a lease a
    store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks.
    prefix: what the text of IDs begins with: letters a to z, underscores between them, 63 at
    most. The text is then the prefix, an underscore and the number in Crockford's base32, lower
    case, in full width.

    Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
    InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file
    StateInUseError; for that and for scope "machine" StateMismatchError, StateUnavailableError;
    ClockBackwardError where the clock is more than max_jump_s behind the last ID of this
    machine; with store= what Lease.acquire raises.

    Source: Twitter, "Announcing Snowflake" (2010).

    >>> import saiban
    >>> ids = saiban.Snowflake(node=7)
    >>> ids.inspect(ids.generate()).node
    7
    >>> orders = saiban.Snowflake(store="memory:example", namespace="orders")
    >>> orders.inspect(orders.generate()).node in orders.lease.nodes
    True

    saiban.Snowflake is a short name of this class.
    """

    def __new__(
        cls,
        *,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        store: str | None = None,
        namespace: str | None = None,
        layout: Layout | str | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> SnowflakeGenerator: ...
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

        timestamp_ms or time, a datetime with a time zone: rounded down to the tick.
        submillisecond_ns: with timestamp_ms the nanoseconds after that, 0 to 999,999, for a layout
        whose ticks are that short. node: a number, or a mapping if its parts have names.
        rollback: the number of times that the clock had stepped back, 0 by default, for a layout
        with a rollback field.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError, RollbackOutOfRangeError; InvalidArgumentError for nanoseconds that
        do not fit a millisecond.

        >>> import saiban
        >>> saiban.Snowflake(node=0).compose(timestamp_ms=1_704_067_200_000, node=7, sequence=1)
        1741610183685074945
        """
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""

@final
class RandflakeGenerator(Generator[int]):
    """Makes Randflake IDs: time, node and sequence, encrypted. Half of all IDs are negative.

    node: a node that no other machine has, 0 to 131071, or nodes: a range of them.
    lease: a Lease for this secret, in place of node, nodes, window, not_before and state: IDs
    are of its nodes and time.
    store: a store's URL, as Lease.acquire takes it, in place of lease: the generator acquires a
    lease of its own, of one node, and waits for the store for at most 10 seconds. The property
    lease is that lease.
    namespace: the namespace of that lease, by default "default". Generators whose IDs go into
    one column must use the same namespace.
    secret: 16 random bytes (the command: saiban secret), the same on every machine. Anyone who
    has it can read an ID's time and node.
    window: (start, end), half-open, Unix seconds: the limits of the time in the IDs.
    not_before: the time of the last known ID of these nodes, Unix seconds; IDs
    begin with the second after it. Without it, on the system's clock and with scope "process",
    they begin with the second after the one in which the generator was built, so that a restart
    within a second repeats nothing: the first ID may wait that long.
    state: the path of a file that remembers which seconds were used: no ID is repeated even if
    the clock is set back while the program is down. Locked (PATH.lock) as long as a generator
    uses it.
    rollback: what happens when the clock steps back. "hold", the default: continues within the
    second that it has reached, then waits; "error": ClockBackwardError at once.
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one
    in turn and do not contend.
    scope: which generators of the same node share a cursor, so that none repeats another's ID:
    "machine", those of all processes of this user on this machine, also restarted and forked
    ones; "process", those of this process. By default "machine" where it is available, else
    "process" (see Stats.scope): it needs Linux or macOS, the system's clock, and of a lease a
    store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2000.
    prefix: what the text of IDs begins with: letters a to z, underscores between them, 63 at
    most. The text is then the prefix, an underscore and the number in Crockford's base32, lower
    case, in full width.

    An ID is no token: always authorise. Lasts until 2058-11-05.

    Raises InvalidSecretError, NodeRequiredError, NodeOutOfRangeError, NodeInUseError,
    InvalidWindowError, InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the
    state file StateInUseError; for that and for scope "machine" StateMismatchError,
    StateUnavailableError; ClockBackwardError where the clock is more than max_jump_s behind the
    last ID of this machine; with store= what Lease.acquire raises.

    Source: github.com/gosuda/randflake (2024).

    >>> import saiban
    >>> ids = saiban.Randflake(node=42, secret=bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5"))
    >>> ids.compose(timestamp_ms=1_733_706_297_000, node=42, sequence=1)
    4594531474933654033
    >>> ids.to_text(4594531474933654033)
    '3vgoe12ccb8gh'

    saiban.Randflake is a short name of this class.
    """

    def __new__(
        cls,
        *,
        secret: Buffer,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        store: str | None = None,
        namespace: str | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> RandflakeGenerator: ...
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
class UlidFlakeGenerator(Generator[int]):
    """Makes Ulid-Flake IDs: time, and a random part that grows within a millisecond.

    IDs sort by time, and anyone can read the time from an ID.

    scalability: 0 to 31, an id that no other machine has; without it IDs are stand-alone, and
    unique within the scope only.
    lease: a Lease for ulid-flake, in place of scalability, allow_collisions, window, not_before
    and state: IDs are scalable, of its node and time. The lease has one node. For another
    epoch_ms, acquire it with the layout of that epoch.
    store: a store's URL, as Lease.acquire takes it, in place of lease: the generator acquires a
    lease of its own, of one node, and waits for the store for at most 10 seconds. The property
    lease is that lease.
    namespace: the namespace of that lease, by default "default". Generators whose IDs go into
    one column must use the same namespace.
    entropy_size: how many random bytes an ID grows by within a millisecond, 1 to 3, scalable 1
    to 2.
    epoch_ms: the time of tick 0, Unix milliseconds; by default 2024-01-01.
    allow_collisions: sets scope "process", and lets a forked process continue with its parent's
    generator or id. Random bits do not keep two processes apart: a few of their IDs will be
    equal.
    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last known ID with this id, Unix milliseconds; IDs
    begin with the millisecond after it. Without it, on the system's clock and with scope
    "process", they begin with the millisecond after the one in which the generator was built,
    so that a restart within it repeats nothing.
    state: the path of a file that remembers which milliseconds were used: no ID is repeated
    even if the clock is set back while the program is down. Locked (PATH.lock) as long as a
    generator uses it.
    rollback: what happens when the clock steps back. "hold", the default: continues within the
    millisecond that it has reached, then waits; "error": ClockBackwardError at once.
    scope: which generators of the same id, or of none, share a cursor, so that none repeats
    another's ID: "machine", those of all processes of this user on this machine, also restarted
    and forked ones; "process", those of this process. By default "machine" where it is
    available, else "process" (see Stats.scope): it needs Linux or macOS, the system's clock, no
    allow_collisions, and of a lease a store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2.
    prefix: what the text of IDs begins with: letters a to z, underscores between them, 63 at
    most. The text is then the prefix, an underscore and the number in Crockford's base32, lower
    case, in full width.

    Raises NodeOutOfRangeError for the scalability, NodeInUseError, InvalidEntropySizeError,
    InvalidLayoutError for the epoch or the policy "bits", InvalidWindowError, UnknownNameError,
    InvalidArgumentError; for the state file StateInUseError; for that and for scope "machine"
    StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more than
    max_jump_s behind the last ID of this machine; with store= what Lease.acquire raises.

    Source: github.com/ulid-flake/spec (2024).

    >>> import saiban
    >>> ids = saiban.UlidFlake()
    >>> ids.to_text(14246757444195114)
    '00CMXB6TAK4SA'

    saiban.UlidFlake is a short name of this class.
    """

    def __new__(
        cls,
        *,
        scalability: SupportsIndex | None = None,
        lease: Lease | None = None,
        store: str | None = None,
        namespace: str | None = None,
        entropy_size: SupportsIndex | None = None,
        epoch_ms: SupportsIndex | None = None,
        allow_collisions: bool | None = False,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: Rollback | None = None,
        scope: Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> UlidFlakeGenerator: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        random: SupportsIndex,
        scalability: SupportsIndex | None = None,
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone. Only scalable IDs have a scalability id,
        by default the generator's own.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        RandomOutOfRangeError.
        """

@final
class FlakeGenerator(Generator[int]):
    """Makes IDs of a layout of your own, of 16 to 128 bits: integers, those of more than 64 bits
    never negative.

    layout: the layout of the IDs; see Layout.from_text.
    node: a node that no other machine has, or nodes: a range of them; for a layout with a node
    field.
    lease: a Lease for this layout, in place of node, nodes, window, not_before and state: IDs
    are of its nodes and time.
    store: a store's URL, as Lease.acquire takes it, in place of lease: the generator acquires a
    lease of its own, of one node, and waits for the store for at most 10 seconds. The property
    lease is that lease.
    namespace: the namespace of that lease, by default "default". Generators whose IDs go into
    one column must use the same namespace.
    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last known ID of these nodes, Unix milliseconds; IDs
    begin with the tick after it. Without it, on the system's clock and with scope "process",
    they begin with the tick after the one in which the generator was built, so that a restart
    within a tick repeats nothing.
    state: the path of a file that remembers which ticks were used: no ID is repeated even if
    the clock is set back while the program is down. Locked (PATH.lock) as long as a generator
    uses it.
    rollback: what happens when the clock steps back. "hold": continues within the tick that it
    has reached, then waits; "error": ClockBackwardError at once; "bits": counts the step in the
    layout's rollback field and continues. By default "bits" for a layout with such a field,
    else "hold".
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one
    in turn and do not contend; their IDs are ordered among each other by tick only.
    scope: which generators of the same node share a cursor, so that none repeats another's ID:
    "machine", those of all processes of this user on this machine, also restarted and forked
    ones; "process", those of this process. By default "machine" where it is available, else
    "process" (see Stats.scope): it needs Linux or macOS, the system's clock, a layout whose
    time, node and sequence have 63 bits or fewer together, and of a lease a store that other
    processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks.
    prefix: what the text of IDs begins with: letters a to z, underscores between them, 63 at
    most. The text is then the prefix, an underscore and the number in Crockford's base32, lower
    case, in full width.

    The layout decides what IDs promise (see Stats.guarantee). With a node, and a sequence or a
    growing random part, IDs are unique. Without a node, they are unique within the scope. With
    only a random part, they can be equal: see Layout.collision_odds.

    Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
    UnknownNameError, InvalidLayoutError; InvalidArgumentError for a node if the layout has
    none; for the state file StateInUseError; for that and for scope "machine"
    StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more than
    max_jump_s behind the last ID of this machine; with store= what Lease.acquire raises.

    >>> import saiban
    >>> layout = saiban.Layout.from_text("timestamp:48 node.region:4 node.host:12 sequence:16 random:16")
    >>> ids = saiban.Flake(layout, node=layout.node_of_parts({"region": 2, "host": 7}))
    >>> ids.inspect(ids.generate()).node_parts
    {'region': 2, 'host': 7}

    saiban.Flake is a short name of this class.
    """

    def __new__(
        cls,
        layout: Layout | str,
        *,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        store: str | None = None,
        namespace: str | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> FlakeGenerator: ...
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

        timestamp_ms or time, a datetime with a time zone: rounded down to the tick.
        submillisecond_ns: with timestamp_ms the nanoseconds after that, 0 to 999,999, for a layout
        whose ticks are that short. node: a number, or a mapping if its parts have names. A part
        that the layout does not have must be 0 or left out.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError, RandomOutOfRangeError, RollbackOutOfRangeError; UnknownNameError
        for a name that no part of the node has; InvalidArgumentError for a part of the node that is
        missing, and for nanoseconds that do not fit a millisecond.

        >>> import saiban
        >>> ids = saiban.Flake(saiban.Layout.from_text("timestamp:48 sequence:16 random:32"))
        >>> hex(ids.compose(timestamp_ms=1_700_000_000_000, sequence=1, random=2))
        '0x18bcfe56800000100000002'
        """
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""
    def to_text(self, id: SupportsIndex | UUID, encoding: Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode), which is of the
        number alone, without a prefix.

        An ID of 128 bits, such as a ULID, may also be given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and
        UnknownNameError. With a prefix every uuid.UUID is written, also one of another version.
        """
    def inspect(self, id: str | SupportsIndex | UUID, /) -> Parts[int]:
        """Takes an ID, or its canonical text, apart. An ID of 128 bits, such as a ULID, may also be
        given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """

@final
class UlidGenerator(Generator[str]):
    """Makes ULIDs, 26 characters of Crockford's base32: time, and 80 random bits that grow by one
    within a millisecond.

    IDs sort by time, as text too, and anyone can read the time from an ID. Text is upper case;
    any case is read, as the specification says, and from_text returns upper case. A forked
    process continues with its own random bits: two generators make equal IDs with a chance of
    2^-80 for each pair from one millisecond.

    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin with the
    millisecond after it.
    rollback: what happens when the clock steps back. "hold", the default: continues within the
    millisecond that it has reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2.
    prefix: what IDs begin with: letters a to z, underscores between them, 63 at most. IDs are
    the prefix, an underscore and the number in Crockford's base32, lower case, in full width.

    Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, and InvalidLayoutError
    for the policy "bits".

    Source: github.com/ulid/spec (2016-2019).

    >>> import saiban
    >>> ids = saiban.Ulid()
    >>> ids.inspect("01ARYZ6S41TSV4RRFFQ69G5FAV").time.isoformat()
    '2016-07-30T22:36:16.385000+00:00'

    saiban.Ulid is a short name of this class.
    """

    def __new__(
        cls,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> UlidGenerator: ...
    def compose(
        self, *, timestamp_ms: SupportsIndex | None = None, time: datetime | None = None, random: SupportsIndex
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
    def to_bytes(self, id: str | UUID) -> bytes:
        """The 16 bytes of an ID, the highest first.

        Raises what from_text raises.
        """
    def from_bytes(self, bytes: Buffer) -> str:
        """The ID of these 16 bytes, the highest first.

        Raises InvalidArgumentError for another number of bytes.
        """
    def to_uuid(self, id: str | UUID) -> UUID:
        """Returns the 128 bits as a uuid.UUID, for a UUID column. It has no version of RFC 9562.

        Raises what from_text raises.

        >>> import saiban
        >>> saiban.Ulid().to_uuid("01ARYZ6S41TSV4RRFFQ69G5FAV")
        UUID('01563df3-6481-d676-4c61-efb99302bd5b')
        """
    def from_uuid(self, uuid: UUID) -> str:
        """Returns the ID with the 128 bits of a uuid.UUID."""
    def to_text(self, id: str | UUID, encoding: Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode), which is of the
        number alone, without a prefix.

        An ID of 128 bits, such as a ULID, may also be given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and
        UnknownNameError. With a prefix every uuid.UUID is written, also one of another version.
        """
    def inspect(self, id: str | UUID, /) -> Parts[str]:
        """Takes an ID, or its canonical text, apart. An ID of 128 bits, such as a ULID, may also be
        given as a uuid.UUID.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """

@final
class UuidGenerator(Generator[UUID]):
    """Makes UUIDs of version 1, 4 or 7: objects of uuid.UUID.

    Version 7: Unix milliseconds, and 74 random bits that grow by a random step within a
    millisecond (RFC 9562 section 6.2, method 2): IDs of a generator ascend strictly, and the
    next one cannot be guessed. They sort by time, and anyone can read the time from an ID.
    Version 4: 122 random bits, and nothing else. Version 1: 100 ns since 1582, with a clock
    sequence and a node that are random for each generator; its IDs do not sort by time.

    Random bits come from saiban's own pool, which a forked process does not share with its
    parent.

    version: 7, the default, 4 or 1. Version 4 takes no options but the prefix, and the clock,
    which it does not read.
    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin after it.
    rollback: what happens when the clock steps back. "hold", the default: continues within the
    tick that it has reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2, and for version 1 2 ticks of 100 ns.
    prefix: what the text of IDs begins with: letters a to z, underscores between them, 63 at
    most. The texts of version 7 are TypeIDs (github.com/jetify-com/typeid). The generator
    writes and reads every UUID, also of another version.

    Raises InvalidArgumentError, InvalidWindowError, UnknownNameError, EntropyUnavailableError,
    and InvalidLayoutError for the policy "bits".

    Source: RFC 9562 (2024).

    >>> import saiban
    >>> ids = saiban.Uuid(7)
    >>> older, newer = ids.generate(), ids.generate()
    >>> older < newer, newer.version
    (True, 7)
    >>> orders = saiban.Uuid(7, prefix="order")
    >>> orders.from_text("order_01h455vb4pex5vsknk084sn02q")
    UUID('01890a5d-ac96-774b-bcce-b302099a8057')

    saiban.Uuid is a short name of this class.
    """

    def __new__(
        cls,
        version: SupportsIndex | None = 7,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> UuidGenerator: ...
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

        Version 7: timestamp_ms or time (a datetime with a time zone), and random, 74 bits. Version
        4: random, 122 bits. Version 1: timestamp_ms or time, clock_sequence, 14 bits, and node, 48.
        With timestamp_ms submillisecond_ns may be given, the nanoseconds after that, 0 to 999,999;
        a datetime has its microseconds. A time is rounded down to the tick: a millisecond, or 100
        ns for version 1.

        Raises InvalidArgumentError for a part that is missing, or that the version does not have;
        TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError,
        SequenceOutOfRangeError, NodeOutOfRangeError.

        >>> import saiban
        >>> random = 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F          # RFC 9562, appendix A.6
        >>> saiban.Uuid(7).compose(timestamp_ms=1_645_557_742_000, random=random)
        UUID('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
        """
    @property
    def version(self) -> int:
        """The version: 1, 4 or 7."""

@final
class ObjectIdGenerator(Generator[str]):
    """Makes ObjectIds that MongoDB and its drivers accept, 24 hexadecimal digits: seconds, 40
    random bits of the generator, and a counter of 24 bits. Drivers keep counting across
    seconds; this counter begins each second with the generator's random number.

    IDs sort by second, as text too, and anyone can read the second from an ID: at most
    16,777,216 a second. A forked process continues with its own random bits: two generators
    make equal IDs with a chance of 2^-40, if their counters overlap. Lasts until 2106-02-07.

    window: (start, end), half-open, Unix seconds: the limits of the time in the IDs.
    not_before: the time of the last ID known to be used, Unix seconds; IDs begin with the
    second after it.
    rollback: what happens when the clock steps back. "hold", the default: continues within the
    second that it has reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2000.
    prefix: what IDs begin with: letters a to z, underscores between them, 63 at most. IDs are
    the prefix, an underscore and the number in Crockford's base32, lower case, in full width.

    Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, EntropyUnavailableError,
    and InvalidLayoutError for the policy "bits".

    Source: MongoDB manual, "ObjectId"; MongoDB specifications, "BSON ObjectID".

    >>> import saiban
    >>> ids = saiban.ObjectId()
    >>> ids.inspect("507f1f77bcf86cd799439011").time.isoformat()
    '2012-10-17T21:13:27+00:00'

    saiban.ObjectId is a short name of this class.
    """

    def __new__(
        cls,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> ObjectIdGenerator: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        node: SupportsIndex,
        sequence: SupportsIndex,
    ) -> str:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: rounded down to the second. node: 40
        bits, which are random in generated IDs. sequence: the counter, 24 bits.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError.

        >>> import saiban
        >>> saiban.ObjectId().compose(timestamp_ms=1_350_508_407_000, node=0xBCF86CD799, sequence=0x439011)
        '507f1f77bcf86cd799439011'
        """
    def generate_bytes(self) -> bytes:
        """Makes an ID as 12 bytes, as in BSON.

        Raises what generate raises.
        """
    def to_bytes(self, id: str) -> bytes:
        """The 12 bytes of an ID, as in BSON.

        Raises what from_text raises.
        """
    def from_bytes(self, bytes: Buffer) -> str:
        """The ID of these 12 bytes, as in BSON.

        Raises InvalidArgumentError for another number of bytes.
        """

@final
class TickIdGenerator(Generator[str]):
    """Makes tick IDs, for key-value and table stores that sort by text: 100 ns since 0001-01-01,
    .NET's ticks, and random digits.

    Ascending IDs are {ticks:019}_{random:04}. Descending IDs, which sort the newest first, are
    {9223372036854775807 - ticks:019}_{random:03}. Generators of one process and order never use
    a tick twice. Two processes may use the same tick, and then only the random digits
    distinguish their IDs: let the database reject a duplicate, and insert a new ID. Anyone can
    read the time from an ID.

    order: "ascending", the default, or "descending".
    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin after it.
    rollback: what happens when the clock steps back. "hold", the default: continues up to 1 ms
    ahead of the clock, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks of 100 ns.
    prefix: what IDs begin with: letters a to z, underscores between them, 63 at most. IDs are
    the prefix, an underscore and the number in Crockford's base32, lower case, in full width.

    Raises UnknownNameError, InvalidArgumentError, InvalidWindowError, and InvalidLayoutError
    for the policy "bits".

    >>> import saiban
    >>> ids = saiban.TickId("descending")
    >>> older, newer = ids.generate(), ids.generate()
    >>> newer < older
    True

    saiban.TickId is a short name of this class.
    """

    def __new__(
        cls,
        order: TickOrder | None = "ascending",
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> TickIdGenerator: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        submillisecond_ns: SupportsIndex | None = None,
        random: SupportsIndex,
    ) -> str:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: its microseconds count.
        submillisecond_ns: with timestamp_ms the nanoseconds after that, 0 to 999,999, rounded down
        to 100. random: four digits, descending three.

        Raises TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError;
        InvalidArgumentError for nanoseconds that do not fit a millisecond.

        >>> import saiban
        >>> saiban.TickId("ascending").compose(timestamp_ms=1_764_079_890_000, submillisecond_ns=123_400, random=42)
        '0638996766900001234_0042'
        """
    @property
    def order(self) -> TickOrder:
        """Which come first in a store that sorts by text: the oldest ("ascending") or the newest
        ("descending").
        """

@final
class TsidGenerator(Generator[int]):
    """Makes TSIDs, 64-bit integers whose text sorts: time, node, sequence, and no unused bit.

    A TSID has 42 bits of milliseconds since 2020-01-01. IDs sort by time, and anyone can read
    the time from an ID. Text is 13 characters of Crockford's base32, upper case; any case is
    read. IDs are negative from 2089-09-06, and last until 2159-05-15.

    node: a node that no other machine has, 0 to 1023 by default, or nodes: a range of them.
    lease: a Lease for scheme "tsid" and this layout, in place of node, nodes, window,
    not_before and state: IDs are of its nodes and time.
    store: a store's URL, as Lease.acquire takes it, in place of lease: the generator acquires a
    lease of its own, of one node, and waits for the store for at most 10 seconds. The property
    lease is that lease.
    namespace: the namespace of that lease, by default "default". Generators whose IDs go into
    one column must use the same namespace.
    layout: Layout.preset("tsid-256"), with 8 bits for the node and 14 for the sequence;
    "tsid-1024", the default, with 10 and 12; "tsid-4096" with 12 and 10; or one of your own.
    window: (start, end), half-open, Unix milliseconds: the limits of the time in the IDs.
    not_before: the time of the last known ID of these nodes, Unix milliseconds; IDs
    begin with the tick after it. Without it, on the system's clock and with scope "process",
    they begin with the tick after the one in which the generator was built, so that a restart
    within a tick repeats nothing.
    state: the path of a file that remembers which ticks were used: no ID is repeated even if
    the clock is set back while the program is down. Locked (PATH.lock) as long as a generator
    uses it.
    rollback: what happens when the clock steps back. "hold": continues within the tick that it
    has reached, then waits; "error": ClockBackwardError at once; "bits": counts the step in the
    layout's rollback field and continues. By default "bits" for a layout with such a field (see
    Layout.with_rollback_bits), else "hold".
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one
    in turn and do not contend; their IDs are ordered among each other by tick only.
    scope: which generators of the same node share a cursor, so that none repeats another's ID:
    "machine", those of all processes of this user on this machine, also restarted and forked
    ones; "process", those of this process. By default "machine" where it is available, else
    "process" (see Stats.scope): it needs Linux or macOS, the system's clock, and of a lease a
    store that other processes use too.
    clock: a ManualClock, for tests. Generators with one share no cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks.
    prefix: what the text of IDs begins with: letters a to z, underscores between them, 63 at
    most. The text is then the prefix, an underscore and the number in Crockford's base32, lower
    case, in full width.

    Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
    UnknownNameError, InvalidArgumentError, InvalidLayoutError for a layout without time, node
    or sequence; for the state file StateInUseError; for that and for scope "machine"
    StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more than
    max_jump_s behind the last ID of this machine; with store= what Lease.acquire raises.

    Source: github.com/f4b6a3/tsid-creator (5.2), which begins each millisecond at a random
    number; here the sequence begins at 0.

    >>> import saiban
    >>> ids = saiban.Tsid(node=7)
    >>> ids.to_text(529448671641628673)
    '0EP7TRC000W01'
    >>> ids.inspect("0ep7trc000w01").time.isoformat()
    '2024-01-01T00:00:00+00:00'

    saiban.Tsid is a short name of this class.
    """

    def __new__(
        cls,
        *,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        lease: Lease | None = None,
        store: str | None = None,
        namespace: str | None = None,
        layout: Layout | str | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: Rollback | None = None,
        shards: SupportsIndex | None = None,
        scope: Scope | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> TsidGenerator: ...
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

        timestamp_ms or time, a datetime with a time zone: rounded down to the tick.
        submillisecond_ns: with timestamp_ms the nanoseconds after that, 0 to 999,999, for a layout
        whose ticks are that short. node: a number, 0 to 1023 by default, or a mapping if its parts
        have names. sequence: 0 to 4095 by default. rollback: the number of times that the clock had
        stepped back, 0 by default, for a layout with a rollback field.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError, RollbackOutOfRangeError; InvalidArgumentError for nanoseconds that
        do not fit a millisecond.

        >>> import saiban
        >>> saiban.Tsid(node=0).compose(timestamp_ms=1_704_067_200_000, node=7, sequence=1)
        529448671641628673
        """
    @property
    def layout(self) -> Layout:
        """The layout of its IDs."""

@final
class XidGenerator(Generator[str]):
    """Makes XIDs, text of 20 characters: seconds, 40 random bits of the generator, and a counter
    of 24 bits. The 96 bits are those of an ObjectId.

    IDs sort by second, as text too, and anyone can read the second from an ID: at most
    16,777,216 a second. Text is the 12 bytes in base32hex, lower case, without padding; upper
    case is refused unless lenient. A forked process continues with its own random bits: two
    generators make equal IDs with a chance of 2^-40, if their counters overlap. Lasts until
    2106-02-07.

    window: (start, end), half-open, Unix seconds: the limits of the time in the IDs.
    not_before: the time of the last ID known to be used, Unix seconds; IDs begin with the
    second after it.
    rollback: what happens when the clock steps back. "hold", the default: continues within the
    second that it has reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by
    default a day.
    max_wait_ms: the longest wait for an ID; by default 2000.
    prefix: what IDs begin with: letters a to z, underscores between them, 63 at most. IDs are
    the prefix, an underscore and the number in Crockford's base32, lower case, in full width.

    Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, EntropyUnavailableError,
    and InvalidLayoutError for the policy "bits".

    Source: github.com/rs/xid (1.5), which takes 24 of the 40 bits from the machine's name and
    16 from the process id; here all 40 are random.

    >>> import saiban
    >>> ids = saiban.Xid()
    >>> ids.inspect("9m4e2mr0ui3e8a215n4g").time.isoformat()
    '2011-03-22T17:50:19+00:00'

    saiban.Xid is a short name of this class.
    """

    def __new__(
        cls,
        *,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        rollback: Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
        prefix: str | None = None,
    ) -> XidGenerator: ...
    def compose(
        self,
        *,
        timestamp_ms: SupportsIndex | None = None,
        time: datetime | None = None,
        node: SupportsIndex,
        sequence: SupportsIndex,
    ) -> str:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        timestamp_ms or time, a datetime with a time zone: rounded down to the second. node: 40
        bits, which are random in generated IDs. sequence: the counter, 24 bits.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError.

        >>> import saiban
        >>> saiban.Xid().compose(timestamp_ms=1_300_816_219_000, node=0x60F486E428, sequence=0x412DC9)
        '9m4e2mr0ui3e8a215n4g'
        """
    def generate_bytes(self) -> bytes:
        """Makes an ID as 12 bytes, the highest first.

        Raises what generate raises.
        """
    def to_bytes(self, id: str) -> bytes:
        """The 12 bytes of an ID, the highest first.

        Raises what from_text raises.
        """
    def from_bytes(self, bytes: Buffer) -> str:
        """The ID of these 12 bytes, the highest first.

        Raises InvalidArgumentError for another number of bytes.
        """

Snowflake = SnowflakeGenerator
Randflake = RandflakeGenerator
UlidFlake = UlidFlakeGenerator
Flake = FlakeGenerator
Ulid = UlidGenerator
Uuid = UuidGenerator
ObjectId = ObjectIdGenerator
TickId = TickIdGenerator
Tsid = TsidGenerator
Xid = XidGenerator
