package dev.saiban

import org.junit.jupiter.api.Assertions.assertThrows

/** Checks that this fails with an error of kind `E`, and returns its message. */
internal inline fun <reified E : SaibanException> refused(crossinline run: () -> Any?): String =
    assertThrows(E::class.java) { run() }.message!!

/** Waits until the condition holds, and fails after a minute, which is enough on any machine. */
internal fun until(what: String, holds: () -> Boolean) {
    repeat(3_000) {
        if (holds()) return
        Thread.sleep(20)
    }
    throw AssertionError("not within a minute: $what")
}
