package dev.saiban

import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.UUID

// IDs cross as text: see src/convert.rs for its format.

private const val LOWEST_OF_EACH_BYTE = 0x0101_0101_0101_0101L

internal fun String.toIds(): LongArray {
    val words = ByteBuffer.wrap(toByteArray(Charsets.ISO_8859_1)).order(ByteOrder.nativeOrder()).asLongBuffer()
    val ids = LongArray(words.remaining() * 7 / 8).also(words::get)
    val highest = LongArray(words.remaining()).also(words::get)
    for (bit in 0..<7) {
        val first = bit * highest.size
        for (n in 0..<minOf(highest.size, ids.size - first)) {
            ids[first + n] = ids[first + n] or ((highest[n] ushr bit and LOWEST_OF_EACH_BYTE) shl 7)
        }
    }
    return ids
}

@Suppress("UnusedReceiverParameter")
internal fun LongArray.toText(): String = error("lists of IDs are results only, not arguments")

// Wider IDs cross as bytes, the highest first.

internal fun ByteArray.toUuid(): UUID = ByteBuffer.wrap(this).let { UUID(it.getLong(), it.getLong()) }

internal fun UUID.toBytes(): ByteArray =
    ByteBuffer.allocate(2 * Long.SIZE_BYTES).putLong(mostSignificantBits).putLong(leastSignificantBits).array()
