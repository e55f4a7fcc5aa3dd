@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

/**
 * The interface of generators of IDs of up to 64 bits, of every scheme. Generators of wider IDs
 * have the same functions with IDs of their own type: [WideTextGenerator], [WideUuidGenerator],
 * [WideBytesGenerator].
 *
 * A generator may be shared between threads. It frees its nodes and its state file when it is
 * garbage-collected; `close()` does so at once, and a later call is an `IllegalStateException`.
 *
 * ```kotlin
 * val ids: Generator = SnowflakeGenerator(node = 7)
 * val id: Long = ids.generate()
 * val batch: LongArray = ids.generateMany(1_000)
 * ```
 */
public typealias Generator = AnyGeneratorInterface

/** Takes apart an ID, given as its canonical text. Errors: as `fromText`. */
@Throws(SaibanException::class)
public fun Generator.inspect(text: String): Parts = inspect(fromText(text))

/**
 * Fills a buffer with IDs, waiting like `generate`; returns the number of IDs written, at most 10
 * million a call. It stops early, without an error, if no more IDs are available after the first.
 *
 * Errors: those of `generate` if no ID could be made.
 *
 * ```kotlin
 * val buffer = LongArray(1_000)
 * val written = ids.fill(buffer)
 * ```
 */
@Throws(SaibanException::class)
public fun Generator.fill(buffer: LongArray): Int {
    val ids = generateUpTo(buffer.size.toLong())
    ids.copyInto(buffer)
    return ids.size
}
