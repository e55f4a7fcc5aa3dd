import dev.saiban.FlakeGenerator
import dev.saiban.Layout
import dev.saiban.Lease
import dev.saiban.RandflakeGenerator
import dev.saiban.SaibanException
import dev.saiban.SnowflakeGenerator
import dev.saiban.UlidFlakeGenerator
import dev.saiban.UuidGenerator
import dev.saiban.decode
import dev.saiban.encode
import dev.saiban.end
import dev.saiban.inspect
import dev.saiban.kind
import dev.saiban.range
import dev.saiban.time
import java.io.File
import java.security.SecureRandom
import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlin.system.exitProcess

/** The node and scalability id of Kotlin's example. */
const val NODE = 4L

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

/** The secret of all examples, 32 hexadecimal digits, or a random one. */
fun secret(): ByteArray =
    System.getenv("SAIBAN_SECRET")?.chunked(2)?.map { it.toInt(16).toByte() }?.toByteArray()
        ?: ByteArray(16).also(SecureRandom()::nextBytes)

/** A short story of one order: its ID in a database, in a URL, and as parts. */
private fun show() {
    val orders = SnowflakeGenerator(node = NODE)
    val id = orders.generate()
    println("an order's ID, for a BIGINT column: $id")
    println("the same in a URL:                  ${encode(id, "base62")}")
    check(decode(encode(id, "base62"), "base62") == id)
    println("it was made at ${orders.inspect(id).time} on node ${orders.inspect(id).node}")

    val customers = RandflakeGenerator(secret = secret(), node = NODE)
    val batch = customers.generateMany(10_000)
    check(batch.toSet().size == batch.size)
    println("10000 customers' IDs, which tell others nothing: ${batch.take(3).joinToString { customers.toText(it) }}, …")

    val today = orders.range(Instant.now().truncatedTo(ChronoUnit.DAYS), Instant.now().plusSeconds(1))
    check(id in today.first..today.last)
    println("today's orders, by primary key:     BETWEEN ${today.first} AND ${today.last}")

    val invoices = UuidGenerator(7)
    val invoice = invoices.generate()
    println("an invoice, for a UUID column:      $invoice, made at ${invoices.inspect(invoice).time}")

    val ours = Layout.fromText("unused:1 timestamp:39@10ms,epoch=2025-01-01 node.shop:8 node.till:4 sequence:12")
    val receipts = FlakeGenerator(ours, node = ours.nodeOfParts(mapOf("shop" to NODE, "till" to 2)))
    val receipt = receipts.inspect(receipts.generate())
    println("a receipt, in a layout of our own:  ${receipt.nodeParts}, for ${ours.lifetimeMs() / YEAR_MS} years")

    // A leased node, from a store that all processes share, instead of a configured one.
    val file = File.createTempFile("deliveries", ".db")
    Lease.acquire("sqlite://${file.path}", namespace = "deliveries", scheme = "ulid-flake").use { lease ->
        val delivery = UlidFlakeGenerator(lease = lease).generateText()
        println("a delivery, of a node on lease:     $delivery; node ${lease.nodes().first} is ours until ${lease.status().end}, or longer")
    }
    file.delete()

    try {
        SnowflakeGenerator()
    } catch (error: SaibanException.NodeRequired) {
        println("without a node: ${error.kind}: ${error.message}")
    }
}
