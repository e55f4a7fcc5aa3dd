//! Clocks. `generator.rs` waits, after it has released the GIL.

use crate::arguments::{int, wrong_type};
use crate::error::{Result, guard};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use saiban::AnyClock;
use std::sync::Arc;

/// A clock for tests: its time changes only by set and advance, in either direction, and it never
/// waits.
///
/// Times are Unix milliseconds, 0 to 18446744073709. The generator sees later changes. Where its
/// next ID needs a wait, `generate` raises WouldWaitError.
///
/// Raises ClockUnavailableError for a time that no clock can show.
///
/// >>> import saiban
/// >>> clock = saiban.ManualClock(1_704_067_200_000)
/// >>> saiban.Snowflake(node=7, clock=clock).generate()
/// 1741610183685074944
#[pyclass(frozen, module = "saiban")]
pub struct ManualClock(Arc<saiban::ManualClock>);

#[pymethods]
impl ManualClock {
    #[new]
    fn new(timestamp_ms: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(ManualClock(Arc::new(saiban::ManualClock::new(int("timestamp_ms", timestamp_ms)?)?))))
    }

    /// Shows this time from now on, Unix milliseconds.
    ///
    /// Raises ClockUnavailableError for a time that no clock can show; the old one stays.
    fn set(&self, timestamp_ms: &Bound<'_, PyAny>) -> Result<()> {
        guard(|| Ok(self.0.set(int("timestamp_ms", timestamp_ms)?)?))
    }

    /// Moves the time by this many milliseconds, backwards if negative.
    ///
    /// Raises ClockUnavailableError for a time that no clock can show; the old one stays.
    fn advance(&self, delta_ms: &Bound<'_, PyAny>) -> Result<()> {
        guard(|| Ok(self.0.advance(int("delta_ms", delta_ms)?)?))
    }

    /// The time it shows, Unix milliseconds.
    fn now_ms(&self) -> i64 {
        self.0.now_ms()
    }

    fn __repr__(&self) -> String {
        format!("saiban.ManualClock({})", self.0.now_ms())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a ManualClock cannot be pickled or copied: generators would not see the copy's time; make a new one",
        ))
    }
}

/// Returns the clock of an argument; `None` is the system's clock.
pub fn clock(value: Option<&Bound<'_, PyAny>>) -> Result<AnyClock> {
    let Some(value) = value else { return Ok(AnyClock::System) };
    match value.cast::<ManualClock>() {
        Ok(clock) => Ok(AnyClock::Manual(Arc::clone(&clock.get().0))),
        Err(_) => Err(wrong_type("clock", "a saiban.ManualClock or None", value)),
    }
}
