package dev.saiban

import java.util.concurrent.CompletableFuture
import kotlin.concurrent.thread

/** What is there at once; else what a thread of its own waits for. */
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
    // Not in the common pool, whose few threads must not wait for a server.
    thread(isDaemon = true, name = "saiban-wait") {
        try {
            future.complete(ask())
        } catch (error: Throwable) {
            future.completeExceptionally(error)
        }
    }
    return future
}
