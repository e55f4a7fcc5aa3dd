@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

import java.math.BigInteger

/**
 * Twitter's Snowflake: 1 unused, 41 timestamp (ms since 2010-11-04), 10 node, 12 sequence. Lasts
 * until 2080.
 */
public val Layout.Companion.TWITTER: Layout by lazy { Layout.preset("twitter") }

/**
 * Discord's: 42 timestamp (ms since 2015-01-01), 10 node, 12 sequence. IDs are negative from 2084
 * on.
 */
public val Layout.Companion.DISCORD: Layout by lazy { Layout.preset("discord") }

/**
 * Instagram's: 41 timestamp (ms since 2011-08-24), 13 node, 10 sequence. IDs are negative from 2046
 * on.
 */
public val Layout.Companion.INSTAGRAM: Layout by lazy { Layout.preset("instagram") }

/** Sonyflake, version 1: 1 unused, 39 timestamp (10 ms since 2014-09-01), 8 sequence, 16 node. */
public val Layout.Companion.SONYFLAKE: Layout by lazy { Layout.preset("sonyflake") }

/** Sonyflake, version 2: the layout of version 1, with times since 2025-01-01. */
public val Layout.Companion.SONYFLAKE_V2: Layout by lazy { Layout.preset("sonyflake_v2") }

/** The default of github.com/bwmarrin/snowflake: Twitter's layout and epoch. */
public val Layout.Companion.BWMARRIN: Layout by lazy { Layout.preset("bwmarrin") }

/**
 * Mastodon's: 48 timestamp (ms since 1970), 16 sequence. For composing and inspecting only: without
 * a node, two generators repeat each other.
 */
public val Layout.Companion.MASTODON: Layout by lazy { Layout.preset("mastodon") }

/**
 * Baidu's UidGenerator: 1 unused, 28 timestamp (s since 2016-05-19), 22 node, 13 sequence. Ended on
 * 2024-11-20: give it a later epoch.
 */
public val Layout.Companion.BAIDU: Layout by lazy { Layout.preset("baidu") }

/**
 * A layout of these fields, from the highest bit to the lowest: `unused`, `timestamp`, `node`,
 * `sequence` or `random`, and `rollback` (see [Layout.withRollbackBits]), with their widths in
 * bits, which add up to 16 to 128. [epochMs] is the time of tick 0, Unix milliseconds; a tick is
 * [tickUs] microseconds long. For options of fields use [Field] or [Layout.fromText].
 *
 * Errors: [SaibanException.InvalidLayout] with the reason; [SaibanException.UnknownName] for a
 * field of another name.
 *
 * ```kotlin
 * Layout("unused" to 1, "timestamp" to 41, "node" to 6, "sequence" to 16, epochMs = 1_577_836_800_000)
 * ```
 */
@Throws(SaibanException::class)
public fun Layout(vararg fields: Pair<String, Int>, epochMs: Long = 0, tickUs: Long = 1_000): Layout =
    Layout(fields.map { (name, bits) -> Field(name, bits) }, epochMs, tickUs)

/**
 * A layout of fields that have more than a kind and a width: names of the node's parts, a
 * constant's value, a step.
 *
 * ```kotlin
 * Layout(
 *     Field("timestamp", 42), Field("node", 5, name = "datacenter"), Field("node", 5, name = "worker"), Field("sequence", 12),
 *     epochMs = 1_577_836_800_000,
 * )
 * ```
 */
@Throws(SaibanException::class)
public fun Layout(vararg fields: Field, epochMs: Long = 0, tickUs: Long = 1_000): Layout =
    Layout(fields.toList(), epochMs, tickUs)

/**
 * Makes the ID of these parts, like [FlakeGenerator.compose], with the node given as a map of its
 * named parts.
 */
@Throws(SaibanException::class)
public fun FlakeGenerator.compose(
    timestampMs: Long,
    nodeParts: Map<String, Long>,
    sequence: Long = 0,
    random: Long = 0,
    rollback: Long = 0,
    submillisecondNs: Long = 0,
): Long = compose(timestampMs, layout().use { it.nodeOfParts(nodeParts) }, sequence, random, rollback, submillisecondNs)

/**
 * Makes the ID of these parts, like [WideFlakeGenerator.compose], with the node given as a map of
 * its named parts.
 */
@Throws(SaibanException::class)
public fun WideFlakeGenerator.compose(
    timestampMs: Long,
    nodeParts: Map<String, Long>,
    sequence: BigInteger? = null,
    random: BigInteger? = null,
    rollback: Long = 0,
    submillisecondNs: Long = 0,
): ByteArray =
    compose(timestampMs, layout().use { it.nodeOfParts(nodeParts) }, sequence, random, rollback, submillisecondNs)
