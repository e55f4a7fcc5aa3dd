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
const NOTHING: u64 = u64::MAX;

#[cfg(target_has_atomic = "64")]
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// How long a tick is noted for, at most; 0 where none is.
    most_ns: u64,
    /// The last count at which the tick cannot be over.
    last: AtomicU64,
    tick: AtomicU64,
    /// The position of its second ID, for who has one cursor.
    second: AtomicU64,
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
        let mut seen = Seen { last: AtomicU64::new(NOTHING), ..Seen::default() };
        if is_worth_it {
            seen.most_ns = tick_ns.min(LONGEST_NS);
            // So that the first reading has something to be compared with.
            seen.cycles = AtomicU64::new(clock.cycles().unwrap_or(0));
            seen.now_ns = AtomicU64::new(clock.now_ns().unwrap_or(0));
        }
        seen
    }

    /// Whether ticks are noted.
    pub(super) fn is_worth_it(&self) -> bool {
        self.most_ns > 0
    }

    /// The tick that the clock shows, if it is known; else what the clock counts, where ticks are noted.
    #[inline]
    pub(super) fn look(&self, clock: &impl Clock) -> Result<u64, Option<u64>> {
        if !self.is_worth_it() {
            return Err(None);
        }
        let Some(cycles) = clock.cycles() else { return Err(None) };
        if self.is_noted(cycles) { Ok(self.tick.load(Ordering::Relaxed)) } else { Err(Some(cycles)) }
    }

    /// The position of the second ID of the tick that the clock shows, where ticks are noted and it is known.
    #[inline]
    pub(super) fn noted_second(&self, clock: &impl Clock) -> Option<u64> {
        let cycles = clock.cycles()?;
        self.is_noted(cycles).then(|| self.second.load(Ordering::Relaxed))
    }

    /// Whether the tick is known at this count. It is to be asked before the tick is loaded: one that is noted meanwhile is one that the clock showed meanwhile.
    #[inline]
    fn is_noted(&self, cycles: u64) -> bool {
        let left = self.last.load(Ordering::Acquire).wrapping_sub(cycles);
        // A count that went back by more than this is no time to go by: another machine's, or a clock's that was set.
        left < LONGEST_NS
    }

    /// Notes the tick of a time that was read after this count.
    #[inline]
    pub(super) fn note(&self, cycles: u64, now_ns: u64, tick: u64, second: u64, ticks: &Ticks) {
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
            self.last.store(NOTHING, Ordering::Relaxed);
        } else {
            self.tick.store(tick, Ordering::Relaxed);
            self.second.store(second, Ordering::Relaxed);
            self.last.store(cycles.wrapping_add(left_ns - 1), Ordering::Release);
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

    pub(super) fn is_worth_it(&self) -> bool {
        false
    }

    pub(super) fn look(&self, _clock: &impl Clock) -> Result<u64, Option<u64>> {
        Err(None)
    }

    pub(super) fn noted_second(&self, _clock: &impl Clock) -> Option<u64> {
        None
    }

    pub(super) fn note(&self, _cycles: u64, _now_ns: u64, _tick: u64, _second: u64, _ticks: &Ticks) {}
}
