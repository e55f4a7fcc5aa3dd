package dev.saiban

import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.UUID

// IDs cross as bytes of this machine's order, at one copy each way.

internal fun ByteArray.toIds(): LongArray {
    val longs = ByteBuffer.wrap(this).order(ByteOrder.nativeOrder()).asLongBuffer()
    return LongArray(longs.remaining()).also(longs::get)
}

internal fun LongArray.toBytes(): ByteArray {
    val bytes = ByteBuffer.allocate(size * Long.SIZE_BYTES).order(ByteOrder.nativeOrder())
    bytes.asLongBuffer().put(this)
    return bytes.array()
}

internal fun ByteArray.toUuid(): UUID = ByteBuffer.wrap(this).let { UUID(it.getLong(), it.getLong()) }

internal fun UUID.toBytes(): ByteArray =
    ByteBuffer.allocate(2 * Long.SIZE_BYTES).putLong(mostSignificantBits).putLong(leastSignificantBits).array()
