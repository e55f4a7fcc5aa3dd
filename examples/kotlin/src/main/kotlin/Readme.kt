import dev.saiban.Snowflake
import dev.saiban.time

/** The lines that the README shows. */
fun readme() {
    val ids = Snowflake(node = 7)              // node 7, which must be ours alone
    val id = ids.generate()                    // Long
    println("$id ${ids.generateText("base62")} ${ids.inspect(id).time}")
}
