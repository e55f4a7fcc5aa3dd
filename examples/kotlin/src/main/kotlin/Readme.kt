import dev.saiban.Lease
import dev.saiban.Snowflake
import dev.saiban.time
import kotlin.io.path.createTempDirectory

/** The lines that the README shows. */
fun readme() {
    val ids = Snowflake(node = 7)              // node 7, which no other machine has
    val id = ids.generate()                    // Long
    println("$id ${ids.generateText("base62")} ${ids.inspect(id).time}")

    val folder = createTempDirectory("saiban")
    leased("sqlite://$folder/ids.db")
    folder.toFile().deleteRecursively()
}

private fun leased(store: String) {
    Lease.acquire(store).use { lease ->        // a node that no other process of this machine has
        val ids = Snowflake(lease = lease)
        println("${ids.generate()} ${lease.nodes()} ${lease.status().state}")
    }
}
