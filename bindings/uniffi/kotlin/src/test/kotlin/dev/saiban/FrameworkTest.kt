package dev.saiban

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import java.io.File

/** An ID with more digits than a number of JavaScript holds. */
internal const val ID = 2125041057055170560

/** Reads JSON in a real JavaScript engine, and writes it again. */
internal fun javascript(json: String): String {
    val program = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8'))))"
    val process = ProcessBuilder("node", "-e", program).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    process.outputStream.use { it.write(json.toByteArray()) }
    return process.inputStream.bufferedReader().readText().also { check(process.waitFor() == 0) }
}

/** What the tests of frameworks share. */
class FrameworkTest {
    @Test
    fun javascriptChangesNumbers() {
        assertEquals("""{"id":2125041057055170600}""", javascript("""{"id":$ID}"""))
    }

    @Test
    fun theJarNeedsNoFramework() {
        val needed = System.getProperty("java.class.path").split(File.pathSeparator)
            .filter { path -> listOf("classes", "test-classes", "kotlin-stdlib", "/jna-").any { it in path } }
        assertEquals(4, needed.size, "$needed")
        Program("FrameworkTestKt", classpath = needed.joinToString(File.pathSeparator)).use { program ->
            assertEquals("13", program.line())
        }
    }
}

/** A program of its own, without the frameworks. */
fun main() {
    for (name in listOf("jakarta.persistence.Id", "org.hibernate.Session", "com.fasterxml.jackson.annotation.JsonProperty", "kotlinx.serialization.KSerializer")) {
        check(runCatching { Class.forName(name) }.exceptionOrNull() is ClassNotFoundException) { name }
    }
    println(encode(SnowflakeGenerator(node = 1).generate(), "crockford").length)
}
