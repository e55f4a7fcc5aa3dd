package dev.saiban

import java.io.File
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * Calls every native method from several threads. Then prints the files that JNA unpacked, of which
 * copies are in this process's memory.
 */
fun main() {
    val ids = FlakeGenerator(Layout.fromText("unused:1 timestamp:41@ms,epoch=2022-04-05 node:10 sequence:12"), nodes = 0L..63L)
    val wide = WideFlakeGenerator(Layout.fromText("timestamp:48 random:80"))
    val (uuids, ulids) = UuidGenerator(7) to UlidGenerator()
    val calls = listOf<() -> Any>(
        { ids.fromText(decode(ids.toText(ids.generate(), "base62"), "base62").toString()) },
        { ids.generateMany(10_000) }, { ids.fill(LongArray(100)) }, { ids.generateText("hex") },
        { uuids.fromText(uuids.toText(uuids.generate())) }, { uuids.generateMany(100) }, { uuids.generateUpTo(100) },
        { uuids.generateText("base58") },
        { ulids.fromText(ulids.toText(ulids.generate())) }, { ulids.generateMany(100) }, { ulids.generateUpTo(100) },
        { ulids.generateText("hex") },
        { wide.fromText(wide.toText(wide.generate())) }, { wide.generateMany(100) }, { wide.generateUpTo(100) },
        { wide.generateText("hex") },
        { decode(encode(1, "crockford", 13), "crockford", 13, lenient = true) },
    )
    val refused = listOf<() -> Any>(
        { ids.generateMany(-1) }, { ids.fromText("x") }, { ids.fromText("1".repeat(1_000)) }, { ids.toText(1, "none") },
        { uuids.fromText("") }, { ulids.fromText("ü") }, { wide.toText(ByteArray(3)) }, { encode(1, "none") }, { decode("é", "hex") },
    )
    val threads = List(4) {
        CompletableFuture.runAsync {
            repeat(20) {
                for (call in calls) call()
                for (call in refused) {
                    check(runCatching(call).exceptionOrNull() is SaibanException) { "a call was not refused" }
                }
            }
        }
    }
    threads.forEach { it.get(5, TimeUnit.MINUTES) }
    val files = File("/proc/self/maps").takeIf { it.exists() }?.readLines().orEmpty().map { it.substringAfter('/', "") }
    files.filter { "jna" in it && it.endsWith(" (deleted)") }.toSet().forEach { println("a copy: $it") }
    println("the calls were made")
}
