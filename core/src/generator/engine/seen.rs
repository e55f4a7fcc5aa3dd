//! The tick that the clock showed last, for as long as it cannot be over: a count of the processor's is read in a third of the time.
//!
//! Who reads the clock notes the tick, and the count at which it may be over: [`Clock::cycles`] goes on by at least one each nanosecond, so as many
//! counts later as the tick has nanoseconds left. Most are faster, and then the clock is read some times a tick, each time for what is left of it. A
//! tick is never taken for longer than it lasts, so that no ID shows an older time than the clock did; and for no longer than a millisecond, so that a clock
//! which is set is noticed as soon.

use super::ticks::Ticks;
use crate::clock::Clock;
#[cfg(target_has_atomic = "64")]
use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// The shortest tick that is worth it.
#[cfg(target_has_atomic = "64")]
const SHORTEST_NS: u64 = 100_000;

/// The longest time for which the clock is not read.
#[cfg(target_has_atomic = "64")]
const LONGEST_NS: u64 = 1_000_000;

/// What is left of a tick where it is not worth it, and how long it takes to tell how fast a counter is.
#[cfg(target_has_atomic = "64")]
const LITTLE_NS: u64 = 1_000;

/// In place of a count where none stands: no count comes near it from below within 500 years.
#[cfg(target_has_atomic = "64")]
const NOTHING: u64 = 0;

#[cfg(target_has_atomic = "64")]
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// How long a tick is noted for, at most; 0 where none is.
    most_ns: u64,
    /// The count at which the tick may be over.
    until: AtomicU64,
    tick: AtomicU64,
    /// What was compared last: a count, and the time after it.
    cycles: AtomicU64,
    now_ns: AtomicU64,
    /// Whether the time went on by more than the count since the comparison before: the clock was set, or the counter is slower than it should be.
    is_slow: AtomicBool,
    /// Whether a thread is noting one. In a copy made by fork meanwhile it stays so, and there the clock is read each time.
    is_noting: AtomicBool,
}

#[cfg(target_has_atomic = "64")]
impl Seen {
    /// For ticks of this length. Where a coarse clock tells them none is noted: that costs less still.
    pub(super) fn new(tick_ns: u64, has_coarse: bool, clock: &impl Clock) -> Self {
        let is_worth_it = tick_ns >= SHORTEST_NS && !has_coarse && clock.cycles().is_some();
        let mut seen = Seen::default();
        if is_worth_it {
            seen.most_ns = tick_ns.min(LONGEST_NS);
            // So that the first reading has something to be compared with.
            seen.cycles = AtomicU64::new(clock.cycles().unwrap_or(0));
            seen.now_ns = AtomicU64::new(clock.now_ns().unwrap_or(0));
        }
        seen
    }

    /// The tick that the clock shows, if it is known; else what the clock counts, where ticks are noted.
    #[inline]
    pub(super) fn look(&self, clock: &impl Clock) -> Result<u64, Option<u64>> {
        let most_ns = self.most_ns;
        if most_ns == 0 {
            return Err(None);
        }
        let Some(cycles) = clock.cycles() else { return Err(None) };
        // Before the tick: one that is noted after this count is one that the clock shows meanwhile.
        let until = self.until.load(Ordering::Acquire);
        let tick = self.tick.load(Ordering::Relaxed);
        // A count that went back by more than this is no time to go by: another machine's, or a clock's that was set.
        let is_within = until.wrapping_sub(cycles).wrapping_sub(1) < most_ns;
        if is_within { Ok(tick) } else { Err(Some(cycles)) }
    }

    /// Notes the tick of a time that was read after this count.
    #[inline]
    pub(super) fn note(&self, cycles: u64, now_ns: u64, tick: u64, ticks: &Ticks) {
        let left_ns = ticks.left_ns(now_ns, tick).min(self.most_ns);
        if left_ns < LITTLE_NS {
            return;
        }
        // One at a time: who comes meanwhile has nothing better to note.
        if self.is_noting.swap(true, Ordering::Acquire) {
            return;
        }
        self.compare(cycles, now_ns);
        if self.is_slow.load(Ordering::Relaxed) {
            self.until.store(NOTHING, Ordering::Relaxed);
        } else {
            self.tick.store(tick, Ordering::Relaxed);
            self.until.store(cycles.wrapping_add(left_ns), Ordering::Release);
        }
        self.is_noting.store(false, Ordering::Release);
    }

    fn compare(&self, cycles: u64, now_ns: u64) {
        let passed_ns = now_ns.wrapping_sub(self.now_ns.load(Ordering::Relaxed));
        // Of less time nothing can be told. A clock that was set back passes by more than any count.
        if passed_ns >= LITTLE_NS {
            let counted = cycles.wrapping_sub(self.cycles.load(Ordering::Relaxed));
            self.is_slow.store(counted < passed_ns, Ordering::Relaxed);
            self.cycles.store(cycles, Ordering::Relaxed);
            self.now_ns.store(now_ns, Ordering::Relaxed);
        }
    }
}

/// Without atomic words of 64 bits nothing is noted, and the clock is read each time.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug)]
pub(super) struct Seen;

#[cfg(not(target_has_atomic = "64"))]
impl Seen {
    pub(super) fn new(_tick_ns: u64, _has_coarse: bool, _clock: &impl Clock) -> Self {
        Seen
    }

    pub(super) fn look(&self, _clock: &impl Clock) -> Result<u64, Option<u64>> {
        Err(None)
    }

    pub(super) fn note(&self, _cycles: u64, _now_ns: u64, _tick: u64, _ticks: &Ticks) {}
}
