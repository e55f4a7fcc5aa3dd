//! Statistics of generators, counted without extra work for each ID.

use super::Scope;
use crate::layout::Guarantee;
#[cfg(target_has_atomic = "64")]
use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// Statistics of a generator.
///
/// ```
/// use saiban::{Generator, Guarantee, SnowflakeGenerator};
/// let ids = SnowflakeGenerator::new(8)?;
/// let before = ids.stats()?.issued;
/// ids.generate_many(3)?;
/// let stats = ids.stats()?;
/// assert_eq!((stats.issued - before, stats.guarantee), (3, Guarantee::Unique));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stats {
    /// The number of IDs issued for its nodes, by all generators that share the cursor within the
    /// scope. While other threads issue IDs, it may lag by the IDs of one tick.
    pub issued: u64,
    /// The number of waits of `generate` and `fill` in this generator.
    pub waits: u64,
    /// The number of times that this generator found the clock behind the last ID. It counts again
    /// only after the clock has returned.
    pub rollbacks: u64,
    /// The time for which the generator can still issue IDs, in milliseconds: until the end of the
    /// window or lease, else of the layout. 0 after this end.
    pub time_left_ms: u64,
    /// The guarantee for its IDs.
    pub guarantee: Guarantee,
    /// The scope: which generators share its cursor.
    pub scope: Scope,
}

/// The counters of one generator. Without 64-bit atomics, nothing is counted.
#[derive(Debug, Default)]
pub(super) struct Counters {
    #[cfg(target_has_atomic = "64")]
    waits: AtomicU64,
    #[cfg(target_has_atomic = "64")]
    rollbacks: AtomicU64,
    /// Whether the clock was behind at the last reading.
    #[cfg(target_has_atomic = "64")]
    behind: AtomicBool,
}

#[cfg(target_has_atomic = "64")]
impl Counters {
    pub(super) fn waited(&self) {
        self.waits.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a step back at which the next value of the rollback bits took over.
    ///
    /// The step may be counted already, if the previous value held for some time before.
    #[cfg(feature = "alloc")]
    pub(super) fn moved_on(&self) {
        if !self.behind.swap(false, Ordering::Relaxed) {
            self.rollbacks.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts the start of each time that the clock is behind. While the clock is not behind, the
    /// call costs one load.
    #[inline]
    pub(super) fn saw_clock(&self, behind: bool) {
        if behind != self.behind.load(Ordering::Relaxed)
            && self.behind.swap(behind, Ordering::Relaxed) != behind
            && behind
        {
            self.rollbacks.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the numbers of waits and of rollbacks.
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
