//! Tick IDs: time as text that sorts, oldest or newest first.

use crate::arguments::{Given, Maybe, int, text};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::time::{Moment, moment};
use pyo3::prelude::*;
use pyo3::types::PyString;
use saiban::{AnyClock, Generator as _, PooledEntropy, TickId as CoreTickId, TickOrder};

/// Makes tick IDs, for key-value and table stores that sort by text: 100 ns since 0001-01-01, .NET's ticks, and
/// random digits.
///
/// Ascending IDs are {ticks:019}_{random:04}; descending ones, of which the newest come first,
/// {9223372036854775807 - ticks:019}_{random:03}. Generators of one process and order count together and use no
/// tick twice. Two processes may use the same one, and then only the random digits keep their IDs apart: have the
/// store refuse an ID that is there, and answer with another. IDs tell their time to anyone.
///
/// order: "ascending", the default, or "descending".
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin after it.
/// rollback: what happens when the clock steps back. "hold", the default: goes on up to 1 ms ahead of the
/// clock, then waits; "error": ClockBackwardError at once.
/// clock: a ManualClock, for tests.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default none but for 2 ticks of 100 ns.
///
/// Raises UnknownNameError, InvalidArgumentError, InvalidWindowError, and InvalidLayoutError for the policy
/// "bits".
///
/// >>> import saiban
/// >>> ids = saiban.TickId("descending")
/// >>> older, newer = ids.generate(), ids.generate()
/// >>> newer < older
/// True
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct TickId(Issued<CoreTickId<AnyClock, PooledEntropy>>);

fn order(value: &Bound<'_, PyAny>) -> Result<TickOrder> {
    Ok(TickOrder::from_name(&text("order", value)?)?)
}

#[pymethods]
impl TickId {
    #[new]
    #[pyo3(signature = (order=None, *, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None), text_signature = "(order='ascending', *, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        py: Python<'py>,
        order: Maybe<'_, 'py>,
        window: Maybe<'_, 'py>,
        not_before: Maybe<'_, 'py>,
        rollback: Maybe<'_, 'py>,
        clock: Maybe<'_, 'py>,
        max_jump_s: Maybe<'_, 'py>,
        max_wait_ms: Maybe<'_, 'py>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let order = order.map_or(Ok(TickOrder::Ascending), self::order)?;
            let given = Given { window, not_before, rollback, max_jump_s, max_wait_ms, ..Given::default() };
            let options = given.options()?;
            let clock = self::clock(clock)?;
            let repr = repr(py, "TickId", &options, None, &clock, &[format!("order='{}'", order.name())])?;
            let ids = Held::build(py, &options, || CoreTickId::build(order, &options, clock, PooledEntropy))?;
            Ok(PyClassInitializer::from(Generator::wide(&ids, repr)).add_subclass(TickId(ids)))
        })
    }

    /// Which come first in a store that sorts by text: the oldest ("ascending") or the newest ("descending").
    #[getter]
    fn order(&self) -> &'static str {
        self.0.reader().order().name()
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone: its microseconds count. submillisecond_ns: with timestamp_ms
    /// the nanoseconds after that, 0 to 999,999, rounded down to 100. random: four digits, descending three.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError; InvalidArgumentError for
    /// nanoseconds that are none of a millisecond.
    ///
    /// >>> import saiban
    /// >>> saiban.TickId("ascending").compose(timestamp_ms=1_764_079_890_000, submillisecond_ns=123_400, random=42)
    /// '0638996766900001234_0042'
    #[pyo3(
        signature = (*, timestamp_ms=None, time=None, submillisecond_ns=None, random),
        text_signature = "($self, *, timestamp_ms=None, time=None, submillisecond_ns=None, random)"
    )]
    fn compose<'py>(
        &self,
        py: Python<'py>,
        timestamp_ms: Maybe<'_, 'py>,
        time: Maybe<'_, 'py>,
        submillisecond_ns: Maybe<'_, 'py>,
        random: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let Moment { timestamp_ms, submillisecond_ns } = moment(timestamp_ms, submillisecond_ns, time)?;
            let id = self.0.reader().compose_ns(timestamp_ms, submillisecond_ns, int("random", random)?)?;
            Ok(PyString::new(py, &self.0.to_text(id)?))
        })
    }
}
