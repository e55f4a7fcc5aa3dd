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
 * milliseconds only. Dropped IDs count as issued. Use it with the system's clock only: with a
 * [ManualClock] a block would still issue IDs of the time before the clock was set. Only `generate`
 * and `tryGenerate` use blocks; every other function is that of this generator.
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
    /** Whether an ID's time is a whole millisecond; `null` until an ID was inspected. */
    @Volatile
    private var isCoarse: Boolean? = null

    /** The prefetched IDs of a thread. */
    private class Block {
        var ids = LongArray(0)
        var next = 0

        /** The millisecond in which the IDs may be issued. */
        var takenMs = Long.MIN_VALUE

        /** The number of IDs of the next block. */
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
        // The next ID is later than the rest of the block, which is dropped to keep the order.
        block.next = block.ids.size
        return ids.tryGenerate()
    }

    private fun take(block: Block, nowMs: Long): Long {
        block.takenMs = nowMs
        block.next = block.ids.size
        if (block.want == 1) return ids.generate()
        val taken = ids.generateUpTo(block.want.toLong())
        block.ids = taken
        // If the millisecond has changed, some of the other IDs are of the earlier one, and it is
        // unknown which, so all are dropped.
        block.next = if (System.currentTimeMillis() == nowMs) 1 else taken.size
        return taken[0]
    }

    private fun isCoarse(): Boolean = isCoarse ?: (inspect(ids.generate()).submillisecondNs == null).also { isCoarse = it }
}
