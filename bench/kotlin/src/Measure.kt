/** The number of results that a loop keeps, so that the compiler cannot remove any. */
const val KEPT = 16

private const val NS_PER_MS = 1e6

/**
 * A measured case: a loop that makes something a number of times, and the number of IDs each time.
 */
class Case(val path: String, val who: String, val version: String, val per: Int, val loop: (Int) -> Unit) {
    var count = 0
    val ns = mutableListOf<Double>()

    fun timed(count: Int): Double {
        val begun = System.nanoTime()
        loop(count)
        return (System.nanoTime() - begun).toDouble()
    }
}

/** Returns a case that makes numbers. Inlining gives each case its own compiled loop. */
inline fun numbers(path: String, who: String, version: String, crossinline make: () -> Long): Case {
    val kept = LongArray(KEPT)
    return Case(path, who, version, 1) { count -> for (n in 0 until count) kept[n and (KEPT - 1)] = make() }
}

/** Returns a case that makes objects, each with one or more IDs. */
inline fun objects(path: String, who: String, version: String, per: Int = 1, crossinline make: () -> Any): Case {
    val kept = arrayOfNulls<Any>(KEPT)
    return Case(path, who, version, per) { count -> for (n in 0 until count) kept[n and (KEPT - 1)] = make() }
}

/** Returns the number of repetitions that take about this long, after the JVM has warmed up. */
private fun calibrated(case: Case, ms: Double): Int {
    // A generator's first ID may wait for the next tick.
    case.loop(1)
    val until = System.nanoTime() + 10 * ms * NS_PER_MS
    var count = 1
    while (true) {
        // The faster of two: a sample that other work delayed means nothing.
        val ns = minOf(case.timed(count), case.timed(count))
        // Continue for a minimum time, because the JVM's compilers take a while.
        if (ns >= ms * NS_PER_MS && System.nanoTime() >= until) return maxOf(1, (count * ms * NS_PER_MS / ns).toInt())
        if (ns < ms * NS_PER_MS) count *= 2
    }
}

/** Measures the cases in rounds; every second round runs them in reverse order. */
fun measure(cases: List<Case>, rounds: Int, ms: Double) {
    for (case in cases) case.count = calibrated(case, ms)
    for (round in 0 until rounds) {
        for (case in if (round % 2 == 0) cases else cases.reversed()) {
            case.ns += case.timed(case.count) / (case.count.toDouble() * case.per)
        }
    }
}
