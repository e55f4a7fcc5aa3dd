package dev.saiban

import java.time.Instant

/** When the ID's tick began. */
public val Parts.time: Instant get() = Instant.ofEpochMilli(timestampMs)

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

/** Makes the ID of these parts, as [Snowflake.compose] with milliseconds does. */
public fun Snowflake.compose(time: Instant, node: Long, sequence: Long, rollback: Long = 0): Long =
    compose(time.toUnixMs(), node, sequence, rollback)

/** Makes the ID of these parts, as [Randflake.compose] with milliseconds does. */
public fun Randflake.compose(time: Instant, node: Long, sequence: Long): Long = compose(time.toUnixMs(), node, sequence)

/** Makes the ID of these parts, as [UlidFlake.compose] with milliseconds does. */
public fun UlidFlake.compose(time: Instant, random: Long, scalability: Long? = null): Long =
    compose(time.toUnixMs(), random, scalability)

/** Rounded down; a time that milliseconds of 64 bits cannot tell becomes the nearest that they can, for core to refuse. */
private fun Instant.toUnixMs(): Long =
    try {
        toEpochMilli()
    } catch (_: ArithmeticException) {
        if (epochSecond < 0) Long.MIN_VALUE else Long.MAX_VALUE
    }
