package dev.saiban

import com.google.gson.JsonElement
import com.google.gson.JsonObject

/** Only `new` and `generate` give a node; the other operations work with any. */
internal val Case.takesAnyNode get() = op != "new" && op != "generate"

private fun Case.node(): Long? = if (takesAnyNode) 0 else input.long("node")

private fun Case.scalability(): Long? = if (takesAnyNode && config.flag("scalable")) 0 else input.long("scalability")

/** The rollback policy. In `compose`, the name means a number. */
internal fun Case.policy(): Rollback? =
    if (takesAnyNode) null else input["rollback"]?.let { Rollback.valueOf(it.asString.uppercase()) }

fun snowflakeOf(case: Case, clock: ManualClock?): Generator = SnowflakeGenerator(
    node = case.node(),
    nodes = case.input.interval("nodes"),
    layout = layoutOf(case.input["layout"] ?: case.config["layout"]),
    window = case.input.interval("window"),
    notBefore = case.input.long("not_before"),
    rollback = case.policy(),
    clock = clock ?: ManualClock(0),
    maxWaitMs = case.input.long("max_wait_ms"),
)

fun tsidOf(case: Case, clock: ManualClock?): Generator = TsidGenerator(
    node = case.node(),
    nodes = case.input.interval("nodes"),
    layout = (case.input["layout"] ?: case.config["layout"])?.let(::layoutOf),
    window = case.input.interval("window"),
    notBefore = case.input.long("not_before"),
    rollback = case.policy(),
    clock = clock ?: ManualClock(0),
    maxWaitMs = case.input.long("max_wait_ms"),
)

fun randflakeOf(case: Case, clock: ManualClock?): Generator = RandflakeGenerator(
    secret = bytesOfHex((case.input["secret"] ?: case.config["secret"]).asString),
    node = case.node(),
    nodes = case.input.interval("nodes"),
    window = case.input.interval("window"),
    notBefore = case.input.long("not_before"),
    rollback = case.policy(),
    clock = clock ?: ManualClock(0),
    maxWaitMs = case.input.long("max_wait_ms"),
)

fun ulidFlakeOf(case: Case, clock: ManualClock?): Generator = UlidFlakeGenerator(
    scalability = case.scalability(),
    entropySize = (case.input["entropy_size"] ?: case.config["entropy_size"]).asLong,
    epochMs = case.config.long("epoch_ms"),
    window = case.input.interval("window"),
    notBefore = case.input.long("not_before"),
    rollback = case.policy(),
    clock = clock ?: ManualClock(0),
    maxWaitMs = case.input.long("max_wait_ms"),
)

fun layoutOf(json: JsonElement): Layout {
    if (json.isJsonPrimitive) return Layout.preset(json.asString)
    val layout = json.asJsonObject
    val fields = layout["fields"].asJsonArray.map { Field(it.asJsonArray[0].asString, it.asJsonArray[1].asInt) }
    return Layout(fields, layout.long("epoch_ms")!!, layout.long("tick_us")!!)
}

/** The nanoseconds below the millisecond, or 0. */
fun JsonObject.nanoseconds(): Long = long("submillisecond_ns") ?: 0

fun compose(ids: Generator, input: JsonObject): Long {
    val timestampMs = input.long("timestamp_ms")!!
    return when (ids) {
        is SnowflakeGenerator ->
            ids.compose(
                timestampMs, input.long("node")!!, input.long("sequence")!!, input.long("rollback") ?: 0, input.nanoseconds(),
            )
        is TsidGenerator ->
            ids.compose(
                timestampMs, input.long("node")!!, input.long("sequence")!!, input.long("rollback") ?: 0, input.nanoseconds(),
            )
        is RandflakeGenerator -> ids.compose(timestampMs, input.long("node")!!, input.long("sequence")!!)
        is UlidFlakeGenerator -> ids.compose(timestampMs, input.long("random")!!, input.long("scalability"))
        else -> error("unknown generator")
    }
}
