package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import redis.clients.jedis.Jedis
import redis.clients.jedis.exceptions.JedisDataException
import java.io.File
import java.net.URI
import java.sql.Connection
import java.sql.DriverManager
import java.sql.SQLException

/**
 * Inserts tick IDs by JDBC into a table with topic and row key as its key. The clocks of twenty
 * programs stand still, so some IDs exist already.
 */
class InsertTest {
    private class Programs {
        private val programs = List(20) { TickIdGenerator(TickOrder.DESCENDING, clock = ManualClock(1_700_000_000_000)) }
        var made = 0

        fun generate(): String = programs[made++ % programs.size].generateText()
    }

    private fun Connection.insert(topic: String, key: String, amount: Int) = prepareStatement("INSERT INTO events VALUES (?, ?, ?)").use {
        it.setString(1, topic)
        it.setString(2, key)
        it.setInt(3, amount)
        it.executeUpdate()
    }

    private fun Connection.numbers(sql: String): List<Long> = createStatement().use { statement ->
        val rows = statement.executeQuery(sql)
        buildList { while (rows.next()) add(rows.getLong(1)) }
    }

    private fun insertsAreTriedAgain(connection: Connection) {
        val table = "CREATE TABLE events (topic VARCHAR(20) NOT NULL, row_key VARCHAR(30) NOT NULL, " +
            "amount INTEGER NOT NULL CHECK (amount > 0), PRIMARY KEY (topic, row_key))"
        connection.createStatement().use { it.execute(table) }
        connection.autoCommit = false
        val programs = Programs()
        repeat(EVENTS) {
            insertUnique(programs::generate, savepoint = connection) { key -> connection.insert("orders", key, 1) }
        }
        assertTrue(programs.made > EVENTS, "${programs.made} IDs made: no conflict")

        // Other errors end the first try. If every try conflicts, the last conflict is thrown. The
        // transaction stays usable.
        val before = programs.made
        val other = assertThrows(SQLException::class.java) {
            insertUnique(programs::generate, savepoint = connection) { key -> connection.insert("orders", key, -1) }
        }
        assertFalse(isUniqueConflict(other), "$other")
        assertEquals(before + 1, programs.made)
        connection.insert("kept", "1", 1)
        val conflict = assertThrows(SQLException::class.java) {
            insertUnique(programs::generate, attempts = 3, savepoint = connection) { connection.insert("kept", "1", 1) }
        }
        assertTrue(isUniqueConflict(conflict), "$conflict")
        assertEquals(before + 4, programs.made)
        connection.commit()
        assertEquals(listOf(EVENTS + 1L), connection.numbers("SELECT count(*) FROM events"))
    }

    @Test
    fun insertsIntoAFileAreTriedAgain(@TempDir folder: File) {
        DriverManager.getConnection("jdbc:sqlite:${File(folder, "events.db")}").use { insertsAreTriedAgain(it) }
    }

    @Test
    fun insertsIntoPostgresqlAreTriedAgainAndItMakesIds() = Server("postgres").use { server ->
        val url = URI(server.url)
        val (user, password) = url.userInfo.split(":")
        DriverManager.getConnection("jdbc:postgresql://${url.host}:${url.port}${url.path}", user, password).use { connection ->
            insertsAreTriedAgain(connection)
            connection.createStatement().use {
                it.execute(Layout.DISCORD.postgresFunction("discord_id", 5))
                it.execute("CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT discord_id(), n integer)")
                it.execute("INSERT INTO orders (n) SELECT generate_series(1, 10000)")
            }
            val ids = connection.numbers("SELECT id FROM orders ORDER BY n")
            assertEquals(10_000, ids.toSet().size)
            assertEquals(ids.sorted(), ids)
            assertTrue(ids.all { (it shr 12) and 1023 == 5L })
        }
    }

    @Test
    fun redisMakesIds() = Server("redis").use { server ->
        Jedis(URI(server.url)).use { client ->
            client.hset("ids", "node", "7")
            val sha = client.scriptLoad(Layout.TWITTER.redisScript())
            client.functionLoad(Layout.TWITTER.redisLibrary("snowflake"))
            val (keys, wanted) = listOf("ids") to listOf("1000")
            val ids = mutableListOf<Long>()
            var calls = 0
            while (ids.size < 20_000) {
                try {
                    val answer = if (calls++ % 2 == 0) client.evalsha(sha, keys, wanted) else client.fcall("snowflake", keys, wanted)
                    (answer as List<*>).mapTo(ids) { (it as String).toLong() }
                } catch (wait: JedisDataException) {
                    assertTrue(wait.message!!.startsWith("SAIBAN_WAIT "), wait.message)
                }
            }
            assertEquals(ids.sorted().distinct(), ids)
            assertTrue(ids.all { (it shr 12) and 1023 == 7L })
        }
    }

    private companion object {
        const val EVENTS = 2_000
    }
}
