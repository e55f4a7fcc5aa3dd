@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

import java.time.Instant

/** When the ID's tick began, to the nanosecond; `null` if the scheme has no time (UUID v4). */
public val Parts.time: Instant? get() = timestampMs?.let { Instant.ofEpochMilli(it).plusNanos(submillisecondNs ?: 0) }

/** When the lease ends unless it is renewed; `null` without a lease. */
public val LeaseStatus.end: Instant? get() = nodes?.let { Instant.ofEpochMilli(endMs) }

/** The time that the clock shows. */
public val ManualClock.now: Instant get() = Instant.ofEpochMilli(nowMs())

/**
 * A clock that shows this time until it is set or advanced. Errors:
 * [SaibanException.ClockUnavailable] when no clock can show it.
 *
 * ```kotlin
 * ManualClock(Instant.parse("2026-11-21T00:00:00Z"))
 * ```
 */
@Throws(SaibanException::class)
public fun ManualClock(time: Instant): ManualClock = ManualClock(time.toUnixMs())

/**
 * Sets the time that the clock shows. Errors: [SaibanException.ClockUnavailable] when no clock can
 * show it; the clock then keeps its time.
 */
@Throws(SaibanException::class)
public fun ManualClock.set(time: Instant): Unit = set(time.toUnixMs())

/**
 * The smallest and the largest ID that can have been made from [start] on and before [end]. Between
 * two milliseconds the interval is rounded outwards, so that no ID of it is missed.
 *
 * ```kotlin
 * val (first, last) = ids.range(Instant.parse("2026-11-21T00:00:00Z"), Instant.parse("2026-11-22T00:00:00Z"))
 * // SELECT … WHERE id BETWEEN first AND last
 * ```
 */
@Throws(SaibanException::class)
public fun Generator.range(start: Instant, end: Instant): IdRange = range(start.toUnixMs(), end.toUnixMsAfter(start))

/**
 * The first and the last ID, in the order of their texts, that can have been made from [start] on
 * and before [end].
 */
@Throws(SaibanException::class)
public fun WideTextGenerator.range(start: Instant, end: Instant): TextRange =
    range(start.toUnixMs(), end.toUnixMsAfter(start))

/**
 * The smallest and the largest ID that can have been made from [start] on and before [end], in the
 * order of their bytes.
 */
@Throws(SaibanException::class)
public fun WideUuidGenerator.range(start: Instant, end: Instant): UuidRange =
    range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The smallest and the largest ID that can have been made from [start] on and before [end]. */
@Throws(SaibanException::class)
public fun WideBytesGenerator.range(start: Instant, end: Instant): BytesRange =
    range(start.toUnixMs(), end.toUnixMsAfter(start))

/** The nanoseconds after the whole millisecond. */
@get:JvmSynthetic
internal val Instant.submillisecondNs: Long get() = nano % 1_000_000L

/**
 * Converts a time to Unix milliseconds, rounded down. A time beyond 64 bits becomes the nearest,
 * which core refuses.
 */
@JvmSynthetic
internal fun Instant.toUnixMs(): Long =
    try {
        toEpochMilli()
    } catch (_: ArithmeticException) {
        if (epochSecond < 0) Long.MIN_VALUE else Long.MAX_VALUE
    }

/**
 * Rounds a time up: the end of an interval, which must not miss an ID. An empty interval from
 * [start] to this time is rounded down like the start, so that core refuses it.
 */
private fun Instant.toUnixMsAfter(start: Instant): Long {
    val timestampMs = toUnixMs()
    val isWhole = nano % 1_000_000 == 0 || timestampMs == Long.MAX_VALUE || timestampMs == Long.MIN_VALUE
    return if (isWhole || start >= this) timestampMs else timestampMs + 1
}
