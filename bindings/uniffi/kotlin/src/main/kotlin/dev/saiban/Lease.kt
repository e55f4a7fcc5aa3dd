@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread
import kotlin.use as useAutoCloseable

/**
 * A lease of nodes: a range of node ids from a store that the fleet already runs. It is renewed in
 * the background after a third of its time, until it is released or closed. Generators of a lease
 * issue IDs of its nodes, and only within its time.
 *
 * If the store does not extend the lease before it ends, or if another holder has the nodes,
 * generators fail with an error that says why. saiban acquires a new lease as soon as possible,
 * perhaps of different nodes, and generators continue by themselves.
 *
 * A generator keeps its lease. A lease that is not closed is released when it and its generators
 * are garbage-collected; if the process ends first, the lease expires.
 *
 * ```kotlin
 * Lease.acquire("sqlite:///var/lib/shop/ids.db", namespace = "orders", nodes = 4).use { lease ->
 *     val ids = SnowflakeGenerator(lease = lease)
 *     ids.generate()
 * }                                            // released
 * ```
 */
public class Lease private constructor(
    url: String, namespace: String?, nodes: Long?, ttlS: Long?, scheme: String?, layout: Layout?, secret: ByteArray?,
    create: Boolean?, maxTtlS: Long?, maxClockSkewS: Long?, holder: String?, waitS: Long?,
) : LeaseHandle(url, namespace, nodes, ttlS, scheme, layout, secret, create, maxTtlS, maxClockSkewS, holder, waitS) {
    private val isClosed = AtomicBoolean(false)

    /**
     * Releases the lease like [release]; a second call does nothing. In `use { … }` an error of the
     * store does not replace an exception of the block.
     *
     * Errors: [SaibanException.StoreUnavailable] if the store does not reply.
     */
    override fun close(): Unit = destroy()

    /**
     * Releases the lease like [close]. The native object is freed only by the garbage collector,
     * since a generator can still be opened with a closed lease, which then fails with an error.
     */
    override fun destroy() {
        if (isClosed.compareAndSet(false, true)) release()
    }

    public companion object {
        /**
         * Acquires a lease from the store that [url] names, and waits for it: `sqlite:///path`
         * (`sqlite:path` from the program's folder), `postgres://…`, `mysql://…`, `redis://…`,
         * `etcd://…`, `zookeeper://…`, `saiban://…`, or `memory:NAME`, which is in this process
         * alone.
         *
         * @param namespace generators whose IDs go into one column must use the same: 1 to 64 of
         * the characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`.
         * @param nodes the number of adjacent nodes: 1 to 65,536, by default 1.
         * @param ttlS the length of the lease, seconds: 1 up to the namespace's maximum, by default
         * 600.
         * @param scheme the scheme of the IDs, by default `snowflake`: one whose generators take a
         * `lease`.
         * @param layout the layout of the IDs, which must have nodes; by default the scheme's own,
         * for Snowflake Twitter's. Flake has no default.
         * @param secret 16 bytes, for Randflake only. The store gets only a check number of it.
         * @param create whether to create the namespace if it does not exist. An empty store may
         * mean that data was lost, so by default only namespaces in SQLite and in memory are
         * created.
         * @param maxTtlS the longest lease that a new namespace allows, seconds, which is also how
         * long it is in quarantine after a loss; by default 3,600.
         * @param maxClockSkewS how far this machine's clock may be from the store's, seconds; by
         * default 10.
         * @param holder the name of this program in listings, up to 120 characters; by default host
         * and process id.
         * @param waitS how long to wait for a store that cannot be reached, seconds; by default 10.
         *
         * Errors: [SaibanException.InvalidArgument] for an invalid URL, name or number;
         * [SaibanException.UnknownName] for a scheme; [SaibanException.InvalidSecret];
         * [SaibanException.StoreUnavailable] when the store could not be reached in [waitS]; at
         * once [SaibanException.NamespaceUnknown], [SaibanException.NamespaceMismatch],
         * [SaibanException.NamespaceFull], [SaibanException.NamespaceQuarantined],
         * [SaibanException.ClockSkew], [SaibanException.StoreCorrupt],
         * [SaibanException.StoreUnsupported]. No message contains a password.
         */
        @JvmStatic
        @JvmOverloads
        @Throws(SaibanException::class)
        public fun acquire(
            url: String,
            namespace: String? = null,
            nodes: Long? = null,
            ttlS: Long? = null,
            scheme: String? = null,
            layout: Layout? = null,
            secret: ByteArray? = null,
            create: Boolean? = null,
            maxTtlS: Long? = null,
            maxClockSkewS: Long? = null,
            holder: String? = null,
            waitS: Long? = null,
        ): Lease =
            Lease(url, namespace, nodes, ttlS, scheme, layout, secret, create, maxTtlS, maxClockSkewS, holder, waitS)

        /**
         * Acquires a lease like [acquire], on a separate thread. If the future is cancelled, or
         * completed by other code, the lease is released.
         *
         * ```kotlin
         * Lease.acquireAsync("sqlite:///var/lib/shop/ids.db", namespace = "orders").thenApply { SnowflakeGenerator(lease = it) }
         * ```
         */
        @JvmStatic
        @JvmOverloads
        public fun acquireAsync(
            url: String,
            namespace: String? = null,
            nodes: Long? = null,
            ttlS: Long? = null,
            scheme: String? = null,
            layout: Layout? = null,
            secret: ByteArray? = null,
            create: Boolean? = null,
            maxTtlS: Long? = null,
            maxClockSkewS: Long? = null,
            holder: String? = null,
            waitS: Long? = null,
        ): CompletableFuture<Lease> {
            val future = CompletableFuture<Lease>()
            // The caller may wipe its secret as soon as this function returns.
            val ownSecret = secret?.clone()
            // The common pool is not used: its few threads must not wait for a server.
            thread(isDaemon = true, name = "saiban-lease") {
                try {
                    val lease = acquire(
                        url, namespace, nodes, ttlS, scheme, layout, ownSecret, create, maxTtlS, maxClockSkewS, holder, waitS,
                    )
                    if (!future.complete(lease)) lease.close()
                } catch (error: Throwable) {
                    future.completeExceptionally(error)
                } finally {
                    ownSecret?.fill(0)
                }
            }
            return future
        }
    }
}

/**
 * Calls [block] with this lease, and closes it, like Kotlin's own `use`. It also applies if the
 * whole package is imported, whose general `use` would hide an error of [Lease.close].
 */
public inline fun <R> Lease.use(block: (Lease) -> R): R = useAutoCloseable(block)
