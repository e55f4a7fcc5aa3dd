package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Generators that share a node, and whether they share a cursor. */
class ScopeTest {
    private val secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    /** A layout of this test alone, with positions of up to 63 bits. */
    private val layout = Layout.fromText("unused:1 timestamp:41,epoch=2022-05-05 node:10 sequence:12")

    @Test
    fun generatorsWithNodesShareTheMachinesCursorByDefault() {
        val generators = listOf(
            SnowflakeGenerator(node = 860, layout = layout), RandflakeGenerator(secret, node = 860), UlidFlakeGenerator(scalability = 30), FlakeGenerator(layout, node = 861),
        )
        for (ids in generators) {
            assertEquals(Scope.MACHINE, ids.stats().scope)
            (ids as AutoCloseable).close()
        }
    }

    @Test
    fun theScopeOfOneProcessIsChosen() {
        val generators = listOf(
            SnowflakeGenerator(node = 862, layout = layout, scope = Scope.PROCESS),
            RandflakeGenerator(secret, node = 862, scope = Scope.PROCESS),
            UlidFlakeGenerator(scalability = 29, scope = Scope.PROCESS),
            FlakeGenerator(layout, node = 863, scope = Scope.PROCESS),
        )
        for (ids in generators) {
            assertEquals(Scope.PROCESS, ids.stats().scope)
            (ids as AutoCloseable).close()
        }
    }

    @Test
    fun theScopeIsTheProcesssWhereTheMachinesIsUnavailable() {
        val clock = ManualClock(1_735_689_600_000L)
        val wide = Layout.fromText("timestamp:48 node:16 sequence:64")
        assertEquals(Scope.PROCESS, SnowflakeGenerator(node = 7, clock = clock).stats().scope)
        assertEquals(Scope.PROCESS, UlidGenerator().stats().scope)
        WideFlakeGenerator(wide, node = 7).use { assertEquals(Scope.PROCESS, it.stats().scope) }
        assertThrows(SaibanException.StateUnavailable::class.java) { SnowflakeGenerator(node = 7, clock = clock, scope = Scope.MACHINE) }
        assertThrows(SaibanException.StateUnavailable::class.java) { WideFlakeGenerator(wide, node = 7, scope = Scope.MACHINE) }
    }

    @Test
    fun bothScopesAreNotInUseAtOnce() {
        SnowflakeGenerator(node = 864, layout = layout).use {
            assertThrows(SaibanException.NodeInUse::class.java) { SnowflakeGenerator(node = 864, layout = layout, scope = Scope.PROCESS) }
        }
    }

    @Test
    fun processesWithOneNodeRepeatNothing() {
        val made = mutableListOf<Long>()
        SnowflakeGenerator(node = NODE, layout = Layout.fromText(LAYOUT)).use { ids ->
            val programs = List(2) { Program("ScopeTestKt") }
            // Once they have started, the programs share ticks with this process.
            programs.forEach { made += it.line().toLong() }
            repeat(20) {
                made += ids.generateMany(5_000).asList()
                programs.forEach { program -> repeat(1_000) { made += program.line().toLong() } }
            }
            programs.forEach { it.kill() }
            // The IDs after the kill must not repeat either.
            made += ids.generateMany(5_000).asList()
        }
        assertEquals(made.size, made.toSet().size)
    }

    @Test
    fun aRangeThatAnotherProcessUsesInPartIsInUseAndTheErrorNamesTheProcess() {
        val program = Program("ScopeTestKt")
        program.line()
        val error = assertThrows(SaibanException.NodeInUse::class.java) {
            SnowflakeGenerator(nodes = NODE..NODE + 1, layout = Layout.fromText(LAYOUT))
        }
        assertTrue("process ${program.pid}" in error.message!!, error.message)
        program.kill()
        SnowflakeGenerator(nodes = NODE..NODE + 1, layout = Layout.fromText(LAYOUT)).use { it.generate() }
    }
}

private const val NODE = 870L
private const val LAYOUT = "unused:1 timestamp:41,epoch=2022-06-06 node:10 sequence:12"

/**
 * A process of its own, which makes IDs with the test's node while its output is read, and is
 * killed.
 */
fun main() {
    val ids = SnowflakeGenerator(node = NODE, layout = Layout.fromText(LAYOUT))
    while (true) ids.generateMany(1_000).forEach(::println)
}
