package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import kotlin.random.Random

/** Generators with a store's URL have their own lease. */
class StoreTest {
    private val secret = Random.nextBytes(16)

    /**
     * Layouts with an epoch of this test alone. Stores are independent, so leases of one layout
     * from two of them may overlap in one process.
     */
    private val epochMs = Random.nextLong(1_400_000_000_000, 1_700_000_000_000)
    private val layout = Layout("unused" to 1, "timestamp" to 41, "node" to 10, "sequence" to 12, epochMs = epochMs)
    private val small = Layout("timestamp" to 42, "node" to 1, "sequence" to 12, epochMs = epochMs)
    private val wide = Layout("timestamp" to 48, "node" to 16, "sequence" to 16, "random" to 48, epochMs = epochMs)

    @TempDir
    lateinit var folder: File

    private val url get() = "sqlite://${File(folder, "ids.db").path}"

    @Test
    fun everySchemeWithNodesTakesAStore() {
        for (store in listOf("memory:stores", url)) {
            makes { SnowflakeGenerator(layout = layout, store = store, namespace = "snowflake") }
            withoutOthersNodes(store, "randflake") { makes { RandflakeGenerator(secret, store = store, namespace = "randflake") } }
            makes { UlidFlakeGenerator(epochMs = epochMs, store = store, namespace = "ulid-flake") }
            makes { FlakeGenerator(layout, store = store, namespace = "flake") }
            makes { TsidGenerator(layout = layout, store = store, namespace = "tsid") }
            val generators = List(2) { WideFlakeGenerator(wide, store = store, namespace = "wide") }
            val nodes = generators.map { ids -> nodeOf(ids.lease()) { ids.inspect(ids.generate()).node } }
            assertEquals(2, nodes.toSet().size, "$nodes")
            for (ids in generators) {
                ids.lease()!!.release()
                refused<SaibanException.LeaseLost> { ids.generate() }
            }
        }
    }

    private fun makes(open: () -> Generator) {
        val generators = List(2) { open() }
        val nodes = generators.map { ids ->
            for (id in ids.generateMany(100)) assertTrue(ids.inspect(id).node!! in ids.lease()!!.nodes())
            nodeOf(ids.lease()) { ids.inspect(ids.generate()).node }
        }
        assertEquals(2, nodes.toSet().size, "$nodes")
        val lease = generators[0].lease()!!
        val status = lease.status()
        assertEquals(listOf("active", 1L, null), listOf(status.state, status.grants, status.why))
        assertEquals(lease.nodes(), status.nodes)
        // close() of the handle does not release the lease.
        lease.close()
        generators[0].generate()
        generators[0].lease()!!.release()
        refused<SaibanException.LeaseLost> { generators[0].generate() }
        assertEquals("idle", generators[0].lease()!!.status().state)
        generators[1].generate()
        generators[1].lease()!!.release()
    }

    /** Takes the first nodes, which other tests may use: all Randflakes have one layout. */
    private fun withoutOthersNodes(store: String, namespace: String, run: () -> Unit) =
        Lease.acquire(store, namespace, nodes = 5_000, scheme = "randflake", secret = secret).use { run() }

    /** Returns the node of an ID, which is the only node of the lease. */
    private fun nodeOf(lease: LeaseHandle?, made: () -> Long?): Long {
        val node = lease!!.nodes().single()
        assertEquals(node, made())
        return node
    }

    @Test
    fun aDroppedGeneratorReleasesItsLease() {
        val generators = List(2) { SnowflakeGenerator(layout = small, store = url) }
        refused<SaibanException.NamespaceFull> { SnowflakeGenerator(layout = small, store = url) }
        // The lease lives as long as it has a holder.
        val kept = generators[0].lease()!!
        generators[0].close()
        kept.nodes()
        refused<SaibanException.NamespaceFull> { SnowflakeGenerator(layout = small, store = url) }
        generators[1].close()
        until("its node is free") {
            outcome { SnowflakeGenerator(layout = small, store = url).lease()!!.release() }.error == null
        }
        kept.release()
        SnowflakeGenerator(layout = small, store = url, namespace = "garbage").lease()!!.nodes()
        SnowflakeGenerator(layout = small, store = url, namespace = "garbage").lease()!!.nodes()
        until("what the garbage collector finds is released, too") {
            System.gc()
            outcome { Lease.acquire(url, namespace = "garbage", nodes = 2, layout = small).close() }.error == null
        }
    }

    @Test
    fun theGivenLeaseIsThatOfTheGenerator() {
        Lease.acquire(url, nodes = 3, layout = layout).use { lease ->
            val ids = SnowflakeGenerator(layout = layout, lease = lease)
            assertEquals(lease.nodes(), ids.lease()!!.nodes())
            val others = SnowflakeGenerator(layout = layout, lease = ids.lease())
            others.generate()
            ids.lease()!!.release()
            refused<SaibanException.LeaseLost> { lease.nodes() }
            refused<SaibanException.LeaseLost> { others.generate() }
        }
        assertNull(SnowflakeGenerator(layout = layout, node = 7).lease())
        assertNull(FlakeGenerator(layout, node = 7).lease())
        assertNull(UlidGenerator().lease())
        assertNull(UuidGenerator(7).lease())
        assertNotNull(WideFlakeGenerator(wide, store = url, namespace = "wide").lease())
    }

    @Test
    fun aNamespaceIsForIdsOfOneKind() = withoutOthersNodes(url, "default") {
        val randflake = RandflakeGenerator(secret, store = url)
        refused<SaibanException.NamespaceMismatch> { SnowflakeGenerator(layout = layout, store = url) }
        refused<SaibanException.NamespaceMismatch> { SnowflakeGenerator(layout = layout, store = url, namespace = "default") }
        refused<SaibanException.NamespaceMismatch> { RandflakeGenerator(ByteArray(16), store = url) }
        refused<SaibanException.NamespaceMismatch> { Lease.acquire(url) }
        SnowflakeGenerator(layout = layout, store = url, namespace = "orders").generate()
        randflake.generate()
    }

    @Test
    fun contradictoryOrIncompleteSourcesOfNodesAreRefused() {
        Lease.acquire(url, layout = layout).use { lease ->
            val both = refused<SaibanException.InvalidArgument> { SnowflakeGenerator(layout = layout, lease = lease, store = url) }
            assertTrue("give one of them" in both, both)
        }
        val alone = refused<SaibanException.InvalidArgument> { SnowflakeGenerator(namespace = "orders") }
        assertTrue("store" in alone, alone)
        for (refusal in listOf(
            { SnowflakeGenerator(layout = layout, store = url, node = 7) },
            { SnowflakeGenerator(layout = layout, store = url, nodes = 0L..<4L) },
            { SnowflakeGenerator(layout = layout, store = url, window = 0L..<4L) },
            { SnowflakeGenerator(layout = layout, store = url, notBefore = 1) },
            { SnowflakeGenerator(layout = layout, store = url, state = File(folder, "state").path) },
            { UlidFlakeGenerator(scalability = 3, store = url, namespace = "ulid-flake") },
            { UlidFlakeGenerator(allowCollisions = true, store = url, namespace = "ulid-flake") },
            { FlakeGenerator(Layout("timestamp" to 42, "sequence" to 22), store = url, namespace = "no-node") },
            { SnowflakeGenerator(store = "ids.db") },
            { SnowflakeGenerator(store = url, namespace = "my orders") },
        )) {
            refused<SaibanException.InvalidArgument> { refusal() }
        }
        // A layout of the other width cannot use the lease.
        refused<SaibanException.InvalidLayout> { FlakeGenerator(wide, store = url, namespace = "width") }
        refused<SaibanException.NamespaceUnknown> {
            Lease.acquire(url, namespace = "width", scheme = "flake", layout = wide, create = false)
        }
    }
}
