package dev.saiban

import com.google.gson.JsonObject
import java.math.BigInteger

/** A generator in the terms of the vectors, which hides Kotlin's type of IDs. */
interface Family {
    /** The layout of a Flake. */
    val layout: Layout?

    /** Returns whether Kotlin's type of IDs can hold this number. */
    fun holds(id: BigInteger): Boolean
    fun generate(): Parts
    fun compose(input: JsonObject): Parts
    fun inspect(input: JsonObject): Parts
    fun toText(input: JsonObject): String
    fun fromText(text: String, lenient: Boolean): Parts
    fun range(startMs: Long, endMs: Long): Pair<Parts, Parts>
    fun toBytes(text: String): ByteArray
    fun fromBytes(bytes: ByteArray): Parts
}

/** A generator of IDs of this type. */
private class FamilyOf<I>(
    override val layout: Layout? = null,
    private val generateId: () -> I,
    private val composeId: (JsonObject) -> I,
    private val inspectId: (I) -> Parts,
    private val textOf: (I, String?) -> String,
    private val read: (String, Boolean) -> I,
    private val between: (Long, Long) -> Pair<I, I>,
    private val bytesOf: (I) -> ByteArray = { error("no bytes") },
    private val ofBytes: (ByteArray) -> I = { error("no bytes") },
    private val ofCase: (JsonObject) -> I = { read(it.text("text"), false) },
    private val bytes: Int = 16,
) : Family {
    override fun holds(id: BigInteger) = layout == null || id.signum() >= 0 && id.bitLength() <= 8 * bytes || bytes == 8

    override fun generate() = inspectId(generateId())

    override fun compose(input: JsonObject) = inspectId(composeId(input))

    override fun inspect(input: JsonObject) = inspectId(ofCase(input))

    override fun toText(input: JsonObject) = textOf(ofCase(input), input["encoding"]?.asString)

    override fun fromText(text: String, lenient: Boolean) = inspectId(read(text, lenient))

    override fun range(startMs: Long, endMs: Long): Pair<Parts, Parts> =
        between(startMs, endMs).let { (first, last) -> inspectId(first) to inspectId(last) }

    override fun toBytes(text: String) = bytesOf(read(text, false))

    override fun fromBytes(bytes: ByteArray) = inspectId(ofBytes(bytes))
}

private fun familyOf(ids: Generator, layout: Layout? = null, compose: (JsonObject) -> Long): Family = FamilyOf(
    layout, ids::generate, compose, { ids.inspect(it) }, { id, encoding -> ids.toText(id, encoding) },
    { text, lenient -> ids.fromText(text, lenient) }, { start, end -> ids.range(start, end).let { it.first to it.last } },
    ofCase = { it.long("id")!! }, bytes = 8,
)

private fun JsonObject.natural(name: String): BigInteger? = this[name]?.asString?.let(::BigInteger)

private fun JsonObject.nodeParts(): Map<String, Long>? =
    this["node_parts"]?.asJsonObject?.asMap()?.mapValues { it.value.asLong }

/** The layout of a case of Flake. A layout in the case overrides that of the config. */
private fun Case.layout(): Layout = Layout.fromText((input["layout"] ?: config["layout"]).asString)

private fun flakeOf(case: Case, clock: ManualClock): Family {
    val layout = case.layout()
    val anyNode = if (case.takesAnyNode && layout.maxNode() > 0) 0L else null
    val node = anyNode ?: case.input.long("node").takeIf { !case.takesAnyNode }
    val nodes = case.input.interval("nodes")
    val window = case.input.interval("window")
    val notBefore = case.input.long("not_before")
    val maxWaitMs = case.input.long("max_wait_ms")
    if (layout.sizeBits() <= 64) {
        val ids = FlakeGenerator(
            layout, node, nodes, window, notBefore, rollback = case.policy(), clock = clock, maxWaitMs = maxWaitMs,
        )
        return familyOf(ids, layout) { input ->
            val (sequence, random, rollback) = listOf("sequence", "random", "rollback").map { input.long(it) ?: 0 }
            val parts = input.nodeParts()
            if (parts != null) {
                ids.compose(input.long("timestamp_ms")!!, parts, sequence, random, rollback, input.nanoseconds())
            } else {
                val node = input.long("node") ?: 0
                ids.compose(input.long("timestamp_ms")!!, node, sequence, random, rollback, input.nanoseconds())
            }
        }
    }
    val ids = WideFlakeGenerator(
        layout, node, nodes, window, notBefore, rollback = case.policy(), clock = clock, maxWaitMs = maxWaitMs,
    )
    val size = (layout.sizeBits() + 7) / 8
    return FamilyOf(
        layout,
        ids::generate,
        { input ->
            val (sequence, random) = listOf("sequence", "random").map(input::natural)
            val rollback = input.long("rollback") ?: 0
            val parts = input.nodeParts()
            if (parts != null) {
                ids.compose(input.long("timestamp_ms")!!, parts, sequence, random, rollback, input.nanoseconds())
            } else {
                val node = input.long("node") ?: 0
                ids.compose(input.long("timestamp_ms")!!, node, sequence, random, rollback, input.nanoseconds())
            }
        },
        { ids.inspect(it) }, { id, encoding -> ids.toText(id, encoding) }, { text, lenient -> ids.fromText(text, lenient) },
        { start, end -> ids.range(start, end).let { it.first to it.last } },
        ofCase = { input -> BigInteger(input.text("id")).toByteArray().takeLast(size).let { ByteArray(size - it.size) + it } },
        bytes = size,
    )
}

private fun ulidOf(case: Case, clock: ManualClock): Family {
    val ids = UlidGenerator(
        case.input.interval("window"), case.input.long("not_before"), case.policy(), clock,
        maxWaitMs = case.input.long("max_wait_ms"),
    )
    return FamilyOf(
        null, ids::generate, { ids.compose(it.long("timestamp_ms")!!, it.natural("random")!!) }, { ids.inspect(it) },
        { id, encoding -> if (encoding == "hyphenated") ids.toUuid(id).toString() else ids.toText(id, encoding) },
        { text, lenient -> ids.fromText(text, lenient) },
        { start, end -> ids.range(start, end).let { it.first to it.last } }, ids::toBytes, ids::fromBytes,
    )
}

private fun uuidOf(case: Case, clock: ManualClock): Family {
    val ids = UuidGenerator(
        (case.input["version"] ?: case.config["version"]).asLong,
        case.input.interval("window"), case.input.long("not_before"), case.policy(), clock,
        maxWaitMs = case.input.long("max_wait_ms"),
    )
    val isGuid = "guid" in case.op
    return FamilyOf(
        null, ids::generate,
        {
            val (timestampMs, submillisecondNs) = it.long("timestamp_ms") to it.long("submillisecond_ns")
            ids.compose(timestampMs, it.natural("random"), it.long("clock_sequence"), it.long("node"), submillisecondNs)
        },
        { ids.inspect(it) }, { id, encoding -> ids.toText(id, encoding) }, { text, lenient -> ids.fromText(text, lenient) },
        { start, end -> ids.range(start, end).let { it.first to it.last } },
        if (isGuid) ::uuidToGuidBytes else ids::toBytes, if (isGuid) ::uuidFromGuidBytes else ids::fromBytes,
    )
}

private fun objectIdOf(case: Case, clock: ManualClock): Family {
    val ids = ObjectIdGenerator(
        case.input.interval("window"), case.input.long("not_before"), case.policy(), clock,
        maxWaitMs = case.input.long("max_wait_ms"),
    )
    return FamilyOf(
        null, ids::generate, { ids.compose(it.long("timestamp_ms")!!, it.long("node")!!, it.long("sequence")!!) },
        { ids.inspect(it) }, { id, encoding -> ids.toText(id, encoding) }, { text, lenient -> ids.fromText(text, lenient) },
        { start, end -> ids.range(start, end).let { it.first to it.last } }, ids::toBytes, ids::fromBytes,
    )
}

private fun xidOf(case: Case, clock: ManualClock): Family {
    val ids = XidGenerator(
        case.input.interval("window"), case.input.long("not_before"), case.policy(), clock,
        maxWaitMs = case.input.long("max_wait_ms"),
    )
    return FamilyOf(
        null, ids::generate, { ids.compose(it.long("timestamp_ms")!!, it.long("node")!!, it.long("sequence")!!) },
        { ids.inspect(it) }, { id, encoding -> ids.toText(id, encoding) }, { text, lenient -> ids.fromText(text, lenient) },
        { start, end -> ids.range(start, end).let { it.first to it.last } }, ids::toBytes, ids::fromBytes,
    )
}

private fun tickIdOf(case: Case, clock: ManualClock): Family {
    val ids = TickIdGenerator(
        TickOrder.valueOf(case.config.text("order").uppercase()),
        case.input.interval("window"), case.input.long("not_before"), case.policy(), clock,
        maxWaitMs = case.input.long("max_wait_ms"),
    )
    return FamilyOf(
        null, ids::generate,
        { ids.compose(it.long("timestamp_ms")!!, it.long("random")!!, it.nanoseconds()) }, { ids.inspect(it) },
        { id, encoding -> ids.toText(id, encoding) }, { text, lenient -> ids.fromText(text, lenient) },
        { start, end -> ids.range(start, end).let { it.first to it.last } },
    )
}

/** Returns the generator of this scheme for a case, with a clock at 0 by default. */
fun familyOf(scheme: String, case: Case, clock: ManualClock = ManualClock(0)): Family = when (scheme) {
    "flake" -> flakeOf(case, clock)
    "ulid" -> ulidOf(case, clock)
    "uuid" -> uuidOf(case, clock)
    "objectid" -> objectIdOf(case, clock)
    "xid" -> xidOf(case, clock)
    "tick-id" -> tickIdOf(case, clock)
    "snowflake" -> snowflakeOf(case, clock).let { ids -> familyOf(ids) { compose(ids, it) } }
    "randflake" -> randflakeOf(case, clock).let { ids -> familyOf(ids) { compose(ids, it) } }
    "ulid-flake" -> ulidFlakeOf(case, clock).let { ids -> familyOf(ids) { compose(ids, it) } }
    "tsid" -> tsidOf(case, clock).let { ids -> familyOf(ids) { compose(ids, it) } }
    else -> error("unknown scheme $scheme")
}
