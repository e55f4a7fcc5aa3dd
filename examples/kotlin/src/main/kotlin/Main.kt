import dev.saiban.Flake
import dev.saiban.Generator
import dev.saiban.Layout
import dev.saiban.Randflake
import dev.saiban.SaibanException
import dev.saiban.Snowflake
import dev.saiban.UlidFlake
import dev.saiban.Uuid
import dev.saiban.decode
import dev.saiban.encode
import dev.saiban.fromText
import dev.saiban.inspect
import dev.saiban.kind
import dev.saiban.range
import dev.saiban.time
import dev.saiban.toText
import java.io.File
import java.security.SecureRandom
import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlin.system.exitProcess

/** Kotlin's node, and scalability id, among the examples. */
private const val NODE = 4L

private const val YEAR_MS = 31_557_600_000

fun main(args: Array<String>) {
    when (args.firstOrNull()) {
        "show" -> {
            readme()
            show()
        }
        "emit" -> emit()
        "read" -> read(File(args[1]))
        else -> {
            System.err.println("usage: show | emit | read FILE")
            exitProcess(2)
        }
    }
}

/** The secret that all examples share, 32 hexadecimal digits; without one, a new one that nobody shares. */
private fun secret(): ByteArray =
    System.getenv("SAIBAN_SECRET")?.chunked(2)?.map { it.toInt(16).toByte() }?.toByteArray()
        ?: ByteArray(16).also(SecureRandom()::nextBytes)

private fun generators(): Map<String, Generator> = mapOf(
    "snowflake" to Snowflake(node = NODE),
    "randflake" to Randflake(secret = secret(), node = NODE),
    "ulid-flake" to UlidFlake(),
    "ulid-flake-scalable" to UlidFlake(scalability = NODE),
)

/** A short story: one order, its ID in a database, in a URL, and taken apart again. */
private fun show() {
    val orders = Snowflake(node = NODE)
    val id = orders.generate()
    println("an order's ID, for a BIGINT column: $id")
    println("the same in a URL:                  ${encode(id, "base62")}")
    check(decode(encode(id, "base62"), "base62") == id)
    println("it was made at ${orders.inspect(id).time} on node ${orders.inspect(id).node}")

    val customers = Randflake(secret = secret(), node = NODE)
    val batch = customers.generateMany(10_000)
    check(batch.toSet().size == batch.size)
    println("10000 customers' IDs, which tell others nothing: ${batch.take(3).joinToString { customers.toText(it) }}, …")

    val today = orders.range(Instant.now().truncatedTo(ChronoUnit.DAYS), Instant.now().plusSeconds(1))
    check(id in today.first..today.last)
    println("today's orders, by primary key:     BETWEEN ${today.first} AND ${today.last}")

    val invoices = Uuid(7)
    val invoice = invoices.generate()
    println("an invoice, for a UUID column:      $invoice, made at ${invoices.inspect(invoice).time}")

    val ours = Layout.fromText("unused:1 timestamp:39@10ms,epoch=2025-01-01 node.shop:8 node.till:4 sequence:12")
    val receipts = Flake(ours, node = ours.nodeOfParts(mapOf("shop" to NODE, "till" to 2)))
    val receipt = receipts.inspect(receipts.generate())
    println("a receipt, in a layout of our own:  ${receipt.nodeParts}, for ${ours.lifetimeMs() / YEAR_MS} years")

    try {
        Snowflake()
    } catch (error: SaibanException.NodeRequired) {
        println("without a node: ${error.kind}: ${error.message}")
    }
}

private fun emit() {
    for ((scheme, ids) in generators()) {
        val id = ids.generate()
        println("kotlin\t$scheme\t$id\t${ids.toText(id)}")
    }
}

private fun read(file: File) {
    val generators = generators()
    for (line in file.readLines().filter(String::isNotBlank)) {
        val (language, scheme, number, text) = line.split('\t')
        val ids = generators.getValue(scheme)
        val id = ids.fromText(text)
        check(id == number.toLong()) { "$text is $id, not $number" }
        val parts = ids.inspect(id)
        val fields = listOf(parts.timestampMs, parts.node, parts.sequence, parts.random).map { it ?: "-" }
        println((listOf("kotlin", language, scheme, id) + fields).joinToString("\t"))
    }
}
