//! The manual clock, for tests.

use crate::error::{SaibanError, guard};
use saiban::AnyClock;
use std::sync::Arc;

/// A clock that stands still until it is set or advanced, in either direction, and never waits.
///
/// Generators that were given it see every change. Where the next ID needs a wait, `generate` fails
/// with `WouldWait`.
///
/// ```kotlin
/// val clock = ManualClock(1_704_067_200_000)
/// val ids = SnowflakeGenerator(node = 7, clock = clock)
/// ids.generate()                              // 1741610183685074944
/// clock.advance(1)
/// ```
/// ```swift
/// let clock = try ManualClock(timestampMs: 1_704_067_200_000)
/// let ids = try SnowflakeGenerator(node: 7, clock: clock)
/// try ids.generate()                          // 1741610183685074944
/// try clock.advance(deltaMs: 1)
/// ```
#[derive(Debug, uniffi::Object)]
pub struct ManualClock(Arc<saiban::ManualClock>);

#[uniffi::export]
impl ManualClock {
    /// A clock that shows this time, Unix milliseconds, 0 to 18446744073709.
    ///
    /// Errors: `ClockUnavailable` when no clock can show the time.
    #[uniffi::constructor]
    pub fn new(timestamp_ms: i64) -> Result<Self, SaibanError> {
        guard(|| Ok(ManualClock(Arc::new(saiban::ManualClock::new(timestamp_ms)?))))
    }

    /// The time it shows, Unix milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.0.now_ms()
    }

    /// Shows this time from now on, Unix milliseconds.
    ///
    /// Errors: `ClockUnavailable` when no clock can show the time; the old one stays.
    pub fn set(&self, timestamp_ms: i64) -> Result<(), SaibanError> {
        guard(|| Ok(self.0.set(timestamp_ms)?))
    }

    /// Moves the time by this many milliseconds, backwards if negative.
    ///
    /// Errors: `ClockUnavailable` when no clock can show the time; the old one stays.
    pub fn advance(&self, delta_ms: i64) -> Result<(), SaibanError> {
        guard(|| Ok(self.0.advance(delta_ms)?))
    }
}

impl ManualClock {
    pub(crate) fn to_any(&self) -> AnyClock {
        AnyClock::Manual(Arc::clone(&self.0))
    }
}
