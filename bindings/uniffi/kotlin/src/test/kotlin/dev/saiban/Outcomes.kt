package dev.saiban

import com.google.gson.JsonElement
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import java.math.BigInteger

// Runs the cases of vectors/ and compares their results.

/** What refuses an ID at the end of its random field. The clock of a case may be behind. */
internal val AT_ITS_END = setOf("WOULD_WAIT", "CLOCK_BACKWARD")

/** Returns a test for each case in a file. */
internal fun tests(name: String, subject: String = name, run: (Case) -> Unit): List<DynamicTest> {
    val cases = Vectors(name, subject).cases
    assertTrue(cases.size >= 100, "only ${cases.size} cases")
    return cases.map { dynamicTest(it.id) { run(it) } }
}

internal fun Case.expects(name: String, run: () -> String) {
    val got = outcome(run)
    if (error == null) assertEquals(out!!.text(name), got.value()) else expectsError { got.value() }
}

internal fun Case.expectsAll(run: () -> Map<String, String>) {
    val got = outcome(run)
    if (error == null) {
        assertEquals(out!!.entrySet().associate { (name, value) -> name to shownAs(name, numberText(value)) }, got.value())
    } else {
        expectsError { got.value() }
    }
}

internal fun Case.expectsError(run: () -> Unit) {
    val thrown = outcome(run).error
    assertEquals(error, thrown?.kind)
    if (position != null) assertEquals(position, thrown?.position)
}

internal class Outcome<T>(private val result: Result<T>) {
    val error: SaibanException? get() = result.exceptionOrNull() as SaibanException?

    fun value(): T = result.getOrThrow()
}

internal fun <T> outcome(run: () -> T): Outcome<T> =
    try {
        Outcome(Result.success(run()))
    } catch (error: SaibanException) {
        Outcome(Result.failure(error))
    }

/** Kotlin returns larger values of these as the largest Long. */
internal fun shownAs(name: String, number: String): String =
    if (name in setOf("sequence", "nodes", "lifetime_ms")) {
        BigInteger(number).min(Long.MAX_VALUE.toBigInteger()).toString()
    } else {
        number
    }

private fun numberText(value: JsonElement): String =
    if (value.isJsonObject) value.asJsonObject.asMap().mapValues { it.value.asString }.toSortedMap().toString() else value.asString

/** Returns all parts that are present, under the vectors' names. */
internal fun partsOf(parts: Parts): Map<String, String> {
    assertEquals(parts.timestampMs, parts.time?.toEpochMilli())
    parts.time?.let { assertEquals(parts.submillisecondNs ?: 0, it.nano % 1_000_000L) }
    return buildMap {
        parts.timestampMs?.let { put("timestamp_ms", it.toString()) }
        parts.submillisecondNs?.let { put("submillisecond_ns", it.toString()) }
        parts.node?.let { put("node", it.toString()) }
        parts.sequence?.let { put("sequence", it.toString()) }
        parts.random?.let { put("random", it.toString()) }
        parts.rollback?.let { put("rollback", it.toString()) }
        parts.secretIndex?.let { put("secret_index", it.toString()) }
        if (parts.nodeParts.isNotEmpty()) put("node_parts", parts.nodeParts.toSortedMap().toString())
    }
}
