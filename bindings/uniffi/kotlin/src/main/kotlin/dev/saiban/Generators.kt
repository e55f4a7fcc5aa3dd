package dev.saiban

/**
 * What every generator of IDs of up to 64 bits does, whatever its scheme: [Snowflake], [Randflake], [UlidFlake], [Flake], [RemoteGenerator]. Those
 * of wider IDs do the same with IDs of their own type: [WideFlake], [Ulid], [Uuid], [ObjectId], [TickId], [RemoteUuidGenerator], [RemoteTextGenerator].
 *
 * One call into the native library takes 10 to 50 µs, whatever it does. [AnyGeneratorInterface.generateMany] and [fill] make
 * thousands of IDs in one call, at about 0.1 µs each, and [inBlocks] takes some in advance. A generator may be shared between threads. It frees what it holds, its
 * nodes and its state file say, when the garbage collector finds it; `close()` does so at once.
 *
 * ```kotlin
 * val ids: Generator = Snowflake(node = 7)
 * val id: Long = ids.generate()
 * val batch: LongArray = ids.generateMany(1_000)
 * ```
 */
public typealias Generator = AnyGeneratorInterface

/**
 * Makes an ID and writes it as its canonical text. Errors: as `generate`.
 *
 * ```kotlin
 * UlidFlake().generateText()            // 00CMXB6TAK4SA
 * ```
 */
public fun Generator.generateText(): String = generateText(null)

/** Writes an ID as its canonical text. Errors: [SaibanException.IdOutOfRange]. */
public fun Generator.toText(id: Long): String = toText(id, null)

/**
 * Reads an ID from its canonical text: one for each ID, and of a Ulid-Flake ID any case.
 *
 * Errors: [SaibanException.TextLength], [SaibanException.TextCharacter], [SaibanException.TextOverflow], [SaibanException.TextNotCanonical],
 * [SaibanException.IdOutOfRange].
 */
public fun Generator.fromText(text: String): Long = fromText(text, false)

/** Takes an ID apart that is given as its canonical text. Errors: as [fromText]. */
public fun Generator.inspect(text: String): Parts = inspect(fromText(text))

/**
 * Fills a buffer with IDs, waiting as `generate` does; answers how many it wrote, at most 10 million a call. It stops early,
 * without an error, where no more can be had but some were written.
 *
 * Errors: as `generate`, when not one could be had.
 *
 * ```kotlin
 * val buffer = LongArray(1_000)
 * val written = ids.fill(buffer)
 * ```
 */
public fun Generator.fill(buffer: LongArray): Int {
    val ids = generateUpTo(buffer.size.toLong())
    ids.copyInto(buffer)
    return ids.size
}
