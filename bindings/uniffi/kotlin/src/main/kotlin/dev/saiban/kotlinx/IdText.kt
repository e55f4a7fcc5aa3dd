package dev.saiban.kotlinx

import dev.saiban.SaibanException
import dev.saiban.decode
import dev.saiban.encode
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/**
 * IDs as text in an encoding of [dev.saiban.encode], for kotlinx.serialization: JavaScript changes
 * the digits of numbers above 2^53. [IdText] writes decimal digits; for another encoding, declare
 * an object.
 *
 * ```kotlin
 * object Base62 : IdTextSerializer("base62")
 * typealias OrderId = @Serializable(with = Base62::class) Long
 *
 * @Serializable
 * class Order(val id: OrderId, val parents: List<OrderId> = emptyList())
 * ```
 *
 * Invalid text is a [SerializationException] with the reason. A number in JSON is refused too,
 * unless `isLenient` is set: it may have lost digits.
 */
public open class IdTextSerializer(private val encoding: String) : KSerializer<Long> {
    final override val descriptor: SerialDescriptor = PrimitiveSerialDescriptor("dev.saiban.IdText.$encoding", PrimitiveKind.STRING)

    final override fun serialize(encoder: Encoder, value: Long): Unit = encoder.encodeString(encode(value, encoding))

    final override fun deserialize(decoder: Decoder): Long = try {
        decode(decoder.decodeString(), encoding)
    } catch (error: SaibanException) {
        throw SerializationException(error.message, error)
    }
}

/** IDs as decimal digits: `@Serializable(with = IdText::class) val id: Long`. */
public object IdText : IdTextSerializer("decimal")
