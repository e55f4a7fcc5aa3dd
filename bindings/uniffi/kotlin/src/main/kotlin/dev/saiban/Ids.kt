package dev.saiban

import java.nio.ByteBuffer
import java.util.UUID

// UUIDs cross JNI as two numbers, the higher 64 bits first.

internal fun LongArray.toUuid(): UUID = UUID(this[0], this[1])

internal fun LongArray.toUuids(): List<UUID> = List(size / 2) { UUID(this[2 * it], this[2 * it + 1]) }

internal fun UUID.toLongs(): LongArray = longArrayOf(mostSignificantBits, leastSignificantBits)

// Through UniFFI, wider IDs cross as bytes, the highest first.

internal fun ByteArray.toUuid(): UUID = ByteBuffer.wrap(this).let { UUID(it.getLong(), it.getLong()) }

internal fun UUID.toBytes(): ByteArray =
    ByteBuffer.allocate(2 * Long.SIZE_BYTES).putLong(mostSignificantBits).putLong(leastSignificantBits).array()
