//! A clock that jumps.

use saiban::ManualClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

const HOUR_MS: i64 = 3_600_000;

/// What happened to a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jumps {
    /// It stepped back, by a step or by up to hours.
    pub back: u64,
    /// It jumped ahead by hours.
    pub ahead: u64,
    /// It stood still where it should have gone on.
    pub frozen: u64,
}

/// A clock that goes on by a few steps whenever it is asked to, on the whole; at times it stands still, steps back, or jumps ahead.
#[derive(Debug)]
pub struct JumpingClock {
    /// What the generators see.
    pub clock: Arc<ManualClock>,
    step_ms: i64,
    /// The latest time it has shown.
    reached_ms: AtomicI64,
    /// It jumps unasked in one turn of so many.
    calm: AtomicU32,
    back: AtomicU64,
    ahead: AtomicU64,
    frozen: AtomicU64,
}

impl JumpingClock {
    /// A clock that shows this time and goes on by steps of this length.
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

    /// Lets time pass, or not yet: often for a while, so that few IDs have the same tick, and then so rarely that ticks are used
    /// up.
    ///
    /// # Errors
    /// As [`JumpingClock::jump`].
    pub fn may_jump(&self, dice: &mut fastrand::Rng) -> Result<(), saiban::Error> {
        if dice.u32(0..self.calm.load(Ordering::Relaxed)) == 0 { self.jump(dice) } else { Ok(()) }
    }

    /// Lets time pass, in one way or another.
    ///
    /// # Errors
    /// `ClockUnavailable` when it has come further than any clock can.
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

    /// Goes behind the latest time it has shown, until it jumps again: by a step or two, which a time service does, or by up to
    /// hours, which people do.
    ///
    /// # Errors
    /// As [`JumpingClock::jump`].
    pub fn step_back(&self, dice: &mut fastrand::Rng) -> Result<(), saiban::Error> {
        let back_ms = match dice.u32(0..10) {
            0..6 => dice.i64(1..=2) * self.step_ms,
            // Where it never was nothing can repeat, and in most of the last hours it never was: short ways are as likely as long.
            _ => {
                let most_ms = self.step_ms << dice.u32(0..23);
                dice.i64(1..=most_ms.min(2 * HOUR_MS))
            }
        };
        self.set_back(self.reached_ms.load(Ordering::Relaxed) - back_ms)
    }

    /// Goes back to this time, until it jumps again.
    ///
    /// # Errors
    /// As [`JumpingClock::jump`].
    pub fn set_back(&self, now_ms: i64) -> Result<(), saiban::Error> {
        self.back.fetch_add(1, Ordering::Relaxed);
        self.clock.set(now_ms)
    }

    /// What happened so far.
    #[must_use]
    pub fn jumps(&self) -> Jumps {
        let [back, ahead, frozen] = [&self.back, &self.ahead, &self.frozen].map(|count| count.load(Ordering::Relaxed));
        Jumps { back, ahead, frozen }
    }
}
