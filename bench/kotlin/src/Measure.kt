/** How many results a loop keeps, so that none can be left out. */
const val KEPT = 16

private const val NS_PER_MS = 1e6

/**
 * What is measured: a loop that makes something this many times, and how many IDs it makes each
 * time.
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

/** A case of numbers. Each has a loop of its own, which is compiled for it alone. */
inline fun numbers(path: String, who: String, version: String, crossinline make: () -> Long): Case {
    val kept = LongArray(KEPT)
    return Case(path, who, version, 1) { count -> for (n in 0 until count) kept[n and (KEPT - 1)] = make() }
}

/** A case of objects, of which each may be many IDs. */
inline fun objects(path: String, who: String, version: String, per: Int = 1, crossinline make: () -> Any): Case {
    val kept = arrayOfNulls<Any>(KEPT)
    return Case(path, who, version, per) { count -> for (n in 0 until count) kept[n and (KEPT - 1)] = make() }
}

/** How often a case must run to take about so long; it is compiled and warm then. */
private fun calibrated(case: Case, ms: Double): Int {
    // A generator's first ID may wait for the next tick.
    case.loop(1)
    val until = System.nanoTime() + 10 * ms * NS_PER_MS
    var count = 1
    while (true) {
        // The faster of two: a sample that other work delayed means nothing.
        val ns = minOf(case.timed(count), case.timed(count))
        // Compilers of the JVM take their time.
        if (ns >= ms * NS_PER_MS && System.nanoTime() >= until) return maxOf(1, (count * ms * NS_PER_MS / ns).toInt())
        if (ns < ms * NS_PER_MS) count *= 2
    }
}

/** Lets the cases take turns, in rounds; odd rounds go the other way round. */
fun measure(cases: List<Case>, rounds: Int, ms: Double) {
    for (case in cases) case.count = calibrated(case, ms)
    for (round in 0 until rounds) {
        for (case in if (round % 2 == 0) cases else cases.reversed()) {
            case.ns += case.timed(case.count) / (case.count.toDouble() * case.per)
        }
    }
}
