package dev.saiban.jackson

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside
import com.fasterxml.jackson.databind.annotation.JsonDeserialize
import com.fasterxml.jackson.databind.annotation.JsonSerialize
import tools.jackson.databind.annotation.JsonDeserialize as JsonDeserialize3
import tools.jackson.databind.annotation.JsonSerialize as JsonSerialize3

/**
 * A property of type `Long` is text in Jackson's JSON, because JavaScript changes the digits of
 * numbers above 2^53. The property may be a `Long`, a `Long?`, or a list or set of them. Needs
 * Jackson 2 or 3, and no module.
 *
 * ```kotlin
 * class Order(@IdText var id: Long? = null, @IdText("base62") var parents: List<Long> = emptyList())
 * // {"id":"2125041057055170560","parents":["2Wyi3Ucx9Hs"]}
 * ```
 *
 * [value] is the encoding of the text, as in [dev.saiban.encode].
 *
 * Invalid text is Jackson's `InvalidFormatException` with the reason, for which Spring returns
 * status 400. Numbers are invalid too, because they may have lost digits. Jackson's
 * `InvalidDefinitionException` reports another type of property; [dev.saiban.SaibanException]
 * another name of an encoding.
 */
@JacksonAnnotationsInside
@JsonSerialize(using = IdSerializer::class)
@JsonDeserialize(using = IdDeserializer::class)
@JsonSerialize3(using = IdSerializer3::class)
@JsonDeserialize3(using = IdDeserializer3::class)
@Target(
    AnnotationTarget.FIELD, AnnotationTarget.FUNCTION, AnnotationTarget.PROPERTY_GETTER, AnnotationTarget.PROPERTY_SETTER,
    AnnotationTarget.VALUE_PARAMETER,
)
@MustBeDocumented
public annotation class IdText(val value: String = "decimal")

internal const val WRONG_TYPE = "@IdText is for properties of type Long, and lists and sets of Long"

internal fun isLong(type: Class<*>): Boolean = type.kotlin == Long::class
