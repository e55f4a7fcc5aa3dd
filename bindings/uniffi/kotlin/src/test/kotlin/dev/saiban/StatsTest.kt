package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** The statistics of a generator. */
class StatsTest {
    private val now = 1_735_689_600_000L
    private val secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    @Test
    fun statsCountWhatWasIssued() {
        val clock = ManualClock(now)
        for (ids in listOf(SnowflakeGenerator(nodes = 0L..1L, clock = clock), RandflakeGenerator(secret, node = 7, clock = clock))) {
            assertEquals(0, ids.stats().issued)
            ids.generate()
            ids.tryGenerate()
            ids.generateMany(8)
            ids.fill(LongArray(20))
            clock.advance(1_000)
            ids.generateText()
            assertEquals(31, ids.stats().issued)
            // Statistics, inspection and composition issue no ID.
            ids.inspect(ids.toText(1))
            assertEquals(ids.stats(), ids.stats())
        }
    }

    @Test
    fun statsCountRandomIdsToo() {
        val clock = ManualClock(now)
        val ids = UlidFlakeGenerator(clock = clock)
        for (count in 1L..9L) {
            clock.advance(1)
            ids.generate()
            assertEquals(count, ids.stats().issued)
        }
    }

    @Test
    fun generatorsThatShareACursorCountTheSameIds() {
        // A layout of this test alone, because IDs of a node under other tests' leases count too.
        val layout = Layout.fromText("unused:1 timestamp:41,epoch=2022-04-04 node:10 sequence:12")
        SnowflakeGenerator(node = 850, layout = layout).use { first ->
            SnowflakeGenerator(node = 850, layout = layout).use { second ->
                first.generateMany(10)
                second.generateMany(10)
                assertEquals(20, first.stats().issued)
                assertEquals(20, second.stats().issued)
            }
        }
    }

    @Test
    fun statsCountStepsBackAndEachOnce() {
        val clock = ManualClock(now)
        val ids = SnowflakeGenerator(node = 7, clock = clock)
        for (count in 1L..3L) {
            ids.generate()
            clock.advance(-10)
            repeat(5) { ids.generate() }
            assertEquals(count, ids.stats().rollbacks)
            clock.advance(20)
            ids.generate()
        }
    }

    @Test
    fun statsCountWaits() {
        // A tick of 10 ms has only 256 IDs.
        SnowflakeGenerator(node = 851, layout = Layout.SONYFLAKE).use { ids ->
            ids.generateMany(1_024)
            assertEquals(1_024, ids.stats().issued)
            assertTrue(ids.stats().waits >= 3, "${ids.stats()}")
        }
    }

    @Test
    fun theTimeLeftIsTheWindowsOrTheFormats() {
        val clock = ManualClock(now)
        fun all(ms: LongRange?, s: LongRange?): List<Generator> = listOf(
            SnowflakeGenerator(node = 7, window = ms, clock = clock),
            RandflakeGenerator(secret, node = 7, window = s, clock = clock),
            UlidFlakeGenerator(window = ms, clock = clock),
        )
        val ends = listOf(Layout.TWITTER.lastMs() + 1, 2_803_741_824_000, 1_704_067_200_000 + (1L shl 43))
        assertEquals(ends.map { it - now }, all(null, null).map { it.stats().timeLeftMs })
        val windowed = all(now - 5_000..<now + 9_000, now / 1000 - 5..<now / 1000 + 9)
        assertEquals(listOf(9_000L, 9_000L, 9_000L), windowed.map { it.stats().timeLeftMs })
        clock.advance(10_000)
        for (ids in windowed) {
            assertEquals(0, ids.stats().timeLeftMs)
            assertThrows(SaibanException.LeaseExpired::class.java) { ids.generate() }
        }
    }

    @Test
    fun generatorsReportTheGuaranteeOfTheirIds() {
        val clock = ManualClock(now)
        val promises = listOf(
            SnowflakeGenerator(node = 7, clock = clock) to Guarantee.UNIQUE,
            RandflakeGenerator(secret, node = 7, clock = clock) to Guarantee.UNIQUE,
            UlidFlakeGenerator(scalability = 7, clock = clock) to Guarantee.UNIQUE,
            UlidFlakeGenerator(clock = clock) to Guarantee.UNIQUE_IN_PROCESS,
            UlidFlakeGenerator(clock = clock, allowCollisions = true) to Guarantee.PROBABLE,
        )
        assertEquals(promises.map { it.second }, promises.map { (ids, _) -> ids.stats().guarantee })
    }

    @Test
    fun statsAreValues() {
        val stats = SnowflakeGenerator(node = 7, clock = ManualClock(now)).stats()
        assertEquals(Stats(0, 0, 0, Layout.TWITTER.lastMs() + 1 - now, Guarantee.UNIQUE, Scope.PROCESS), stats)
        assertEquals(stats.copy(issued = 3).hashCode(), stats.copy(issued = 3).hashCode())
    }
}
