//! A clock for tests.

use super::Clock;
use crate::error::Error;
use core::sync::atomic::{AtomicU64, Ordering};

const NS_PER_MS: u64 = 1_000_000;

/// A clock that stands still until it is set or advanced, in either direction, and never waits.
///
/// Give generators a reference (or an `Arc`), so that they see later changes. Where the next ID needs a wait,
/// `generate` answers `WouldWait`.
///
/// ```
/// use saiban::{Generator, Layout, ManualClock, Options, Snowflake};
/// let clock = ManualClock::new(1_704_067_200_000)?;
/// let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &Options::node(7), &clock)?;
/// assert_eq!(ids.generate()?, 1_741_610_183_685_074_944);
/// clock.advance(1)?;
/// assert_eq!(ids.inspect(ids.generate()?)?.timestamp_ms, Some(1_704_067_200_001));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock that shows this time, Unix milliseconds, 0 to 18446744073709.
    ///
    /// # Errors
    /// `ClockUnavailable` when no clock can show the time.
    pub fn new(timestamp_ms: i64) -> Result<Self, Error> {
        Ok(ManualClock(AtomicU64::new(to_ns(timestamp_ms)?)))
    }

    /// The time it shows, Unix milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        (self.0.load(Ordering::Relaxed) / NS_PER_MS) as i64
    }

    /// Shows this time from now on, Unix milliseconds.
    ///
    /// # Errors
    /// `ClockUnavailable` when no clock can show the time; the old one stays.
    pub fn set(&self, timestamp_ms: i64) -> Result<(), Error> {
        self.0.store(to_ns(timestamp_ms)?, Ordering::Relaxed);
        Ok(())
    }

    /// Shows this time from now on, nanoseconds since the Unix epoch.
    pub fn set_ns(&self, now_ns: u64) {
        self.0.store(now_ns, Ordering::Relaxed);
    }

    /// Moves the time by so many milliseconds, backwards when negative.
    ///
    /// # Errors
    /// `ClockUnavailable` when no clock can show the time; the old one stays.
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

    /// The time itself: who sets it sets this.
    #[inline]
    fn cycles(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed))
    }
}
