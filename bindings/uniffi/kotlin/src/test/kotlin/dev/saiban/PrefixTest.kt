package dev.saiban

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.time.Instant
import java.util.UUID

/** Text with a prefix. */
class PrefixTest {
    private val time: Instant = Instant.parse("2026-11-21T00:00:00Z")
    private val clock = ManualClock(time)
    private val prefixed = Regex("order_[0-9a-z]+")
    private val wide = Layout.fromText("timestamp:48 node.region:4 node.host:12 sequence:16 random:48")

    private fun published(name: String, run: (JsonObject) -> Unit) =
        JsonParser.parseString(Vectors.path("typeid").readText()).asJsonObject[name].asJsonArray
            .map(JsonElement::getAsJsonObject).map { case -> dynamicTest(case.text("typeid")) { run(case) } }

    @TestFactory
    fun validTypeIdsAreReadAndWritten() = published("valid") { case ->
        val ids = UuidGenerator(7, prefix = case.text("prefix"))
        val uuid = UUID.fromString(case.text("uuid"))
        assertEquals(uuid, ids.fromText(case.text("typeid")))
        assertEquals(case.text("typeid"), ids.toText(uuid))
    }.also { assertEquals(9, it.size) }

    @TestFactory
    fun invalidTypeIdsAreRefused() = published("invalid") { case ->
        val ids = outcome { UuidGenerator(7, prefix = case.text("prefix")) }
        if (ids.error != null) {
            assertEquals("INVALID_ARGUMENT", ids.error?.kind)
        } else {
            assertEquals("TEXT", outcome { ids.value().fromText(case.text("typeid")) }.error?.kind?.substringBefore('_'))
        }
    }.also { assertEquals(19, it.size) }

    @Test
    fun everySchemeTakesAPrefix() {
        val narrow = listOf<Generator>(
            SnowflakeGenerator(node = 1, clock = clock, prefix = "order"),
            TsidGenerator(node = 1, clock = clock, prefix = "order"),
            RandflakeGenerator(ByteArray(16), node = 1, clock = clock, prefix = "order"),
            UlidFlakeGenerator(clock = clock, prefix = "order"),
            FlakeGenerator(Layout.DISCORD, node = 1, clock = clock, prefix = "order"),
        )
        for (ids in narrow) {
            val id = ids.generate()
            val text = ids.toText(id)
            assertTrue(prefixed.matches(text), text)
            assertEquals(id, ids.fromText(text))
            assertEquals(text, ids.inspect(id).text)
            assertEquals(id, ids.inspect(text).id)
            assertEquals(text.length, ids.generateText().length)
            assertEquals(encode(id, "hex"), ids.toText(id, "hex"))
        }
        for (version in listOf(1L, 4L, 7L)) {
            val ids = UuidGenerator(version, prefix = "order")
            val id = ids.generate()
            val text = ids.toText(id)
            assertTrue(prefixed.matches(text), text)
            assertEquals(id, ids.fromText(text))
            assertEquals(text, ids.inspect(text).text)
            assertEquals(text.length, ids.generateText().length)
            assertEquals("$id", ids.toText(id, "hyphenated"))
        }
        val ids = WideFlakeGenerator(wide, node = 7, clock = clock, prefix = "order")
        val id = ids.generate()
        val text = ids.toText(id)
        assertTrue(prefixed.matches(text), text)
        assertArrayEquals(id, ids.fromText(text))
        assertEquals(text, ids.inspect(text).text)
        assertEquals(encodeWide(id, "hex"), ids.toText(id, "hex"))
    }

    @Test
    fun idsThatAreTextHaveThePrefixEverywhere() {
        val generators = listOf<WideTextGenerator>(
            UlidGenerator(clock = clock, prefix = "order"), ObjectIdGenerator(clock = clock, prefix = "order"),
            XidGenerator(clock = clock, prefix = "order"), TickIdGenerator(clock = clock, prefix = "order"),
            TickIdGenerator(TickOrder.DESCENDING, clock = clock, prefix = "order"),
        )
        for (ids in generators) {
            val made = ids.generateMany(3) + ids.generateUpTo(3) + ids.generate() + ids.generateText() + ids.tryGenerate()!!
            for (id in made) {
                assertTrue(prefixed.matches(id), id)
                assertEquals(id, ids.toText(id))
                assertEquals(id, ids.fromText(id))
                assertEquals(id, ids.inspect(id).text)
                assertTrue(id in ids.range(time, time.plusSeconds(60)).run { first..last })
            }
            assertEquals("TEXT_CHARACTER", outcome { ids.inspect(made[0].removePrefix("order_")) }.error?.kind)
        }

        val ulids = UlidGenerator(prefix = "order")
        val ulid = "order_01arz3ndektsv4rrffq69g5fav"
        val parts = UlidGenerator().inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        assertEquals(ulid, ulids.compose(parts.timestampMs!!, parts.random!!))
        assertArrayEquals(parts.idBytes, ulids.toBytes(ulid))
        assertEquals(ulid, ulids.fromBytes(parts.idBytes))
        assertEquals(ulid, ulids.fromUuid(ulids.toUuid(ulid)))
        assertEquals("01ARZ3NDEKTSV4RRFFQ69G5FAV", ulids.toText(ulid, "crockford"))
        val objectIds = ObjectIdGenerator(prefix = "order")
        val hex = "507f1f77bcf86cd799439011"
        assertEquals(hex, objectIds.toText(objectIds.fromBytes(bytesOfHex(hex)), "hex"))
    }

    @Test
    fun aTypeIdMayBeOfAnyVersion() {
        val ids = UuidGenerator(7, prefix = "order")
        val v4 = UUID.fromString("919108f7-52d1-4320-9bac-f847db4148a8")
        assertEquals(v4, ids.fromText(ids.toText(v4)))
        assertEquals("ID_OUT_OF_RANGE", outcome { ids.inspect(v4) }.error?.kind)
        assertEquals("uuid-v7", inspect("order_01h455vb4pex5vsknk084sn02q").first().scheme)
    }

    @Test
    fun aLeasedGeneratorHasThePrefix() {
        // The epoch makes the layout unique to this test.
        val layout = Layout("timestamp" to 42, "node" to 10, "sequence" to 12, epochMs = 1_500_000_000_007)
        Lease.acquire("memory:prefixes", layout = layout).use { lease ->
            val ids = SnowflakeGenerator(layout = layout, lease = lease, prefix = "order")
            val text = ids.generateText()
            assertTrue(prefixed.matches(text), text)
            assertEquals(text, ids.toText(ids.fromText(text)))
        }
    }

    @Test
    fun anotherPrefixIsRefused() {
        val ids = UuidGenerator(7, prefix = "order")
        for ((text, position) in listOf(
            "user_01h455vb4pex5vsknk084sn02q" to null, "01h455vb4pex5vsknk084sn02q" to null,
            "order01h455vb4pex5vsknk084sn02q" to null, "order_01h455vb4pex5vsknk084sn02Q" to 31,
            "order_01h455vb4pex5vsknk084sn0!q" to 30,
        )) {
            val error = outcome { ids.fromText(text) }.error
            assertEquals("TEXT_CHARACTER" to position, error?.kind to error?.position, text)
        }
        val lenient = ids.fromText("order_O1H455VB4PEX5VSKNKO84SNO2Q", lenient = true)
        assertEquals(ids.fromText("order_01h455vb4pex5vsknk084sn02q"), lenient)
        for (prefix in listOf("Order", "order_", "_order", "order2", "örder", "a".repeat(64))) {
            assertEquals("INVALID_ARGUMENT", outcome { UlidGenerator(prefix = prefix) }.error?.kind, prefix)
        }
        assertNull(outcome { UlidGenerator(prefix = "a".repeat(63)) }.error)
    }
}
