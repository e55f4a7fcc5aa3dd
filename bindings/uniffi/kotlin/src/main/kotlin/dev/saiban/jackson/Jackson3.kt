package dev.saiban.jackson

import dev.saiban.SaibanException
import dev.saiban.decode
import dev.saiban.encode
import dev.saiban.notText
import tools.jackson.core.JsonGenerator
import tools.jackson.core.JsonParser
import tools.jackson.core.JsonToken
import tools.jackson.databind.BeanProperty
import tools.jackson.databind.DeserializationContext
import tools.jackson.databind.JavaType
import tools.jackson.databind.SerializationContext
import tools.jackson.databind.ValueDeserializer
import tools.jackson.databind.ValueSerializer
import tools.jackson.databind.exc.InvalidFormatException

// Jackson2.kt has these classes for Jackson 2.

/** Writes IDs; with an encoding, those of one property. */
internal class IdSerializer3(private val encoding: String? = null) : ValueSerializer<Any>() {
    override fun createContextual(context: SerializationContext, property: BeanProperty): ValueSerializer<*> {
        if (!property.type.isOfIds()) context.reportBadDefinition<Any>(property.type, WRONG_TYPE)
        return IdSerializer3(property.getAnnotation(IdText::class.java).value)
    }

    override fun serialize(value: Any?, out: JsonGenerator, context: SerializationContext) {
        when (value) {
            null -> out.writeNull()
            is Long -> out.writeString(encode(value, encoding!!))
            is Iterable<*> -> {
                out.writeStartArray()
                value.forEach { serialize(it, out, context) }
                out.writeEndArray()
            }
        }
    }

    override fun isEmpty(context: SerializationContext, value: Any?): Boolean = value == null || value is Collection<*> && value.isEmpty()
}

/** Reads an ID; with an encoding, one of one property. */
internal class IdDeserializer3(private val encoding: String? = null) : ValueDeserializer<Long>() {
    override fun createContextual(context: DeserializationContext, property: BeanProperty): ValueDeserializer<*> {
        if (encoding != null) return this
        val (type, reader) = property.type to IdDeserializer3(property.getAnnotation(IdText::class.java).value)
        return when {
            !type.isOfIds() -> context.reportBadDefinition(type, WRONG_TYPE)
            type.isContainerType -> context.findContextualValueDeserializer(type.withContentValueHandler(reader), property)
            else -> reader
        }
    }

    override fun deserialize(parser: JsonParser, context: DeserializationContext): Long {
        val text = parser.string
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
