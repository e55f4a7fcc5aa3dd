@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

import java.util.UUID
import java.util.concurrent.CompletableFuture

/**
 * Returns an ID like [RemoteGenerator.generate]; if none is prefetched, a separate thread waits for
 * the service.
 *
 * ```kotlin
 * ids.generateAsync().thenAccept { id -> println(id) }
 * ```
 */
public fun RemoteGenerator.generateAsync(): CompletableFuture<Long> = atOnceOrAwaited(::tryGenerate, ::generate)

/**
 * Returns an ID like [RemoteUuidGenerator.generate]; if none is prefetched, a separate thread waits
 * for the service.
 */
public fun RemoteUuidGenerator.generateAsync(): CompletableFuture<UUID> = atOnceOrAwaited(::tryGenerate, ::generate)

/**
 * Returns an ID like [RemoteTextGenerator.generate]; if none is prefetched, a separate thread waits
 * for the service.
 */
public fun RemoteTextGenerator.generateAsync(): CompletableFuture<String> = atOnceOrAwaited(::tryGenerate, ::generate)
