package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.util.concurrent.CompletionException
import kotlin.concurrent.thread
import kotlin.random.Random

/** Generators with a lease use only its nodes, and report why they have none. */
class LeaseTest {
    private val secret = bytesOfHex("ab5345435245542d4f462d4f555253ef")

    /**
     * Layouts with an epoch of this test alone. Stores are independent, so leases of one layout
     * from two of them may overlap in one process.
     */
    private val epochMs = Random.nextLong(1_400_000_000_000, 1_700_000_000_000)
    private val layout = Layout("unused" to 1, "timestamp" to 41, "node" to 10, "sequence" to 12, epochMs = epochMs)

    /** A layout with two nodes, so that a lease of two nodes takes all. */
    private val small = Layout("timestamp" to 42, "node" to 1, "sequence" to 12, epochMs = epochMs)
    private val wide = Layout("timestamp" to 48, "node" to 16, "sequence" to 16, "random" to 48, epochMs = epochMs)

    @TempDir
    lateinit var folder: File

    private val file get() = File(folder, "ids.db")
    private val url get() = "sqlite://${file.path}"

    @Test
    fun leasesOfAFileAreDisjointAndGiveNodesToGenerators() = checkStore(url, null)

    @TestFactory
    fun leasesOfAServerAreDisjointAndGiveNodesToGenerators(): List<DynamicTest> =
        listOf("postgres", "mysql", "redis", "etcd", "zookeeper", "saiban").map { kind ->
            dynamicTest(kind) {
                Server(kind).use { server ->
                    // An empty server may mean that data was lost, so it needs `create`.
                    val unknown = refused<SaibanException.NamespaceUnknown> { Lease.acquire(server.url, namespace = "orders", layout = layout) }
                    assertTrue("\"orders\"" in unknown, unknown)
                    checkStore(server.url, create = true)
                }
            }
        }

    private fun checkStore(url: String, create: Boolean?) {
        val one = Lease.acquire(url, namespace = "orders", nodes = 4, ttlS = 60, layout = layout, create = create)
        val two = Lease.acquire(url, namespace = "orders", nodes = 3, ttlS = 60, layout = layout)
        assertEquals(listOf(4, 3), listOf(one, two).map { it.nodes().count() })
        assertTrue(one.nodes().intersect(two.nodes()).isEmpty(), "${one.nodes()} and ${two.nodes()}")

        val generators = listOf(one, two).map { SnowflakeGenerator(lease = it, layout = layout) }
        val made = generators.map { ids -> ids.generateMany(2_000).asList() + ids.generate() }
        for ((lease, ids) in listOf(one, two).zip(made)) {
            for (id in ids) assertTrue(generators[0].inspect(id).node!! in lease.nodes())
        }
        assertEquals(4_002, made.flatten().toSet().size)

        val status = one.status()
        assertEquals(one.nodes(), status.nodes)
        assertEquals(listOf("active", 1L, null), listOf(status.state, status.grants, status.why))
        assertEquals(status.endMs, status.end?.toEpochMilli())
        one.renew()
        until("it was renewed") { one.status().renewals == 1L && one.status().state == "active" }
        assertTrue(one.status().endMs >= status.endMs)
        generators[0].generate()

        one.release()
        val lost = refused<SaibanException.LeaseLost> { generators[0].generate() }
        assertTrue("released" in lost && "acquire a new one" in lost, lost)
        refused<SaibanException.LeaseLost> { generators[0].tryGenerate() }
        refused<SaibanException.LeaseLost> { generators[0].generateMany(2) }
        refused<SaibanException.LeaseLost> { generators[0].generateText() }
        refused<SaibanException.LeaseLost> { generators[0].fill(LongArray(2)) }
        refused<SaibanException.LeaseLost> { one.nodes() }
        assertEquals(LeaseStatus("idle", null, 0, 1, 1, null), one.status())
        assertNull(one.status().end)
        // Reading an ID needs no lease.
        assertEquals(made[0][0], generators[0].inspect(made[0][0]).id)
        one.release()
        generators[1].generate()
        two.close()
        refused<SaibanException.LeaseLost> { generators[1].generate() }
    }

    @Test
    fun everySchemeWithNodesTakesALease() {
        val memory = "memory:schemes"
        Lease.acquire(memory, "snowflake", nodes = 2, layout = layout).use { lease ->
            makes(lease, SnowflakeGenerator(lease = lease, layout = layout))
        }
        Lease.acquire(memory, "randflake", nodes = 2, scheme = "randflake", secret = secret).use { lease ->
            makes(lease, RandflakeGenerator(secret, lease = lease))
        }
        val ulid = Layout(Layout.preset("ulid-flake-scalable").fields(), epochMs)
        Lease.acquire(memory, "ulid-flake", scheme = "ulid-flake", layout = ulid).use { lease ->
            makes(lease, UlidFlakeGenerator(lease = lease, epochMs = epochMs))
        }
        Lease.acquire(memory, "flake", nodes = 2, scheme = "flake", layout = small).use { lease ->
            makes(lease, FlakeGenerator(small, lease = lease))
        }
        Lease.acquire(memory, "wide", nodes = 2, scheme = "flake", layout = wide).use { lease ->
            val ids = WideFlakeGenerator(wide, lease = lease)
            for (id in ids.generateMany(100) + ids.generate() + ids.tryGenerate()!! + ids.fromText(ids.generateText())) {
                assertTrue(ids.inspect(id).node!! in lease.nodes())
            }
            lease.release()
            refused<SaibanException.LeaseLost> { ids.generate() }
            refused<SaibanException.LeaseLost> { ids.tryGenerate() }
            refused<SaibanException.LeaseLost> { ids.generateMany(2) }
            refused<SaibanException.LeaseLost> { ids.generateText() }
            refused<SaibanException.LeaseLost> { ids.fill(ByteArray(32)) }
        }
    }

    private fun makes(lease: Lease, ids: Generator) {
        for (id in ids.generateMany(100).asList() + ids.generate() + ids.fromText(ids.generateText())) {
            assertTrue(ids.inspect(id).node!! in lease.nodes())
        }
        assertEquals(Guarantee.UNIQUE, ids.stats().guarantee)
        lease.release()
        refused<SaibanException.LeaseLost> { ids.generate() }
    }

    @Test
    fun aLeaseIsForIdsOfOneKind() {
        Lease.acquire(url, namespace = "orders").use { lease ->
            // The default layout of Snowflake is Twitter's.
            Lease.acquire(url, namespace = "orders", layout = Layout.TWITTER).close()
            refused<SaibanException.NamespaceMismatch> { Lease.acquire(url, namespace = "orders", layout = Layout.DISCORD) }
            refused<SaibanException.NamespaceMismatch> { Lease.acquire(url, "orders", scheme = "ulid-flake") }
            refused<SaibanException.NamespaceMismatch> { Lease.acquire(url, "orders", scheme = "randflake", secret = secret) }
            refused<SaibanException.NamespaceMismatch> { SnowflakeGenerator(lease = lease, layout = Layout.DISCORD) }
            refused<SaibanException.NamespaceMismatch> { RandflakeGenerator(secret, lease = lease) }
            refused<SaibanException.NamespaceMismatch> { UlidFlakeGenerator(lease = lease) }
            refused<SaibanException.NamespaceMismatch> { FlakeGenerator(small, lease = lease) }
            refused<SaibanException.NamespaceMismatch> { WideFlakeGenerator(wide, lease = lease) }
        }
        // Another secret means another scheme.
        Lease.acquire("memory:secrets", scheme = "randflake", secret = secret).use { lease ->
            refused<SaibanException.NamespaceMismatch> { RandflakeGenerator(ByteArray(16), lease = lease) }
            refused<SaibanException.NamespaceMismatch> {
                Lease.acquire("memory:secrets", scheme = "randflake", secret = ByteArray(16))
            }
        }
    }

    @Test
    fun aLeaseIsRefusedBesideNodesOrTimes() {
        Lease.acquire(url, layout = layout).use { lease ->
            refused<SaibanException.InvalidArgument> { SnowflakeGenerator(lease = lease, layout = layout, node = 7) }
            refused<SaibanException.InvalidArgument> { SnowflakeGenerator(lease = lease, layout = layout, nodes = 0L..<4L) }
            refused<SaibanException.InvalidArgument> { SnowflakeGenerator(lease = lease, layout = layout, window = 0L..<4L) }
            refused<SaibanException.InvalidArgument> { SnowflakeGenerator(lease = lease, layout = layout, notBefore = 1) }
            refused<SaibanException.InvalidArgument> { SnowflakeGenerator(lease = lease, layout = layout, state = File(folder, "state").path) }
            SnowflakeGenerator(lease = lease, layout = layout, maxWaitMs = 50, shards = 1).use { it.generate() }
        }
        Lease.acquire("memory:alone", scheme = "ulid-flake").use { lease ->
            refused<SaibanException.InvalidArgument> { UlidFlakeGenerator(scalability = 3, lease = lease) }
            refused<SaibanException.InvalidArgument> { UlidFlakeGenerator(lease = lease, allowCollisions = true) }
        }
    }

    @Test
    fun impossibleOptionsAreRefusedAndShowNoSecret() {
        val password = "correct-horse"
        for (refusal in listOf<() -> Unit>(
            { Lease.acquire(url, ttlS = 0) },
            { Lease.acquire(url, ttlS = -1) },
            { Lease.acquire(url, ttlS = 3_601) },
            { Lease.acquire(url, nodes = 0) },
            { Lease.acquire(url, nodes = 1_025) },
            { Lease.acquire(url, namespace = "") },
            { Lease.acquire(url, namespace = "my orders") },
            { Lease.acquire(url, maxTtlS = 0) },
            { Lease.acquire(url, scheme = "uuid-v7") },
            { Lease.acquire(url, scheme = "flake") },
            { Lease.acquire(url, layout = Layout.MASTODON) },
            { Lease.acquire(url, secret = secret) },
            { Lease.acquire(url, scheme = "randflake") },
            { Lease.acquire("") },
            { Lease.acquire("ids.db") },
            { Lease.acquire("oracle://shop:$password@localhost/ids") },
            { Lease.acquire("postgres://shop:$password@[localhost/ids") },
        )) {
            val error = refused<SaibanException.InvalidArgument> { refusal() }
            assertFalse(password in error, error)
        }
        refused<SaibanException.UnknownName> { Lease.acquire(url, scheme = "friendster") }
        refused<SaibanException.InvalidSecret> { Lease.acquire(url, scheme = "randflake", secret = secret.copyOf(15)) }
        Lease.acquire("memory:shown", scheme = "randflake", secret = secret).use { lease ->
            for (shown in listOf("$lease", "${lease.status()}")) {
                for (form in listOf(secret.toHexString(), secret.joinToString(), String(secret, Charsets.ISO_8859_1))) {
                    assertFalse(form in shown, shown)
                }
            }
        }
    }

    @Test
    fun anUnreachableServerIsUnavailable() {
        // No server listens at port 1.
        val urls = listOf("postgres", "mysql", "redis", "etcd", "zookeeper").map { "$it://shop:correct-horse@127.0.0.1:1/0" } +
            "saiban://:correct-horse@127.0.0.1:1"
        for (unreachable in urls) {
            val error = refused<SaibanException.StoreUnavailable> { Lease.acquire(unreachable, waitS = 1) }
            assertTrue("127.0.0.1" in error && "correct-horse" !in error, error)
        }
    }

    @Test
    fun aPathWhereNoFileCanBeIsUnavailableAndAForeignFileIsCorrupt() {
        for (path in listOf("/proc/ids.db", folder.path, File(folder, "missing/ids.db").path)) {
            refused<SaibanException.StoreUnavailable> { Lease.acquire("sqlite://$path", waitS = 1) }
        }
        file.writeText("not a database, but long enough to be taken for the beginning of one.".repeat(100))
        assertTrue(kindOf { Lease.acquire(url, waitS = 1) } in setOf("STORE_CORRUPT", "STORE_UNAVAILABLE"))
        file.delete()
        refused<SaibanException.NamespaceUnknown> { Lease.acquire(url, create = false) }
    }

    @Test
    fun useReleasesAndAnErrorOfTheStoreHidesNoOther() {
        var kept: SnowflakeGenerator? = null
        Lease.acquire(url, nodes = 2, layout = small).use { lease ->
            refused<SaibanException.NamespaceFull> { Lease.acquire(url, layout = small) }
            kept = SnowflakeGenerator(lease = lease, layout = small).also { it.generate() }
        }
        refused<SaibanException.LeaseLost> { kept!!.generate() }
        val closed = Lease.acquire(url, nodes = 2, layout = small).also { it.close() }
        closed.close()
        refused<SaibanException.LeaseLost> { SnowflakeGenerator(lease = closed, layout = small) }
        Server("redis").use { server ->
            val leases = List(2) { Lease.acquire(server.url, create = true, ttlS = 60) }
            server.obey("stop")
            val mine = assertThrows(IllegalStateException::class.java) { leases[0].use { error("mine") } }
            assertEquals("mine", mine.message)
            assertTrue(mine.suppressed.single() is SaibanException.StoreUnavailable, "${mine.suppressed.toList()}")
            refused<SaibanException.StoreUnavailable> { leases[1].close() }
            for (lease in leases) {
                lease.close()
                assertEquals("idle", lease.status().state)
                assertTrue(kindOf { SnowflakeGenerator(lease = lease) } in setOf("LEASE_LOST", "STORE_UNAVAILABLE"))
            }
        }
    }

    @Test
    fun anUnreferencedLeaseIsReleased() {
        fun leaseAllAndDropThem() {
            val ids = SnowflakeGenerator(lease = Lease.acquire(url, nodes = 2, layout = small), layout = small)
            // The generator keeps the lease.
            repeat(3) {
                System.gc()
                ids.generate()
            }
            refused<SaibanException.NamespaceFull> { Lease.acquire(url, layout = small) }
        }
        leaseAllAndDropThem()
        until("the nodes are back") {
            System.gc()
            kindOf { Lease.acquire(url, nodes = 2, layout = small).close() } == null
        }
    }

    @Test
    fun aLeaseThatTheStoreDoesNotRenewReportsWhyAndIsFollowedByANewOne() {
        // Not Redis, which would be quarantined first.
        Server("postgres").use { server ->
            Lease.acquire(server.url, create = true, ttlS = 4, nodes = 2, layout = layout).use { lease ->
                val ids = SnowflakeGenerator(lease = lease, layout = layout)
                val before = ids.generateMany(100)
                server.obey("stop")
                var last: String? = null
                until("it is over, and why is known") {
                    outcome { ids.generate() }.error?.let { error ->
                        assertTrue(error.kind in setOf("LEASE_EXPIRED", "LEASE_LOST"), error.kind)
                        last = error.message
                    }
                    "there is no lease at the moment" in last.orEmpty()
                }
                assertFalse("open-sesame" in last!!, last)
                assertEquals(null, lease.status().nodes)
                assertTrue(lease.status().why!! in last!!, last)
                refused<SaibanException.StoreUnavailable> { lease.nodes() }
                server.obey("start")
                until("there is a new one after ${lease.status()}") { kindOf { ids.generate() } == null }
                assertTrue(lease.status().grants >= 2)
                val after = ids.generateMany(100)
                assertEquals(200, (before + after).toSet().size)
            }
        }
    }

    @Test
    fun twoProcessesAndTheirThreadsRepeatNothing() {
        val made = List(4) { mutableListOf<Long>() }
        Program("LeaseTestKt", url, "$layout").use { program ->
            val others = program.line().split(" ").map { it.toLong() }
            Lease.acquire(url, namespace = "orders", nodes = 4, layout = layout).use { lease ->
                assertTrue(others.none { it in lease.nodes() }, "$others and ${lease.nodes()}")
                val ids = SnowflakeGenerator(lease = lease, layout = layout, shards = 2)
                made.drop(1).map { mine -> thread { repeat(20) { mine += ids.generateMany(500).asList() } } }
                    .forEach(Thread::join)
                repeat(2_000) { made[0] += program.line().toLong() }
                assertTrue(made[0].all { ids.inspect(it).node in others }, "$others")
                assertEquals(32_000, made.flatten().toSet().size)
            }
        }
    }

    @Test
    fun aLeaseCanBeAwaited() {
        val ids = Lease.acquireAsync(url, namespace = "orders", nodes = 2, layout = layout)
            .thenApply { lease -> lease.use { SnowflakeGenerator(lease = it, layout = layout).run { inspect(generate()).node!! in it.nodes() } } }
        assertTrue(ids.join())
        val mine = secret.clone()
        val randflake = Lease.acquireAsync("memory:awaited", scheme = "randflake", secret = mine)
        mine.fill(0)
        randflake.join().use { RandflakeGenerator(secret, lease = it).generate() }
        val failed = assertThrows(CompletionException::class.java) { Lease.acquireAsync(url, nodes = 0).join() }
        assertTrue(failed.cause is SaibanException.InvalidArgument, "$failed")
        val future = Lease.acquireAsync(url, namespace = "small", nodes = 2, layout = small)
        if (!future.cancel(true)) future.join().close()
        until("a lease that nobody waits for is given back") {
            kindOf { Lease.acquire(url, namespace = "small", nodes = 2, layout = small).close() } == null
        }
    }

    private fun kindOf(run: () -> Unit): String? = outcome(run).error?.kind
}

/** A process of its own: prints the nodes of its lease, and IDs with each, until its input ends. */
fun main(arguments: Array<String>) {
    val (url, layout) = arguments.first() to Layout.fromText(arguments.last())
    Lease.acquire(url, namespace = "orders", nodes = 4, layout = layout).use { lease ->
        println(lease.nodes().joinToString(" "))
        SnowflakeGenerator(lease = lease, layout = layout).generateMany(2_000).forEach(::println)
        System.`in`.read()
    }
}
