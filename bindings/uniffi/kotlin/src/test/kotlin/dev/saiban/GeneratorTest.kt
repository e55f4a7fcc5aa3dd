package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.time.Duration
import java.time.Instant
import kotlin.concurrent.thread
import kotlin.random.Random

class GeneratorTest {
    private val time: Instant = Instant.parse("2026-11-21T00:00:00Z")
    private val secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    @Test
    fun publishedExamplesComeOutExactly() {
        val clock = ManualClock(time)
        val randflake = RandflakeGenerator(secret, node = 0, clock = clock)
        assertEquals(4_594_531_474_933_654_033, randflake.compose(1_733_706_297_000, 42, 1))
        assertEquals("3vgoe12ccb8gh", randflake.toText(4_594_531_474_933_654_033))
        val zero = RandflakeGenerator(ByteArray(16), node = 0, clock = clock)
        assertEquals("1qjeojjevu31n", zero.toText(zero.compose(1_730_000_001_000, 0, 0)))
        val counting = RandflakeGenerator(ByteArray(16) { it.toByte() }, node = 0, clock = clock)
        assertEquals(-232_447_010_193_727_000, counting.compose(1_730_000_123_000, 1, 1))
        assertEquals("fphhelk04q8f8", counting.toText(-232_447_010_193_727_000))

        val parts = UlidFlakeGenerator(clock = clock).inspect("00CMXB6TAK4SA")
        assertEquals(14_246_757_444_195_114, parts.id)
        assertEquals(Instant.parse("2024-06-06T06:06:06.666Z"), parts.time)
        assertEquals(627_498.toBigInteger(), parts.random)
        val unixEpoch = UlidFlakeGenerator(epochMs = 0, clock = clock)
        assertEquals(1_803_467_983_138_790_546, unixEpoch.fromText("1J1SMJD9CE74J"))

        // github.com/f4b6a3/tsid-creator, TsidTest.java and TsidFormatTest.java.
        val tsid = TsidGenerator(node = 7, clock = clock)
        assertEquals("FZZZZZZZZZZZZ", tsid.toText(-1))
        assertEquals("000000000000A", tsid.toText(10))
        assertEquals(tsid.fromText("0123456789ABC"), tsid.fromText("0123456789abc"))
        assertEquals(Instant.parse("2020-01-01T00:00:00Z"), tsid.inspect(0).time)
        assertEquals(Instant.parse("2159-05-15T07:35:11.103Z"), tsid.inspect(-1).time)
    }

    @Test
    fun aTsidHasTheNodesAndSequenceOfItsLayout() {
        val clock = ManualClock(1_763_700_000_000)
        assertEquals("0NMCKTX000W00", TsidGenerator(node = 7, clock = clock).generateText())
        for ((name, nodes, perTick) in listOf(
            Triple("tsid-256", 256L, 16_384), Triple("tsid-1024", 1_024L, 4_096), Triple("tsid-4096", 4_096L, 1_024),
        )) {
            val layout = Layout.preset(name)
            val ids = TsidGenerator(node = nodes - 1, layout = layout, clock = clock)
            val made = LongArray(perTick + 1)
            assertEquals(perTick, ids.fill(made))
            assertNull(ids.tryGenerate())
            val parts = ids.inspect(made[perTick - 1])
            assertEquals(
                listOf("tsid", 1_763_700_000_000, nodes - 1, perTick - 1L),
                parts.let { listOf(it.scheme, it.timestampMs, it.node, it.sequence) },
            )
            assertEquals(parts.id, ids.compose(1_763_700_000_000, nodes - 1, perTick - 1L))
            val refused = listOf<() -> Any>(
                { TsidGenerator(node = nodes, layout = layout, clock = clock) }, { ids.compose(1_763_700_000_000, nodes, 0) },
            )
            for (run in refused) assertThrows(SaibanException.NodeOutOfRange::class.java) { run() }
        }
        assertThrows(SaibanException.InvalidLayout::class.java) { TsidGenerator(node = 0, layout = Layout.MASTODON) }
        assertEquals("tsid", inspect("0NMCKTX000W00", scheme = "tsid").first().scheme)
    }

    @Test
    fun generatorsOnTheSystemClockTellTheTime() {
        val generators = listOf(
            SnowflakeGenerator(node = 7), RandflakeGenerator(secret, node = 7), UlidFlakeGenerator(),
            UlidFlakeGenerator(scalability = 7), TsidGenerator(node = 7),
        )
        for (ids in generators) {
            // An ID with whole seconds may be a second older than now, and 10 ms more, because the
            // kernel's coarse clock lags.
            val before = Instant.now().minus(Duration.ofMillis(1_010))
            val id = ids.generate()
            val parts = ids.inspect(id)
            assertTrue(parts.time!! in before..Instant.now(), "$parts")
            assertEquals(id, ids.fromText(ids.toText(id)))
            assertEquals(id, parts.id)
            assertEquals(parts, ids.inspect(ids.toText(id)))
            assertEquals(ids.toText(id, "hex"), encode(id, "hex"))
            if (parts.node != null) assertEquals(7, parts.node)
            assertNotEquals(id, ids.tryGenerate())
            assertEquals(1000, ids.generateMany(1000).toSet().size)
            assertNotEquals(ids.generateText(), ids.generateText())
            assertEquals(11, ids.generateText("base64url").length)
        }
    }

    @Test
    fun fillStopsWhenNoMoreIdsAreAvailable() {
        val ids = SnowflakeGenerator(node = 7, clock = ManualClock(1_704_067_200_000))
        val buffer = LongArray(5000)
        assertEquals(4096, ids.fill(buffer))
        assertEquals(1_741_610_183_685_074_944, buffer[0])
        assertEquals(1_741_610_183_685_074_944 + 4095, buffer[4095])
        assertEquals(0, buffer[4096])
        assertEquals(0, ids.fill(LongArray(0)))
    }

    @Test
    fun aGeneratorSeesItsClockMove() {
        val clock = ManualClock(time)
        val ids = UlidFlakeGenerator(scalability = 31, entropySize = 2, clock = clock)
        assertEquals(time, ids.inspect(ids.generate()).time)
        clock.advance(5)
        assertEquals(time.plusMillis(5), ids.inspect(ids.generate()).time)
        clock.set(time.plusSeconds(9))
        assertEquals(time.plusSeconds(9), clock.now)
        assertEquals(time.plusSeconds(9), ids.inspect(ids.generate()).time)
    }

    @Test
    fun aRangeOfNodesIsUsedWhole() {
        val ids = SnowflakeGenerator(nodes = 4L..<6L, clock = ManualClock(time))
        val nodes = ids.generateMany(8192).map { ids.inspect(it).node }
        assertEquals(mapOf<Long?, Int>(4L to 4096, 5L to 4096), nodes.groupingBy { it }.eachCount())
    }

    @Test
    fun layoutsAreValues() {
        val ours = Layout("unused" to 1, "timestamp" to 41, "node" to 6, "sequence" to 16, epochMs = 1_577_836_800_000)
        val same = Layout(ours.fields(), 1_577_836_800_000)
        assertEquals(ours, same)
        assertEquals(ours.hashCode(), same.hashCode())
        assertNotEquals(ours, Layout.TWITTER)
        assertNull(ours.name())
        assertEquals(63, ours.maxNode())
        assertEquals(65_535, ours.maxSequence())
        assertEquals("unused:1 timestamp:41,epoch=2020-01-01 node:6 sequence:16", "$ours")
        val presets = listOf(Layout.TWITTER, Layout.DISCORD, Layout.INSTAGRAM, Layout.SONYFLAKE, Layout.SONYFLAKE_V2)
        assertEquals(listOf("twitter", "discord", "instagram", "sonyflake", "sonyflake_v2"), presets.map { it.name() })
        val ids = SnowflakeGenerator(node = 63, layout = ours, clock = ManualClock(time))
        assertEquals(63, ids.inspect(ids.generate()).node)
    }

    @Test
    fun anIdOfUnknownOriginIsInspected() {
        val found = inspect("175928847299117063")
        assertTrue(found.any { it.layout == "discord" && it.time == Instant.parse("2016-04-30T11:18:25.796Z") }, "$found")
        assertEquals("ulid-flake", inspect("00CMXB6TAK4SA").first().scheme)
        val withSecret = inspect(4_594_531_474_933_654_033, secret, scheme = "randflake").single()
        assertEquals(
            listOf("randflake", 4_594_531_474_933_654_033, "3vgoe12ccb8gh", 1_733_706_297_000, 42L, 1L, null),
            withSecret.let { listOf(it.scheme, it.id, it.text, it.timestampMs, it.node, it.sequence, it.random) },
        )
    }

    @Test
    fun encodingsRoundTrip() {
        assertEquals(9, encodings().size)
        for (encoding in encodings()) {
            for (value in listOf(0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1)) {
                assertEquals(value, decode(encode(value, encoding), encoding))
            }
        }
        assertEquals("00000000007", encode(7, "base62", width = 11))
        assertEquals(7, decode("00000000007", "base62", width = 11))
        assertEquals(decode("1L", "crockford", lenient = true), decode("0000000000011", "crockford"))
    }

    @Test
    fun aMillionSnowflakesOnFourThreadsAreDistinctWhileTheClockJumps() = areDistinct(1) { SnowflakeGenerator(node = 7, clock = it) }

    @Test
    fun aMillionRandflakesOnFourThreadsAreDistinctWhileTheClockJumps() =
        areDistinct(1000) { RandflakeGenerator(secret, nodes = 0L..<8L, clock = it) }

    @Test
    fun aMillionUlidFlakesOnFourThreadsAreDistinctWhileTheClockJumps() = areDistinct(1) { UlidFlakeGenerator(clock = it) }

    @Test
    fun aMillionScalableUlidFlakesOnFourThreadsAreDistinctWhileTheClockJumps() =
        areDistinct(1) { UlidFlakeGenerator(scalability = 3, clock = it) }

    private fun areDistinct(tickMs: Long, make: (ManualClock) -> Generator) {
        val clock = ManualClock(time)
        val ids = make(clock)
        val each = 250_000
        val all = LongArray(4 * each)
        val threads = List(4) { number ->
            thread {
                val random = Random(number)
                var written = 0
                while (written < each) {
                    // More steps forward than back, or the generator would run out of IDs.
                    clock.advance(random.nextLong(-4, 9) * tickMs)
                    try {
                        val some = ids.generateUpTo(random.nextLong(1, 3_000).coerceAtMost((each - written).toLong()))
                        some.copyInto(all, number * each + written)
                        written += some.size
                    } catch (_: SaibanException.WouldWait) {
                        continue
                    } catch (_: SaibanException.ClockBackward) {
                        continue
                    }
                }
            }
        }
        threads.forEach(Thread::join)
        all.sort()
        assertTrue((1..<all.size).all { all[it - 1] < all[it] }, "two IDs are equal")
    }
}
