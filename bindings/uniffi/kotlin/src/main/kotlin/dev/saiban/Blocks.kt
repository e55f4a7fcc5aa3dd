package dev.saiban

/** The most IDs that a thread may have prefetched. */
private const val MAX_PREFETCHED = 4_096

/**
 * Returns this generator with a block of IDs for each thread: a thread takes several IDs with one
 * native call, and issues them one by one. A prefetched ID takes tens of nanoseconds, a native call
 * microseconds.
 *
 * An ID is issued only within the millisecond of this machine's clock in which it was made; the
 * rest of a block is dropped. So the time in an ID is never older than a tick, and with ticks below
 * a millisecond nothing is prefetched. A thread takes one ID at a time until it uses up a block
 * within a millisecond, then twice as many each time, at most [most]: a thread that needs few IDs
 * drops none.
 *
 * IDs stay unique, and those of one thread ascend; between threads they are in the order of their
 * milliseconds only. What is dropped counts as issued. It is for the system's clock: with a
 * [ManualClock] IDs would be of the time before. Everything but `generate` and `tryGenerate` is
 * this generator's own.
 *
 * Errors: [SaibanException.InvalidArgument] for [most] outside 1 to 4096.
 *
 * ```kotlin
 * val ids = SnowflakeGenerator(nodes = 0L..63L).inBlocks()
 * ids.generate()
 * ```
 */
public fun Generator.inBlocks(most: Int = 64): Generator {
    if (most !in 1..MAX_PREFETCHED) {
        throw SaibanException.InvalidArgument("most is $most: a thread can have 1 to $MAX_PREFETCHED IDs prefetched")
    }
    return Blocks(this, most)
}

private class Blocks(private val ids: Generator, private val most: Int) : Generator by ids {
    /** Whether the time in an ID is that of a whole millisecond; not known before there is one. */
    @Volatile
    private var isCoarse: Boolean? = null

    /** What a thread has prefetched. */
    private class Block {
        var ids = LongArray(0)
        var next = 0

        /** The millisecond in which they may be handed out. */
        var takenMs = Long.MIN_VALUE

        /** How many are taken at once. */
        var want = 1
    }

    private val blocks = ThreadLocal.withInitial { Block() }

    override fun generate(): Long {
        val block = blocks.get()
        val nowMs = System.currentTimeMillis()
        if (block.takenMs == nowMs) {
            if (block.next < block.ids.size) return block.ids[block.next++]
            if (isCoarse()) block.want = minOf(block.want * 2, most)
        } else {
            block.want = 1
        }
        return take(block, nowMs)
    }

    override fun tryGenerate(): Long? {
        val block = blocks.get()
        if (block.next < block.ids.size && block.takenMs == System.currentTimeMillis()) return block.ids[block.next++]
        // Those that come now are later: none before them is handed out after them.
        block.next = block.ids.size
        return ids.tryGenerate()
    }

    private fun take(block: Block, nowMs: Long): Long {
        block.takenMs = nowMs
        block.next = block.ids.size
        if (block.want == 1) return ids.generate()
        val taken = ids.generateUpTo(block.want.toLong())
        block.ids = taken
        // Which of the others are of the millisecond before is not known.
        block.next = if (System.currentTimeMillis() == nowMs) 1 else taken.size
        return taken[0]
    }

    private fun isCoarse(): Boolean = isCoarse ?: (inspect(ids.generate()).submillisecondNs == null).also { isCoarse = it }
}
