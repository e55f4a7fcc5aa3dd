//! Rejects a clock that jumps ahead: an ID from the far future would block its node until that
//! time.
//!
//! The guard compares the clock with the time since boot, which cannot be set. It does so only
//! after the clock has advanced by `max_jump` since the last comparison, so the guard costs most
//! IDs one load.

use crate::clock::Clock;
use crate::error::Error;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(super) struct JumpGuard {
    max_jump_ns: u64,
    /// The layout's epoch. Before it, no ID is issued and no comparison made: a machine without a
    /// battery for its clock starts in 1970, until the clock is set.
    epoch_ns: u64,
    /// The clock's time at which the next comparison is due; 0 before the first comparison.
    unchecked_until_ns: AtomicU64,
    /// The difference between the clock and the time since boot at the last comparison.
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
            // Detects jumps from here on. This first comparison has no reference and cannot fail.
            let _ = guard.compare(now_ns, clock);
        }
        guard
    }

    /// Whether no comparison is due at this time.
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
        // The boot time is read after `now_ns` and before `later_ns`. A pause between two readings
        // thus makes a jump look smaller, never larger.
        let Some(boot_ns) = clock.since_boot_ns() else {
            return Ok(());
        };
        let later_ns = clock.now_ns()?;
        // Pairs with the release below: a thread that reads a nonzero value also reads the
        // `ahead_ns` stored before it.
        if self.unchecked_until_ns.load(Ordering::Acquire) > 0 {
            // The time that the clock would show if it had not been set. Because it is a time,
            // jumps of any length are detected.
            let unset_ns = self.ahead_ns.load(Ordering::Relaxed).wrapping_add(boot_ns);
            let jump_ns = now_ns.saturating_sub(unset_ns);
            if jump_ns > self.max_jump_ns {
                return Err(Error::ClockJumped { ahead_ns: jump_ns, max_jump_ns: self.max_jump_ns });
            }
        }
        // The reference must not include a jump between the two readings; the next comparison
        // detects it.
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
