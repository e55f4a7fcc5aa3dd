import dev.saiban.FlakeGenerator
import dev.saiban.Generator
import dev.saiban.Layout
import dev.saiban.ObjectIdGenerator
import dev.saiban.Parts
import dev.saiban.RandflakeGenerator
import dev.saiban.SnowflakeGenerator
import dev.saiban.UlidGenerator
import dev.saiban.UlidFlakeGenerator
import dev.saiban.UuidGenerator
import java.io.File

// Makes IDs for the other languages, and reads theirs: lines of language, scheme, the ID as a
// decimal number, and its text, separated by tabs.

/** The functions of a generator, for any type of ID: making an ID as text, and reading one. */
private class Exchanged(val make: () -> String, val read: (String) -> Parts) {
    constructor(ids: Generator) : this({ ids.generateText() }, { ids.inspect(ids.fromText(it)) })
}

private fun exchanged(): Map<String, Exchanged> {
    val layout = Layout.fromText(System.getenv("SAIBAN_LAYOUT") ?: error("SAIBAN_LAYOUT must hold the layout of \"flake\""))
    val (uuids, ulids, objectIds) = Triple(UuidGenerator(7), UlidGenerator(), ObjectIdGenerator())
    return mapOf(
        "snowflake" to Exchanged(SnowflakeGenerator(node = NODE)),
        "randflake" to Exchanged(RandflakeGenerator(secret = secret(), node = NODE)),
        "ulid-flake" to Exchanged(UlidFlakeGenerator()),
        "ulid-flake-scalable" to Exchanged(UlidFlakeGenerator(scalability = NODE)),
        "flake" to Exchanged(FlakeGenerator(layout, node = NODE)),
        "uuid-v7" to Exchanged({ uuids.generateText() }, { uuids.inspect(uuids.fromText(it)) }),
        "ulid" to Exchanged({ ulids.generateText() }, { ulids.inspect(ulids.fromText(it)) }),
        "objectid" to Exchanged({ objectIds.generateText() }, { objectIds.inspect(objectIds.fromText(it)) }),
    )
}

/** The ID as a number, signed up to 64 bits like a BIGINT column. */
private fun Parts.decimal(): String = (id ?: number).toString()

/** Prints one ID of each scheme. */
fun emit() {
    for ((scheme, ids) in exchanged()) {
        val text = ids.make()
        println("kotlin\t$scheme\t${ids.read(text).decimal()}\t$text")
    }
}

/** Prints the parts of all languages' IDs. */
fun read(file: File) {
    val exchanged = exchanged()
    for (line in file.readLines().filter(String::isNotBlank)) {
        val (language, scheme, number, text) = line.split('\t')
        val parts = exchanged.getValue(scheme).read(text)
        check(parts.decimal() == number) { "$text is ${parts.decimal()}, not $number" }
        val fields = listOf(parts.timestampMs, parts.node, parts.sequence, parts.random).map { it ?: "-" }
        println((listOf("kotlin", language, scheme, number) + fields).joinToString("\t"))
    }
}
