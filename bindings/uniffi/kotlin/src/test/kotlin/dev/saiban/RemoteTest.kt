package dev.saiban

import com.google.gson.JsonParser
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.math.BigInteger
import java.net.URI
import java.time.Instant
import java.util.UUID
import java.util.concurrent.CompletionException
import kotlin.concurrent.thread

/** IDs from a real service, and leases of its store. */
class RemoteTest {
    @TempDir
    lateinit var folder: File

    /** Runs with a service that has these schemes, or the default ones. */
    private fun withService(vararg schemes: Pair<String, Map<String, String>>, body: (Server) -> Unit) {
        val environment = schemes.flatMap { (name, keys) ->
            keys.map { (key, value) -> "SAIBAN_SERVE_SCHEMES__${name.uppercase()}__${key.uppercase()}" to value }
        }
        Server("saiban", *environment.toTypedArray()).use(body)
    }

    /** With limits that even a slow machine does not reach. */
    private fun numbers(server: Server, scheme: String = "snowflake", block: Long = 100) =
        RemoteGenerator(server.url, scheme, block = block, maxAgeMs = 3_600_000, waitS = 60)

    private fun texts(server: Server, scheme: String) =
        RemoteTextGenerator(server.url, scheme, block = 100, maxAgeMs = 3_600_000, waitS = 60)

    @Test
    fun anIdIsOfTheServicesSchemeInEveryForm() = withService("orders" to mapOf("scheme" to "snowflake")) { server ->
        val ids: RemoteGenerator = numbers(server, "orders", block = 10)
        assertEquals("orders", ids.name())
        assertEquals("${Layout.TWITTER}", "${ids.layout()}")
        assertEquals(RemoteStatus(0, 0, 0, null), ids.status())
        val id: Long = ids.generate()
        val parts = ids.inspect(id)
        assertEquals(listOf("snowflake", "twitter", id), listOf(parts.scheme, parts.layout, parts.id))
        assertEquals(id, ids.fromText(ids.toText(id)))
        assertEquals(parts, ids.inspect(ids.toText(id)))
        val buffer = LongArray(25)
        assertEquals(25, ids.fill(buffer))
        val made = listOf(id, ids.fromText(ids.generateText()), ids.generateAsync().join(), prefetched(ids::tryGenerate)) +
            buffer.asList() + ids.generateMany(25).asList()
        assertEquals(54, made.toSet().size)
        val (first, last) = ids.range(parts.time!!, parts.time!!.plusMillis(1))
        assertTrue(id in first..last)
        assertEquals(listOf(54L, Guarantee.UNIQUE), ids.stats().let { listOf(it.issued, it.guarantee) })
        val status = ids.status()
        assertTrue(status.prefetched > 0 && status.calls >= 6 && status.dropped == 0L && status.why == null, "$status")
    }

    @Test
    fun uuidsAreUuidsAndOtherWideIdsText() = withService { server ->
        val keys = RemoteUuidGenerator(server.url, "uuid-v7", block = 100, maxAgeMs = 3_600_000, waitS = 60)
        val key: UUID = keys.generate()
        assertEquals(7, key.version())
        assertEquals("uuid-v7", keys.inspect(key).scheme)
        assertEquals("$key", keys.toText(key))
        assertEquals(key, keys.fromText("$key"))
        assertEquals(keys.inspect(key), keys.inspect("$key"))
        assertEquals(key, keys.fromBytes(keys.toBytes(key)))
        val buffer = ByteArray(16 * 30)
        assertEquals(30, keys.fill(buffer))
        val filled = buffer.asList().chunked(16).map { keys.fromBytes(it.toByteArray()) }
        val made = filled + key + keys.generateMany(100) + keys.generateAsync().join() + prefetched(keys::tryGenerate) +
            keys.fromText(keys.generateText()) + keys.fromBytes(keys.generateBytes())
        assertEquals(135, made.toSet().size)
        val time = keys.inspect(key).time!!
        val (first, last) = keys.range(time, time.plusMillis(1))
        assertTrue("$first" <= "$key" && "$key" <= "$last")
        assertNull(keys.layout())

        for ((scheme, length) in listOf("ulid" to 26, "objectid" to 24, "uuid-v4" to 36)) {
            val ids = texts(server, scheme)
            val id: String = ids.generate()
            assertEquals(length, id.length)
            assertEquals(scheme, ids.inspect(id).scheme)
            assertEquals(id, ids.fromText(ids.toText(id)))
            val bytes = (ids.bits() + 7) / 8
            val room = ByteArray(bytes * 30)
            assertEquals(30, ids.fill(room))
            assertArrayEquals(room.copyOf(bytes), ids.toBytes(ids.fromBytes(room.copyOf(bytes))))
            val many = ids.generateMany(100) + id + ids.generateText() + ids.generateAsync().join() + prefetched(ids::tryGenerate) +
                room.asList().chunked(bytes).map { ids.fromBytes(it.toByteArray()) }
            assertEquals(134, many.toSet().size)
            assertEquals(134, ids.stats().issued)
        }
        // For a column of UUIDs, ULIDs have the bytes of UUIDs.
        val ulids = RemoteUuidGenerator(server.url, "ulid", waitS = 60)
        assertEquals("ulid", ulids.inspect(ulids.generate()).scheme)
    }

    @Test
    fun partsHaveTheNamesOfTheServicesOwnLayout() {
        val narrow = "unused:1 timestamp:41,epoch=2020-02-02 node.shop:6 node.till:4 sequence:12"
        val wide = "timestamp:48 node.shop:6 node.till:10 sequence:16 random:48"
        withService(
            "orders" to mapOf("scheme" to "flake", "layout" to narrow),
            "keys" to mapOf("scheme" to "flake", "layout" to wide),
        ) { server ->
            val ids = numbers(server, "orders")
            assertEquals(narrow, "${ids.layout()}")
            assertEquals(setOf("shop", "till"), ids.inspect(ids.generate()).nodeParts.keys)
            val keys = texts(server, "keys")
            assertEquals(wide, "${keys.layout()}")
            val key = keys.generate()
            assertEquals(setOf("shop", "till"), keys.inspect(key).nodeParts.keys)
            assertEquals(BigInteger(key), keys.inspect(key).number)
        }
    }

    @Test
    fun aRandflakeIsInspectedByTheServiceAlone() {
        val secret = File(folder, "secret").apply { writeText("ab5345435245542d4f462d4f555253ef") }
        secret.setReadable(false, false)
        secret.setReadable(true, true)
        withService("public" to mapOf("scheme" to "randflake", "secret_file" to secret.path)) { server ->
            val ids = numbers(server, "public")
            val id = ids.generate()
            assertEquals(id, ids.fromText(ids.toText(id)))
            assertTrue("the service" in refused<SaibanException.InvalidArgument> { ids.inspect(id) })
        }
    }

    @Test
    fun threadsAndGeneratorsGetDifferentIds() = withService { server ->
        val generators = List(2) { numbers(server, block = 50) }
        val made = List(4) { mutableListOf<Long>() }
        made.mapIndexed { index, mine ->
            thread {
                repeat(200) { mine += generators[index % 2].generate() }
                repeat(4) { mine += generators[index % 2].generateMany(200).asList() }
            }
        }.forEach(Thread::join)
        assertEquals(4_000, made.flatten().toSet().size)
    }

    @Test
    fun noIdIsOlderThanItsMaximumAge() = withService { server ->
        val maxAgeMs = 200L
        val ids = RemoteGenerator(server.url, "snowflake", block = 10, maxAgeMs = maxAgeMs, waitS = 60)
        for (round in 0..<12) {
            val before = System.currentTimeMillis()
            val id = ids.generate()
            assertTrue(ids.inspect(id).timestampMs!! >= before - maxAgeMs - 50, "$id after $before")
            Thread.sleep(round % 3 * 150L)
        }
        assertTrue(ids.status().dropped > 0)
    }

    @Test
    fun theNextHostIsAskedWhenOneIsGone() = withService { gone ->
        withService { there ->
            val url = "${gone.url},${there.url.removePrefix("saiban://")}"
            val ids = RemoteTextGenerator(url, "ulid", block = 10, maxAgeMs = 3_600_000, waitS = 60)
            val before = ids.generate()
            gone.obey("kill")
            assertEquals(101, (ids.generateMany(100) + before).toSet().size)
        }
    }

    @Test
    fun errorsOfTheServiceAreThrownByTheirKind() = withService { server ->
        val unknown = refused<SaibanException.UnknownName> { RemoteGenerator(server.url, "nonsense") }
        assertTrue("nonsense" in unknown && "snowflake" in unknown, unknown)
        val large = numbers(server, block = 20_000)
        for (ask in listOf<() -> Any?>({ large.generate() }, { large.generateText() }, { large.generateMany(2) }, { large.fill(LongArray(2)) })) {
            assertTrue("10000" in refused<SaibanException.InvalidArgument> { ask() })
        }
        val wide = RemoteTextGenerator(server.url, "ulid", block = 20_000, waitS = 60)
        for (ask in listOf<() -> Any?>({ wide.generate() }, { wide.generateBytes() }, { wide.fill(ByteArray(32)) }, { wide.generateMany(2) })) {
            assertTrue("10000" in refused<SaibanException.InvalidArgument> { ask() })
        }
        assertTrue("RemoteUuidGenerator" in refused<SaibanException.InvalidArgument> { RemoteGenerator(server.url, "uuid-v7") })
        assertTrue("RemoteGenerator" in refused<SaibanException.InvalidArgument> { RemoteTextGenerator(server.url, "snowflake") })
        assertTrue("RemoteTextGenerator" in refused<SaibanException.InvalidArgument> { RemoteUuidGenerator(server.url, "objectid") })
        refused<SaibanException.InvalidArgument> { numbers(server).generateMany(10_000_001) }
        val away = RemoteGenerator(server.url, "snowflake", waitS = 1)
        server.obey("stop")
        assertNull(away.tryGenerate())
        refused<SaibanException.StoreUnavailable> { away.generate() }
        val failed = assertThrows(CompletionException::class.java) { away.generateAsync().join() }
        assertTrue(failed.cause is SaibanException.StoreUnavailable, "$failed")
        assertTrue(away.status().why != null)
        // Reading an ID needs no service.
        assertEquals(7, away.inspect(1741610183685074945).node)
        server.obey("start")
        away.generate()
    }

    @Test
    fun impossibleOptionsAreRefusedAndShowNoToken() {
        val unreachable = "saiban://:correct-horse@127.0.0.1:1"
        for (open in listOf<() -> Any>(
            { RemoteGenerator(unreachable, "snowflake", block = 0) },
            { RemoteGenerator(unreachable, "snowflake", block = 100_001) },
            { RemoteGenerator(unreachable, "snowflake", maxAgeMs = 0) },
            { RemoteGenerator(unreachable, "snowflake", waitS = 0) },
            { RemoteGenerator(unreachable, "") },
            { RemoteGenerator("redis://:correct-horse@127.0.0.1:1", "snowflake") },
            { RemoteGenerator("saiban://me:correct-horse@127.0.0.1:1", "snowflake") },
        )) {
            val error = refused<SaibanException.InvalidArgument> { open() }
            assertFalse("correct-horse" in error, error)
        }
        val error = refused<SaibanException.StoreUnavailable> { RemoteGenerator(unreachable, "snowflake", waitS = 1) }
        assertTrue("127.0.0.1" in error && "correct-horse" !in error, error)
    }

    @Test
    fun aLeaseOfTheServiceIsRenewedAndReleased() = withService { server ->
        fun isHeld(): Boolean {
            val listing = URI("${server.url.replace("saiban:", "http:")}/v1/leases/orders").toURL().readText()
            val slots = JsonParser.parseString(listing).asJsonObject["slots"].asJsonArray.map { it.asJsonObject }
            return slots.single { it["holder"].asString == "a-program-in-kotlin" }["end_us"].asLong > 0
        }
        Lease.acquire(server.url, "orders", ttlS = 60, create = true, holder = "a-program-in-kotlin").use { lease ->
            val ids = SnowflakeGenerator(lease = lease)
            assertTrue(ids.inspect(ids.generate()).node!! in lease.nodes())
            assertTrue(isHeld())
            lease.renew()
            val until = Instant.now().plusSeconds(60)
            while (lease.status().renewals == 0L && Instant.now() < until) Thread.sleep(20)
            // On a slow machine, the lease may also have been renewed in the background.
            assertTrue(lease.status().run { grants == 1L && renewals >= 1 && why == null }, "${lease.status()}")
        }
        assertFalse(isHeld())
    }

    /** Repeats until an ID is prefetched. */
    private fun <T : Any> prefetched(tryGenerate: () -> T?): T {
        while (true) tryGenerate()?.let { return it }
    }
}
