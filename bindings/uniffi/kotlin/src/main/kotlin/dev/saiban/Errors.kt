@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

/**
 * The kind's name, the same in every language: `CLOCK_BACKWARD` for
 * [SaibanException.ClockBackward]. [errorKinds] has all of them, with their numbers.
 */
public val SaibanException.kind: String
    get() = when (this) {
        is SaibanException.ClockBackward -> "CLOCK_BACKWARD"
        is SaibanException.ClockUnavailable -> "CLOCK_UNAVAILABLE"
        is SaibanException.TimestampBeforeEpoch -> "TIMESTAMP_BEFORE_EPOCH"
        is SaibanException.TimestampOverflow -> "TIMESTAMP_OVERFLOW"
        is SaibanException.WouldWait -> "WOULD_WAIT"
        is SaibanException.LeaseNotBegun -> "LEASE_NOT_BEGUN"
        is SaibanException.LeaseExpired -> "LEASE_EXPIRED"
        is SaibanException.InvalidWindow -> "INVALID_WINDOW"
        is SaibanException.NodeRequired -> "NODE_REQUIRED"
        is SaibanException.NodeOutOfRange -> "NODE_OUT_OF_RANGE"
        is SaibanException.SequenceOutOfRange -> "SEQUENCE_OUT_OF_RANGE"
        is SaibanException.RandomOutOfRange -> "RANDOM_OUT_OF_RANGE"
        is SaibanException.IdOutOfRange -> "ID_OUT_OF_RANGE"
        is SaibanException.InvalidSecret -> "INVALID_SECRET"
        is SaibanException.InvalidLayout -> "INVALID_LAYOUT"
        is SaibanException.InvalidEntropySize -> "INVALID_ENTROPY_SIZE"
        is SaibanException.EntropyUnavailable -> "ENTROPY_UNAVAILABLE"
        is SaibanException.TextLength -> "TEXT_LENGTH"
        is SaibanException.TextCharacter -> "TEXT_CHARACTER"
        is SaibanException.TextOverflow -> "TEXT_OVERFLOW"
        is SaibanException.TextNotCanonical -> "TEXT_NOT_CANONICAL"
        is SaibanException.WidthOutOfRange -> "WIDTH_OUT_OF_RANGE"
        is SaibanException.UnknownName -> "UNKNOWN_NAME"
        is SaibanException.BufferTooSmall -> "BUFFER_TOO_SMALL"
        is SaibanException.InvalidArgument -> "INVALID_ARGUMENT"
        is SaibanException.WrongType -> "WRONG_TYPE"
        is SaibanException.Internal -> "INTERNAL"
        is SaibanException.NodeInUse -> "NODE_IN_USE"
        is SaibanException.Forked -> "FORKED"
        is SaibanException.ClockJumped -> "CLOCK_JUMPED"
        is SaibanException.StateInUse -> "STATE_IN_USE"
        is SaibanException.StateMismatch -> "STATE_MISMATCH"
        is SaibanException.StateUnavailable -> "STATE_UNAVAILABLE"
        is SaibanException.RollbackOutOfRange -> "ROLLBACK_OUT_OF_RANGE"
        is SaibanException.NotTimeOrdered -> "NOT_TIME_ORDERED"
        is SaibanException.StoreUnavailable -> "STORE_UNAVAILABLE"
        is SaibanException.StoreCorrupt -> "STORE_CORRUPT"
        is SaibanException.StoreUnsupported -> "STORE_UNSUPPORTED"
        is SaibanException.NamespaceUnknown -> "NAMESPACE_UNKNOWN"
        is SaibanException.NamespaceMismatch -> "NAMESPACE_MISMATCH"
        is SaibanException.NamespaceFull -> "NAMESPACE_FULL"
        is SaibanException.NamespaceQuarantined -> "NAMESPACE_QUARANTINED"
        is SaibanException.ClockSkew -> "CLOCK_SKEW"
        is SaibanException.LeaseLost -> "LEASE_LOST"
        is SaibanException.CounterUnknown -> "COUNTER_UNKNOWN"
        is SaibanException.CounterMismatch -> "COUNTER_MISMATCH"
        is SaibanException.CounterBehind -> "COUNTER_BEHIND"
        is SaibanException.CounterExhausted -> "COUNTER_EXHAUSTED"
    }

private val POSITION = Regex("""position (\d+)""")

/**
 * The position of the first bad character in the text, in characters from 0, for
 * [SaibanException.TextCharacter] and [SaibanException.TextNotCanonical]; `null` for other errors.
 */
public val SaibanException.position: Int?
    get() = when (this) {
        is SaibanException.TextCharacter, is SaibanException.TextNotCanonical ->
            POSITION.find(message.orEmpty())?.groupValues?.get(1)?.toIntOrNull()
        else -> null
    }
