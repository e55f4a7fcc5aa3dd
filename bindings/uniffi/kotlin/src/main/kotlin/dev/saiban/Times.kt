package dev.saiban

import java.math.BigInteger
import java.time.Instant
import java.util.UUID

/** When the ID's tick began, to the nanosecond; `null` where the scheme has no time (UUID v4). */
public val Parts.time: Instant? get() = timestampMs?.let { Instant.ofEpochMilli(it).plusNanos(submillisecondNs ?: 0) }

/** When the lease ends unless it is renewed; `null` while there is none. */
public val LeaseStatus.end: Instant? get() = nodes?.let { Instant.ofEpochMilli(endMs) }

/** The time that the clock shows. */
public val ManualClock.now: Instant get() = Instant.ofEpochMilli(nowMs())

/**
 * A clock that shows this time until it is set or advanced. Errors: [SaibanException.ClockUnavailable] when no clock can show it.
 *
 * ```kotlin
 * ManualClock(Instant.parse("2026-11-21T00:00:00Z"))
 * ```
 */
public fun ManualClock(time: Instant): ManualClock = ManualClock(time.toUnixMs())

/** Shows this time from now on. Errors: [SaibanException.ClockUnavailable]; the old one stays. */
public fun ManualClock.set(time: Instant): Unit = set(time.toUnixMs())

/** Makes the ID of these parts, as [Snowflake.compose] with milliseconds and nanoseconds does. */
public fun Snowflake.compose(time: Instant, node: Long, sequence: Long, rollback: Long = 0): Long =
    compose(time.toUnixMs(), node, sequence, rollback, time.submillisecondNs)

/** Makes the ID of these parts, as [Randflake.compose] with milliseconds does. */
public fun Randflake.compose(time: Instant, node: Long, sequence: Long): Long = compose(time.toUnixMs(), node, sequence)

/** Makes the ID of these parts, as [UlidFlake.compose] with milliseconds does. */
public fun UlidFlake.compose(time: Instant, random: Long, scalability: Long? = null): Long =
    compose(time.toUnixMs(), random, scalability)

/** Makes the ID of these parts, as [Flake.compose] with milliseconds and nanoseconds does. */
public fun Flake.compose(time: Instant, node: Long = 0, sequence: Long = 0, random: Long = 0, rollback: Long = 0): Long =
    compose(time.toUnixMs(), node, sequence, random, rollback, time.submillisecondNs)

/** Makes the ID of these parts, as [WideFlake.compose] with milliseconds and nanoseconds does. */
public fun WideFlake.compose(
    time: Instant, node: Long = 0, sequence: BigInteger? = null, random: BigInteger? = null, rollback: Long = 0,
): ByteArray = compose(time.toUnixMs(), node, sequence, random, rollback, time.submillisecondNs)

/** Makes the ID of these parts, as [Ulid.compose] with milliseconds does. */
public fun Ulid.compose(time: Instant, random: BigInteger): String = compose(time.toUnixMs(), random)

/** Makes the ID of these parts, as [Uuid.compose] with milliseconds and nanoseconds does. */
public fun Uuid.compose(
    time: Instant, random: BigInteger? = null, clockSequence: Long? = null, node: Long? = null,
): UUID = compose(time.toUnixMs(), random, clockSequence, node, time.submillisecondNs)

/** Makes the ID of these parts, as [ObjectId.compose] with milliseconds does. */
public fun ObjectId.compose(time: Instant, node: Long, sequence: Long): String = compose(time.toUnixMs(), node, sequence)

/** Makes the ID of these parts, as [TickId.compose] with milliseconds and nanoseconds does. */
public fun TickId.compose(time: Instant, random: Long): String = compose(time.toUnixMs(), random, time.submillisecondNs)

/**
 * The smallest and the largest ID that can have been made from [start] on and before [end]. Between two milliseconds the interval is
 * rounded outwards, so that no ID of it is missed.
 *
 * ```kotlin
 * val (first, last) = ids.range(Instant.parse("2026-11-21T00:00:00Z"), Instant.parse("2026-11-22T00:00:00Z"))
 * // SELECT … WHERE id BETWEEN first AND last
 * ```
 */
public fun Generator.range(start: Instant, end: Instant): IdRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The smallest and the largest ID that can have been made from [start] on and before [end]. */
public fun WideFlake.range(start: Instant, end: Instant): BytesRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The smallest and the largest ID that can have been made from [start] on and before [end]. */
public fun Ulid.range(start: Instant, end: Instant): TextRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The smallest and the largest ID that can have been made from [start] on and before [end], in the order of their bytes. */
public fun Uuid.range(start: Instant, end: Instant): UuidRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The smallest and the largest ID that can have been made from [start] on and before [end]. */
public fun ObjectId.range(start: Instant, end: Instant): TextRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The first and the last ID, in the order of their texts, that can have been made from [start] on and before [end]. */
public fun TickId.range(start: Instant, end: Instant): TextRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The smallest and the largest ID that can have been made from [start] on and before [end], in the order of their bytes. */
public fun RemoteUuidGenerator.range(start: Instant, end: Instant): UuidRange =
    range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The first and the last ID that can have been made from [start] on and before [end]. */
public fun RemoteTextGenerator.range(start: Instant, end: Instant): TextRange =
    range(start.toUnixMs(), end.toUnixMsAfter(start))

/** What comes after the millisecond. */
private val Instant.submillisecondNs: Long get() = nano % 1_000_000L

/** Rounded down; a time that milliseconds of 64 bits cannot tell becomes the nearest that they can, for core to refuse. */
private fun Instant.toUnixMs(): Long =
    try {
        toEpochMilli()
    } catch (_: ArithmeticException) {
        if (epochSecond < 0) Long.MIN_VALUE else Long.MAX_VALUE
    }

/**
 * The same, rounded up: the end of an interval, of which no ID may be missed. Where nothing lies between its [start] and this time it is
 * rounded down as the start is, for core to refuse.
 */
private fun Instant.toUnixMsAfter(start: Instant): Long {
    val timestampMs = toUnixMs()
    val isWhole = nano % 1_000_000 == 0 || timestampMs == Long.MAX_VALUE || timestampMs == Long.MIN_VALUE
    return if (isWhole || start >= this) timestampMs else timestampMs + 1
}
