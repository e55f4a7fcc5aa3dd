package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import kotlin.random.Random

/** Clock steps back: the policies, and layouts with rollback bits. */
class RollbackTest {
    private val now = 1_735_689_600_000L
    private val secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")
    private val bits = Layout.TWITTER.withRollbackBits(2)

    /** A layout with two rollback values, and four IDs for each in a millisecond. */
    private val small =
        Layout("unused" to 18, "timestamp" to 41, "node" to 2, "rollback" to 1, "sequence" to 2, epochMs = now - 10_000)

    @Test
    fun thePolicyErrorRefusesASteppedBackClockAtOnceAndContinuesWhenItReturns() {
        val clock = ManualClock(now)
        val generators = listOf(
            SnowflakeGenerator(node = 7, rollback = Rollback.ERROR, clock = clock),
            RandflakeGenerator(secret, node = 7, rollback = Rollback.ERROR, clock = clock),
            UlidFlakeGenerator(rollback = Rollback.ERROR, clock = clock),
        )
        for (ids in generators) {
            clock.set(now)
            val before = ids.generate()
            clock.advance(-5_000)
            for (act in listOf<() -> Any?>({ ids.generate() }, { ids.tryGenerate() }, { ids.generateMany(2) })) {
                val error = assertThrows(SaibanException.ClockBackward::class.java) { act() }
                assertTrue("5000 ms behind" in error.message!!, error.message)
            }
            clock.set(now + 1)
            assertNotEquals(before, ids.generate())
        }
    }

    @Test
    fun thePolicyHoldContinuesInTheReachedTickAndThenRefuses() {
        for (policy in listOf(Rollback.HOLD, null)) {
            val clock = ManualClock(now)
            val ids = SnowflakeGenerator(node = 7, rollback = policy, clock = clock)
            val made = mutableListOf(ids.generate())
            clock.advance(-5_000)
            made += ids.generateMany(4_095).asList()
            assertEquals(4_096, made.toSet().size)
            assertTrue(made.all { ids.inspect(it).timestampMs == now })
            assertThrows(SaibanException.ClockBackward::class.java) { ids.generate() }
            clock.set(now + 1)
            assertEquals(now + 1, ids.inspect(ids.generate()).timestampMs)
        }
    }

    @Test
    fun rollbackBitsDistinguishIdsBeforeAndAfterAStepBack() {
        for (policy in listOf(Rollback.BITS, null)) {
            val clock = ManualClock(now)
            val ids = SnowflakeGenerator(node = 7, layout = bits, rollback = policy, clock = clock)
            val made = listOf(now - 5_000, now, now - 5_000).map { time ->
                clock.set(time)
                ids.generate()
            }
            assertEquals(3, made.toSet().size)
            val found = made.map(ids::inspect)
            assertEquals(listOf<Long?>(0, 0, 1), found.map { it.rollback })
            // The generator continues at the clock's time, not in the last tick.
            assertEquals(listOf(now - 5_000, now, now - 5_000), found.map { it.timestampMs })
            assertEquals(1, ids.stats().rollbacks)
        }
    }

    @Test
    fun pastItsLastValueARollbackFieldHoldsInsteadOfRepeating() {
        val clock = ManualClock(now)
        val ids = SnowflakeGenerator(node = 1, layout = small, clock = clock)
        val made = ids.generateMany(4).toMutableList()
        clock.advance(-1_000)
        made += ids.generateMany(4).asList()
        assertEquals(listOf<Long?>(0, 0, 0, 0, 1, 1, 1, 1), made.map { ids.inspect(it).rollback })
        // Both rollback values have used the earlier ticks. One bit covers 2^1 − 1 steps back, and
        // this is the second.
        clock.advance(-1_000)
        val error = assertThrows(SaibanException::class.java) { ids.generate() }
        assertTrue(error.kind in setOf("WOULD_WAIT", "CLOCK_BACKWARD"), error.kind)
        clock.set(now - 999)
        made += ids.generateMany(4).asList()
        assertEquals(12, made.toSet().size)
    }

    @Test
    fun noTraceOfTheClockRepeatsAnIdOfARollbackLayout() {
        val random = Random(3)
        val clock = ManualClock(now)
        val ids = SnowflakeGenerator(nodes = 0L..1L, layout = small, clock = clock)
        val made = mutableListOf<Long>()
        var highest = now
        repeat(10_000) {
            highest += random.nextLong(3)
            clock.set(highest - random.nextLong(6))
            try {
                made += ids.generate()
            } catch (error: SaibanException) {
                assertTrue(error.kind in setOf("WOULD_WAIT", "CLOCK_BACKWARD"), error.kind)
            }
        }
        assertTrue(made.size > 2_000, "only ${made.size} IDs")
        assertEquals(made.size, made.toSet().size)
        assertEquals(setOf<Long?>(0, 1), made.map { ids.inspect(it).rollback }.toSet())
    }

    @Test
    fun aRollbackLayoutSplitsIdsAsItJoinsThem() {
        val ids = SnowflakeGenerator(node = 0, layout = bits, clock = ManualClock(now))
        for (rollback in 0L..3L) {
            val id = ids.compose(now, node = 200, sequence = 9, rollback = rollback)
            val parts = ids.inspect(id)
            assertEquals(
                listOf(id, now, 200L, 9L, null, rollback),
                parts.let { listOf(it.id, it.timestampMs, it.node, it.sequence, it.random, it.rollback) },
            )
            assertEquals(parts, ids.inspect(ids.toText(id)))
            assertEquals(id, ids.compose(parts.time!!, 200, 9, rollback))
        }
        val plain = ids.compose(now, 200, 9)
        assertEquals(ids.compose(now, 200, 9, 0), plain)
        // The two rollback bits are the lowest bits of Twitter's node.
        assertEquals(800, SnowflakeGenerator(node = 0, clock = ManualClock(now)).inspect(plain).node)
    }

    @Test
    fun aLayoutGivesUpNodeBitsForTheRollbackField() {
        val fields = listOf("unused" to 1, "timestamp" to 41, "node" to 8, "rollback" to 2, "sequence" to 12)
        assertEquals(fields, bits.fields().map { it.kind to it.bits })
        assertEquals(255, bits.maxNode())
        assertEquals(3, bits.maxRollback())
        assertNull(bits.name())
        assertEquals(Layout.TWITTER.epochMs(), bits.epochMs())
        assertEquals(0, Layout.TWITTER.maxRollback())
        assertEquals(bits, Layout(*fields.toTypedArray(), epochMs = bits.epochMs()))
    }

    @Test
    fun idsOfLayoutsWithoutRollbackBitsHaveNoRollbackValue() {
        val clock = ManualClock(now)
        for (ids in listOf(SnowflakeGenerator(node = 7, clock = clock), RandflakeGenerator(secret, node = 7, clock = clock), UlidFlakeGenerator(clock = clock))) {
            val parts = ids.inspect(ids.generate())
            assertNull(parts.rollback)
            assertNull(parts.secretIndex)
        }
    }
}
