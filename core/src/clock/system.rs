//! The one door to the operating system's time.

#[cfg(feature = "std")]
use super::Clock;
#[cfg(feature = "std")]
use crate::error::Error;

/// The operating system's real-time clock. It needs the feature `std`; without it the type has no time to tell.
///
/// It may step back, as the system's clock may. Waiting sleeps, and yields through the last part, where sleep is too coarse.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(feature = "std")]
mod real {
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    /// What a sleep may oversleep by on an idle machine; the rest of a wait is yielded away.
    const OVERSLEEP: Duration = Duration::from_micros(150);

    pub(super) fn now_ns() -> Option<u64> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        u64::try_from(since.as_nanos()).ok()
    }

    pub(super) fn wait(duration: Duration) {
        let begun = Instant::now();
        if let Some(sleep) = duration.checked_sub(OVERSLEEP) {
            std::thread::sleep(sleep);
        }
        while begun.elapsed() < duration {
            std::thread::yield_now();
        }
    }
}

#[cfg(feature = "std")]
impl Clock for SystemClock {
    fn now_ns(&self) -> Result<u64, Error> {
        real::now_ns().ok_or(Error::ClockUnavailable)
    }

    fn wait(&self, duration: core::time::Duration) -> bool {
        real::wait(duration);
        true
    }

    fn is_process_time(&self) -> bool {
        true
    }
}
