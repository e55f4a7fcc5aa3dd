package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.TestFactory

/** One test for each case in the files that all languages are tested with. */
class VectorTest {
    @TestFactory
    fun snowflake() = schemeTests("snowflake", ::snowflakeOf)

    @TestFactory
    fun randflake() = schemeTests("randflake", ::randflakeOf)

    @TestFactory
    fun ulidFlake() = schemeTests("ulid-flake", ::ulidFlakeOf)

    @TestFactory
    fun tsid() = schemeTests("tsid", ::tsidOf)

    @TestFactory
    fun encoding() = tests("encoding") { case ->
        val encoding = case.input.text("encoding")
        val width = case.input["width"]?.asInt
        when (case.op) {
            "encode" -> case.expects("text") { encode(case.input.long("value")!!, encoding, width) }
            "decode" -> case.expects("value") {
                decode(case.input.text("text"), encoding, width, case.input.flag("lenient")).toString()
            }
            else -> error("unknown operation ${case.op}")
        }
    }

    private fun schemeTests(subject: String, make: (Case, ManualClock?) -> Generator) = tests(subject) { case ->
        when (case.op) {
            "new" -> case.expectsError { make(case, null) }
            "generate" -> runGenerate(case, make)
            "compose" -> {
                val ids = make(case, null)
                case.expects("id") { compose(ids, case.input).toString() }
                case.out?.let { assertEquals(it.text("text"), ids.toText(it.long("id")!!)) }
            }
            "inspect" -> {
                val ids = make(case, null)
                case.expectsAll { partsOf(ids.inspect(case.input.long("id")!!)) }
            }
            "inspect_secrets" -> case.expectsAll {
                val secret = bytesOfHex(case.config.text("secret"))
                val oldSecrets = case.input["old_secrets"].asJsonArray.map { bytesOfHex(it.asString) }
                val found = inspect(case.input.long("id")!!, secret, oldSecrets, subject)
                assertEquals(1 + oldSecrets.size, found.size)
                partsOf(found.first())
            }
            "to_text" -> {
                val ids = make(case, null)
                case.expects("text") { ids.toText(case.input.long("id")!!) }
            }
            "from_text" -> {
                val ids = make(case, null)
                case.expects("id") { ids.fromText(case.input.text("text"), case.input.flag("lenient")).toString() }
            }
            else -> error("unknown operation ${case.op}")
        }
    }

    /**
     * Sets the clock and makes an ID for each entry. A case of Ulid-Flake may need several tries:
     * see vectors/README.md.
     */
    private fun runGenerate(case: Case, make: (Case, ManualClock?) -> Generator) {
        val clocks = case.input["clock_ms"].asJsonArray.map { it.asLong }
        val expected = case.out!!["ids"].asJsonArray.toList()
        assertEquals(clocks.size, expected.size)
        attempts@ for (attempt in 1..3) {
            val clock = ManualClock(clocks.first())
            val ids = make(case, clock)
            var last: Long? = null
            for ((time, want) in clocks.zip(expected)) {
                clock.set(time)
                val got = outcome { ids.generate() }
                if (want.isJsonObject && want.asJsonObject.has("new_tick")) {
                    val wanted = want.asJsonObject
                    val growing = !wanted["new_tick"].asBoolean
                    if (growing && got.error?.kind in AT_ITS_END && attempt < 3) continue@attempts
                    val parts = ids.inspect(got.value())
                    assertEquals(wanted.long("timestamp_ms"), parts.timestampMs)
                    assertEquals(wanted.long("node"), parts.node)
                    if (growing) {
                        val largest = (1L shl (8 * (case.config["entropy_size"]?.asInt ?: 1))) - 1
                        val step = (parts.random!! - ids.inspect(last!!).random!!).toLong()
                        assertTrue(step in 1..largest, "grew by $step")
                    }
                    last = parts.id
                } else if (want.isJsonObject) {
                    assertEquals(want.asJsonObject.text("error"), got.error?.kind)
                } else {
                    assertEquals(want.asLong, got.value())
                }
            }
            return
        }
    }
}
