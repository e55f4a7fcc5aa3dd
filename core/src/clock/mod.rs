//! What time it is, and how to wait.
//!
//! Generators read time through [`Clock`] only. [`SystemClock`] is the one door to the operating system's time,
//! [`ManualClock`] stands still until it is told otherwise, and any program may bring its own.

#[cfg(feature = "std")]
mod any;
#[cfg(target_has_atomic = "64")]
mod manual;
mod system;

#[cfg(feature = "std")]
pub use any::AnyClock;
#[cfg(target_has_atomic = "64")]
pub use manual::ManualClock;
pub use system::SystemClock;

use crate::error::Error;
use core::time::Duration;

/// A clock: nanoseconds since the Unix epoch, which may stand still or step back at any moment.
///
/// No ID is ever repeated for what a clock does; a clock that steps back costs waiting only.
///
/// ```
/// use saiban::{Clock, Error};
/// /// Milliseconds from a timer of the board, set once from a real-time clock.
/// struct Board { start_ms: u64, timer_ms: fn() -> u64 }
/// impl Clock for Board {
///     fn now_ns(&self) -> Result<u64, Error> {
///         Ok((self.start_ms + (self.timer_ms)()) * 1_000_000)
///     }
/// }
/// ```
pub trait Clock {
    /// The time, nanoseconds since 1970-01-01T00:00:00Z without leap seconds; lasts until 2554-07-21.
    ///
    /// # Errors
    /// `ClockUnavailable` when the clock cannot be read or its time is outside that range.
    fn now_ns(&self) -> Result<u64, Error>;

    /// A time that is at most some milliseconds behind [`now_ns`](Clock::now_ns), and costs less to read: all that a scheme needs whose ticks are
    /// seconds. `None`, as by default, where there is none, or it cannot be read.
    fn coarse_ns(&self) -> Option<u64> {
        None
    }

    /// A count that goes on by at least one each nanosecond, from wherever it began, and costs a fraction of [`now_ns`](Clock::now_ns) to read: where it has gone on by less
    /// than `n` since the time was read, less than `n` nanoseconds have gone by. `None`, as by default, where there is none; who has one always has.
    ///
    /// A clock that is set need not show it here: it is noticed when the time is read next, a millisecond later at most.
    fn cycles(&self) -> Option<u64> {
        None
    }

    /// Waits this long and answers `true`, or answers `false` at once when this clock never waits, as by default.
    fn wait(&self, duration: Duration) -> bool {
        let _ = duration;
        false
    }

    /// Whether this clock shows the real time of the process, so that generators with the same node must share one
    /// cursor. `false` by default: who brings a clock may replay its time.
    fn is_process_time(&self) -> bool {
        false
    }

    /// The time since the machine was started, nanoseconds, running on while it sleeps: nobody sets it, so it tells whether
    /// the time of [`now_ns`](Clock::now_ns) went by or was set. `None`, as by default, where there is none.
    fn since_boot_ns(&self) -> Option<u64> {
        None
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now_ns(&self) -> Result<u64, Error> {
        (**self).now_ns()
    }

    fn coarse_ns(&self) -> Option<u64> {
        (**self).coarse_ns()
    }

    #[inline]
    fn cycles(&self) -> Option<u64> {
        (**self).cycles()
    }

    fn wait(&self, duration: Duration) -> bool {
        (**self).wait(duration)
    }

    fn is_process_time(&self) -> bool {
        (**self).is_process_time()
    }

    fn since_boot_ns(&self) -> Option<u64> {
        (**self).since_boot_ns()
    }
}

#[cfg(feature = "std")]
impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now_ns(&self) -> Result<u64, Error> {
        (**self).now_ns()
    }

    fn coarse_ns(&self) -> Option<u64> {
        (**self).coarse_ns()
    }

    #[inline]
    fn cycles(&self) -> Option<u64> {
        (**self).cycles()
    }

    fn wait(&self, duration: Duration) -> bool {
        (**self).wait(duration)
    }

    fn is_process_time(&self) -> bool {
        (**self).is_process_time()
    }

    fn since_boot_ns(&self) -> Option<u64> {
        (**self).since_boot_ns()
    }
}
