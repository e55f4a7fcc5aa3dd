package dev.saiban

import dev.saiban.kotlinx.IdText
import dev.saiban.kotlinx.IdTextSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.nullable
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** IDs as text, in kotlinx.serialization. */
class KotlinxTest {
    private object Base62 : IdTextSerializer("base62")

    private val lists = ListSerializer(IdText.nullable)

    @Test
    fun anIdThatJavascriptSendsBackIsEqual() {
        val json = Json.encodeToString(lists, listOf(ID, null, -ID))
        assertEquals("""["$ID",null,"-$ID"]""", json)
        assertEquals(listOf(ID, null, -ID), Json.decodeFromString(lists, javascript(json)))
        assertEquals("\"2Wyi3Ucx9Hs\"", Json.encodeToString(Base62, ID))
        assertEquals(ID, Json.decodeFromString(Base62, "\"2Wyi3Ucx9Hs\""))
    }

    @Test
    fun invalidTextIsRefusedWithTheReason() {
        for ((json, reason) in INVALID) {
            val error = assertThrows(SerializationException::class.java) { Json.decodeFromString(IdText, json) }
            assertTrue(reason in error.message!!, error.message)
        }
    }

    @Test
    fun numbersAreRefusedBecauseTheyMayHaveLostDigits() {
        for (format in listOf(Json, Json { isLenient = true })) {
            for (json in listOf("7", "$ID", "true", "[7]", "{}", "null")) {
                val error = assertThrows(SerializationException::class.java) { format.decodeFromString(IdText, json) }
                assertTrue("is not text: write the ID as a string in the encoding decimal" in error.message!!, error.message)
            }
        }
    }
}
