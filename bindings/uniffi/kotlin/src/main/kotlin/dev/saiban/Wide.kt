@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

/** The interface of generators whose IDs, of more than 64 bits, are text, such as ULIDs. */
public typealias WideTextGenerator = AnyTextGeneratorInterface

/** The interface of generators whose IDs are UUIDs. */
public typealias WideUuidGenerator = AnyUuidGeneratorInterface

/** The interface of generators whose IDs, of more than 64 bits, are bytes, the highest first. */
public typealias WideBytesGenerator = AnyBytesGeneratorInterface

/** Takes apart an ID, given as its canonical text. Errors: as `fromText`. */
@Throws(SaibanException::class)
public fun WideUuidGenerator.inspect(text: String): Parts = inspect(fromText(text))

/** Takes apart an ID, given as its canonical text. Errors: as `fromText`. */
@Throws(SaibanException::class)
public fun WideBytesGenerator.inspect(text: String): Parts = inspect(fromText(text))

/**
 * Fills a buffer with IDs as bytes, the highest byte of each first, waiting like `generate`;
 * returns the number of IDs written, at most 10 million a call. A ULID or UUID has 16 bytes, an
 * ObjectId 12, an ID of your own layout as many as its bits need. It stops early, without an error,
 * if no more IDs are available after the first.
 *
 * Errors: those of `generate` if no ID could be made.
 *
 * ```kotlin
 * val buffer = ByteArray(16 * 1_000)
 * val written = ids.fill(buffer)
 * ```
 */
@Throws(SaibanException::class)
public fun BytesSourceInterface.fill(buffer: ByteArray): Int {
    val size = bytesOf(bits())
    val ids = generateBytesUpTo(buffer.size.toLong() / size)
    ids.copyInto(buffer)
    return ids.size / size
}

/** The ID's bytes, the highest first: as many as its [Parts.bits] need. */
public val Parts.idBytes: ByteArray
    get() {
        // BigInteger puts a zero byte before an unsigned number whose highest bit is set.
        val own = number.toByteArray().let { if (it[0] == 0.toByte()) it.copyOfRange(1, it.size) else it }
        return ByteArray(bytesOf(bits)).also { own.copyInto(it, it.size - own.size) }
    }

private fun bytesOf(bits: Int): Int = (bits + 7) / 8
