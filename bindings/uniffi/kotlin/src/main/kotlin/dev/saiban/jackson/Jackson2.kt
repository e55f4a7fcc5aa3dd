package dev.saiban.jackson

import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.core.JsonToken
import com.fasterxml.jackson.databind.BeanProperty
import com.fasterxml.jackson.databind.DeserializationContext
import com.fasterxml.jackson.databind.JavaType
import com.fasterxml.jackson.databind.JsonDeserializer
import com.fasterxml.jackson.databind.JsonSerializer
import com.fasterxml.jackson.databind.SerializerProvider
import com.fasterxml.jackson.databind.deser.ContextualDeserializer
import com.fasterxml.jackson.databind.exc.InvalidFormatException
import com.fasterxml.jackson.databind.ser.ContextualSerializer
import dev.saiban.SaibanException
import dev.saiban.decode
import dev.saiban.encode
import dev.saiban.notText

// Jackson3.kt has these classes for Jackson 3.

/** Writes IDs; with an encoding, those of one property. */
internal class IdSerializer(private val encoding: String? = null) : JsonSerializer<Any>(), ContextualSerializer {
    override fun createContextual(provider: SerializerProvider, property: BeanProperty): JsonSerializer<*> {
        if (!property.type.isOfIds()) provider.reportBadDefinition<Any>(property.type, WRONG_TYPE)
        return IdSerializer(property.getAnnotation(IdText::class.java).value)
    }

    override fun serialize(value: Any?, out: JsonGenerator, provider: SerializerProvider) {
        when (value) {
            null -> out.writeNull()
            is Long -> out.writeString(encode(value, encoding!!))
            is Iterable<*> -> {
                out.writeStartArray()
                value.forEach { serialize(it, out, provider) }
                out.writeEndArray()
            }
        }
    }

    override fun isEmpty(provider: SerializerProvider, value: Any?): Boolean = value == null || value is Collection<*> && value.isEmpty()
}

/** Reads an ID; with an encoding, one of one property. */
internal class IdDeserializer(private val encoding: String? = null) : JsonDeserializer<Long>(), ContextualDeserializer {
    override fun createContextual(context: DeserializationContext, property: BeanProperty): JsonDeserializer<*> {
        if (encoding != null) return this
        val (type, reader) = property.type to IdDeserializer(property.getAnnotation(IdText::class.java).value)
        return when {
            !type.isOfIds() -> context.reportBadDefinition(type, WRONG_TYPE)
            type.isContainerType -> context.findContextualValueDeserializer(type.withContentValueHandler(reader), property)
            else -> reader
        }
    }

    override fun deserialize(parser: JsonParser, context: DeserializationContext): Long {
        val text = parser.text
        val reason = try {
            if (parser.hasToken(JsonToken.VALUE_STRING)) return decode(text, encoding!!)
            notText(text, encoding!!)
        } catch (error: SaibanException) {
            error.message
        }
        throw InvalidFormatException.from(parser, reason, text, Long::class.java)
    }
}

private fun JavaType.isOfIds(): Boolean = isLong(rawClass) || isCollectionLikeType && isLong(contentType.rawClass)
