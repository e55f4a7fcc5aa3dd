from collections.abc import Iterable
from datetime import datetime
from os import PathLike
from typing import ClassVar, Literal, NoReturn, SupportsIndex, TypeAlias, final

from typing_extensions import Buffer, disjoint_base

__all__ = [
    "Generator",
    "Layout",
    "ManualClock",
    "Parts",
    "Randflake",
    "Snowflake",
    "Stats",
    "UlidFlake",
    "decode",
    "encode",
    "error_kinds",
    "inspect",
    "notice_fork",
    "panics",
    "run_cli",
]

_Encoding: TypeAlias = Literal[
    "decimal", "hex", "binary", "crockford", "base32hex", "base36", "base58", "base62", "base64url"
]
_Scheme: TypeAlias = Literal["snowflake", "randflake", "ulid-flake"]
_Field: TypeAlias = Literal["unused", "timestamp", "node", "sequence", "random", "rollback"]
_Preset: TypeAlias = Literal["twitter", "discord", "instagram", "sonyflake", "sonyflake_v2"]
_Rollback: TypeAlias = Literal["hold", "error", "bits"]
_Guarantee: TypeAlias = Literal["unique", "unique_in_process", "probable"]

@disjoint_base
class Generator:
    """What every generator can do: the base of Snowflake, Randflake and UlidFlake.

    It is for annotations and isinstance. IDs are signed 64-bit integers. One generator may be used by
    many threads at once.
    """

    @property
    def scheme(self) -> _Scheme:
        """The scheme's name: snowflake, randflake or ulid-flake."""
    def generate(self) -> int:
        """Makes an ID, waiting for at most max_wait_ms.

        On the system's clock the first ID waits for the tick after the one in which the generator was
        built: up to a second for Randflake. Other threads run meanwhile; Ctrl-C is heard when the wait is
        over.

        Raises WouldWaitError where the next ID needs a longer wait, or any with a ManualClock;
        ClockBackwardError where the clock is further behind the last ID, and with the policy "error" where
        it is behind at all; ClockJumpedError where it has jumped ahead by more than max_jump_s;
        LeaseNotBegunError and LeaseExpiredError outside the window; ForkedError in a copy made by fork;
        TimestampBeforeEpochError and TimestampOverflowError for a clock outside the layout's time;
        StateUnavailableError where the state file cannot be written; EntropyUnavailableError.
        """
    def try_generate(self) -> int | None:
        """Makes an ID if that needs no wait, else returns None.

        On the system's clock that is None at first, until the tick in which the generator was built is over.

        Raises what generate raises, except WouldWaitError.
        """
    def generate_many(self, count: SupportsIndex, /) -> list[int]:
        """Makes this many IDs, at most 10 million a call, waiting as generate does before each.

        Raises what generate raises, and InvalidArgumentError for a count that is negative or too large.
        """
    def fill(self, buffer: Buffer, /) -> int:
        """Fills a buffer with IDs, waiting as generate does; returns how many it wrote.

        The buffer is one-dimensional and of signed 64-bit integers, such as a numpy int64 array or
        array.array("q"). Filling stops early where no more can be had but some were written.

        Raises what generate raises when not one could be had, and WrongTypeError for anything but a
        writable buffer of signed 64-bit integers.

        >>> import array, saiban
        >>> ids = array.array("q", bytes(8 * 100))
        >>> saiban.Snowflake(node=7).fill(ids)
        100
        """
    def generate_text(self, encoding: _Encoding | None = None) -> str:
        """Makes an ID and writes it as its canonical text, or in an encoding (see saiban.encode).

        Raises what generate raises, and UnknownNameError.
        """
    def to_text(self, id: SupportsIndex, encoding: _Encoding | None = None) -> str:
        """Writes an ID as its canonical text, or in an encoding (see saiban.encode).

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and UnknownNameError.
        """
    def from_text(self, text: str, *, lenient: bool = False) -> int:
        """Reads an ID from its canonical text; with lenient=True also from what people make of it.

        Raises TextLengthError, TextCharacterError (with the position), TextOverflowError,
        TextNotCanonicalError, and IdOutOfRangeError when the number is not an ID of this scheme and layout.
        """
    def inspect(self, id: SupportsIndex | str, /) -> Parts:
        """Takes an ID, or its canonical text, apart.

        Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
        from_text raises.
        """
    def stats(self) -> Stats:
        """What the generator tells of itself.

        How many IDs were issued, how often it waited, how often it found the clock set back, how long it
        lasts, and what its IDs promise.

        Raises ClockUnavailableError.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class Snowflake(Generator):
    """Makes Snowflake IDs: time, node, sequence.

    IDs sort by time and tell it to anyone.

    node: the node that is yours alone (0 to 1023 in Twitter's layout), or nodes: a range of them.
    layout: Layout.TWITTER unless another preset or one of your own is given.
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with
    the tick after it. Without it, and on the system's clock, they begin with the tick after the one in
    which the generator was built, so that a restart within a tick repeats nothing.
    state: the path of a file that remembers which ticks were used: a clock that was set back while the
    program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold": goes on in the tick it has reached, then waits;
    "error": ClockBackwardError at once; "bits": counts the step in the layout's rollback field and goes on.
    By default "bits" for a layout with such a field (see Layout.with_rollback_bits), else "hold".
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
    do not contend; their IDs are ordered among each other by tick only.
    clock: a ManualClock, for tests. On the system's clock, generators of one process with the same
    layout and node share a cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2 ticks.

    Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
    InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file StateInUseError,
    StateMismatchError, StateUnavailableError.

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
        layout: Layout | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        shards: SupportsIndex | None = None,
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
        timestamp_ms: SupportsIndex,
        node: SupportsIndex,
        sequence: SupportsIndex,
        rollback: SupportsIndex | None = 0,
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        The time is rounded down to the tick. rollback: how often the clock had stepped back, 0 by default,
        for a layout with a rollback field.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError, RollbackOutOfRangeError.

        >>> import saiban
        >>> saiban.Snowflake(node=0).compose(timestamp_ms=1_704_067_200_000, node=7, sequence=1)
        1741610183685074945
        """

@final
class Randflake(Generator):
    """Makes Randflake IDs: time, node and sequence, encrypted. Half of all IDs are negative.

    node: the node that is yours alone, 0 to 131071, or nodes: a range of them.
    secret: 16 random bytes (the command: saiban secret), the same on every machine. Who has it can read
    an ID's time and node.
    window: (start, end), half-open, Unix seconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for these nodes, Unix seconds; IDs begin with the
    second after it. Without it, and on the system's clock, they begin with the second after the one in
    which the generator was built, so that a restart within a second repeats nothing: the first ID may wait
    that long.
    state: the path of a file that remembers which seconds were used: a clock that was set back while the
    program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the second it has
    reached, then waits; "error": ClockBackwardError at once.
    shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
    do not contend.
    clock: a ManualClock, for tests. On the system's clock, generators of one process with the same node
    share a cursor.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2000.

    An ID is no token: always authorise. Lasts until 2058-11-05.

    Raises InvalidSecretError, NodeRequiredError, NodeOutOfRangeError, NodeInUseError,
    InvalidWindowError, InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file
    StateInUseError, StateMismatchError, StateUnavailableError.

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
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        shards: SupportsIndex | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Randflake: ...
    def compose(self, *, timestamp_ms: SupportsIndex, node: SupportsIndex, sequence: SupportsIndex) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        The time is rounded down to the second.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        SequenceOutOfRangeError.
        """

@final
class UlidFlake(Generator):
    """Makes Ulid-Flake IDs: time, and a random part that grows within a millisecond.

    IDs sort by time and tell it to anyone.

    scalability: 0 to 31, an id that is yours alone; without it IDs are stand-alone, and unique within
    this process only.
    entropy_size: how many random bytes an ID grows by within a millisecond, 1 to 3, scalable 1 to 2.
    epoch_ms: the time of tick 0, Unix milliseconds; by default 2024-01-01.
    allow_collisions: lets a process made by fork go on with its parent's generator or id. Random bits do
    not keep two processes apart: a few of their IDs will be equal.
    window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
    not_before: the time of the last ID known to be used for this id, Unix milliseconds; IDs begin with the
    millisecond after it. Without it, and on the system's clock, they begin with the millisecond after the
    one in which the generator was built, so that a restart within it repeats nothing.
    state: the path of a file that remembers which milliseconds were used: a clock that was set back while
    the program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
    rollback: what happens when the clock steps back. "hold", the default: goes on in the millisecond it has
    reached, then waits; "error": ClockBackwardError at once.
    clock: a ManualClock, for tests.
    max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    max_wait_ms: the longest wait for an ID; by default 2.

    Raises NodeOutOfRangeError for the scalability, NodeInUseError, InvalidEntropySizeError,
    InvalidLayoutError for the epoch or the policy "bits", InvalidWindowError, UnknownNameError,
    InvalidArgumentError; for the state file StateInUseError, StateMismatchError, StateUnavailableError.

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
        entropy_size: SupportsIndex | None = None,
        epoch_ms: SupportsIndex | None = None,
        allow_collisions: bool | None = False,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        not_before: SupportsIndex | None = None,
        state: str | PathLike[str] | None = None,
        rollback: _Rollback | None = None,
        clock: ManualClock | None = None,
        max_jump_s: SupportsIndex | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> UlidFlake: ...
    def compose(
        self, *, timestamp_ms: SupportsIndex, random: SupportsIndex, scalability: SupportsIndex | None = None
    ) -> int:
        """Makes the ID of these parts: for tests and for reading old data, not for new IDs.

        Only scalable IDs have a scalability id; without one given, the generator's own is taken.

        Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
        RandomOutOfRangeError.
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
    """How the 64 bits of an ID are divided, and what its time is counted in.

    A value: equal, hashable, and it pickles.

    fields: pairs (name, bits) from the highest bit to the lowest, 64 bits in all; names are unused,
    timestamp, node, sequence, random, rollback (1 to 4 bits: see with_rollback_bits).
    epoch_ms: the time of tick 0, Unix milliseconds; by default the Unix epoch.
    tick_us: the length of a tick in microseconds; by default a millisecond.

    Raises InvalidLayoutError with the reason, and UnknownNameError for a field.

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
    def __new__(
        cls, fields: Iterable[tuple[_Field, int]], *, epoch_ms: SupportsIndex = 0, tick_us: SupportsIndex = 1000
    ) -> Layout: ...
    @staticmethod
    def preset(name: _Preset, /) -> Layout:
        """The preset of this name: twitter, discord, instagram, sonyflake or sonyflake_v2.

        Raises UnknownNameError for any other text.
        """
    @property
    def name(self) -> _Preset | None:
        """The preset's name when this is one, else None."""
    @property
    def fields(self) -> tuple[tuple[_Field, int], ...]:
        """Pairs (name, bits) from the highest bit to the lowest."""
    @property
    def epoch_ms(self) -> int:
        """The time of tick 0, Unix milliseconds."""
    @property
    def last_ms(self) -> int:
        """The last time that the layout can hold, Unix milliseconds."""
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
        end of the node field.

        Each value of them is a node of its own, so that a generator goes on when the clock steps back.

        Raises InvalidLayoutError for other than 1 to 4 bits, for a node field that is not wider, and where
        there is a rollback field.

        >>> import saiban
        >>> layout = saiban.Layout.TWITTER.with_rollback_bits(2)
        >>> layout.max_node, layout.max_rollback
        (255, 3)
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parts:
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
        id: SupportsIndex,
        timestamp_ms: SupportsIndex,
        layout: _Preset | None = None,
        node: SupportsIndex | None = None,
        sequence: SupportsIndex | None = None,
        random: SupportsIndex | None = None,
        rollback: SupportsIndex | None = None,
        secret_index: SupportsIndex | None = None,
    ) -> Parts: ...
    @property
    def scheme(self) -> _Scheme:
        """The family: snowflake, randflake or ulid-flake."""
    @property
    def layout(self) -> _Preset | None:
        """The layout's name, where it is a preset: twitter, discord, …"""
    @property
    def id(self) -> int:
        """The ID itself."""
    @property
    def timestamp_ms(self) -> int:
        """When its tick began, Unix milliseconds."""
    @property
    def time(self) -> datetime | None:
        """When its tick began, a datetime in UTC; None outside the years 1 to 9999."""
    @property
    def node(self) -> int | None:
        """The node; of a scalable Ulid-Flake the scalability id."""
    @property
    def sequence(self) -> int | None:
        """The sequence number within the tick."""
    @property
    def random(self) -> int | None:
        """The random part."""
    @property
    def rollback(self) -> int | None:
        """How often the clock had stepped back, counted in the layout's rollback bits."""
    @property
    def secret_index(self) -> int | None:
        """Which of several secrets this was read with: 0 for secret, 1 and up for old_secrets; see inspect."""
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
    ) -> Stats: ...
    @property
    def issued(self) -> int:
        """How many IDs were issued for its nodes, by all generators of this process that share their cursor.
        While others issue it may lag by what one tick holds.
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
        """What its IDs promise: unique, as long as no other process has the same node at the same time;
        unique_in_process, because another process can make the same ones; probable, because collisions
        were allowed.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def encode(value: SupportsIndex, encoding: _Encoding, *, width: SupportsIndex | None = None) -> str:
    """Writes a signed 64-bit integer as text.

    encoding: decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url. Decimal
    is signed, the others take the 64 bits as unsigned.
    width: exactly so many characters, zeros in front; by default the customary form: crockford 13,
    base64url 11, others shortest.

    Raises IdOutOfRangeError beyond 64 bits, UnknownNameError, and WidthOutOfRangeError when the value
    or the encoding does not fit the width.

    >>> import saiban
    >>> saiban.encode(14246757444195114, "crockford")
    '00CMXB6TAK4SA'
    >>> saiban.encode(7, "base62", width=11)
    '00000000007'
    """

def decode(text: str, encoding: _Encoding, *, width: SupportsIndex | None = None, lenient: bool = False) -> int:
    """Reads a signed 64-bit integer from text: one text per number for the form asked for.

    encoding, width: as in encode.
    lenient: also takes the other case where the alphabet has one case, leading zeros, trailing "=" in
    base32hex and base64url, and Crockford's aliases: i and l for 1, o for 0, hyphens anywhere.

    Raises TextLengthError, TextCharacterError (its position counts from 0), TextOverflowError,
    TextNotCanonicalError, WidthOutOfRangeError, UnknownNameError.

    >>> import saiban
    >>> saiban.decode("ff", "hex")
    255
    >>> saiban.decode("FF", "hex", lenient=True)
    255
    """

def inspect(
    id: SupportsIndex | str,
    *,
    secret: Buffer | None = None,
    old_secrets: Iterable[Buffer] | None = (),
    scheme: _Scheme | None = None,
) -> list[Parts]:
    """What an ID of unknown origin can be: a list of Parts, the most plausible first.

    The list is empty when nothing fits.

    id: a number, or text: canonical text of a scheme, or a decimal number.
    secret: 16 bytes; only with it Randflake IDs can be read, and every number is one.
    old_secrets: secrets that were in use before, at most 7. The most plausible time tells which one
    fitted: secret_index of the parts, 0 for secret, 1 and up for these. That is no proof.
    scheme: look for this one only.

    Raises the error of the reading that came furthest when no scheme reads the text; IdOutOfRangeError
    for a number beyond 64 bits; InvalidSecretError, UnknownNameError; InvalidArgumentError for too many
    secrets, or old ones without secret.

    >>> import saiban
    >>> saiban.inspect("00CMXB6TAK4SA")[0].time.isoformat()
    '2024-06-06T06:06:06.666000+00:00'
    """

def notice_fork() -> None:
    """Looks whether this process is a copy made by fork, whose generators are the parent's.

    saiban gives it to os.register_at_fork. In the same process, and where the core has heard of the fork
    from libc, it changes nothing.
    """

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
