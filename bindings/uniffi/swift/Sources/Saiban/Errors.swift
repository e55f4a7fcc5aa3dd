import Foundation

extension SaibanError {
    /// The kind's name, the same in every language: `CLOCK_BACKWARD` for
    /// `SaibanError.ClockBackward`. `errorKinds()` has all of them, with their numbers.
    public var kind: String { both.kind }

    /// What was wrong, the limits, and what to do about it.
    public var message: String { both.message }

    /// The position of the first bad character in the text, in characters from 0, for
    /// `TextCharacter` and `TextNotCanonical`; nil for other errors.
    public var position: Int? {
        switch self {
        case .TextCharacter, .TextNotCanonical:
            message.firstMatch(of: /position (\d+)/).flatMap { Int($0.1) }
        default: nil
        }
    }

    private var both: (kind: String, message: String) {
        switch self {
        case .ClockBackward(let message): ("CLOCK_BACKWARD", message)
        case .ClockUnavailable(let message): ("CLOCK_UNAVAILABLE", message)
        case .TimestampBeforeEpoch(let message): ("TIMESTAMP_BEFORE_EPOCH", message)
        case .TimestampOverflow(let message): ("TIMESTAMP_OVERFLOW", message)
        case .WouldWait(let message): ("WOULD_WAIT", message)
        case .LeaseNotBegun(let message): ("LEASE_NOT_BEGUN", message)
        case .LeaseExpired(let message): ("LEASE_EXPIRED", message)
        case .InvalidWindow(let message): ("INVALID_WINDOW", message)
        case .NodeRequired(let message): ("NODE_REQUIRED", message)
        case .NodeOutOfRange(let message): ("NODE_OUT_OF_RANGE", message)
        case .SequenceOutOfRange(let message): ("SEQUENCE_OUT_OF_RANGE", message)
        case .RandomOutOfRange(let message): ("RANDOM_OUT_OF_RANGE", message)
        case .IdOutOfRange(let message): ("ID_OUT_OF_RANGE", message)
        case .InvalidSecret(let message): ("INVALID_SECRET", message)
        case .InvalidLayout(let message): ("INVALID_LAYOUT", message)
        case .InvalidEntropySize(let message): ("INVALID_ENTROPY_SIZE", message)
        case .EntropyUnavailable(let message): ("ENTROPY_UNAVAILABLE", message)
        case .TextLength(let message): ("TEXT_LENGTH", message)
        case .TextCharacter(let message): ("TEXT_CHARACTER", message)
        case .TextOverflow(let message): ("TEXT_OVERFLOW", message)
        case .TextNotCanonical(let message): ("TEXT_NOT_CANONICAL", message)
        case .WidthOutOfRange(let message): ("WIDTH_OUT_OF_RANGE", message)
        case .UnknownName(let message): ("UNKNOWN_NAME", message)
        case .BufferTooSmall(let message): ("BUFFER_TOO_SMALL", message)
        case .InvalidArgument(let message): ("INVALID_ARGUMENT", message)
        case .WrongType(let message): ("WRONG_TYPE", message)
        case .Internal(let message): ("INTERNAL", message)
        case .NodeInUse(let message): ("NODE_IN_USE", message)
        case .Forked(let message): ("FORKED", message)
        case .ClockJumped(let message): ("CLOCK_JUMPED", message)
        case .StateInUse(let message): ("STATE_IN_USE", message)
        case .StateMismatch(let message): ("STATE_MISMATCH", message)
        case .StateUnavailable(let message): ("STATE_UNAVAILABLE", message)
        case .RollbackOutOfRange(let message): ("ROLLBACK_OUT_OF_RANGE", message)
        case .NotTimeOrdered(let message): ("NOT_TIME_ORDERED", message)
        case .StoreUnavailable(let message): ("STORE_UNAVAILABLE", message)
        case .StoreCorrupt(let message): ("STORE_CORRUPT", message)
        case .StoreUnsupported(let message): ("STORE_UNSUPPORTED", message)
        case .NamespaceUnknown(let message): ("NAMESPACE_UNKNOWN", message)
        case .NamespaceMismatch(let message): ("NAMESPACE_MISMATCH", message)
        case .NamespaceFull(let message): ("NAMESPACE_FULL", message)
        case .NamespaceQuarantined(let message): ("NAMESPACE_QUARANTINED", message)
        case .ClockSkew(let message): ("CLOCK_SKEW", message)
        case .LeaseLost(let message): ("LEASE_LOST", message)
        case .CounterUnknown(let message): ("COUNTER_UNKNOWN", message)
        case .CounterMismatch(let message): ("COUNTER_MISMATCH", message)
        case .CounterBehind(let message): ("COUNTER_BEHIND", message)
        case .CounterExhausted(let message): ("COUNTER_EXHAUSTED", message)
        }
    }
}

extension SaibanError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { message }

    /// The kind and the message: `NODE_REQUIRED: a generator needs …`
    public var description: String { "\(kind): \(message)" }
}
