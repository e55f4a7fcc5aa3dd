package dev.saiban

import dev.saiban.jackson.IdText
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import com.fasterxml.jackson.databind.ObjectMapper as Mapper2
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException as InvalidDefinition2
import com.fasterxml.jackson.databind.exc.InvalidFormatException as InvalidFormat2
import tools.jackson.databind.ObjectMapper as Mapper3
import tools.jackson.databind.exc.InvalidDefinitionException as InvalidDefinition3
import tools.jackson.databind.exc.InvalidFormatException as InvalidFormat3

/** An input in JSON that is no decimal ID, and the reason. */
internal val INVALID = mapOf(
    "\"\"" to "has 0 characters",
    "\"x\"" to "has no character 'x'",
    "\"12x\"" to "'x' (position 2",
    "\" 7\"" to "has no character ' '",
    "\"+7\"" to "has no character '+'",
    "\"07\"" to "is not canonical",
    "\"7.0\"" to "has no character '.'",
    "\"9223372036854775808\"" to "a number that does not fit",
    "\"${"7".repeat(100_000)}\"" to "has 100000 characters",
)

class JacksonTest {
    class Order(
        @IdText var id: Long? = null,
        @IdText("base62") var short: Long = 0,
        @IdText var parents: List<Long?> = emptyList(),
        @IdText("hex") var parts: Set<Long> = emptySet(),
    )

    class Name(@IdText var name: String = "")

    enum class Jackson(val invalid: Class<out Exception>, val misused: Class<out Exception>) {
        VERSION_2(InvalidFormat2::class.java, InvalidDefinition2::class.java) {
            override fun write(value: Any): String = Mapper2().writeValueAsString(value)

            override fun <T> read(json: String, type: Class<T>): T = Mapper2().readValue(json, type)
        },
        VERSION_3(InvalidFormat3::class.java, InvalidDefinition3::class.java) {
            override fun write(value: Any): String = Mapper3().writeValueAsString(value)

            override fun <T> read(json: String, type: Class<T>): T = Mapper3().readValue(json, type)
        }, ;

        abstract fun write(value: Any): String

        abstract fun <T> read(json: String, type: Class<T>): T

        fun order(json: String): Order = read(json, Order::class.java)
    }

    @ParameterizedTest
    @EnumSource
    fun anIdThatJavascriptSendsBackIsEqual(jackson: Jackson) {
        val json = javascript(jackson.write(Order(ID, ID, listOf(ID, null, -ID), setOf(ID))))
        assertTrue("\"id\":\"$ID\"" in json && "\"short\":\"2Wyi3Ucx9Hs\"" in json && "[\"$ID\",null,\"-$ID\"]" in json, json)
        val order = jackson.order(json)
        assertEquals(listOf(ID, ID), listOf(order.id, order.short))
        assertEquals(listOf(ID, null, -ID), order.parents)
        assertEquals(setOf(ID), order.parts)
    }

    @ParameterizedTest
    @EnumSource
    fun anIdMayBeAbsentOrNull(jackson: Jackson) {
        assertNull(jackson.order("{}").id)
        assertNull(jackson.order("""{"id":null}""").id)
        assertEquals(null, jackson.order(jackson.write(Order())).id)
    }

    @ParameterizedTest
    @EnumSource
    fun invalidTextIsRefusedWithTheReason(jackson: Jackson) {
        for ((json, reason) in INVALID) {
            for (body in listOf("""{"id":$json}""", """{"parents":["7",$json]}""")) {
                val error = assertThrows(jackson.invalid, { jackson.order(body) }, body.take(50))
                assertTrue(reason in error.message!!, error.message)
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun numbersAreRefusedBecauseTheyMayHaveLostDigits(jackson: Jackson) {
        for (json in listOf("7", "$ID", "9223372036854775808", "7.5", "1e3", "true", "[]", "{}", "[7]")) {
            val error = assertThrows(jackson.invalid, { jackson.order("""{"id":$json}""") }, json)
            assertTrue("is not text: write the ID as a string in the encoding decimal" in error.message!!, error.message)
        }
        assertThrows(jackson.invalid) { jackson.order("""{"parents":[7]}""") }
        assertThrows(Exception::class.java) { jackson.order("""{"short":null}""") }
    }

    @ParameterizedTest
    @EnumSource
    fun propertiesOfOtherTypesAreErrors(jackson: Jackson) {
        assertThrows(jackson.misused) { jackson.write(Name()) }
        assertThrows(jackson.misused) { jackson.read("""{"name":"7"}""", Name::class.java) }
    }
}
