package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.SQLException
import java.sql.Savepoint
import java.time.LocalDate
import java.util.concurrent.CompletionException
import kotlin.concurrent.thread

/**
 * Counters return each number once, from memory and from stores. Inserts are tried again with
 * another ID after a conflict.
 */
class CounterTest {
    @TempDir
    lateinit var folder: File

    private val url get() = "sqlite://${File(folder, "counters.db").path}"

    @Test
    fun countersOfOneStepShareNoNumber() {
        val numbers = (1L..5L).flatMap { start -> Counter(start, 5).generateMany(100).asList() }
        assertEquals((1L..500L).toSet(), numbers.toSet())
        val last = Counter(Long.MAX_VALUE - 2, 2)
        assertEquals(listOf(Long.MAX_VALUE - 2, Long.MAX_VALUE), last.generateMany(9).asList())
        assertThrows(SaibanException.CounterExhausted::class.java) { last.generate() }
    }

    /** The encoding of a list depends on its length. */
    @Test
    fun listsOfAnyLengthHaveTheNumbersOfTheCounter() {
        val step = 0x0111_9e37_79b9_7f4bL
        for (count in (0L..30L) + 100L) {
            val numbers = (0..<count).map { 3 + it * step }
            assertEquals(numbers, Counter(3, step).generateMany(count).asList())
        }
    }

    @Test
    fun aCounterOfAFileCounts() = checkStore(url)

    @Test
    fun aCounterInMemoryCounts() = checkStore("memory:${folder.name}")

    @TestFactory
    fun aCounterOfAServerCounts(): List<DynamicTest> =
        listOf("postgres", "mysql", "redis").map { kind -> dynamicTest(kind) { Server(kind).use { checkStore(it.url) } } }

    private fun checkStore(url: String) {
        val counters = List(2) { SharedCounter(url, "steps", start = 2, step = 5, blockSize = 10, create = true) }
        assertEquals(2, counters[0].generate())
        assertEquals(listOf(52L, 57L, 62L), counters[1].generateMany(3).asList())
        assertEquals(7, counters[0].tryGenerate())
        assertEquals(12, counters[0].generateAsync().join())
        val status = counters[0].status()
        assertEquals(listOf(7L, 10L, 1L), listOf(status.prefetched, status.blockSize, status.calls))
        assertNull(status.why)
        val other = SharedCounter(url, "steps", start = 2, step = 4)
        val mismatch = assertThrows(SaibanException.CounterMismatch::class.java) { other.generate() }
        assertTrue("from 2 by 5" in mismatch.message!!, mismatch.message)

        val shared = SharedCounter(url, "threads", create = true)
        val taken = List(4) { LongArray(500) }
        taken.map { numbers -> thread { for (index in numbers.indices) numbers[index] = shared.generate() } }.forEach { it.join() }
        assertEquals(2_000, taken.flatMap { it.asList() }.toSet().size)

        val daily = DailyCounter(url, "daily", "Asia/Tokyo", "INV {date:%Y-%m-%d} {n:03}", first = 0, create = true)
        val number = daily.generate()
        assertEquals("INV ${number.date} 000", number.text)
        assertTrue(number.date > LocalDate.of(2026, 1, 1))
        assertFalse(daily.generateAsync().join() == number)
    }

    @Test
    fun impossibleOptionsAreRefusedWithTheReason() {
        fun refused(words: String, make: () -> Any) {
            val refusal = assertThrows(SaibanException.InvalidArgument::class.java) { make() }
            assertTrue(words in refusal.message!!, refusal.message)
        }
        refused("start at -1") { Counter(start = -1) }
        refused("step by 0") { Counter(step = 0) }
        refused("ask for 0 to 10000000") { Counter().generateMany(10_000_001) }
        refused("rolled back") { SharedCounter("memory:refused", gapless = true) }
        refused("block_size is 0") { SharedCounter("memory:refused", blockSize = 0) }
        refused("Mars/Olympus") { DailyCounter("memory:refused", zone = "Mars/Olympus") }
        refused("does not distinguish every day") { DailyCounter("memory:refused", format = "{n}") }
        assertThrows(SaibanException.StoreUnsupported::class.java) { SharedCounter("etcd://127.0.0.1:1") }
        assertThrows(SaibanException.CounterUnknown::class.java) { SharedCounter("memory:empty", create = false).generate() }
        val away = SharedCounter("redis://127.0.0.1:1", waitS = 1, create = true)
        assertNull(away.tryGenerate())
        val error = assertThrows(CompletionException::class.java) { away.generateAsync().join() }
        assertTrue(error.cause is SaibanException.StoreUnavailable, "${error.cause}")
    }

    @Test
    fun scriptsAreWrittenForLayoutsThatScriptsCanCount() {
        assertTrue("redis.call" in Layout.TWITTER.redisScript())
        assertTrue(Layout.TWITTER.redisLibrary("ids").startsWith("#!lua name=ids\n"))
        assertTrue("FUNCTION order_id()" in Layout.TWITTER.postgresFunction("order_id", 5))
        assertThrows(SaibanException.NodeOutOfRange::class.java) { Layout.TWITTER.postgresFunction("order_id", 1024) }
        assertThrows(SaibanException.InvalidArgument::class.java) { Layout("timestamp" to 41, "random" to 20).redisScript() }
    }

    @Test
    fun anInsertIsTriedAgainAfterAConflictAndAfterNoOtherError() {
        val taken = mutableSetOf(1, 2)
        val insert = { id: Int ->
            if (!taken.add(id)) throw SQLException("not saved", SQLException("duplicate key $id", "23505"))
            if (id > 99) throw SQLException("too large", "23514")
            id
        }
        fun from(vararg ids: Int) = ids.iterator().let { { it.next() } }
        assertEquals(7, insertUnique(from(1, 2, 7), insert = insert))
        val last = assertThrows(SQLException::class.java) { insertUnique(from(1, 2, 8), attempts = 2, insert = insert) }
        assertTrue("duplicate key 2" in last.cause!!.message!!)
        assertThrows(SQLException::class.java) { insertUnique(from(100, 9), insert = insert) }
        assertThrows(SaibanException.InvalidArgument::class.java) { insertUnique(from(9), attempts = 0, insert = insert) }
        for (conflict in listOf(SQLException("x", "23505"), SQLException("x", "23000", 1062), SQLException("[SQLITE_CONSTRAINT_PRIMARYKEY] x"))) {
            assertTrue(isUniqueConflict(conflict))
        }
        assertFalse(isUniqueConflict(SQLException("x", "23503")))
        assertFalse(isUniqueConflict(RuntimeException("duplicate key")))
    }

    @Test
    fun anotherExceptionWithAConflictAsItsCauseIsNoConflict() {
        val conflict = SQLException("duplicate key", "23505")
        var tries = 0
        val gone = assertThrows(IllegalStateException::class.java) {
            insertUnique({ 1 }) { tries += 1; throw IllegalStateException("the order is gone", conflict) }
        }
        assertEquals("the order is gone", gone.message)
        assertEquals(1, tries)
        for (error in listOf(RuntimeException(conflict), Exception("saved", conflict), CompletionException(conflict))) {
            assertFalse(isUniqueConflict(error), "$error")
        }
        // Exceptions that frameworks wrap, even twice.
        assertTrue(isUniqueConflict(jakarta.persistence.PersistenceException(conflict)))
        class OfUs : jakarta.persistence.PersistenceException(SQLException("batch", conflict))
        assertTrue(isUniqueConflict(jakarta.persistence.PersistenceException(OfUs())))
        assertFalse(isUniqueConflict(jakarta.persistence.PersistenceException(IllegalStateException(conflict))))
        val wrappers = listOf(
            "org.springframework.dao.DuplicateKeyException",
            "org.springframework.dao.DataIntegrityViolationException",
            "org.hibernate.exception.ConstraintViolationException",
            "javax.persistence.RollbackException",
            "org.jetbrains.exposed.exceptions.ExposedSQLException",
            "org.jooq.exception.IntegrityConstraintViolationException",
        )
        for (name in wrappers) assertTrue(isWrapper(name), name)
        for (name in listOf("org.springframework.dao.DuplicateKeyExceptions", "org.springframework.dao.QueryTimeoutException", "jakarta.persistences.X")) {
            assertFalse(isWrapper(name), name)
        }
    }

    /**
     * Returns a connection in a transaction, which calls `rollback` at a rollback to a savepoint.
     */
    private fun connection(rollback: () -> Unit): Connection {
        fun <T> made(type: Class<T>, answer: (String) -> Any?): T =
            type.cast(Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, _ -> answer(method.name) })
        return made(Connection::class.java) { method ->
            when (method) {
                "getAutoCommit" -> false
                "setSavepoint" -> made(Savepoint::class.java) { null }
                "rollback" -> rollback()
                else -> null
            }
        }
    }

    @Test
    fun aFailedRollbackRaisesTheErrorOfTheInsertWithoutAnotherTry() {
        val lost = SQLException("connection lost", "08006")
        for (failure in listOf(SQLException("duplicate key", "23505"), SQLException("too large", "23514"), StackOverflowError(), lost)) {
            var tries = 0
            val thrown = assertThrows(Throwable::class.java) {
                insertUnique({ 1 }, savepoint = connection { throw lost }) { tries += 1; throw failure }
            }
            assertSame(failure, thrown)
            assertEquals(if (failure === lost) emptyList() else listOf<Throwable>(lost), thrown.suppressed.asList())
            assertEquals(1, tries)
        }
    }

    @Test
    fun anErrorIsRolledBackAndNeverTriedAgain() {
        var (tries, rollbacks) = 0 to 0
        assertThrows(StackOverflowError::class.java) {
            insertUnique({ 1 }, savepoint = connection { rollbacks += 1 }, isConflict = { true }) { tries += 1; throw StackOverflowError() }
        }
        assertEquals(listOf(1, 1), listOf(tries, rollbacks))
    }

    @Test
    fun anotherErrorHasTheConflictBeforeIt() {
        val conflict = SQLException("duplicate key", "23505")
        val errors = mutableListOf(conflict, SQLException("the transaction is aborted", "25P02"))
        val aborted = assertThrows(SQLException::class.java) { insertUnique({ 1 }) { throw errors.removeFirst() } }
        assertEquals("25P02", aborted.sqlState)
        assertEquals(listOf<Throwable>(conflict), aborted.suppressed.asList())
        assertFalse(isUniqueConflict(aborted))
    }
}
