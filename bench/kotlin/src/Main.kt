import com.github.f4b6a3.tsid.TsidFactory
import com.github.f4b6a3.uuid.UuidCreator
import dev.saiban.RandflakeGenerator
import dev.saiban.SnowflakeGenerator
import dev.saiban.UuidGenerator
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.UUID

private const val MANY = 10_000L

/** Returns the version of the package with this type, from the name of its jar. */
private fun versionOf(type: Class<*>): String =
    checkNotNull(Regex("-([0-9.]+)[.]jar$").find(type.protectionDomain.codeSource.location.path)).groupValues[1]

private fun longs(bytes: ByteArray): LongArray =
    LongArray(bytes.size / Long.SIZE_BYTES).also(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer()::get)

/** For each path: saiban, and the alternatives. */
private fun cases(): List<Case> {
    // So many nodes that no tick runs out of IDs; a wait would hide the speed.
    val nodes = 0L..1023L
    val snowflake = SnowflakeGenerator(nodes = nodes)
    val randflake = RandflakeGenerator(ByteArray(16) { 7 }, nodes = nodes)
    val (uuid4, uuid7) = UuidGenerator(4) to UuidGenerator(7)
    // As many node bits as Twitter's layout has.
    val tsid = TsidFactory.builder().withNodeBits(10).withNode(7).build()
    val bytes = ByteArray(MANY.toInt() * Long.SIZE_BYTES) { 7 }
    val saiban = System.getProperty("saiban.version")
    val uuidCreator = versionOf(UuidCreator::class.java)
    val java = System.getProperty("java.version")
    return listOf(
        numbers("snowflake.generate", "saiban", saiban) { snowflake.generate() },
        numbers("snowflake.generate", "tsid-creator", versionOf(TsidFactory::class.java)) { tsid.create().toLong() },
        numbers("snowflake.generate", "baseline: Uuid.version(), a call that answers a number", "") { uuid4.version().toLong() },
        objects("snowflake.generate_many", "saiban", saiban, MANY.toInt()) { snowflake.generateMany(MANY) },
        objects("snowflake.generate_many", "baseline: a LongArray copied out of a ByteArray", "", MANY.toInt()) { longs(bytes) },
        objects("snowflake.generate_one", "baseline: a list of 1 ID", "") { snowflake.generateMany(1) },
        objects("randflake.generate_many", "saiban", saiban, MANY.toInt()) { randflake.generateMany(MANY) },
        objects("uuid4.generate", "saiban", saiban) { uuid4.generate() },
        objects("uuid4.generate", "java.util.UUID", java) { UUID.randomUUID() },
        objects("uuid4.generate", "uuid-creator", uuidCreator) { UuidCreator.getRandomBased() },
        objects("uuid7.generate", "saiban", saiban) { uuid7.generate() },
        objects("uuid7.generate", "uuid-creator", uuidCreator) { UuidCreator.getTimeOrderedEpoch() },
    )
}

/** Returns the number after an option. */
private fun Array<String>.after(option: String, default: Double): Double =
    indexOf(option).let { if (it < 0) default else get(it + 1).toDouble() }

fun main(arguments: Array<String>) {
    val cases = cases()
    println("""{"machine":{"language":"kotlin","runtime":"Java ${System.getProperty("java.version")}"}}""")
    measure(cases, arguments.after("--rounds", 15.0).toInt(), arguments.after("--ms", 20.0))
    for (case in cases) {
        val ns = case.ns.joinToString(",") { "%.3f".format(java.util.Locale.ROOT, it) }
        println("""{"path":"kotlin.${case.path}","who":"${case.who}","version":"${case.version}","ns":[$ns]}""")
    }
}
