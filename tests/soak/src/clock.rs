//! A clock that jumps.

use saiban::ManualClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

const HOUR_MS: i64 = 3_600_000;

/// What happened to a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jumps {
    /// It stepped back, by a tick or by hours.
    pub back: u64,
    /// It jumped ahead by hours.
    pub ahead: u64,
    /// It stood still where it should have gone on.
    pub frozen: u64,
}

/// A clock that goes on by a few ticks whenever it is asked to, on the whole; at times it stands still, steps back, or jumps ahead.
#[derive(Debug)]
pub struct JumpingClock {
    /// What the generators see.
    pub clock: Arc<ManualClock>,
    tick_ms: i64,
    /// The latest time it has shown.
    reached_ms: AtomicI64,
    /// It jumps unasked in one turn of so many.
    calm: AtomicU32,
    back: AtomicU64,
    ahead: AtomicU64,
    frozen: AtomicU64,
}

impl JumpingClock {
    /// A clock that shows this time, for generators with ticks of this length.
    ///
    /// # Errors
    /// `ClockUnavailable` for a time that no clock can show.
    pub fn new(now_ms: i64, tick_ms: i64) -> Result<Self, saiban::Error> {
        Ok(JumpingClock {
            clock: Arc::new(ManualClock::new(now_ms)?),
            tick_ms,
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
        let on = |ms: i64| self.reached_ms.fetch_add(ms, Ordering::Relaxed) + ms;
        let (count, now_ms) = match dice.u32(0..1000) {
            0..100 => {
                self.frozen.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            // By a tick or two, which a time service does, and by hours, which people do.
            100..160 => (Some(&self.back), on(0) - dice.i64(1..=2) * self.tick_ms),
            160..200 => (Some(&self.back), on(0) - dice.i64(1..=2 * HOUR_MS)),
            200..202 => (Some(&self.ahead), on(dice.i64(HOUR_MS..=6 * HOUR_MS))),
            _ => (None, on(dice.i64(0..=3) * self.tick_ms)),
        };
        if let Some(count) = count {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.clock.set(now_ms)
    }

    /// What happened so far.
    #[must_use]
    pub fn jumps(&self) -> Jumps {
        let [back, ahead, frozen] = [&self.back, &self.ahead, &self.frozen].map(|count| count.load(Ordering::Relaxed));
        Jumps { back, ahead, frozen }
    }
}
