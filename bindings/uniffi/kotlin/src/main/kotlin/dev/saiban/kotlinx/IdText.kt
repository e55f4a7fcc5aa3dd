package dev.saiban.kotlinx

import dev.saiban.SaibanException
import dev.saiban.decode
import dev.saiban.encode
import dev.saiban.notText
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.JsonDecoder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive

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
 * Invalid text is a [SerializationException] with the reason. A number is refused too, because it
 * may have lost digits. Needs kotlinx-serialization-json.
 */
public open class IdTextSerializer(private val encoding: String) : KSerializer<Long> {
    final override val descriptor: SerialDescriptor = PrimitiveSerialDescriptor("dev.saiban.IdText.$encoding", PrimitiveKind.STRING)

    final override fun serialize(encoder: Encoder, value: Long): Unit = encoder.encodeString(encode(value, encoding))

    final override fun deserialize(decoder: Decoder): Long = try {
        decode(if (decoder is JsonDecoder) textOf(decoder.decodeJsonElement()) else decoder.decodeString(), encoding)
    } catch (error: SaibanException) {
        throw SerializationException(error.message, error)
    }

    /** Refuses numbers, which `decodeString` reads if `isLenient` is set, as in Ktor's default. */
    private fun textOf(json: JsonElement): String {
        if (json is JsonPrimitive && json.isString) return json.content
        throw SerializationException(notText(if (json is JsonPrimitive) json.content else "an object or array", encoding))
    }
}

/** IDs as decimal digits: `@Serializable(with = IdText::class) val id: Long`. */
public object IdText : IdTextSerializer("decimal")
