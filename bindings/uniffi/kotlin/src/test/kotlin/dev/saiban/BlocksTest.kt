package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.ConcurrentHashMap
import kotlin.concurrent.thread

class BlocksTest {
    @Test
    fun idsOfManyThreadsAreAllDifferentAndThoseOfEachAscend() {
        val own = SnowflakeGenerator(nodes = 640L..703L)
        val ids = own.inBlocks()
        val seen = ConcurrentHashMap.newKeySet<Long>()
        val failures = ConcurrentHashMap.newKeySet<String>()
        val threads = List(4) {
            thread {
                var last = Long.MIN_VALUE
                repeat(50_000) { turn ->
                    val id = if (turn % 100 == 99) ids.tryGenerate() ?: ids.generate() else ids.generate()
                    if (id <= last) failures += "$id after $last"
                    if (!seen.add(id)) failures += "$id came twice"
                    last = id
                }
            }
        }
        threads.forEach(Thread::join)
        // The generator itself makes no ID of a block.
        own.generateMany(10_000).forEach { if (!seen.add(it)) failures += "$it came twice" }
        assertEquals(emptySet<String>(), failures)
    }

    @Test
    fun noIdIsOlderThanATick() {
        val own = SnowflakeGenerator(nodes = 704L..767L)
        val ids = own.inBlocks(most = 4_096)
        repeat(20_000) {
            val beforeMs = System.currentTimeMillis()
            val id = ids.generate()
            val timestampMs = checkNotNull(own.inspect(id).timestampMs)
            assertTrue(timestampMs >= beforeMs, "$timestampMs is before $beforeMs")
        }
    }

    @Test
    fun rareCallsDropNoIds() {
        val own = SnowflakeGenerator(nodes = 768L..771L)
        val ids = own.inBlocks()
        repeat(50) {
            ids.generate()
            Thread.sleep(3)
        }
        assertEquals(50, own.stats().issued)
    }

    @Test
    fun ticksBelowAMillisecondPrefetchNothing() {
        val own = FlakeGenerator(Layout.fromText("unused:1 timestamp:51@us,epoch=2020-02-02 node:4 sequence:8"), node = 3)
        val ids = own.inBlocks()
        repeat(10_000) { ids.generate() }
        // The check for short ticks makes one ID.
        assertTrue(own.stats().issued in 10_000..10_001, "${own.stats()}")
    }

    @Test
    fun allOtherCallsGoToTheGenerator() {
        val own = RandflakeGenerator(ByteArray(16) { 3 }, nodes = 640L..703L)
        val ids = own.inBlocks(most = 1)
        val id = ids.generate()
        assertEquals(own.inspect(id), ids.inspect(own.toText(id)))
        assertEquals(1_000, ids.generateMany(1_000).toSet().size)
    }

    @Test
    fun invalidNumbersOfPrefetchedIdsAreRefused() {
        for (most in listOf(Int.MIN_VALUE, 0, 4_097)) {
            val error = assertThrows(SaibanException.InvalidArgument::class.java) { UlidFlakeGenerator().inBlocks(most) }
            assertTrue("$most" in error.message.orEmpty() && "4096" in error.message.orEmpty(), error.message)
        }
    }
}
