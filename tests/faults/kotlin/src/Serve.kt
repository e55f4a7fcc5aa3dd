import dev.saiban.FlakeGenerator
import dev.saiban.Generator
import dev.saiban.Layout
import dev.saiban.RandflakeGenerator
import dev.saiban.SaibanException
import dev.saiban.SnowflakeGenerator
import dev.saiban.UlidFlakeGenerator
import java.nio.ByteBuffer
import java.nio.ByteOrder

// One of several processes with one node: see tests/faults/processes.py. Argument: the scheme.

private const val NODE = 7L
private const val PIECE = 10_000L

private fun build(scheme: String): Generator =
    when (scheme) {
        "snowflake" -> SnowflakeGenerator(node = NODE)
        "randflake" -> {
            val secret = "dffd6021bb2bd5b0af676290809ec3a5".chunked(2).map { it.toInt(16).toByte() }.toByteArray()
            RandflakeGenerator(secret = secret, node = NODE)
        }
        "ulid-flake" -> UlidFlakeGenerator()
        "ulid-flake-scalable" -> UlidFlakeGenerator(scalability = NODE)
        "flake" -> FlakeGenerator(Layout.fromText("unused:1 timestamp:41@ms,epoch=2025-01-01 node:10 sequence:12"), node = 0)
        else -> error("no scheme: $scheme")
    }

fun main(args: Array<String>) {
    val ids = build(args[0])
    while (true) {
        val (count, patienceMs) = (readlnOrNull() ?: break).split(' ').map(String::toLong)
        val end = System.nanoTime() + 1_000_000 * patienceMs
        val made = mutableListOf<LongArray>()
        var (rest, refused) = Pair(count, 0L)
        while (rest > 0 && (refused == 0L || System.nanoTime() < end)) {
            try {
                val piece = ids.generateMany(minOf(rest, PIECE))
                made += piece
                rest -= piece.size
            } catch (_: SaibanException) {
                refused++
            }
        }
        val reply = ByteBuffer.allocate((8 * (2 + count - rest)).toInt()).order(ByteOrder.LITTLE_ENDIAN)
        reply.putLong(count - rest).putLong(refused)
        made.forEach { it.forEach(reply::putLong) }
        System.out.write(reply.array())
        System.out.flush()
    }
}
