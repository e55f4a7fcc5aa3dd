package dev.saiban

import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.util.UUID
import kotlin.concurrent.thread

/** Flake, ULID, UUID, ObjectId, XID and tick IDs. */
class WideTest {
    private val time: Instant = Instant.parse("2026-11-21T00:00:00Z")
    private val wide = Layout.fromText("timestamp:48 node.region:4 node.host:12 sequence:16 random:48")

    @Test
    fun publishedExamplesComeOutExactly() {
        // RFC 9562, appendix A.
        val v7 = UuidGenerator(7)
        val id = UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
        val random = BigInteger("CC3", 16).shiftLeft(62) + BigInteger("18C4DC0C0C07398F", 16)
        assertEquals(id, v7.compose(Instant.parse("2022-02-22T19:22:22Z"), random))
        assertEquals(Instant.parse("2022-02-22T19:22:22Z"), v7.inspect(id).time)
        assertEquals(random, v7.inspect("017f22e2-79b0-7cc3-98c4-dc0c0c07398f").random)
        assertEquals(id, v7.fromText("URN:UUID:017F22E2-79B0-7CC3-98C4-DC0C0C07398F", lenient = true))
        val v1 = UUID.fromString("c232ab00-9414-11ec-b3c8-9f6bdeced846")
        assertEquals(v1, UuidGenerator(1).compose(1_645_557_742_000, clockSequence = 0x33C8, node = 0x9F6BDECED846))
        assertEquals(v1.node(), UuidGenerator(1).inspect(v1).node)
        val v4 = UuidGenerator(4).inspect(UUID.fromString("919108f7-52d1-4320-9bac-f847db4148a8"))
        assertNull(v4.time)
        assertEquals("uuid-v4", v4.scheme)

        // The specification of ULID, and MongoDB's manual.
        val ulid = UlidGenerator().inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        assertEquals(Instant.parse("2016-07-30T23:54:10.259Z"), ulid.time)
        val objectId = ObjectIdGenerator().inspect("507f1f77bcf86cd799439011")
        assertEquals(Instant.parse("2012-10-17T21:13:27Z"), objectId.time)
        assertEquals(0x439011, objectId.sequence)

        // github.com/rs/xid, id_test.go.
        val xid = XidGenerator().inspect("9m4e2mr0ui3e8a215n4g")
        assertEquals(Instant.ofEpochSecond(1_300_816_219), xid.time)
        assertEquals(listOf("xid", 0x60F486E428, 4_271_561L), listOf(xid.scheme, xid.node, xid.sequence))
        assertArrayEquals(bytesOfHex("4d88e15b60f486e428412dc9"), xid.idBytes)
        assertEquals(xid.text, XidGenerator().compose(1_300_816_219_000, 0x60F486E428, 4_271_561))

        assertEquals("0638996712000000000_0042", TickIdGenerator().compose(1_764_074_400_000, 42))
    }

    @Test
    fun idsOfShortTicksAreComposedAgainFromTheirParts() {
        val v1 = UuidGenerator(1)
        repeat(20) {
            val id = v1.generate()
            val parts = v1.inspect(id)
            val (sequence, node, ns) = listOf(parts.sequence, parts.node, parts.submillisecondNs)
            assertEquals(id, v1.compose(parts.timestampMs, clockSequence = sequence, node = node, submillisecondNs = ns))
            assertEquals(id, v1.compose(parts.time!!, clockSequence = sequence, node = node))
        }
        for (order in TickOrder.entries) {
            val ids = TickIdGenerator(order)
            val id = ids.generate()
            val (time, random) = ids.inspect(id).let { it.time!! to it.random!!.toLong() }
            assertEquals(id, ids.compose(time, random))
        }
        val time = Instant.parse("2025-11-25T14:11:30.123456789Z")
        val micros = Layout.fromText("unused:1 timestamp:51@us node:12")
        FlakeGenerator(micros, node = 1).use { ids ->
            val parts = ids.inspect(ids.compose(time, node = 7))
            assertEquals(Instant.parse("2025-11-25T14:11:30.123456Z"), parts.time)
            assertEquals(456_000, parts.submillisecondNs)
        }
        assertEquals("0638996766901234567_0042", TickIdGenerator(TickOrder.ASCENDING).compose(time, 42))
        val ulid = UlidGenerator().let { it.inspect(it.compose(time, BigInteger.ONE)) }
        assertEquals(Instant.parse("2025-11-25T14:11:30.123Z"), ulid.time)
        assertThrows(SaibanException.InvalidArgument::class.java) {
            TickIdGenerator(TickOrder.ASCENDING).compose(0, 0, submillisecondNs = 1_000_000)
        }
    }

    @Test
    fun generatorsOnTheSystemClockTellTheTime() {
        // An ID with whole seconds may be a second older than now, and 10 ms more, because the
        // kernel's coarse clock lags.
        val before = Instant.now().minus(Duration.ofMillis(1_010))
        // UUID v1 and tick IDs may be a millisecond ahead of the clock.
        fun isNow(parts: Parts) = assertTrue(parts.time!! in before..Instant.now().plusMillis(2), "$parts")
        UlidGenerator().let { ids ->
            val id = ids.generate()
            isNow(ids.inspect(id))
            assertEquals(id, ids.inspect(id).text)
            assertEquals(id, ids.fromText(id.lowercase()))
            assertEquals(id, ids.fromBytes(ids.toBytes(id)))
            assertEquals(id, ids.fromUuid(ids.toUuid(id)))
            assertArrayEquals(ids.toBytes(id), ids.inspect(id).idBytes)
            assertEquals(ids.toUuid(id).toString(), ids.toText(id, "hyphenated"))
            assertEquals(16, ids.generateBytes().size)
            assertTrue(ids.tryGenerate()!! > id)
        }
        for (version in listOf(1L, 4L, 7L)) {
            val ids = UuidGenerator(version)
            val id = ids.generate()
            assertEquals(version, id.version().toLong())
            assertEquals(version.toInt(), ids.version())
            assertEquals(2, id.variant())
            if (version == 4L) assertNull(ids.inspect(id).timestampMs) else isNow(ids.inspect(id))
            assertEquals(id, ids.fromText(ids.toText(id)))
            assertEquals(id.toString(), ids.toText(id))
            assertEquals(id, ids.fromText(ids.toText(id, "braced"), lenient = true))
            assertEquals(id, ids.fromBytes(ids.toBytes(id)))
            assertEquals(id, uuidFromGuidBytes(uuidToGuidBytes(id)))
            assertNotEquals(id, ids.tryGenerate())
        }
        ObjectIdGenerator().let { ids ->
            val id = ids.generate()
            isNow(ids.inspect(id))
            assertEquals(24, id.length)
            assertEquals(id, ids.fromBytes(ids.toBytes(id)))
            assertEquals(12, ids.generateBytes().size)
        }
        XidGenerator().let { ids ->
            val id = ids.generate()
            isNow(ids.inspect(id))
            assertEquals(20, id.length)
            assertEquals(id, ids.fromBytes(ids.toBytes(id)))
            assertEquals(id, ObjectIdGenerator().let { ids.fromBytes(it.toBytes(it.fromBytes(ids.toBytes(id)))) })
            assertEquals(12, ids.generateBytes().size)
        }
        for (order in TickOrder.entries) {
            val ids = TickIdGenerator(order)
            val id = ids.generate()
            isNow(ids.inspect(id))
            assertEquals(order.name.lowercase(), ids.inspect(id).layout)
            assertEquals(id, ids.fromText(id))
        }
        WideFlakeGenerator(wide, node = 7).use { ids ->
            val id = ids.generate()
            isNow(ids.inspect(id))
            assertEquals(mapOf("region" to 0L, "host" to 7L), ids.inspect(id).nodeParts)
            assertArrayEquals(id, ids.fromText(ids.toText(id)))
            assertArrayEquals(id, ids.inspect(id).idBytes)
            assertEquals(ids.toText(id, "crockford"), encodeWide(id, "crockford"))
            assertArrayEquals(id, decodeWide(ids.toText(id, "crockford"), "crockford"))
        }
    }

    @Test
    fun fillWritesIdsOneAfterTheOther() {
        val clock = ManualClock(time)
        val ulids = UlidGenerator(clock = clock)
        val buffer = ByteArray(16 * 100 + 15)
        assertEquals(100, ulids.fill(buffer))
        val texts = List(100) { ulids.fromBytes(buffer.copyOfRange(16 * it, 16 * it + 16)) }
        assertEquals(texts.sorted(), texts)
        assertEquals(100, texts.toSet().size)
        assertEquals(100L to Guarantee.PROBABLE, ulids.stats().run { issued to guarantee })
        assertEquals(3, ObjectIdGenerator(clock = clock).fill(ByteArray(36)))
        assertEquals(2, UuidGenerator(7, clock = clock).fill(ByteArray(32)))
        val narrow = WideFlakeGenerator(Layout.fromText("timestamp:60 sequence:5"), clock = clock)
        // In every language, IDs of 96 bits have 12 bytes in a buffer.
        val wider = WideFlakeGenerator(Layout.fromText("timestamp:48 node:16 sequence:32"), node = 7, clock = clock)
        val wides = ByteArray(36)
        assertEquals(3, wider.fill(wides))
        assertEquals(listOf(0L, 1L, 2L), List(3) { wider.inspect(wides.copyOfRange(12 * it, 12 * it + 12)).sequence })
        // A tick has 32 IDs.
        assertEquals(32, narrow.fill(ByteArray(9 * 40)))
        assertThrows(SaibanException.WouldWait::class.java) { narrow.fill(ByteArray(9)) }
        assertEquals(0, narrow.fill(ByteArray(8)))
    }

    @Test
    fun idsOfFourThreadsAreDistinct() {
        val ulids = UlidGenerator()
        val v7 = UuidGenerator(7)
        val v4 = UuidGenerator(4)
        val v1 = UuidGenerator(1)
        val objectIds = ObjectIdGenerator()
        val flake = FlakeGenerator(Layout.fromText("timestamp:44 random:20,step=9"))
        val wideFlake = WideFlakeGenerator(wide, nodes = 16L..31L)
        val sources = listOf<(Long) -> List<Any>>(
            ulids::generateMany, v7::generateMany, v4::generateMany, v1::generateMany, objectIds::generateMany,
            { flake.generateMany(it).toList() }, { count -> wideFlake.generateMany(count).map { BigInteger(1, it) } },
        )
        for (source in sources) {
            val found = arrayOfNulls<List<Any>>(4)
            val threads = List(4) { number ->
                thread { found[number] = List(25) { source(1_000) }.flatten() }
            }
            threads.forEach(Thread::join)
            assertEquals(100_000, found.flatMapTo(HashSet(200_000)) { it!! }.size)
        }
    }

    @Test
    fun idsOfOneGeneratorAscend() {
        val texts = UlidGenerator().generateMany(10_000)
        assertEquals(texts.sorted(), texts)
        val uuids = UuidGenerator(7).generateMany(10_000).map(UUID::toString)
        assertEquals(uuids.sorted(), uuids)
        val newestFirst = TickIdGenerator(TickOrder.DESCENDING).generateMany(1_000)
        assertEquals(newestFirst.sortedDescending(), newestFirst)
    }

    @Test
    fun aLayoutIsTextJsonAndFields() {
        val text = "unused:1 timestamp:41@10ms,epoch=2020-02-02 node.datacenter:5 node.worker:5 sequence:12,start=random"
        val layout = Layout.fromText(text)
        assertEquals(text, layout.toText())
        assertEquals(text, "$layout")
        assertEquals(layout, Layout.fromJson(layout.toJson()))
        assertEquals(
            layout,
            Layout(
                Field("unused", 1), Field("timestamp", 41), Field("node", 5, name = "datacenter"),
                Field("node", 5, name = "worker"), Field("sequence", 12, start = "random"),
                epochMs = 1_580_601_600_000, tickUs = 10_000,
            ),
        )
        assertEquals(Layout.TWITTER, Layout.fromText("twitter"))
        val presets = listOf(Layout.BWMARRIN, Layout.MASTODON, Layout.BAIDU)
        assertEquals(listOf("twitter", "mastodon", "baidu"), presets.map { it.name() })
        assertEquals(128, wide.sizeBits())
        assertTrue(wide.isUnique() && wide.isTimeOrdered())
        val seven = Field("constant", 4, value = 7.toBigInteger())
        val step = Layout(Field("timestamp", 48), seven, Field("random", 60, step = 255u))
        assertEquals("timestamp:48 constant:4,value=7 random:60,step=255", step.toText())
    }

    @Test
    fun theNodesPartsHaveNames() {
        val layout = Layout.fromText("timestamp:42 node.datacenter:5 node.worker:5 sequence:12")
        val ids = FlakeGenerator(layout, node = layout.nodeOfParts(mapOf("datacenter" to 2, "worker" to 3)), clock = ManualClock(time))
        val parts = ids.inspect(ids.generate())
        assertEquals(67, parts.node)
        assertEquals(mapOf("datacenter" to 2L, "worker" to 3L), parts.nodeParts)
        assertEquals(parts.id, ids.compose(time.toEpochMilli(), parts.nodeParts))
        assertEquals(layout, ids.layout())
        assertEquals(emptyMap<String, Long>(), SnowflakeGenerator(node = 1, clock = ManualClock(0)).inspect(1).nodeParts)
    }

    @Test
    fun aRangeHoldsTheIdsOfItsInterval() {
        val clock = ManualClock(time)
        val snowflakes = SnowflakeGenerator(node = 9, clock = clock)
        assertTrue(snowflakes.generate() in snowflakes.range(time, time.plusMillis(1)).run { first..last })
        // Bounds between two milliseconds are rounded outwards.
        val whole = snowflakes.range(time, time.plusMillis(2))
        assertEquals(whole, snowflakes.range(time.plusNanos(1), time.plusMillis(1).plusNanos(1)))
        assertEquals(whole, snowflakes.range(time.plusNanos(999_999), time.plusMillis(2)))
        assertEquals(whole.first, snowflakes.range(time, Instant.MAX).first)
        val (first, last) = UlidGenerator(clock = clock).range(time, time.plusSeconds(86_400))
        assertTrue(UlidGenerator(clock = clock).generate() in first..last)
        assertEquals("00000000000000000000000000", UlidGenerator().range(0, 1).first)
        val (newest, oldest) = TickIdGenerator(TickOrder.DESCENDING, clock = clock).range(time, time.plusSeconds(1))
        assertTrue(newest < oldest)
        for (range in listOf<() -> Any>(
            { RandflakeGenerator(ByteArray(16), node = 1, clock = clock).range(0, 1) }, { UuidGenerator(4).range(0, 1) },
            { UuidGenerator(1).range(time, time.plusSeconds(1)) },
            { FlakeGenerator(Layout.fromText("node:10 timestamp:42 sequence:12"), node = 1, clock = clock).range(0, 1) },
        )) {
            assertEquals("NOT_TIME_ORDERED", assertThrows(SaibanException.NotTimeOrdered::class.java) { range() }.kind)
        }
        assertThrows(SaibanException.InvalidWindow::class.java) { UlidGenerator().range(5, 5) }
        val (early, late) = listOf(time.plusNanos(1_000), time.plusNanos(5_000))
        for (end in listOf(early, late.minusNanos(1), late)) {
            assertThrows(SaibanException.InvalidWindow::class.java) { snowflakes.range(late, end) }
            assertThrows(SaibanException.InvalidWindow::class.java) { UuidGenerator(7).range(late, end) }
        }
        assertEquals(snowflakes.range(time, time.plusMillis(1)), snowflakes.range(early, late))
    }

    @Test
    fun generatorsWithIdsOfOneFormHaveOneInterface() {
        val clock = ManualClock(time)
        val generators = listOf<WideTextGenerator>(
            UlidGenerator(clock = clock), ObjectIdGenerator(clock = clock), XidGenerator(clock = clock),
            TickIdGenerator(clock = clock),
        )
        for (ids in generators) {
            val text = ids.generateText()
            assertEquals(text, ids.toText(ids.fromText(text)))
            assertTrue(text in ids.range(time, time.plusSeconds(60)).run { first..last })
        }
        for (ids in listOf<BytesSourceInterface>(UuidGenerator(7), WideFlakeGenerator(wide, node = 9))) {
            assertEquals(2, ids.fill(ByteArray(47)))
        }
    }

    @Test
    fun anIdOfUnknownOriginIsInspectedInEveryForm() {
        val uuid = UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
        val first = candidates(uuid).first()
        assertEquals("uuid-v7", first.parts.scheme)
        assertTrue(first.isPlausible && first.reasons.any { it.name == "version_bits" }, "$first")
        assertTrue(first.reasons.all { it.text.isNotEmpty() })
        assertEquals(first.parts, inspect("$uuid").first())
        assertEquals(first.parts, inspect(UuidGenerator(7).toBytes(uuid)).first())
        assertEquals("ulid", inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").first().scheme)
        assertEquals("xid", inspect("9m4e2mr0ui3e8a215n4g").first().scheme)
        assertEquals("objectid", inspect(ObjectIdGenerator().toBytes("507f1f77bcf86cd799439011")).first().scheme)
        val layout = Layout.fromText("timestamp:42,epoch=2024-01-01 node.rack:4 node.slot:6 sequence:12")
        val ours = candidates(151_819_733_950_271_234, layouts = listOf(Layout.DISCORD, layout)).first()
        assertEquals(listOf("flake", 1), listOf(ours.parts.scheme, ours.layoutIndex))
        assertEquals(layout.nodeParts(ours.parts.node!!), ours.parts.nodeParts)
        assertEquals(1_719_921_095_980, inspect("1J1SMJD9CE74J", epochMs = 0).first().timestampMs)
        assertEquals(emptyList<Parts>(), inspect(uuid, scheme = "uuid-v4"))
        for (run in listOf<() -> Any>(
            { inspect(ByteArray(17)) }, { inspect(ByteArray(1)) }, { inspect(1, layouts = List(5) { layout }) },
        )) {
            assertThrows(SaibanException.InvalidArgument::class.java) { run() }
        }
        assertThrows(SaibanException.IdOutOfRange::class.java) { inspect(byteArrayOf(1, 0, 0), bits = 16) }
    }

    @Test
    fun badInputIsRefusedWithItsKind() {
        fun kind(run: () -> Unit) = assertThrows(SaibanException::class.java) { run() }.let { it.kind to it.message!! }
        fun refuses(wanted: String, vararg words: String, run: () -> Unit) {
            val (kind, message) = kind(run)
            assertEquals(wanted, kind, message)
            for (word in words) assertTrue(word in message, "no '$word' in: $message")
        }
        refuses("INVALID_LAYOUT", "node.worker", "200") { Layout.fromText("timestamp:42 node.worker:200") }
        refuses("INVALID_LAYOUT", "129 bits") { Layout.fromText("timestamp:42 random:87") }
        refuses("INVALID_LAYOUT") { Layout(Field("timestamp", 48), Field("node", 8, name = "Worker")) }
        refuses("INVALID_ARGUMENT", "constant", "negative") {
            Layout(Field("timestamp", 48), Field("constant", 2, value = (-1).toBigInteger()))
        }
        refuses("INVALID_LAYOUT", "step") { Layout(Field("timestamp", 48), Field("random", 20, step = 0u)) }
        refuses("INVALID_LAYOUT", "step") { Layout(Field("timestamp", 48), Field("node", 20, step = 3u)) }
        refuses("INVALID_LAYOUT", "zero", "random") { Layout(Field("timestamp", 48), Field("sequence", 20, start = "zero")) }
        refuses("INVALID_LAYOUT") { Layout.fromJson("{") }
        refuses("INVALID_LAYOUT", "128 bits") { FlakeGenerator(wide, node = 1) }
        refuses("INVALID_LAYOUT", "64 bits") { WideFlakeGenerator(Layout.TWITTER, node = 1) }
        refuses("NODE_REQUIRED") { WideFlakeGenerator(wide) }
        refuses("INVALID_ARGUMENT", "node") { FlakeGenerator(Layout.MASTODON, node = 1) }
        refuses("INVALID_ARGUMENT", "1, 4 and 7") { UuidGenerator(6) }
        refuses("INVALID_ARGUMENT", "no options") { UuidGenerator(4, notBefore = 1) }
        refuses("INVALID_ARGUMENT") { UuidGenerator(7).compose(1) }
        refuses("INVALID_ARGUMENT", "negative") { UlidGenerator().generateUpTo(-1) }
        refuses("INVALID_ARGUMENT", "bytes") { UlidGenerator().fromBytes(ByteArray(15)) }
        refuses("INVALID_ARGUMENT", "bytes") { WideFlakeGenerator(wide, node = 1, clock = ManualClock(0)).inspect(ByteArray(15)) }
        refuses("RANDOM_OUT_OF_RANGE", "1208925819614629174706176") { UlidGenerator().compose(0, BigInteger.ONE.shiftLeft(80)) }
        refuses("INVALID_ARGUMENT", "random", "negative") { UlidGenerator().compose(0, (-1).toBigInteger()) }
        refuses("INVALID_ARGUMENT", "sequence", "negative") { FlakeGenerator(Layout.MASTODON).compose(0, sequence = -1) }
        refuses("RANDOM_OUT_OF_RANGE") { UuidGenerator(4).compose(random = BigInteger.ONE.shiftLeft(200)) }
        refuses("TIMESTAMP_OVERFLOW") { UlidGenerator().compose(Instant.MAX, BigInteger.ONE) }
        refuses("TEXT_OVERFLOW", "128 bits") { UlidGenerator().fromText("8ZZZZZZZZZZZZZZZZZZZZZZZZZ") }
        refuses("TEXT_LENGTH") { ObjectIdGenerator().fromText("507f1f77bcf86cd79943901") }
        refuses("TEXT_LENGTH") { XidGenerator().fromText("9m4e2mr0ui3e8a215n4") }
        refuses("TEXT_NOT_CANONICAL") { XidGenerator().fromText("9M4E2MR0UI3E8A215N4G") }
        refuses("TEXT_NOT_CANONICAL") { XidGenerator().fromText("c6e52g2mrqcjl44hf179", lenient = true) }
        refuses("NODE_OUT_OF_RANGE", "1099511627776") { XidGenerator().compose(0, 1L shl 40, 0) }
        refuses("TEXT_CHARACTER", "position 19") { TickIdGenerator(TickOrder.ASCENDING).fromText("0638996712000000000-0042") }
        refuses("ID_OUT_OF_RANGE", "version 7") { UuidGenerator(7).inspect(UUID.randomUUID()) }
        refuses("ID_OUT_OF_RANGE") { encodeWide(byteArrayOf(1, 0, 0), "hex", bits = 16) }
        refuses("INVALID_ARGUMENT", "16") { encodeWide(ByteArray(17), "hex") }
        refuses("INVALID_ARGUMENT") { decodeWide("0", "hex", bits = 129) }
        refuses("UNKNOWN_NAME") { wide.nodeOfParts(mapOf("rack" to 1L)) }
        refuses("INVALID_ARGUMENT", "region") { wide.nodeOfParts(mapOf("host" to 1L)) }
        refuses("NODE_OUT_OF_RANGE", "node 1024 ", "0 to 1023") { Layout.TWITTER.nodeParts(1_024) }
        refuses("NODE_OUT_OF_RANGE", "node -1 ") { wide.nodeParts(-1) }
    }
}
