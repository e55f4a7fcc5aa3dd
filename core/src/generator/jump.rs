//! A clock that jumps ahead is refused: an ID from the far future would hold its node until then.
//!
//! The clock is compared with the time since boot, which nobody sets, but only where it has come further than the longest
//! jump allowed since the last comparison: for each ID that is one load.

use crate::clock::Clock;
use crate::error::Error;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(super) struct JumpGuard {
    max_jump_ns: u64,
    /// The time before which nothing is issued, and nothing compared: a machine without a battery for its clock begins in 1970, and is
    /// set right.
    epoch_ns: u64,
    /// What the clock may show without a comparison; 0 before the first.
    unchecked_until_ns: AtomicU64,
    /// How far the clock was ahead of the time since boot at the last comparison.
    ahead_ns: AtomicU64,
}

#[cfg(target_has_atomic = "64")]
impl JumpGuard {
    pub(super) fn new(clock: &impl Clock, epoch_ns: u64, max_jump_ns: u64) -> Self {
        let (unchecked_until_ns, ahead_ns) = (AtomicU64::new(0), AtomicU64::new(0));
        let guard = JumpGuard { max_jump_ns, epoch_ns, unchecked_until_ns, ahead_ns };
        if clock.since_boot_ns().is_none() {
            guard.unchecked_until_ns.store(u64::MAX, Ordering::Relaxed);
        } else if let Ok(now_ns) = clock.now_ns() {
            // From here on a jump is noticed. There is nothing to compare with yet, so that nothing can be refused.
            let _ = guard.compare(now_ns, clock);
        }
        guard
    }

    /// Whether the clock shows nothing that is to be compared.
    #[inline]
    pub(super) fn is_passed(&self, now_ns: u64) -> bool {
        now_ns < self.unchecked_until_ns.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn check(&self, now_ns: u64, clock: &impl Clock) -> Result<(), Error> {
        if self.is_passed(now_ns) { Ok(()) } else { self.compare(now_ns, clock) }
    }

    #[cold]
    fn compare(&self, now_ns: u64, clock: &impl Clock) -> Result<(), Error> {
        if now_ns < self.epoch_ns {
            return Ok(());
        }
        // Read after the clock here, and before it below: a pause in between makes a jump look smaller, never larger.
        let Some(boot_ns) = clock.since_boot_ns() else {
            return Ok(());
        };
        let later_ns = clock.now_ns()?;
        // Pairs with the release below: who sees that there was a comparison sees what came of it.
        if self.unchecked_until_ns.load(Ordering::Acquire) > 0 {
            // What a clock shows that nobody set: a time, so that no jump is too long to be told.
            let unset_ns = self.ahead_ns.load(Ordering::Relaxed).wrapping_add(boot_ns);
            let jump_ns = now_ns.saturating_sub(unset_ns);
            if jump_ns > self.max_jump_ns {
                return Err(Error::ClockJumped { ahead_ns: jump_ns, max_jump_ns: self.max_jump_ns });
            }
        }
        // A jump between the two readings is left for the next comparison, which must not begin from it.
        if later_ns.saturating_sub(now_ns) <= self.max_jump_ns {
            self.ahead_ns.store(later_ns.wrapping_sub(boot_ns), Ordering::Relaxed);
            self.unchecked_until_ns.store(now_ns.saturating_add(self.max_jump_ns).max(1), Ordering::Release);
        }
        Ok(())
    }
}

#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug)]
pub(super) struct JumpGuard;

#[cfg(not(target_has_atomic = "64"))]
impl JumpGuard {
    pub(super) fn new(_clock: &impl Clock, _epoch_ns: u64, _max_jump_ns: u64) -> Self {
        JumpGuard
    }

    pub(super) fn is_passed(&self, _now_ns: u64) -> bool {
        true
    }

    pub(super) fn check(&self, _now_ns: u64, _clock: &impl Clock) -> Result<(), Error> {
        Ok(())
    }
}
