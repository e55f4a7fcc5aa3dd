package dev.saiban

import com.google.gson.Gson
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.ByteArrayOutputStream
import java.io.ObjectOutputStream
import java.io.PrintWriter
import java.io.StringWriter
import java.lang.reflect.InaccessibleObjectException
import java.lang.reflect.Modifier
import java.math.BigInteger
import java.nio.ByteBuffer
import java.util.Base64

/** No output of Kotlin shows a secret. Inspection can try several secrets. */
class SecretTest {
    private val now = 1_735_689_600_000L
    private val ours = bytesOfHex("ab5345435245542d4f462d4f555253ef")
    private val old = bytesOfHex("00112233445566778899aabbccddeeff")
    private val published = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    /** Returns the notations of a secret, and of each half. */
    private fun forms(secret: ByteArray): List<String> = buildList {
        for (part in listOf(secret, secret.copyOfRange(0, 8), secret.copyOfRange(8, 16))) {
            val hex = part.map { "%02x".format(it) }
            for (between in listOf("", " ", ":", "-", ", ", "\\x")) {
                add(hex.joinToString(between))
                add(hex.joinToString(between).uppercase())
            }
            for (between in listOf(",", ", ", " ", "\n")) {
                add(part.joinToString(between))
                add(part.joinToString(between) { it.toUByte().toString() })
            }
            add(part.toString(Charsets.ISO_8859_1))
            add(part.toString(Charsets.UTF_8))
        }
        add(Base64.getEncoder().withoutPadding().encodeToString(secret))
        add(Base64.getUrlEncoder().withoutPadding().encodeToString(secret))
        add(BigInteger(1, secret).toString())
        add(BigInteger(1, secret.reversedArray()).toString())
    }

    /** Returns all texts in which Kotlin and the Java platform show a value. */
    private fun shownOf(value: Any): List<String> = buildList {
        add("$value")
        add(value.javaClass.name + value.hashCode())
        add(attempt { Gson().toJson(value) })
        add(attempt {
            val bytes = ByteArrayOutputStream()
            ObjectOutputStream(bytes).writeObject(value)
            bytes.toString(Charsets.ISO_8859_1)
        })
        addAll(fieldsOf(value, 3))
    }

    /** Returns the texts of the fields of a value, recursively. */
    private fun fieldsOf(value: Any, depth: Int): List<String> {
        val fields = generateSequence<Class<*>>(value.javaClass) { it.superclass }.flatMap { it.declaredFields.asSequence() }
        return fields.filterNot { Modifier.isStatic(it.modifiers) }.toList().flatMap { field ->
            val held = try {
                field.isAccessible = true
                field.get(value)
            } catch (_: InaccessibleObjectException) {
                null
            }
            when {
                held == null -> listOf(field.name)
                held is ByteArray -> listOf(held.joinToString())
                depth == 0 || held.javaClass.isPrimitive -> listOf("$held")
                else -> listOf("$held") + fieldsOf(held, depth - 1)
            }
        }
    }

    private fun attempt(show: () -> String): String =
        try {
            show()
        } catch (error: Throwable) {
            StringWriter().also { error.printStackTrace(PrintWriter(it)) }.toString()
        }

    private fun refused(run: () -> Unit): List<String> {
        val error = assertThrows(SaibanException::class.java) { run() }
        return shownOf(error) + listOf(error.stackTraceToString(), error.message!!, error.localizedMessage, error.kind)
    }

    private fun everything(): List<String> = buildList {
        val clock = ManualClock(now)
        val ids = RandflakeGenerator(ours, nodes = 0L..8L, notBefore = 5, rollback = Rollback.ERROR, shards = 3, clock = clock)
        val id = ids.generate()
        for (value in listOf(ids, ids.stats(), ids.inspect(id), clock, errorKinds())) addAll(shownOf(value))
        add(ids.toText(id))
        add(ids.generateText("hex"))
        for (parts in inspect(id, ours, listOf(old, old)) + inspect(ids.toText(id), ours, listOf(old))) addAll(shownOf(parts))
        clock.advance(-5_000)
        addAll(refused { ids.generate() })
        addAll(refused { ids.fromText("not ours") })
        for (wrong in listOf(ours + ours, ours.copyOf(9), ours + 1)) {
            addAll(refused { RandflakeGenerator(wrong, node = 9) })
            addAll(refused { inspect(id, wrong) })
            addAll(refused { inspect(id, ours, listOf(old, wrong)) })
        }
        addAll(refused { inspect(id, ours, List(20) { old }) })
        addAll(refused { inspect(id, oldSecrets = listOf(old)) })
        addAll(refused { inspect(id, ours, scheme = "friendster") })
        addAll(refused { RandflakeGenerator(ours, node = 1L shl 17) })
        addAll(refused { RandflakeGenerator(ours, node = 1, rollback = Rollback.BITS) })
        addAll(refused { RandflakeGenerator(ours, node = 1, state = "/nowhere/at all") })
        ids.close()
        addAll(shownOf(ids))
        add(attempt { ids.generate().toString() })
    }

    @Test
    fun kotlinShowsASecretNowhere() {
        val hidden = forms(ours) + forms(old)
        val shown = everything()
        assertTrue(shown.size > 200, "only ${shown.size} texts")
        // The message must not contain the secret.
        for (form in hidden) assertFalse(shown.any { form in it }, "a secret is shown")
        // Checks that the search itself works.
        for (text in listOf(shownOf(listOf(ours.asList())).first(), ours.toHexString(), Gson().toJson(ours))) {
            assertTrue(hidden.any { it in text })
        }
    }

    @Test
    fun inspectShowsWhichOfSeveralSecretsFitted() {
        for ((index, under) in listOf(ours, old, published).withIndex()) {
            val ids = RandflakeGenerator(under, node = 42, clock = ManualClock(now))
            // With the wrong secrets these IDs have times from 2044 on, which stay implausible
            // until then.
            val id = ids.compose(now, 42, 21)
            for (found in listOf(
                inspect(id, ours, listOf(old, published), "randflake"),
                inspect(ids.toText(id), ours, listOf(old, published), "randflake"),
                inspect(bytesOf(id), secret = ours, oldSecrets = listOf(old, published), scheme = "randflake"),
            )) {
                val parts = found.first()
                assertEquals(
                    listOf(id, now, 42L, 21L, index.toLong()),
                    parts.let { listOf(it.id, it.timestampMs, it.node, it.sequence, it.secretIndex) },
                )
                assertEquals(listOf<Long?>(0, 1, 2), found.map { it.secretIndex }.sortedBy { it })
            }
        }
    }

    @Test
    fun inspectShowsNoIndexOfASingleSecret() {
        val found = inspect(4_594_531_474_933_654_033, published, emptyList(), "randflake").single()
        assertEquals(42, found.node)
        assertNull(found.secretIndex)
    }

    private fun bytesOf(id: Long): ByteArray = ByteBuffer.allocate(8).putLong(id).array()

    @Test
    fun bytesAreReadFromTheGivenEpochLikeTheirNumber() {
        val (id, epochMs) = 1_741_610_183_685_074_944 to 1_700_000_000_000
        val wanted = inspect(id, scheme = "snowflake", epochMs = epochMs)
        assertEquals(wanted, inspect(bytesOf(id), scheme = "snowflake", epochMs = epochMs))
        assertNotEquals(wanted, inspect(bytesOf(id), scheme = "snowflake"))
        assertThrows(SaibanException.InvalidArgument::class.java) { candidates(bytesOf(id), oldSecrets = listOf(old)) }
    }

    @Test
    fun eightSecretsCanBeTried() {
        val others = List(7) { number -> ByteArray(16) { number.toByte() } }
        val found = inspect(4_594_531_474_933_654_033, published, others, "randflake")
        assertEquals(8, found.size)
        assertEquals(42, found.single { it.secretIndex == 0L }.node)
    }
}
