package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Bad input and the kinds of error that it causes, none of which ends the process. */
class ErrorTest {
    private val second = 1_763_700_000_000L
    private val secret = ByteArray(16) { (0xA0 + it).toByte() }

    private inline fun <reified T : SaibanException> refuses(vararg words: String, crossinline run: () -> Unit): T {
        val error = assertThrows(T::class.java) { run() }
        for (word in words) assertTrue(word in error.message!!, "no '$word' in: ${error.message}")
        return error
    }

    @Test
    fun noKindIsMissing() {
        val classes = SaibanException::class.java.declaredClasses.filter { SaibanException::class.java.isAssignableFrom(it) }
        val kinds = errorKinds()
        assertEquals(classes.size, kinds.size)
        assertEquals(kinds.size, kinds.map { it.number }.toSet().size)
        for (kind in kinds) {
            val thrown = assertThrows(SaibanException::class.java) { throwError(kind.name) }
            val camelCase = kind.name.split('_').joinToString("") { it.lowercase().replaceFirstChar(Char::uppercase) }
            assertEquals(camelCase, thrown.javaClass.simpleName)
            assertEquals(kind.name, thrown.kind)
            assertEquals(kind.meaning, thrown.message)
        }
    }

    @Test
    fun anUnknownKindIsRefused() {
        refuses<SaibanException.UnknownName>("no kind") { throwError("OUT_OF_CHEESE") }
    }

    @Test
    fun secretOfAnotherLengthIsRefused() {
        for (length in listOf(0, 15, 17, 32)) {
            refuses<SaibanException.InvalidSecret>("$length bytes", "16") { RandflakeGenerator(ByteArray(length), node = 1) }
        }
        refuses<SaibanException.InvalidSecret>("16") { inspect(1, secret = ByteArray(3)) }
    }

    @Test
    fun nodeOutOfRangeIsRefusedWithTheLimits() {
        refuses<SaibanException.NodeOutOfRange>("1024", "0 to 1023") { SnowflakeGenerator(node = 1024) }
        refuses<SaibanException.NodeOutOfRange>("-1") { SnowflakeGenerator(node = -1) }
        refuses<SaibanException.NodeOutOfRange>("131072", "0 to 131071") { RandflakeGenerator(secret, node = 131_072) }
        refuses<SaibanException.NodeOutOfRange>("32", "0 to 31") { UlidFlakeGenerator(scalability = 32) }
        refuses<SaibanException.NodeOutOfRange>("1023") { SnowflakeGenerator(nodes = 1000L..1024L) }
        refuses<SaibanException.NodeOutOfRange> { SnowflakeGenerator(nodes = LongRange.EMPTY) }
    }

    @Test
    fun neitherNodeNorNodesIsRefused() {
        refuses<SaibanException.NodeRequired>("0 to 1023") { SnowflakeGenerator() }
        refuses<SaibanException.NodeRequired>("0 to 131071") { RandflakeGenerator(secret) }
        refuses<SaibanException.InvalidArgument>("both") { SnowflakeGenerator(node = 1, nodes = 1L..2L) }
    }

    @Test
    fun aNodeInUseIsRefused() {
        SnowflakeGenerator(nodes = 900L..909L).use {
            refuses<SaibanException.NodeInUse>("overlap") { SnowflakeGenerator(node = 905) }
        }
        SnowflakeGenerator(node = 905).use { assertTrue(it.generate() > 0) }
    }

    @Test
    fun negativeAndTooLateTimesAreRefused() {
        val ids = SnowflakeGenerator(node = 1, clock = ManualClock(second))
        refuses<SaibanException.TimestampBeforeEpoch>("-1") { ids.compose(-1, 1, 0) }
        refuses<SaibanException.TimestampOverflow>("$second" + "0") { ids.compose(second * 10, 1, 0) }
        refuses<SaibanException.TimestampOverflow> { ids.compose(java.time.Instant.MAX, 1, 0) }
        refuses<SaibanException.ClockUnavailable>("-5") { ManualClock(-5) }
        val clock = ManualClock(0)
        refuses<SaibanException.TimestampBeforeEpoch> { SnowflakeGenerator(node = 1, clock = clock).generate() }
        clock.set(9_000_000_000_000)
        refuses<SaibanException.TimestampOverflow> { SnowflakeGenerator(node = 1, clock = clock).generate() }
    }

    @Test
    fun sequenceAndRandomOutOfRangeAreRefused() {
        refuses<SaibanException.SequenceOutOfRange>("4096", "0 to 4095") {
            SnowflakeGenerator(node = 1, clock = ManualClock(second)).compose(second, 1, 4096)
        }
        refuses<SaibanException.RandomOutOfRange>("1048576", "0 to 1048575") {
            UlidFlakeGenerator(clock = ManualClock(second)).compose(second, 1_048_576)
        }
    }

    @Test
    fun windowOverOrNotBegunIsRefused() {
        val clock = ManualClock(second)
        refuses<SaibanException.LeaseNotBegun>("${second + 60_000}") {
            SnowflakeGenerator(node = 1, window = second + 60_000..<second + 90_000, clock = clock).generate()
        }
        refuses<SaibanException.LeaseExpired>("$second") {
            SnowflakeGenerator(node = 1, window = second - 60_000..<second, clock = clock).generate()
        }
        val seconds = second / 1000
        refuses<SaibanException.LeaseExpired> {
            RandflakeGenerator(secret, node = 1, window = seconds - 60..<seconds, clock = clock).generate()
        }
        refuses<SaibanException.InvalidWindow>("start < end") { SnowflakeGenerator(node = 1, window = second..<second) }
    }

    @Test
    fun aManualClockNeverWaits() {
        val ids = SnowflakeGenerator(node = 1, clock = ManualClock(second))
        assertEquals(4096, ids.generateMany(4096).toSet().size)
        refuses<SaibanException.WouldWait>("1 ms") { ids.generate() }
        assertNull(ids.tryGenerate())
    }

    @Test
    fun aClockFarBackIsRefusedWhenTheTickIsUsedUp() {
        val clock = ManualClock(second)
        val ids = SnowflakeGenerator(node = 1, clock = clock)
        ids.generateMany(4096)
        clock.advance(-10_000)
        refuses<SaibanException.ClockBackward>("10 s") { ids.generate() }
    }

    @Test
    fun badTextIsRefusedAtItsPosition() {
        val ids = RandflakeGenerator(secret, node = 1, clock = ManualClock(second))
        for (k in 0..12) {
            val text = "3vgoe12ccb8gh".replaceRange(k, k + 1, "!")
            assertEquals(k, refuses<SaibanException.TextCharacter>("position $k") { ids.fromText(text) }.position)
        }
        assertEquals(0, refuses<SaibanException.TextNotCanonical> { ids.fromText("03vgoe12ccb8") }.position)
        assertNull(refuses<SaibanException.TextLength>("0 characters") { ids.fromText("") }.position)
        refuses<SaibanException.TextOverflow>("64 bits") { ids.fromText("vvvvvvvvvvvvv") }
        refuses<SaibanException.IdOutOfRange>("snowflake") { SnowflakeGenerator(node = 1, clock = ManualClock(0)).fromText("-1") }
    }

    @Test
    fun unknownNamesAndWidthsAreRefused() {
        refuses<SaibanException.UnknownName>("base62") { encode(1, "base63") }
        refuses<SaibanException.UnknownName>("discord") { Layout.preset("friendster") }
        refuses<SaibanException.UnknownName>("sequence") { Layout("time" to 64) }
        refuses<SaibanException.UnknownName>("ulid-flake") { inspect(1, scheme = "friendster") }
        refuses<SaibanException.WidthOutOfRange>("hex", "1 to 16") { encode(1, "hex", 17) }
        refuses<SaibanException.WidthOutOfRange>("needs 4") { encode(4096, "hex", 2) }
    }

    @Test
    fun impossibleLayoutsAndSizesAreRefused() {
        refuses<SaibanException.InvalidLayout>("15 bits") { Layout("timestamp" to 11, "node" to 2, "sequence" to 2) }
        refuses<SaibanException.InvalidLayout>("tick") {
            Layout("timestamp" to 42, "node" to 10, "sequence" to 12, tickUs = -1)
        }
        refuses<SaibanException.InvalidLayout> { Layout("timestamp" to 42, "node" to -10, "sequence" to 12) }
        refuses<SaibanException.InvalidLayout>("node") {
            SnowflakeGenerator(node = 0, layout = Layout("unused" to 1, "timestamp" to 43, "random" to 20))
        }
        refuses<SaibanException.InvalidEntropySize>("1 to 3") { UlidFlakeGenerator(entropySize = 4) }
        refuses<SaibanException.InvalidEntropySize>("1 to 2") { UlidFlakeGenerator(scalability = 1, entropySize = 3) }
    }

    @Test
    fun impossibleCountsAndWaitsAreRefused() {
        val ids = SnowflakeGenerator(node = 1, clock = ManualClock(second))
        refuses<SaibanException.InvalidArgument>("10000000") { ids.generateMany(10_000_001) }
        refuses<SaibanException.InvalidArgument> { ids.generateMany(-1) }
        refuses<SaibanException.InvalidArgument>("negative") { ids.generateUpTo(-1) }
        refuses<SaibanException.InvalidArgument>("negative") { SnowflakeGenerator(node = 1, maxWaitMs = -1) }
    }

    @Test
    fun optionsForClocksAndRestartsHaveLimits() {
        val clock = ManualClock(second)
        for (shards in listOf(0L, 5L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)) {
            refuses<SaibanException.NodeOutOfRange>("$shards shards", "1 to 4") {
                SnowflakeGenerator(nodes = 8L..11L, shards = shards, clock = clock)
            }
        }
        refuses<SaibanException.NodeOutOfRange>("2 shards", "1 to 1") { RandflakeGenerator(secret, node = 7, shards = 2, clock = clock) }
        for (jump in listOf(0L, -1L, Long.MIN_VALUE)) {
            refuses<SaibanException.InvalidArgument>("max_jump_s", "1") { SnowflakeGenerator(node = 7, maxJumpS = jump) }
        }
        val bits = Rollback.BITS
        refuses<SaibanException.InvalidLayout>("with_rollback_bits") { SnowflakeGenerator(node = 7, rollback = bits, clock = clock) }
        refuses<SaibanException.InvalidLayout>("rollback") { RandflakeGenerator(secret, node = 7, rollback = bits, clock = clock) }
        refuses<SaibanException.InvalidLayout>("rollback") { UlidFlakeGenerator(rollback = bits, clock = clock) }
        refuses<SaibanException.InvalidWindow>("start < end") { SnowflakeGenerator(node = 7, notBefore = Long.MAX_VALUE, clock = clock) }
        refuses<SaibanException.InvalidWindow>("[$second, $second)") {
            SnowflakeGenerator(node = 7, window = second - 9..<second, notBefore = second - 1, clock = clock)
        }
    }

    @Test
    fun rollbackBitsThatAreNotPossibleAreRefusedWithTheReason() {
        for ((bits, words) in listOf(0 to "0 bits", -1 to "0 bits", 5 to "5 bits: give 1 to 4", Int.MAX_VALUE to "give 1 to 4")) {
            refuses<SaibanException.InvalidLayout>(words) { Layout.TWITTER.withRollbackBits(bits) }
        }
        val once = Layout.TWITTER.withRollbackBits(1)
        refuses<SaibanException.InvalidLayout>("twice") { once.withRollbackBits(1) }
        val clock = ManualClock(second)
        for (rollback in listOf(2L, -1L, Long.MIN_VALUE)) {
            refuses<SaibanException.RollbackOutOfRange>("$rollback", "0 to 1") {
                SnowflakeGenerator(node = 0, layout = once, clock = clock).compose(second, 1, 0, rollback)
            }
        }
        refuses<SaibanException.RollbackOutOfRange>("0 to 0") { SnowflakeGenerator(node = 0, clock = clock).compose(second, 1, 0, 1) }
    }

    @Test
    fun secretsThatCannotBeTriedAreRefused() {
        refuses<SaibanException.InvalidArgument>("at most 8") { inspect(1, secret, List(8) { secret }) }
        refuses<SaibanException.InvalidArgument>("old secrets", "secret") { inspect("1", oldSecrets = listOf(secret)) }
        refuses<SaibanException.InvalidSecret>("15 bytes") { inspect(1, secret, listOf(secret.copyOf(15))) }
    }
}
