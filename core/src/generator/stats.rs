//! What a generator tells of itself, counted so that the path of an ID does not get longer.

use super::Scope;
use crate::layout::Guarantee;
#[cfg(target_has_atomic = "64")]
use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// What a generator tells of itself.
///
/// ```
/// use saiban::{Generator, Guarantee, Snowflake};
/// let ids = Snowflake::new(8)?;
/// ids.generate_many(3)?;
/// let stats = ids.stats()?;
/// assert_eq!((stats.issued, stats.guarantee), (3, Guarantee::Unique));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stats {
    /// How many IDs were issued for its nodes, by all generators that share their cursor: those of this process, or of this machine. While others issue it
    /// may lag by what one tick holds.
    pub issued: u64,
    /// How often `generate` or `fill` of this generator waited.
    pub waits: u64,
    /// How often this generator found the clock behind the last ID, each time anew after the clock had returned.
    pub rollbacks: u64,
    /// How long IDs can be issued still, milliseconds: to the end of the window or, without one, of the format. 0 when it is over.
    pub time_left_ms: u64,
    /// What its IDs promise.
    pub guarantee: Guarantee,
    /// Which generators share its cursor.
    pub scope: Scope,
}

/// What is counted of one generator. Where the target lacks 64-bit atomics nothing is.
#[derive(Debug, Default)]
pub(super) struct Counters {
    #[cfg(target_has_atomic = "64")]
    waits: AtomicU64,
    #[cfg(target_has_atomic = "64")]
    rollbacks: AtomicU64,
    /// Whether the clock was behind when it was last read.
    #[cfg(target_has_atomic = "64")]
    behind: AtomicBool,
}

#[cfg(target_has_atomic = "64")]
impl Counters {
    pub(super) fn waited(&self) {
        self.waits.fetch_add(1, Ordering::Relaxed);
    }

    /// The clock stepped back and the next value of the rollback bits took over, at once or after a time in which the one before held and
    /// the step was counted.
    #[cfg(feature = "alloc")]
    pub(super) fn moved_on(&self) {
        if !self.behind.swap(false, Ordering::Relaxed) {
            self.rollbacks.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts the beginning of each time that the clock is behind. While it is not, that is one load.
    #[inline]
    pub(super) fn saw_clock(&self, behind: bool) {
        if behind != self.behind.load(Ordering::Relaxed)
            && self.behind.swap(behind, Ordering::Relaxed) != behind
            && behind
        {
            self.rollbacks.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits and rollbacks.
    pub(super) fn read(&self) -> (u64, u64) {
        (self.waits.load(Ordering::Relaxed), self.rollbacks.load(Ordering::Relaxed))
    }
}

#[cfg(not(target_has_atomic = "64"))]
impl Counters {
    pub(super) fn waited(&self) {}

    #[cfg(feature = "alloc")]
    pub(super) fn moved_on(&self) {}

    pub(super) fn saw_clock(&self, _behind: bool) {}

    pub(super) fn read(&self) -> (u64, u64) {
        (0, 0)
    }
}
