//! A cache of the tick that the clock showed last, valid while that tick cannot have ended. A
//! processor's counter is read in a third of the clock's time.
//!
//! A thread that reads the clock stores the tick, and the last count at which the tick cannot have
//! ended. [`Clock::cycles`] advances by at least one per nanosecond, so that count is as many
//! counts later as the tick has nanoseconds left. Most counters are faster; then the clock is read
//! several times a tick. Unless the counter lags, a tick is never cached for longer than it lasts,
//! so no ID shows an older time than the clock did. It is cached for at most a millisecond, so that
//! the generator soon notices when the clock is set.

use super::ticks::Ticks;
use crate::clock::Clock;
#[cfg(target_has_atomic = "64")]
use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// The shortest tick for which the cache is used.
#[cfg(target_has_atomic = "64")]
const SHORTEST_NS: u64 = 100_000;

/// The maximum time without a reading of the clock.
#[cfg(target_has_atomic = "64")]
const LONGEST_NS: u64 = 1_000_000;

/// The minimum remainder of a tick that is worth caching, and the minimum time over which the
/// counter is compared with the clock.
#[cfg(target_has_atomic = "64")]
const LITTLE_NS: u64 = 1_000;

/// The value of `last` if no tick is cached. For 500 years, no count comes so near to it that a
/// tick seems cached.
#[cfg(target_has_atomic = "64")]
const NOTHING: u64 = u64::MAX;

#[cfg(target_has_atomic = "64")]
#[derive(Debug, Default)]
pub(super) struct TickCache {
    /// The maximum time for which a tick is cached; 0 if the cache is not used.
    most_ns: u64,
    /// The last count at which the tick cannot have ended.
    last: AtomicU64,
    tick: AtomicU64,
    /// What positions of the tick begin with, for engines with one cursor: see `FastPath::base`.
    base: AtomicU64,
    /// The last comparison: a count, and the time that was read after it.
    cycles: AtomicU64,
    now_ns: AtomicU64,
    /// Whether the time advanced by more than the count since the previous comparison. Then the
    /// clock was set, or the counter is too slow.
    is_slow: AtomicBool,
    /// Whether a thread is storing a tick. If the process is forked at this moment, it stays true
    /// in the copy, which then reads the clock each time.
    is_noting: AtomicBool,
}

#[cfg(target_has_atomic = "64")]
impl TickCache {
    /// Creates a cache for ticks of this length. With a coarse clock it is not used, because that
    /// clock costs even less.
    pub(super) fn new(tick_ns: u64, has_coarse: bool, clock: &impl Clock) -> Self {
        let is_worth_it = tick_ns >= SHORTEST_NS && !has_coarse && clock.cycles().is_some();
        let mut seen = TickCache { last: AtomicU64::new(NOTHING), ..TickCache::default() };
        if is_worth_it {
            seen.most_ns = tick_ns.min(LONGEST_NS);
            // The first comparison needs an earlier reading.
            seen.cycles = AtomicU64::new(clock.cycles().unwrap_or(0));
            seen.now_ns = AtomicU64::new(clock.now_ns().unwrap_or(0));
        }
        seen
    }

    /// Whether the cache is used.
    pub(super) fn is_worth_it(&self) -> bool {
        self.most_ns > 0
    }

    /// Returns the cached tick if it is current; else the clock's count, if the cache is used.
    #[inline]
    pub(super) fn read(&self, clock: &impl Clock) -> Result<u64, Option<u64>> {
        if !self.is_worth_it() {
            return Err(None);
        }
        let Some(cycles) = clock.cycles() else { return Err(None) };
        if self.is_noted(cycles) { Ok(self.tick.load(Ordering::Relaxed)) } else { Err(Some(cycles)) }
    }

    /// Returns what positions of the cached tick begin with, if that tick is current.
    #[inline]
    pub(super) fn noted_base(&self, clock: &impl Clock) -> Option<u64> {
        let cycles = clock.cycles()?;
        self.is_noted(cycles).then(|| self.base.load(Ordering::Relaxed))
    }

    /// Whether the cached tick is current at this count. Call it before loading the tick: a tick
    /// that is stored meanwhile is one that the clock showed meanwhile.
    #[inline]
    fn is_noted(&self, cycles: u64) -> bool {
        let left = self.last.load(Ordering::Acquire).wrapping_sub(cycles);
        // A count that went back further is not comparable: it is another machine's, or the clock
        // was set.
        left < LONGEST_NS
    }

    /// Stores the tick of a time that was read after this count, and what its positions begin with.
    #[inline]
    pub(super) fn note(&self, cycles: u64, now_ns: u64, tick: u64, base: u64, ticks: &Ticks) {
        let left_ns = ticks.left_ns(now_ns, tick).min(self.most_ns);
        if left_ns < LITTLE_NS {
            return;
        }
        // One thread at a time; the other threads have no better tick to store. Nor has a thread
        // whose count another one has noted already, as those of a `TickingClock` do: between its
        // two readings the time has passed, and the count has not.
        if self.is_noted(cycles) || self.is_noting.swap(true, Ordering::Acquire) {
            return;
        }
        self.compare(cycles, now_ns);
        if self.is_slow.load(Ordering::Relaxed) {
            self.last.store(NOTHING, Ordering::Relaxed);
        } else {
            self.tick.store(tick, Ordering::Relaxed);
            self.base.store(base, Ordering::Relaxed);
            self.last.store(cycles.wrapping_add(left_ns - 1), Ordering::Release);
        }
        self.is_noting.store(false, Ordering::Release);
    }

    fn compare(&self, cycles: u64, now_ns: u64) {
        let passed_ns = now_ns.wrapping_sub(self.now_ns.load(Ordering::Relaxed));
        // A shorter time is too short to compare. If the clock was set back, `passed_ns` wraps and
        // exceeds every count.
        if passed_ns >= LITTLE_NS {
            let counted = cycles.wrapping_sub(self.cycles.load(Ordering::Relaxed));
            self.is_slow.store(counted < passed_ns, Ordering::Relaxed);
            self.cycles.store(cycles, Ordering::Relaxed);
            self.now_ns.store(now_ns, Ordering::Relaxed);
        }
    }
}

/// Without 64-bit atomics, nothing is cached, and the clock is read each time.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug)]
pub(super) struct TickCache;

#[cfg(not(target_has_atomic = "64"))]
impl TickCache {
    pub(super) fn new(_tick_ns: u64, _has_coarse: bool, _clock: &impl Clock) -> Self {
        TickCache
    }

    pub(super) fn is_worth_it(&self) -> bool {
        false
    }

    pub(super) fn read(&self, _clock: &impl Clock) -> Result<u64, Option<u64>> {
        Err(None)
    }

    pub(super) fn noted_base(&self, _clock: &impl Clock) -> Option<u64> {
        None
    }

    pub(super) fn note(&self, _cycles: u64, _now_ns: u64, _tick: u64, _base: u64, _ticks: &Ticks) {}
}
