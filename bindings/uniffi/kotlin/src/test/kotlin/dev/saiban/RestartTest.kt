package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File

/** A restarted program repeats no ID: where a new generator begins. */
class RestartTest {
    private val now = 1_735_689_600_000L
    private val secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    @TempDir
    lateinit var folder: File

    private val state get() = File(folder, "ids.state").path

    @Test
    fun onTheSystemClockAGeneratorBeginsAfterTheTickInWhichItWasMade() {
        val nowMs = System.currentTimeMillis()
        SnowflakeGenerator(node = 840, scope = Scope.PROCESS).use { ids -> assertTrue(ids.inspect(ids.generate()).timestampMs!! > nowMs) }
        val nowS = System.currentTimeMillis() / 1000
        RandflakeGenerator(secret, node = 840, scope = Scope.PROCESS).use { ids ->
            // The current second has no ID for the generator without waiting.
            ids.tryGenerate()?.let { assertTrue(ids.inspect(it).timestampMs!! > nowS * 1000) }
            assertTrue(ids.inspect(ids.generate()).timestampMs!! > nowS * 1000)
        }
    }

    @Test
    fun notBeforeIsTheLastTimeThatWasUsed() {
        val clock = ManualClock(now)
        val generators = listOf(
            SnowflakeGenerator(node = 7, notBefore = now + 1_999, clock = clock),
            RandflakeGenerator(secret, node = 7, notBefore = now / 1000 + 1, clock = clock),
            UlidFlakeGenerator(notBefore = now + 1_999, clock = clock),
        )
        for (ids in generators) {
            clock.set(now + 1_999)
            val error = assertThrows(SaibanException::class.java) { ids.generate() }
            assertTrue(error.kind in setOf("WOULD_WAIT", "LEASE_NOT_BEGUN"), error.kind)
            clock.set(now + 2_000)
            assertEquals(now + 2_000, ids.inspect(ids.generate()).timestampMs)
        }
    }

    @Test
    fun notBeforeLeavesNothingToWaitForOnceItsTimeIsOver() {
        SnowflakeGenerator(node = 842, notBefore = System.currentTimeMillis() - 1_000).use { assertNotNull(it.tryGenerate()) }
    }

    @Test
    fun aCustomClockIsNotWaitedFor() {
        val clock = ManualClock(now)
        for (ids in listOf(SnowflakeGenerator(node = 7, clock = clock), RandflakeGenerator(secret, node = 7, clock = clock), UlidFlakeGenerator(clock = clock))) {
            assertEquals(now, ids.inspect(ids.tryGenerate()!!).timestampMs)
        }
    }

    @Test
    fun aRestartWithTheClockSetBackRepeatsNothing() {
        val makers = listOf<(ManualClock) -> Generator>(
            { SnowflakeGenerator(node = 7, state = "$state.1", clock = it) },
            { RandflakeGenerator(secret, node = 7, state = "$state.2", clock = it) },
            { UlidFlakeGenerator(scalability = 7, state = "$state.3", clock = it) },
        )
        for (make in makers) {
            val clock = ManualClock(now)
            val made = mutableListOf<Long>()
            var reached = 0L
            repeat(5) {
                val ids = make(clock)
                if (reached > 0) {
                    clock.set(reached - 60_000)
                    val error = assertThrows(SaibanException::class.java) { ids.generate() }
                    assertTrue(error.kind in setOf("WOULD_WAIT", "CLOCK_BACKWARD"), error.kind)
                    clock.set(reached + 1_000)
                }
                repeat(10) {
                    made += ids.generate()
                    clock.advance(1)
                }
                reached = ids.inspect(made.last()).timestampMs!!
                (ids as AutoCloseable).close()
                clock.set(now)
            }
            assertEquals(50, made.toSet().size)
        }
    }

    @Test
    fun aCleanCloseLeavesNothingToWaitFor() {
        val clock = ManualClock(now)
        val last = SnowflakeGenerator(node = 7, state = state, clock = clock).use { it.inspect(it.generate()).timestampMs!! }
        clock.advance(1)
        SnowflakeGenerator(node = 7, state = state, clock = clock).use {
            assertEquals(last + 1, it.inspect(it.tryGenerate()!!).timestampMs)
        }
    }

    @Test
    fun aStateFileIsForOneGeneratorAtATime() {
        val clock = ManualClock(now)
        SnowflakeGenerator(node = 7, state = state, clock = clock).use {
            val error = assertThrows(SaibanException.StateInUse::class.java) { SnowflakeGenerator(node = 7, state = state, clock = clock) }
            assertTrue("ids.state" in error.message!!, error.message)
            it.generate()
        }
        SnowflakeGenerator(node = 7, state = state, clock = ManualClock(now + 1)).use { it.generate() }
    }

    @Test
    fun aStateFileIsForItsOwnNodesAndScheme() {
        val clock = ManualClock(now)
        SnowflakeGenerator(node = 7, state = state, clock = clock).use { it.generate() }
        assertThrows(SaibanException.StateMismatch::class.java) { SnowflakeGenerator(node = 8, state = state, clock = clock) }
        assertThrows(SaibanException.StateMismatch::class.java) { RandflakeGenerator(secret, node = 7, state = state, clock = clock) }
        assertThrows(SaibanException.StateMismatch::class.java) {
            SnowflakeGenerator(node = 7, layout = Layout.DISCORD, state = state, clock = clock)
        }
    }

    @Test
    fun anImpossibleStateFileIsUnavailable() {
        val clock = ManualClock(now)
        for (path in listOf(File(folder, "missing/ids.state").path, folder.path, "")) {
            assertThrows(SaibanException.StateUnavailable::class.java) { SnowflakeGenerator(node = 7, state = path, clock = clock) }
        }
        File(folder, "other").writeText("no state file")
        assertThrows(SaibanException.StateMismatch::class.java) {
            SnowflakeGenerator(node = 7, state = File(folder, "other").path, clock = clock)
        }
    }

    @Test
    fun noOtherProcessGetsAStateFileAndAKilledOneRepeatsNothing() {
        val made = mutableListOf<Long>()
        repeat(2) {
            val program = Program("RestartTestKt", state)
            made += List(1_000) { program.line().toLong() }
            assertThrows(SaibanException.StateInUse::class.java) { SnowflakeGenerator(node = 843, state = state) }
            made += List(1_000) { program.line().toLong() }
            program.kill()
            SnowflakeGenerator(node = 843, state = state).use { ids -> made += ids.generateMany(1_000).asList() }
        }
        assertEquals(made.size, made.toSet().size)
        assertEquals(made.sorted(), made)
    }
}

/**
 * A process of its own, which makes IDs with this state file while its output is read, and is
 * killed.
 */
fun main(arguments: Array<String>) {
    val ids = SnowflakeGenerator(node = 843, state = arguments.single())
    while (true) ids.generateMany(100).forEach(::println)
}
