import dev.saiban.SnowflakeGenerator
import dev.saiban.time
import kotlin.io.path.createTempDirectory

/** The lines that the README shows. */
fun readme() {
    val ids = SnowflakeGenerator(node = 7)     // node 7, which no other machine has
    val id = ids.generate()                    // Long
    println("$id ${ids.toText(id, "base62")} ${ids.inspect(id).time}")

    val folder = createTempDirectory("saiban")
    leased("sqlite://$folder/ids.db")
    folder.toFile().deleteRecursively()
}

private fun leased(store: String) {
    val ids = SnowflakeGenerator(store = store)    // a node that no other process of this machine has
    val lease = ids.lease()!!
    println("${ids.generate()} ${lease.nodes()} ${lease.status().state}")
    lease.release()
}
