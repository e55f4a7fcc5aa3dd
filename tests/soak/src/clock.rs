//! A clock that jumps, for soaks.

use saiban::ManualClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

const HOUR_MS: i64 = 3_600_000;

/// The faults of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jumps {
    /// How often the clock stepped back, by a tick or by up to hours.
    pub back: u64,
    /// How often the clock jumped forward by hours.
    pub ahead: u64,
    /// How often the clock stood still when it should have moved.
    pub frozen: u64,
}

/// A clock that moves forward by a few steps whenever a thread calls it. Sometimes it stands still
/// instead, steps back, or jumps forward.
#[derive(Debug)]
pub struct JumpingClock {
    /// The clock of the generators.
    pub clock: Arc<ManualClock>,
    step_ms: i64,
    /// The latest time that the clock has shown.
    reached_ms: AtomicI64,
    /// On average, one of this many calls of `may_jump` moves the clock.
    calm: AtomicU32,
    back: AtomicU64,
    ahead: AtomicU64,
    frozen: AtomicU64,
}

impl JumpingClock {
    /// Returns a clock that shows this time and moves by steps of this length.
    ///
    /// # Errors
    /// `ClockUnavailable` for a time that no clock can show.
    pub fn new(now_ms: i64, step_ms: i64) -> Result<Self, saiban::Error> {
        Ok(JumpingClock {
            clock: Arc::new(ManualClock::new(now_ms)?),
            step_ms,
            reached_ms: AtomicI64::new(now_ms),
            calm: AtomicU32::new(4),
            back: AtomicU64::new(0),
            ahead: AtomicU64::new(0),
            frozen: AtomicU64::new(0),
        })
    }

    /// Lets time pass, or not. Time passes often for a while, so that few IDs have the same tick.
    /// Then it passes so rarely that ticks are used up.
    ///
    /// # Errors
    /// As [`JumpingClock::jump`].
    pub fn may_jump(&self, dice: &mut fastrand::Rng) -> Result<(), saiban::Error> {
        if dice.u32(0..self.calm.load(Ordering::Relaxed)) == 0 { self.jump(dice) } else { Ok(()) }
    }

    /// Lets time pass, in one of several ways.
    ///
    /// # Errors
    /// `ClockUnavailable` beyond the last time that a clock can show.
    pub fn jump(&self, dice: &mut fastrand::Rng) -> Result<(), saiban::Error> {
        if dice.u32(0..20) == 0 {
            self.calm.store(4 << (3 * dice.u32(0..3)), Ordering::Relaxed);
        }
        let on_ms = match dice.u32(0..1000) {
            0..100 => {
                self.frozen.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            100..200 => return self.step_back(dice),
            200..202 => {
                self.ahead.fetch_add(1, Ordering::Relaxed);
                dice.i64(HOUR_MS..=6 * HOUR_MS)
            }
            _ => dice.i64(0..=3) * self.step_ms,
        };
        self.clock.set(self.reached_ms.fetch_add(on_ms, Ordering::Relaxed) + on_ms)
    }

    /// Sets the clock behind the latest time that it has shown, until the next jump. It steps back
    /// by one or two steps, as time services do, or by up to hours, as people do.
    ///
    /// # Errors
    /// As [`JumpingClock::jump`].
    pub fn step_back(&self, dice: &mut fastrand::Rng) -> Result<(), saiban::Error> {
        let back_ms = match dice.u32(0..10) {
            0..6 => dice.i64(1..=2) * self.step_ms,
            // IDs can repeat only at times that the clock has shown, and it skipped most of the
            // last hours. So short distances are as likely as long ones.
            _ => {
                let most_ms = self.step_ms << dice.u32(0..23);
                dice.i64(1..=most_ms.min(2 * HOUR_MS))
            }
        };
        self.set_back(self.reached_ms.load(Ordering::Relaxed) - back_ms)
    }

    /// Sets the clock back to this time, until the next jump.
    ///
    /// # Errors
    /// As [`JumpingClock::jump`].
    pub fn set_back(&self, now_ms: i64) -> Result<(), saiban::Error> {
        self.back.fetch_add(1, Ordering::Relaxed);
        self.clock.set(now_ms)
    }

    /// Returns the faults so far.
    #[must_use]
    pub fn jumps(&self) -> Jumps {
        let [back, ahead, frozen] = [&self.back, &self.ahead, &self.frozen].map(|count| count.load(Ordering::Relaxed));
        Jumps { back, ahead, frozen }
    }
}
