//! The manual clock.

use crate::ffi::{Nothing, Out, ffi};
use std::sync::Arc;

/// A clock for tests: its time changes only by set and advance, in either direction, and it never
/// waits. Generators made with it see every later change, also from other threads.
pub struct ManualClock {
    shared: Arc<saiban::ManualClock>,
}

impl ManualClock {
    pub(crate) fn share(&self) -> saiban::AnyClock {
        saiban::AnyClock::Manual(Arc::clone(&self.shared))
    }
}

ffi! {
    /// Makes a clock that shows this time, Unix milliseconds (0 to 18446744073709). Give it back
    /// with saiban_manual_clock_free.
    ///
    /// Errors: CLOCK_UNAVAILABLE when no clock can show the time.
    fn saiban_manual_clock_new(timestamp_ms: i64, clock: Out<*mut ManualClock>) {
        clock.give(ManualClock { shared: Arc::new(saiban::ManualClock::new(timestamp_ms)?) });
    }

    /// Shows this time from now on, Unix milliseconds.
    ///
    /// Errors: CLOCK_UNAVAILABLE when no clock can show the time; the old one stays.
    fn saiban_manual_clock_set(clock: &ManualClock, timestamp_ms: i64) {
        clock.shared.set(timestamp_ms)?;
    }

    /// Moves the time by this many milliseconds, backwards if negative.
    ///
    /// Errors: CLOCK_UNAVAILABLE when no clock can show the time; the old one stays.
    fn saiban_manual_clock_advance(clock: &ManualClock, delta_ms: i64) {
        clock.shared.advance(delta_ms)?;
    }

    /// Reads the time that the clock shows, Unix milliseconds.
    fn saiban_manual_clock_now_ms(clock: &ManualClock, timestamp_ms: Out<i64>) {
        timestamp_ms.set(clock.shared.now_ms());
    }

    /// Frees the clock. Generators made with it keep its time, which then never changes. NULL is
    /// allowed.
    fn saiban_manual_clock_free(clock: Option<Box<ManualClock>>) -> Nothing {
        drop(clock);
        Nothing
    }
}
