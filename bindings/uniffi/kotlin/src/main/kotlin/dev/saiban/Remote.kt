package dev.saiban

import java.util.UUID
import java.util.concurrent.CompletableFuture

/**
 * An ID, as [RemoteGenerator.generate]; where none is prefetched a thread of its own waits for the
 * service.
 *
 * ```kotlin
 * ids.generateAsync().thenAccept { id -> println(id) }
 * ```
 */
public fun RemoteGenerator.generateAsync(): CompletableFuture<Long> = atOnceOrAwaited(::tryGenerate, ::generate)

/**
 * An ID, as [RemoteUuidGenerator.generate]; where none is prefetched a thread of its own waits for
 * the service.
 */
public fun RemoteUuidGenerator.generateAsync(): CompletableFuture<UUID> = atOnceOrAwaited(::tryGenerate, ::generate)

/**
 * An ID, as [RemoteTextGenerator.generate]; where none is prefetched a thread of its own waits for
 * the service.
 */
public fun RemoteTextGenerator.generateAsync(): CompletableFuture<String> = atOnceOrAwaited(::tryGenerate, ::generate)
