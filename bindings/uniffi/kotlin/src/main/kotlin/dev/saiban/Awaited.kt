package dev.saiban

import java.util.concurrent.CompletableFuture
import kotlin.concurrent.thread

/**
 * Returns a completed future with the result of [atOnce]; if that is `null`, a future that a
 * separate thread completes with the result of [waited].
 */
internal fun <T : Any> atOnceOrAwaited(atOnce: () -> T?, waited: () -> T): CompletableFuture<T> {
    val there = try {
        atOnce()
    } catch (error: SaibanException) {
        return CompletableFuture.failedFuture(error)
    }
    return if (there != null) CompletableFuture.completedFuture(there) else awaited(waited)
}

private fun <T> awaited(ask: () -> T): CompletableFuture<T> {
    val future = CompletableFuture<T>()
    // The common pool is not used: its few threads must not wait for a server.
    thread(isDaemon = true, name = "saiban-wait") {
        try {
            future.complete(ask())
        } catch (error: Throwable) {
            future.completeExceptionally(error)
        }
    }
    return future
}
