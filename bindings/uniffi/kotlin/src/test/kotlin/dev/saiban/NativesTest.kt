package dev.saiban

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import java.util.jar.JarOutputStream
import java.util.zip.ZipEntry
import kotlin.concurrent.thread

private const val THREADS = 8

/** A layout of 128 bits, whose IDs are bytes. */
private const val WIDE = "timestamp:48 random:80"

/** A layout that no other test uses, so that each test here has the nodes that it likes. */
private val OWN = Layout.fromText("unused:1 timestamp:41@ms,epoch=2021-03-04 node:10 sequence:12")

/** The functions that call the native library through JNI. */
class NativesTest {
    @Test
    fun idsOfManyCoroutinesAreAllDifferentAndThoseOfEachAscend() = runBlocking {
        val ids = FlakeGenerator(OWN, nodes = 640L..703L)
        val runs = List(THREADS) { async(Dispatchers.IO) { LongArray(20_000) { ids.generate() } } }.awaitAll()
        for (run in runs) assertArrayEquals(run.sortedArray(), run)
        assertEquals(THREADS * 20_000, runs.flatMap { it.asList() }.toSet().size)
    }

    @Test
    fun manyThreadsUseGeneratorsOfEveryTypeOfIds() {
        val generators = listOf<() -> Any>(
            UuidGenerator(7)::generate, UuidGenerator(4)::generate, UlidGenerator()::generate, XidGenerator()::generate,
            FlakeGenerator(OWN, nodes = 704L..767L).let { ids -> { ids.generateText() } },
            WideFlakeGenerator(Layout.fromText(WIDE)).let { ids -> { ids.toText(ids.generate()) } },
        )
        for (generate in generators) {
            val seen = ConcurrentHashMap.newKeySet<Any>()
            val threads = List(THREADS) { thread { repeat(2_000) { seen += generate() } } }
            threads.forEach(Thread::join)
            assertEquals(THREADS * 2_000, seen.size)
        }
    }

    @Test
    fun aClosedGeneratorIsRefused() {
        for (uses in usesOf(FlakeGenerator(OWN, node = 900)) + usesOf(UuidGenerator(7)) + usesOf(UlidGenerator()) +
            usesOf(WideFlakeGenerator(Layout.fromText(WIDE)))) {
            assertThrows(IllegalStateException::class.java) { uses() }
        }
    }

    /** Returns calls of this generator, which is closed. */
    private fun usesOf(ids: Generator): List<() -> Any> {
        (ids as AutoCloseable).close()
        return listOf(
            { ids.generate() }, { ids.generateMany(2) }, { ids.generateUpTo(2) }, { ids.generateText() }, { ids.toText(1) },
            { ids.fromText("1") }, { ids.fill(LongArray(1)) },
        )
    }

    private fun usesOf(ids: WideUuidGenerator): List<() -> Any> {
        val id = ids.generate()
        (ids as AutoCloseable).close()
        return listOf(
            { ids.generate() }, { ids.generateMany(2) }, { ids.generateUpTo(2) }, { ids.generateText() }, { ids.toText(id) },
            { ids.fromText("$id") },
        )
    }

    private fun usesOf(ids: WideTextGenerator): List<() -> Any> {
        val id = ids.generate()
        (ids as AutoCloseable).close()
        return listOf(
            { ids.generate() }, { ids.generateMany(2) }, { ids.generateUpTo(2) }, { ids.generateText() }, { ids.toText(id) },
            { ids.fromText(id) },
        )
    }

    private fun usesOf(ids: WideBytesGenerator): List<() -> Any> {
        val id = ids.generate()
        (ids as AutoCloseable).close()
        return listOf(
            { ids.generate() }, { ids.generateMany(2) }, { ids.generateUpTo(2) }, { ids.generateText() }, { ids.toText(id) },
            { ids.fromText("1") },
        )
    }

    @Test
    fun threadsThatUseAGeneratorWhileItIsClosedGetIdsOrAnError() {
        repeat(100) {
            val ids = FlakeGenerator(OWN, nodes = 768L..831L)
            val begun = CountDownLatch(THREADS)
            val refused = AtomicInteger()
            val threads = List(THREADS) {
                thread {
                    ids.generate()
                    begun.countDown()
                    try {
                        while (true) ids.generate()
                    } catch (_: IllegalStateException) {
                        refused.incrementAndGet()
                    }
                }
            }
            begun.await()
            ids.close()
            threads.forEach(Thread::join)
            assertEquals(THREADS, refused.get())
            // The nodes are free again: another generator of them, with other limits, can be made.
            FlakeGenerator(OWN, nodes = 768L..769L).close()
        }
    }

    @Test
    fun anObjectWithoutAGeneratorIsRefused() {
        val message = refused<SaibanException.InvalidArgument> { SnowflakeGenerator(NoHandle).generate() }
        assertTrue("without a generator" in message, message)
        refused<SaibanException.InvalidArgument> { UuidGenerator(NoHandle).toText(UuidGenerator(4).generate()) }
    }

    @Test
    fun errorsAreTheSameExceptionsAsThroughUniffi() {
        val ids = FlakeGenerator(OWN, node = 901, clock = ManualClock(1_763_700_000_000))
        ids.generateMany(4_096)
        refused<SaibanException.WouldWait> { ids.generate() }
        refused<SaibanException.WouldWait> { ids.generateMany(1) }
        for (count in listOf(-1L, 10_000_001L, Long.MIN_VALUE, Long.MAX_VALUE)) {
            refused<SaibanException.InvalidArgument> { ids.generateMany(count) }
        }
        refused<SaibanException.InvalidArgument> { ids.generateUpTo(-1) }
        refused<SaibanException.UnknownName> { ids.generateText("base63") }
        refused<SaibanException.UnknownName> { ids.toText(1, "base63") }
        val read = assertThrows(SaibanException.TextCharacter::class.java) { ids.fromText("12x4") }
        assertEquals(2, read.position)
        refused<SaibanException.TextLength> { ids.fromText("") }
        refused<SaibanException.WidthOutOfRange> { encode(1, "hex", width = -5) }
        refused<SaibanException.TextOverflow> { UlidGenerator().let { it.toText("8" + "0".repeat(25)) } }
        refused<SaibanException.InvalidArgument> { WideFlakeGenerator(Layout.fromText(WIDE)).toText(ByteArray(15)) }
    }

    @Test
    fun anyTextCanBeRead() {
        val ids = FlakeGenerator(OWN, node = 902)
        // Characters beyond ASCII, of two units, half of one, and a zero.
        for ((text, position) in listOf("1é" to 1, "12\uD83D\uDE00" to 2, "1\uD83D" to 1, "1\u00002" to 1)) {
            val error = assertThrows(SaibanException.TextCharacter::class.java) { ids.fromText(text) }
            assertEquals(position, error.position, text)
        }
        refused<SaibanException.TextLength> { ids.fromText("1".repeat(1_000_000)) }
        refused<SaibanException.UnknownName> { ids.generateText("é".repeat(1_000)) }
    }

    @Test
    fun listsOfEveryLengthHaveTheirIds() {
        val ids = FlakeGenerator(OWN, nodes = 834L..897L)
        for (count in listOf(0L, 1L, 2L, 1_000L, 100_000L)) {
            assertEquals(count.toInt(), ids.generateMany(count).toSet().size)
            assertEquals(count.toInt(), UuidGenerator(7).generateMany(count).toSet().size)
            assertEquals(count.toInt(), UlidGenerator().generateMany(count).toSet().size)
        }
        assertEquals(1_000, WideFlakeGenerator(Layout.fromText(WIDE)).generateMany(1_000).map { it.toList() }.toSet().size)
    }

    /** The vectors through UniFFI's own functions, which users of `encode` no longer reach. */
    @TestFactory
    fun encodingThroughUniffi() = tests("encoding") { case ->
        val encoding = FfiConverterString.lower(case.input.text("encoding"))
        val width = FfiConverterOptionalInt.lower(case.input["width"]?.asInt)
        when (case.op) {
            "encode" -> case.expects("text") {
                val value = case.input.long("value")!!
                FfiConverterString.lift(uniffi { UniffiLib.uniffi_saiban_uniffi_fn_func_encode(value, encoding, width, it) })
            }
            "decode" -> case.expects("value") {
                val text = FfiConverterString.lower(case.input.text("text"))
                val lenient = FfiConverterBoolean.lower(case.input.flag("lenient"))
                uniffi { UniffiLib.uniffi_saiban_uniffi_fn_func_decode(text, encoding, width, lenient, it) }.toString()
            }
            else -> error("unknown operation ${case.op}")
        }
    }

    /** Calls UniFFI's function, and throws its error. */
    private fun <T> uniffi(call: (UniffiRustCallStatus) -> T): T {
        val status = UniffiRustCallStatus()
        val result = call(status)
        if (status.isError()) throw SaibanException.lift(status.error_buf)
        check(status.isSuccess())
        return result
    }

    /** A JVM that checks each call of JNI reports none of saiban's, only some of JNA's. */
    @Test
    fun theJvmFindsNoMisuseOfJni() {
        val output = checkedCalls(System.getProperty("java.class.path"), "-Xcheck:jni")
        // The first frame of a report is the native method that it is about.
        val reports = output.lines().zipWithNext().filter { (line, _) -> REPORT.containsMatchIn(line) }
        assertTrue(reports.any { "jdk.internal" in it.second }, "-Xcheck:jni reports nothing, not even about JNA: $output")
        assertEquals(emptyList<String>(), reports.map { it.second }.filter(OWN_METHOD::containsMatchIn))
    }

    /** From a jar, JNA loads a copy of the library. UniFFI and JNI must have the same one. */
    @Test
    fun aLibraryInAJarIsLoadedOnce() {
        val classes = File("target/classes").absoluteFile
        val jar = File.createTempFile("saiban", ".jar")
        try {
            JarOutputStream(jar.outputStream()).use { out ->
                for (file in classes.walk().filter { it.isFile }) {
                    out.putNextEntry(ZipEntry(file.relativeTo(classes).invariantSeparatorsPath))
                    file.inputStream().use { it.copyTo(out) }
                }
            }
            val paths = System.getProperty("java.class.path").split(File.pathSeparator)
            val (own, others) = paths.partition { File(it).absoluteFile == classes }
            assertEquals(1, own.size, "$paths")
            val output = checkedCalls((others + jar.path).joinToString(File.pathSeparator))
            val copies = output.lines().filter { it.startsWith("a copy: ") }.toSet()
            // One is JNA's own library.
            assertEquals(2, copies.size, output)
        } finally {
            jar.delete()
        }
    }

    private fun checkedCalls(classpath: String, vararg options: String): String {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val process = ProcessBuilder(java, *options, "-cp", classpath, "dev.saiban.CheckedCallsKt").redirectErrorStream(true).start()
        val output = process.inputStream.bufferedReader().readText()
        assertEquals(0, process.waitFor(), output.take(10_000))
        assertTrue("the calls were made" in output, output.take(10_000))
        return output
    }
}

/** A native method of Natives.kt. Those of UniffiLib are JNA's. */
private val OWN_METHOD = Regex("""dev\.saiban\.\w+Natives\.""")

/** How -Xcheck:jni begins a report. */
private val REPORT = Regex("WARNING in native method|WARNING: JNI|FATAL ERROR in native method")
