"""The exceptions of saiban: one class for each kind of error, the same kinds in every language.

Made by python/generate-stubs from the core's list; change that instead.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    # This module takes longer to import than saiban.
    from typing import ClassVar


class SaibanError(Exception):
    """Base class of all errors of saiban. The message says what was wrong, the limits, and what to do."""

    #: The kind's name, the same in every language: "CLOCK_BACKWARD".
    kind: ClassVar[str] = ""
    #: The kind's number, the same in every language.
    number: ClassVar[int] = 0
    #: The position of the first bad character in a text, counted from 0; None for other errors.
    position: int | None = None


class ClockBackwardError(SaibanError):
    """The clock is further behind the last ID than the longest allowed wait."""

    kind = "CLOCK_BACKWARD"
    number = 1


class ClockUnavailableError(SaibanError):
    """The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21."""

    kind = "CLOCK_UNAVAILABLE"
    number = 2


class TimestampBeforeEpochError(SaibanError):
    """The time is before the layout's epoch."""

    kind = "TIMESTAMP_BEFORE_EPOCH"
    number = 3


class TimestampOverflowError(SaibanError):
    """The time is after the last time that the layout can hold."""

    kind = "TIMESTAMP_OVERFLOW"
    number = 4


class WouldWaitError(SaibanError):
    """The next ID needs a wait that the caller did not allow."""

    kind = "WOULD_WAIT"
    number = 5


class LeaseNotBegunError(SaibanError):
    """The generator's window or lease has not begun."""

    kind = "LEASE_NOT_BEGUN"
    number = 6


class LeaseExpiredError(SaibanError):
    """The generator's window or lease has ended."""

    kind = "LEASE_EXPIRED"
    number = 7


class InvalidWindowError(SaibanError, ValueError):
    """The window is empty, or extends beyond the time of the layout."""

    kind = "INVALID_WINDOW"
    number = 8


class NodeRequiredError(SaibanError):
    """The generator needs a node, and none was given."""

    kind = "NODE_REQUIRED"
    number = 9


class NodeOutOfRangeError(SaibanError, ValueError):
    """The node, or the range of nodes, does not fit the layout."""

    kind = "NODE_OUT_OF_RANGE"
    number = 10


class SequenceOutOfRangeError(SaibanError, ValueError):
    """The sequence number does not fit the layout."""

    kind = "SEQUENCE_OUT_OF_RANGE"
    number = 11


class RandomOutOfRangeError(SaibanError, ValueError):
    """The random part does not fit the layout."""

    kind = "RANDOM_OUT_OF_RANGE"
    number = 12


class IdOutOfRangeError(SaibanError, ValueError):
    """The number is not an ID of this scheme."""

    kind = "ID_OUT_OF_RANGE"
    number = 13


class InvalidSecretError(SaibanError, ValueError):
    """The secret has the wrong length or form."""

    kind = "INVALID_SECRET"
    number = 14


class InvalidLayoutError(SaibanError, ValueError):
    """The fields of a layout do not fit together."""

    kind = "INVALID_LAYOUT"
    number = 15


class InvalidEntropySizeError(SaibanError, ValueError):
    """The entropy size of a Ulid-Flake generator is out of range."""

    kind = "INVALID_ENTROPY_SIZE"
    number = 16


class EntropyUnavailableError(SaibanError):
    """The operating system returned no random bytes."""

    kind = "ENTROPY_UNAVAILABLE"
    number = 17


class TextLengthError(SaibanError, ValueError):
    """The text is too long or too short."""

    kind = "TEXT_LENGTH"
    number = 18


class TextCharacterError(SaibanError, ValueError):
    """The text has a character outside the alphabet."""

    kind = "TEXT_CHARACTER"
    number = 19


class TextOverflowError(SaibanError, ValueError):
    """The number in the text is too large."""

    kind = "TEXT_OVERFLOW"
    number = 20


class TextNotCanonicalError(SaibanError, ValueError):
    """The text is not the canonical text of its number."""

    kind = "TEXT_NOT_CANONICAL"
    number = 21


class WidthOutOfRangeError(SaibanError, ValueError):
    """The number does not fit the width, or the encoding has no such width."""

    kind = "WIDTH_OUT_OF_RANGE"
    number = 22


class UnknownNameError(SaibanError, ValueError):
    """No encoding, scheme or layout has this name."""

    kind = "UNKNOWN_NAME"
    number = 23


class BufferTooSmallError(SaibanError):
    """The buffer is too small for the text."""

    kind = "BUFFER_TOO_SMALL"
    number = 24


class InvalidArgumentError(SaibanError, ValueError):
    """An argument is missing or invalid."""

    kind = "INVALID_ARGUMENT"
    number = 25


class WrongTypeError(SaibanError, TypeError):
    """An argument has the wrong type; only languages without static types report this."""

    kind = "WRONG_TYPE"
    number = 26


class InternalError(SaibanError):
    """A defect of saiban, caught before it could do harm."""

    kind = "INTERNAL"
    number = 27


class NodeInUseError(SaibanError):
    """Another generator of this machine issues IDs of some of these nodes."""

    kind = "NODE_IN_USE"
    number = 28


class ForkedError(SaibanError):
    """The process was forked, and the generator belongs to the parent."""

    kind = "FORKED"
    number = 29


class ClockJumpedError(SaibanError):
    """The clock jumped ahead by more than `max_jump` allows."""

    kind = "CLOCK_JUMPED"
    number = 30


class StateInUseError(SaibanError):
    """Another process or generator uses the state file."""

    kind = "STATE_IN_USE"
    number = 31


class StateMismatchError(SaibanError):
    """The state file or the cursor file is damaged, or of another scheme, layout, node range or version."""

    kind = "STATE_MISMATCH"
    number = 32


class StateUnavailableError(SaibanError):
    """The state file or the cursor file cannot be used, or the scope is not available."""

    kind = "STATE_UNAVAILABLE"
    number = 33


class RollbackOutOfRangeError(SaibanError, ValueError):
    """The number of clock steps back does not fit the layout."""

    kind = "ROLLBACK_OUT_OF_RANGE"
    number = 34


class NotTimeOrderedError(SaibanError):
    """IDs of this scheme do not sort by time, so an interval has no range of IDs."""

    kind = "NOT_TIME_ORDERED"
    number = 35


class StoreUnavailableError(SaibanError):
    """The store cannot be reached, or refuses the request."""

    kind = "STORE_UNAVAILABLE"
    number = 36


class StoreCorruptError(SaibanError):
    """The store contains data that saiban did not write."""

    kind = "STORE_CORRUPT"
    number = 37


class StoreUnsupportedError(SaibanError):
    """A newer version of saiban made the store, or its kind is not supported."""

    kind = "STORE_UNSUPPORTED"
    number = 38


class NamespaceUnknownError(SaibanError):
    """The store has no such namespace."""

    kind = "NAMESPACE_UNKNOWN"
    number = 39


class NamespaceMismatchError(SaibanError):
    """The namespace is for another scheme, layout or secret."""

    kind = "NAMESPACE_MISMATCH"
    number = 40


class NamespaceFullError(SaibanError):
    """All nodes of the namespace are leased."""

    kind = "NAMESPACE_FULL"
    number = 41


class NamespaceQuarantinedError(SaibanError):
    """The namespace lost leases, and grants none until every lost lease has ended."""

    kind = "NAMESPACE_QUARANTINED"
    number = 42


class ClockSkewError(SaibanError):
    """The clocks of the holder and of the store are too far apart."""

    kind = "CLOCK_SKEW"
    number = 43


class LeaseLostError(SaibanError):
    """There is no lease: it was released, it ended, or another holder has it."""

    kind = "LEASE_LOST"
    number = 44


class CounterUnknownError(SaibanError):
    """The store has no such counter."""

    kind = "COUNTER_UNKNOWN"
    number = 45


class CounterMismatchError(SaibanError):
    """The counter has another start, step or time zone."""

    kind = "COUNTER_MISMATCH"
    number = 46


class CounterBehindError(SaibanError):
    """The store lost numbers that the counter has issued."""

    kind = "COUNTER_BEHIND"
    number = 47


class CounterExhaustedError(SaibanError):
    """The counter has no numbers left."""

    kind = "COUNTER_EXHAUSTED"
    number = 48


#: Every kind's class, by the kind's name.
BY_KIND: dict[str, type[SaibanError]] = {
    kind.kind: kind
    for kind in (
        ClockBackwardError,
        ClockUnavailableError,
        TimestampBeforeEpochError,
        TimestampOverflowError,
        WouldWaitError,
        LeaseNotBegunError,
        LeaseExpiredError,
        InvalidWindowError,
        NodeRequiredError,
        NodeOutOfRangeError,
        SequenceOutOfRangeError,
        RandomOutOfRangeError,
        IdOutOfRangeError,
        InvalidSecretError,
        InvalidLayoutError,
        InvalidEntropySizeError,
        EntropyUnavailableError,
        TextLengthError,
        TextCharacterError,
        TextOverflowError,
        TextNotCanonicalError,
        WidthOutOfRangeError,
        UnknownNameError,
        BufferTooSmallError,
        InvalidArgumentError,
        WrongTypeError,
        InternalError,
        NodeInUseError,
        ForkedError,
        ClockJumpedError,
        StateInUseError,
        StateMismatchError,
        StateUnavailableError,
        RollbackOutOfRangeError,
        NotTimeOrderedError,
        StoreUnavailableError,
        StoreCorruptError,
        StoreUnsupportedError,
        NamespaceUnknownError,
        NamespaceMismatchError,
        NamespaceFullError,
        NamespaceQuarantinedError,
        ClockSkewError,
        LeaseLostError,
        CounterUnknownError,
        CounterMismatchError,
        CounterBehindError,
        CounterExhaustedError,
    )
}

__all__ = [
    "BufferTooSmallError",
    "ClockBackwardError",
    "ClockJumpedError",
    "ClockSkewError",
    "ClockUnavailableError",
    "CounterBehindError",
    "CounterExhaustedError",
    "CounterMismatchError",
    "CounterUnknownError",
    "EntropyUnavailableError",
    "ForkedError",
    "IdOutOfRangeError",
    "InternalError",
    "InvalidArgumentError",
    "InvalidEntropySizeError",
    "InvalidLayoutError",
    "InvalidSecretError",
    "InvalidWindowError",
    "LeaseExpiredError",
    "LeaseLostError",
    "LeaseNotBegunError",
    "NamespaceFullError",
    "NamespaceMismatchError",
    "NamespaceQuarantinedError",
    "NamespaceUnknownError",
    "NodeInUseError",
    "NodeOutOfRangeError",
    "NodeRequiredError",
    "NotTimeOrderedError",
    "RandomOutOfRangeError",
    "RollbackOutOfRangeError",
    "SaibanError",
    "SequenceOutOfRangeError",
    "StateInUseError",
    "StateMismatchError",
    "StateUnavailableError",
    "StoreCorruptError",
    "StoreUnavailableError",
    "StoreUnsupportedError",
    "TextCharacterError",
    "TextLengthError",
    "TextNotCanonicalError",
    "TextOverflowError",
    "TimestampBeforeEpochError",
    "TimestampOverflowError",
    "UnknownNameError",
    "WidthOutOfRangeError",
    "WouldWaitError",
    "WrongTypeError",
]
