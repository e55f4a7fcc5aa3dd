//! Clocks: reading the time, and waiting.
//!
//! Generators read the time only through [`Clock`]. [`SystemClock`] is the one interface to the
//! operating system's time; `TickingClock` is the same with a cheaper counter, which a thread
//! advances. [`ManualClock`] stands still until it is set. A program may implement a clock of its
//! own.

#[cfg(feature = "std")]
mod any;
#[cfg(target_has_atomic = "64")]
mod manual;
mod system;
#[cfg(all(feature = "std", target_has_atomic = "64"))]
mod ticking;

#[cfg(feature = "std")]
pub use any::AnyClock;
#[cfg(target_has_atomic = "64")]
pub use manual::ManualClock;
pub use system::SystemClock;
#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use ticking::TickingClock;

use crate::error::Error;
use core::time::Duration;

/// A source of time, in nanoseconds since the Unix epoch. It may stand still or step back at any
/// moment.
///
/// Whatever its clock does, a generator never repeats an ID. A step back only makes it wait, or
/// return an error.
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
    /// Returns the time: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds. The range
    /// ends on 2554-07-21.
    ///
    /// # Errors
    /// `ClockUnavailable` if the clock cannot be read, or its time is outside that range.
    fn now_ns(&self) -> Result<u64, Error>;

    /// Returns a time that is at most some milliseconds behind [`now_ns`](Clock::now_ns) and
    /// cheaper to read. That suffices for schemes whose ticks are seconds. Returns `None`, the
    /// default, if there is no such time, or it cannot be read.
    fn coarse_ns(&self) -> Option<u64> {
        None
    }

    /// Returns a counter that is much cheaper to read than [`now_ns`](Clock::now_ns). It advances
    /// by at least one per nanosecond, from any start. So if it has advanced by less than `n` since
    /// the time was read, less than `n` nanoseconds have passed. Returns `None`, the default, if
    /// there is no such counter. A clock must always return `Some`, or always `None`.
    ///
    /// The counter need not show that the clock was set. Generators notice that when they next read
    /// the time, a millisecond later at most.
    ///
    /// A counter may lag, as that of `TickingClock` does. Then IDs may show a time that is older by
    /// the lag, and generators read the time later by it. They repeat no ID.
    fn cycles(&self) -> Option<u64> {
        None
    }

    /// Waits for this duration and returns `true`, or returns `false` at once if this clock never
    /// waits, as by default.
    fn wait(&self, duration: Duration) -> bool {
        let _ = duration;
        false
    }

    /// Returns whether this clock shows the real time of the process, so that generators with the
    /// same node must share one cursor. The default is `false`: a clock that a program provides may
    /// replay times.
    fn is_process_time(&self) -> bool {
        false
    }

    /// Returns the time since the machine was started, in nanoseconds, including the time that the
    /// machine slept. Nobody can set this time. So it shows whether the time of
    /// [`now_ns`](Clock::now_ns) passed or was set. Returns `None`, the default, if it is not
    /// available.
    fn since_boot_ns(&self) -> Option<u64> {
        None
    }
}

/// Implements `Clock` for a pointer to a clock.
macro_rules! clock_behind {
    ($pointer:ty) => {
        impl<C: Clock + ?Sized> Clock for $pointer {
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
    };
}

clock_behind!(&C);
#[cfg(feature = "std")]
clock_behind!(std::sync::Arc<C>);
