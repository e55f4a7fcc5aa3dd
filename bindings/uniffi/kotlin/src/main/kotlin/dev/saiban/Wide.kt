package dev.saiban

/** What every generator does whose IDs, of more than 64 bits, are text: ULIDs, say. */
public typealias WideTextGenerator = AnyTextGeneratorInterface

/** What every generator does whose IDs are UUIDs. */
public typealias WideUuidGenerator = AnyUuidGeneratorInterface

/** The interface of generators whose IDs, of more than 64 bits, are bytes, the highest first. */
public typealias WideBytesGenerator = AnyBytesGeneratorInterface

/** Takes an ID apart that is given as its canonical text. Errors: as `fromText`. */
public fun WideUuidGenerator.inspect(text: String): Parts = inspect(fromText(text))

/** Takes an ID apart that is given as its canonical text. Errors: as `fromText`. */
public fun WideBytesGenerator.inspect(text: String): Parts = inspect(fromText(text))

/**
 * Fills a buffer with the bytes of IDs, of each the highest first: 16 of a ULID or UUID, 12 of an
 * ObjectId, of a layout of your own as many as its bits need. Waits as `generate` does; returns how
 * many IDs it wrote, at most 10 million a call. It stops early, without an error, if no more IDs
 * are available after the first.
 *
 * Errors: those of `generate` if no ID could be made.
 *
 * ```kotlin
 * val buffer = ByteArray(16 * 1_000)
 * val written = ids.fill(buffer)
 * ```
 */
public fun BytesSourceInterface.fill(buffer: ByteArray): Int {
    val size = bytesOf(bits())
    val ids = generateBytesUpTo(buffer.size.toLong() / size)
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
