"""The exception of the verifier: an error kind by name and, for a bad character, its position."""

KINDS = frozenset(
    """CLOCK_BACKWARD CLOCK_UNAVAILABLE TIMESTAMP_BEFORE_EPOCH TIMESTAMP_OVERFLOW WOULD_WAIT LEASE_NOT_BEGUN
    LEASE_EXPIRED INVALID_WINDOW NODE_REQUIRED NODE_OUT_OF_RANGE SEQUENCE_OUT_OF_RANGE RANDOM_OUT_OF_RANGE
    ID_OUT_OF_RANGE INVALID_SECRET INVALID_LAYOUT INVALID_ENTROPY_SIZE ENTROPY_UNAVAILABLE TEXT_LENGTH
    TEXT_CHARACTER TEXT_OVERFLOW TEXT_NOT_CANONICAL WIDTH_OUT_OF_RANGE UNKNOWN_NAME BUFFER_TOO_SMALL
    INVALID_ARGUMENT WRONG_TYPE INTERNAL ROLLBACK_OUT_OF_RANGE
    NOT_TIME_ORDERED""".split()
)


class Refused(Exception):
    """Raised for every error that saiban returns too, with the name of its kind."""

    def __init__(self, kind: str, position: int | None = None) -> None:
        assert kind in KINDS, kind
        super().__init__(kind if position is None else f"{kind} at {position}")
        self.kind = kind
        self.position = position
