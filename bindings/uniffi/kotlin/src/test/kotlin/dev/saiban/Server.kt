package dev.saiban

import java.io.File

/**
 * A real server of this kind, in a temporary folder, which `close` ends. `environment` sets
 * variables of the server's process.
 */
internal class Server(kind: String, vararg environment: Pair<String, String>) : AutoCloseable {
    private val process = ProcessBuilder(
        listOf(System.getProperty("saiban.servers"), kind) + environment.flatMap { (name, value) -> listOf("--env", "$name=$value") },
    ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val answers = process.inputStream.bufferedReader()
    private val orders = process.outputStream.bufferedWriter()

    /** The URL for saiban's stores. */
    val url: String

    init {
        val line = answers.readLine().orEmpty()
        check(line.startsWith("URL ")) { "no $kind: $line" }
        url = line.removePrefix("URL ")
    }

    /** Runs a command such as `stop`, and returns when it is complete. */
    fun obey(order: String) {
        orders.write("$order\n")
        orders.flush()
        val answer = answers.readLine()
        check(answer == "ok") { "$order: $answer" }
    }

    override fun close() {
        orders.close()
        process.waitFor()
    }
}

/**
 * A process that runs the `main` of this test file. Its output can be read by lines; it ends when
 * its input does.
 */
internal class Program(
    file: String,
    vararg arguments: String,
    classpath: String = System.getProperty("java.class.path"),
) : AutoCloseable {
    private val process = ProcessBuilder(
        File(System.getProperty("java.home"), "bin/java").path, "-cp", classpath, "dev.saiban.$file",
        *arguments,
    ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val lines = process.inputStream.bufferedReader()

    val pid: Long get() = process.pid()

    fun line(): String = checkNotNull(lines.readLine()) { "the process has ended" }

    fun kill() {
        process.destroyForcibly().waitFor()
    }

    override fun close() {
        process.outputStream.close()
        process.waitFor()
    }
}
