//! A clock for tests.

use super::Clock;
use crate::error::Error;
use core::sync::atomic::{AtomicU64, Ordering};

const NS_PER_MS: u64 = 1_000_000;

/// A clock that stands still until it is set or advanced, in either direction, and never waits.
///
/// Give generators a reference to it, or an `Arc`, so that they see later changes. If the next ID
/// needs a wait, `generate` returns `WouldWait`.
///
/// ```
/// use saiban::{Generator, Layout, ManualClock, Options, SnowflakeGenerator};
/// let clock = ManualClock::new(1_704_067_200_000)?;
/// let ids: SnowflakeGenerator<_> = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(7), &clock)?;
/// assert_eq!(ids.generate()?, 1_741_610_183_685_074_944);
/// clock.advance(1)?;
/// assert_eq!(ids.inspect(ids.generate()?)?.timestamp_ms, Some(1_704_067_200_001));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Creates a clock that shows this time, in Unix milliseconds: 0 to 18446744073709.
    ///
    /// # Errors
    /// `ClockUnavailable` if the time is outside that range.
    pub fn new(timestamp_ms: i64) -> Result<Self, Error> {
        Ok(ManualClock(AtomicU64::new(to_ns(timestamp_ms)?)))
    }

    /// Returns the time that it shows, in Unix milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        (self.0.load(Ordering::Relaxed) / NS_PER_MS) as i64
    }

    /// Sets the time, in Unix milliseconds.
    ///
    /// # Errors
    /// `ClockUnavailable` if the time is outside the range of [`new`](Self::new). The clock then
    /// keeps its time.
    pub fn set(&self, timestamp_ms: i64) -> Result<(), Error> {
        self.0.store(to_ns(timestamp_ms)?, Ordering::Relaxed);
        Ok(())
    }

    /// Sets the time, in nanoseconds since the Unix epoch.
    pub fn set_ns(&self, now_ns: u64) {
        self.0.store(now_ns, Ordering::Relaxed);
    }

    /// Moves the time by this many milliseconds, backwards if negative.
    ///
    /// # Errors
    /// `ClockUnavailable` if the new time is outside the range of [`new`](Self::new). The clock
    /// then keeps its time.
    pub fn advance(&self, delta_ms: i64) -> Result<(), Error> {
        let delta_ns = i128::from(delta_ms) * i128::from(NS_PER_MS);
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now_ns| {
                u64::try_from(i128::from(now_ns) + delta_ns).ok()
            })
            .map(|_| ())
            .map_err(|now_ns| Error::ClockOutOfRange {
                timestamp_ms: ((now_ns / NS_PER_MS) as i64).saturating_add(delta_ms),
            })
    }
}

fn to_ns(timestamp_ms: i64) -> Result<u64, Error> {
    u64::try_from(timestamp_ms)
        .ok()
        .and_then(|ms| ms.checked_mul(NS_PER_MS))
        .ok_or(Error::ClockOutOfRange { timestamp_ms })
}

impl Clock for ManualClock {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.0.load(Ordering::Relaxed))
    }

    /// Returns the time itself, so setting the clock sets this counter, too.
    #[inline]
    fn cycles(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed))
    }
}
