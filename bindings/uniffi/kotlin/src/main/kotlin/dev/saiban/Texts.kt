package dev.saiban

/** Why IDs in JSON must be strings; [found] is what is there instead. */
internal fun notText(found: String, encoding: String): String =
    "${found.take(40)} is not text: write the ID as a string in the encoding $encoding, because a number may have lost digits"
