package dev.saiban

// What Kotlin adds to the generators of IDs wider than 64 bits.

/** Takes an ID apart that is given as its canonical text. Errors: as `fromText`. */
public fun WideFlake.inspect(text: String): Parts = inspect(fromText(text))

/** Takes an ID apart that is given as its canonical text. Errors: as `fromText`. */
public fun Uuid.inspect(text: String): Parts = inspect(fromText(text))

/** Takes an ID apart that is given as its canonical text. Errors: as `fromText`. */
public fun RemoteUuidGenerator.inspect(text: String): Parts = inspect(fromText(text))

/**
 * Fills a buffer with IDs of 16 bytes each, the highest first, waiting as `generate` does; answers how many IDs it wrote, at most 10 million
 * a call. It stops early, without an error, where no more can be had but some were written.
 *
 * Errors: as `generate`, when not one could be had.
 *
 * ```kotlin
 * val buffer = ByteArray(16 * 1_000)
 * val written = ids.fill(buffer)
 * ```
 */
public fun Ulid.fill(buffer: ByteArray): Int = fill(buffer, 16, ::generateBytesUpTo)

/** Fills a buffer with IDs of 16 bytes each, as [Ulid.fill] does. */
public fun Uuid.fill(buffer: ByteArray): Int = fill(buffer, 16, ::generateBytesUpTo)

/** Fills a buffer with IDs of 12 bytes each, as [Ulid.fill] does. */
public fun ObjectId.fill(buffer: ByteArray): Int = fill(buffer, 12, ::generateBytesUpTo)

/** Fills a buffer with IDs, each of as many bytes as the layout's bits need, as [Ulid.fill] does. */
public fun WideFlake.fill(buffer: ByteArray): Int =
    fill(buffer, bytesOf(layout().use(Layout::sizeBits)), ::generateBytesUpTo)

/** Fills a buffer with IDs of 16 bytes each, as [Ulid.fill] does. */
public fun RemoteUuidGenerator.fill(buffer: ByteArray): Int = fill(buffer, 16, ::generateBytesUpTo)

/** Fills a buffer with IDs, each of as many bytes as [RemoteTextGenerator.bits] need, as [Ulid.fill] does. */
public fun RemoteTextGenerator.fill(buffer: ByteArray): Int = fill(buffer, bytesOf(bits()), ::generateBytesUpTo)

private fun fill(buffer: ByteArray, size: Int, generate: (Long) -> ByteArray): Int {
    val ids = generate(buffer.size.toLong() / size)
    ids.copyInto(buffer)
    return ids.size / size
}

/** The ID's bytes, the highest first: as many as its [Parts.bits] need. */
public val Parts.idBytes: ByteArray
    get() {
        // A number without a sign may have a byte of zeros before its own.
        val own = number.toByteArray().let { if (it[0] == 0.toByte()) it.copyOfRange(1, it.size) else it }
        return ByteArray(bytesOf(bits)).also { own.copyInto(it, it.size - own.size) }
    }

private fun bytesOf(bits: Int): Int = (bits + 7) / 8
