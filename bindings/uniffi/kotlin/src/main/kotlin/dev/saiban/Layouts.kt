package dev.saiban

/** Twitter's Snowflake: 1 unused, 41 timestamp (ms since 2010-11-04), 10 node, 12 sequence. Lasts until 2080. */
public val Layout.Companion.TWITTER: Layout by lazy { Layout.preset("twitter") }

/** Discord's: 42 timestamp (ms since 2015-01-01), 10 node, 12 sequence. IDs are negative from 2084 on. */
public val Layout.Companion.DISCORD: Layout by lazy { Layout.preset("discord") }

/** Instagram's: 41 timestamp (ms since 2011-08-24), 13 node, 10 sequence. IDs are negative from 2046 on. */
public val Layout.Companion.INSTAGRAM: Layout by lazy { Layout.preset("instagram") }

/** Sonyflake, version 1: 1 unused, 39 timestamp (10 ms since 2014-09-01), 8 sequence, 16 node. */
public val Layout.Companion.SONYFLAKE: Layout by lazy { Layout.preset("sonyflake") }

/** Sonyflake, version 2: as version 1, since 2025-01-01. */
public val Layout.Companion.SONYFLAKE_V2: Layout by lazy { Layout.preset("sonyflake_v2") }

/**
 * A layout of these fields, from the highest bit to the lowest: `unused`, `timestamp`, `node`, `sequence` or `random`, and
 * `rollback` (see [Layout.withRollbackBits]), with their widths in bits, which add up to 64. [epochMs] is the time of tick 0, Unix milliseconds; a tick is [tickUs]
 * microseconds long.
 *
 * Errors: [SaibanException.InvalidLayout] with the reason; [SaibanException.UnknownName] for a field of another name.
 *
 * ```kotlin
 * Layout("unused" to 1, "timestamp" to 41, "node" to 6, "sequence" to 16, epochMs = 1_577_836_800_000)
 * ```
 */
public fun Layout(vararg fields: Pair<String, Int>, epochMs: Long = 0, tickUs: Long = 1_000): Layout =
    Layout(fields.map { (name, bits) -> Field(name, bits) }, epochMs, tickUs)
