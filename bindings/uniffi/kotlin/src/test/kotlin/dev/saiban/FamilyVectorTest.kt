package dev.saiban

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.TestFactory
import java.math.BigInteger
import kotlin.math.abs

/** One test for each case in the files of the newer schemes, of layouts and of wider encodings. */
class FamilyVectorTest {
    private val made = HashMap<JsonObject, Family>()

    @TestFactory
    fun flake() = schemeTests("flake")

    @TestFactory
    fun aThousandLayoutsOfFlake() = listOf("flake-1", "flake-2").flatMap { schemeTests(it, "flake") }

    @TestFactory
    fun ulid() = schemeTests("ulid")

    @TestFactory
    fun uuid() = schemeTests("uuid")

    @TestFactory
    fun objectId() = schemeTests("objectid")

    @TestFactory
    fun xid() = schemeTests("xid")

    @TestFactory
    fun tickId() = schemeTests("tick-id")

    @TestFactory
    fun range() = tests("range") { case ->
        val ids = familyOf(case.config.text("scheme"), case)
        case.expectsAll {
            val (first, last) = ids.range(case.input.long("start_ms")!!, case.input.long("end_ms")!!)
            mapOf("first" to idOf(first), "first_text" to first.text, "last" to idOf(last), "last_text" to last.text)
        }
    }

    @TestFactory
    fun wideEncoding() = tests("encoding-wide") { case ->
        val encoding = case.input.text("encoding")
        val bits = case.input["bits"].asInt
        val width = case.input["width"]?.asInt
        when (case.op) {
            "encode_wide" -> case.expects("text") { encodeWide(bytesOf(case.input.text("value")), encoding, width, bits) }
            "decode_wide" -> case.expects("value") {
                val bytes = decodeWide(case.input.text("text"), encoding, width, case.input.flag("lenient"), bits)
                assertEquals((bits + 7) / 8, bytes.size)
                BigInteger(1, bytes).toString()
            }
            else -> error("unknown operation ${case.op}")
        }
    }

    @TestFactory
    fun layout() = tests("layout") { case ->
        when (case.op) {
            "layout" -> {
                val layout = outcome { Layout.fromText(case.input.text("text")) }
                if (case.error == null) answers(layout.value(), case.out!!) else case.expectsError { layout.value() }
            }
            "from_json" -> case.expects("text") { Layout.fromJson(case.input.text("json")).toText() }
            "with_rollback_bits" -> case.expects("text") {
                Layout.fromText(case.input.text("text")).withRollbackBits(case.input["bits"].asInt).toText()
            }
            "collision_odds" -> {
                val given = listOf("ids_per_second", "seconds").map { case.input.text(it).toDouble() }
                val odds = outcome { Layout.fromText(case.input.text("text")).collisionOdds(given[0], given[1]) }
                if (case.error == null) {
                    val wanted = case.out!!.text("odds")
                    isNear(wanted, odds.value(), if (wanted == "0" || wanted == "1") 0.0 else 1e-6)
                } else {
                    case.expectsError { odds.value() }
                }
            }
            else -> error("unknown operation ${case.op}")
        }
    }

    /** Checks the properties of a layout: all of them, or those in the case. */
    private fun answers(layout: Layout, out: JsonObject) {
        val capacity = layout.capacity()
        val isWhole = out.has("json")
        val got = mapOf(
            "text" to layout.toText(), "json" to layout.toJson(), "name" to layout.name(), "size_bits" to layout.sizeBits(),
            "epoch_ms" to layout.epochMs(), "tick_us" to layout.tickUs(), "first_ms" to layout.firstMs(),
            "last_ms" to layout.lastMs(), "ids_per_tick" to capacity.idsPerTick, "bits" to capacity.bits, "ids" to capacity.ids, "is_unique" to layout.isUnique(),
            "is_time_ordered" to layout.isTimeOrdered(),
        )
        for ((name, value) in got) if (isWhole || out.has(name)) assertEquals(out[name]?.asString, value?.toString(), name)
        // Larger numbers are returned as the largest Long.
        for ((name, value) in mapOf("nodes" to capacity.nodes, "lifetime_ms" to layout.lifetimeMs())) {
            assertEquals(shownAs(name, out.text(name)), value.toString(), name)
        }
        if (!isWhole) return
        val places = out["places"].asJsonArray.map { it.asJsonObject }
        assertEquals(
            places.map { place -> listOf("kind", "name", "bits", "shift", "max").map { place[it]?.asString } },
            layout.places().map { listOf(it.kind, it.name, "${it.bits}", "${it.shift}", "${it.max}") },
        )
        isNear(out.text("per_node"), layout.idsPerSecond().perNode, 1e-12)
        isNear(out.text("in_all"), layout.idsPerSecond().inAll, 1e-12)
        assertEquals(layout, Layout.fromText(layout.toText()))
        assertEquals(layout, Layout.fromJson(layout.toJson()))
        // Layouts from fields have ticks in whole microseconds, like layouts from text.
        assertEquals(layout, Layout(layout.fields(), layout.epochMs(), layout.tickUs()))
    }

    private fun isNear(wanted: String, got: Double, tolerance: Double) =
        assertTrue(abs(got - wanted.toDouble()) <= tolerance * abs(wanted.toDouble()), "$got, not $wanted")

    private fun schemeTests(name: String, scheme: String = name) = tests(name, scheme) { case ->
        val input = case.input
        // All cases that make no IDs share a generator.
        fun ids() = made.getOrPut(case.config) { familyOf(scheme, case) }
        when (case.op) {
            "new" -> case.expectsError { familyOf(scheme, case) }
            "generate" -> runGenerate(scheme, case)
            "compose" -> case.expectsAll { idAndText(ids().compose(input)) }
            "inspect" -> {
                if (isId(ids(), case)) case.expectsAll { partsOf(ids().inspect(input)) }
            }
            "limits" -> answers(ids().layout!!, case.out!!)
            "to_text" -> {
                if (isId(ids(), case)) case.expects("text") { ids().toText(input) }
            }
            "from_text" -> case.expectsAll {
                idAndText(ids().fromText(input.text("text"), input.flag("lenient")))
            }
            "to_bytes", "to_guid_bytes" -> case.expects("bytes") {
                hexOf(familyOf(scheme, case).toBytes(input.text("text")))
            }
            "from_bytes", "from_guid_bytes" -> case.expectsAll {
                val parts = familyOf(scheme, case).fromBytes(bytesOfHex(input.text("bytes")))
                if (case.op == "from_bytes") assertEquals(input.text("bytes"), hexOf(parts.idBytes))
                idAndText(parts)
            }
            "round_trips" -> {
                val ids = ids()
                val made = input["parts"].asJsonArray.map { ids.compose(it.asJsonObject) }
                assertEquals(case.out!!["ids"].asJsonArray.map { it.asString }, made.map(::idOf))
                for ((given, parts) in input["parts"].asJsonArray.zip(made)) {
                    val shown = partsOf(parts)
                    for ((name, value) in given.asJsonObject.entrySet()) assertEquals(shownAs(name, value.asString), shown[name], name)
                }
            }
            else -> error("unknown operation ${case.op}")
        }
    }

    /** Returns whether an ID can be this number; if not, checks that its text is refused too. */
    private fun isId(ids: Family, case: Case): Boolean {
        if (ids.holds(BigInteger(case.input.text("id")))) return true
        assertEquals("ID_OUT_OF_RANGE", case.error)
        assertNotNull(outcome { ids.fromText(case.input.text("text"), false) }.error)
        return false
    }

    /**
     * Sets the clock and makes an ID for each entry. A case may need several tries: see
     * vectors/README.md.
     */
    private fun runGenerate(scheme: String, case: Case) {
        val clocks = case.input["clock_ms"].asJsonArray.map { it.asLong }
        val expected = case.out!!["ids"].asJsonArray.toList()
        assertEquals(clocks.size, expected.size)
        attempts@ for (attempt in 1..3) {
            val clock = ManualClock(clocks.first())
            val ids = familyOf(scheme, case, clock)
            var last: Parts? = null
            for ((time, want) in clocks.zip(expected)) {
                clock.set(time)
                val got = outcome { ids.generate() }
                val isWithinTick = want.isJsonObject && want.asJsonObject["new_tick"]?.asBoolean == false
                if (isWithinTick && got.error?.kind in AT_ITS_END && attempt < 3) continue@attempts
                if (want.isJsonObject && want.asJsonObject.has("error")) {
                    assertEquals(want.asJsonObject.text("error"), got.error?.kind)
                } else {
                    checkPredictable(want, got.value(), last, ids.layout)
                    last = got.value()
                }
            }
            return
        }
    }

    /** Checks the predictable parts of an ID, which may depend on the previous ID. */
    private fun checkPredictable(want: JsonElement, got: Parts, last: Parts?, layout: Layout?) {
        if (!want.isJsonObject) return assertEquals(want.asString, idOf(got))
        val wanted = want.asJsonObject
        val shown = partsOf(got)
        for (name in listOf("timestamp_ms", "node", "sequence")) {
            if (wanted.has(name)) assertEquals(wanted.text(name), shown[name], name)
        }
        val grown = if (got.random != null && last?.random != null) got.random!! - last.random!! else null
        val within = wanted["new_tick"]?.asBoolean == false
        when (got.scheme) {
            "flake" -> if (within) {
                val fields = layout!!.fields()
                fields.firstNotNullOfOrNull { it.step }?.let { assertTrue(grown!! in BigInteger.ONE..BigInteger(it.toString())) }
                if (fields.any { it.start == "random" }) assertEquals(last!!.sequence!! + 1, got.sequence)
            }
            "ulid" -> if (within) assertEquals(BigInteger.ONE, grown)
            "uuid-v7" -> if (within) assertTrue(grown!! in BigInteger.ONE..(1L shl 32).toBigInteger())
            "uuid-v4" -> assertNotEquals(last?.text, got.text)
            "uuid-v1" -> {
                val (low, mid, high) = got.text.split('-')
                assertEquals(wanted.text("ticks"), (high.drop(1) + mid + low).toLong(16).toString())
                assertEquals(1, got.node!! shr 40 and 1)
                if (last != null) assertEquals(last.node to last.sequence, got.node to got.sequence)
            }
            "objectid", "xid" -> if (last != null) {
                assertEquals(last.node, got.node)
                if (within) assertEquals((last.sequence!! + 1) % (1 shl 24), got.sequence)
            }
            "tick-id" -> {
                val major = got.text.take(19).toLong()
                assertEquals(wanted.text("ticks"), (if (got.layout == "ascending") major else Long.MAX_VALUE - major).toString())
            }
            else -> error("unknown scheme ${got.scheme}")
        }
    }

    private fun hexOf(bytes: ByteArray): String = bytes.joinToString("") { "%02x".format(it) }

    private fun idOf(parts: Parts): String = (parts.id ?: parts.number).toString()

    private fun idAndText(parts: Parts) = mapOf("id" to idOf(parts), "text" to parts.text)

    private fun bytesOf(number: String): ByteArray = BigInteger(number).toByteArray().dropWhile { it == 0.toByte() }.toByteArray()
}
