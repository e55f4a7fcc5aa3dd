package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CyclicBarrier
import kotlin.concurrent.thread

/** Node ranges, with and without shards: threads that share a generator share no ID. */
class ShardTest {
    private val now = 1_735_689_600_000L
    private val secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    /** Returns the IDs that each of four threads makes at one time. */
    private fun onThreads(ids: Generator, each: Long): List<LongArray> {
        val together = CyclicBarrier(4)
        val made = arrayOfNulls<LongArray>(4)
        val threads = List(4) { number ->
            thread {
                together.await()
                made[number] = ids.generateMany(each)
            }
        }
        threads.forEach(Thread::join)
        return made.map { checkNotNull(it) { "a thread has failed" } }
    }

    @Test
    fun aMillionIdsOfANodeRangeOnFourThreadsAreDistinct() {
        for (shards in listOf(1L, 4L)) {
            RandflakeGenerator(secret, nodes = 2_000L..2_063L, shards = shards).use { ids ->
                // A lease of another test may have used one of these nodes.
                val before = ids.stats().issued
                val made = onThreads(ids, 250_000).reduce(LongArray::plus).also(LongArray::sort)
                assertTrue((1..<made.size).all { made[it - 1] < made[it] }, "two IDs are equal")
                assertTrue(made.indices.step(499).all { ids.inspect(made[it]).node!! in 2_000L..2_063L })
                assertEquals(1_000_000, ids.stats().issued - before)
            }
        }
    }

    @Test
    fun threadsHaveDifferentShards() {
        val ids = SnowflakeGenerator(nodes = 16L..19L, shards = 4, clock = ManualClock(now))
        val made = onThreads(ids, 1_000)
        val nodes = made.map { part -> part.map { ids.inspect(it).node }.toSet().single() }
        assertEquals(setOf<Long?>(16, 17, 18, 19), nodes.toSet())
        assertTrue(made.all { it.contentEquals(it.sortedArray()) }, "a thread's IDs are not ordered")
        assertEquals(4_000, ids.stats().issued)
    }

    @Test
    fun aThreadUsesItsShardsNodesOnly() {
        // The shards have two or three nodes each, so every thread can use two nodes.
        val ids = SnowflakeGenerator(nodes = 0L..9L, shards = 4, clock = ManualClock(now))
        val made = onThreads(ids, 2L * 4_096)
        val nodes = made.map { part -> part.indices.step(32).map { ids.inspect(part[it]).node }.toSet() }
        assertTrue(nodes.all { it.size == 2 }, "$nodes")
        assertEquals(8, nodes.flatten().toSet().size)
    }
}
