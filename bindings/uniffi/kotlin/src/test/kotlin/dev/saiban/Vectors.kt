package dev.saiban

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import java.io.File

/** A file of vectors/. */
class Vectors(name: String, subject: String = name) {
    private val file = JsonParser.parseString(path(name).readText()).asJsonObject
    private val configs = file["configs"].asJsonObject

    val cases: List<Case> = file["cases"].asJsonArray.map { Case(it.asJsonObject, configs) }

    init {
        check(file["format"].asString == "saiban-vectors-1" && file["subject"].asString == subject)
    }

    companion object {
        fun path(name: String) = File(System.getProperty("saiban.vectors"), "$name.json")
    }
}

/** A case. The file contains integers as decimal text. */
class Case(json: JsonObject, configs: JsonObject) {
    val id: String = json["id"].asString
    val op: String = json["op"].asString
    val input: JsonObject = json["in"].asJsonObject
    val out: JsonObject? = json["out"]?.asJsonObject
    val error: String? = json["error"]?.asString
    val position: Int? = json["position"]?.asInt
    val config: JsonObject = json["config"]?.let { configs[it.asString].asJsonObject } ?: JsonObject()
}

fun JsonObject.long(name: String): Long? = this[name]?.asLong

fun JsonObject.text(name: String): String = this[name].asString

fun JsonObject.flag(name: String): Boolean = this[name]?.asBoolean ?: false

/** A half-open interval of two integers, whose end may be before its start. */
fun JsonObject.interval(name: String): LongRange? =
    this[name]?.asJsonArray?.map(JsonElement::getAsLong)?.let { (start, end) -> start..<end }

fun bytesOfHex(hex: String): ByteArray = hex.chunked(2).map { it.toInt(16).toByte() }.toByteArray()
