//! Times: Unix milliseconds, or datetimes with a time zone.

use crate::arguments::{Maybe, int, wrong_type};
use crate::error::{Failure, Result};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use saiban::Error;

/// What Python's datetimes are read and made with.
struct Datetimes {
    datetime: Py<PyAny>,
    timedelta: Py<PyAny>,
    /// 1970-01-01 in UTC.
    epoch: Py<PyAny>,
    millisecond: Py<PyAny>,
}

fn datetimes(py: Python<'_>) -> PyResult<&Datetimes> {
    static DATETIMES: PyOnceLock<Datetimes> = PyOnceLock::new();
    DATETIMES.get_or_try_init(py, || {
        let module = py.import("datetime")?;
        let (datetime, timedelta) = (module.getattr("datetime")?, module.getattr("timedelta")?);
        let utc = module.getattr("timezone")?.getattr("utc")?;
        Ok(Datetimes {
            epoch: datetime.call_method1("fromtimestamp", (0, utc))?.unbind(),
            millisecond: delta(&timedelta, 1)?.unbind(),
            datetime: datetime.unbind(),
            timedelta: timedelta.unbind(),
        })
    })
}

fn delta<'py>(timedelta: &Bound<'py, PyAny>, ms: i64) -> PyResult<Bound<'py, PyAny>> {
    // Positional arguments of timedelta: days, seconds, microseconds, milliseconds.
    timedelta.call1((0, 0, 0, ms))
}

/// A time as a datetime in UTC; `None` outside the years 1 to 9999.
pub fn datetime(py: Python<'_>, timestamp_ms: i64) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Datetimes { timedelta, epoch, .. } = datetimes(py)?;
    match delta(timedelta.bind(py), timestamp_ms).and_then(|delta| epoch.bind(py).add(delta)) {
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => Ok(None),
        time => time.map(Some),
    }
}

/// Which millisecond a datetime between two of them becomes.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Earlier,
    Later,
}

/// A datetime in Unix milliseconds; `None` for what is no datetime.
fn of_datetime(name: &str, value: &Bound<'_, PyAny>, between: Between) -> Result<Option<i64>> {
    let py = value.py();
    let Datetimes { datetime, epoch, millisecond, .. } = datetimes(py)?;
    if !value.is_instance(datetime.bind(py))? {
        return Ok(None);
    }
    if value.call_method0("utcoffset")?.is_none() {
        return Err(Failure::WrongType(format!(
            "{name} must be a datetime with a time zone, such as datetime.now(timezone.utc), and not a naive one"
        )));
    }
    let (epoch, millisecond) = (epoch.bind(py), millisecond.bind(py));
    Ok(Some(match between {
        Between::Earlier => value.sub(epoch)?.floor_div(millisecond)?.extract()?,
        Between::Later => -epoch.sub(value)?.floor_div(millisecond)?.extract::<i64>()?,
    }))
}

/// The time of which an ID is composed: `timestamp_ms`, or the datetime `time`, rounded down; `None` where neither is given.
pub fn maybe_timestamp_ms(timestamp_ms: Maybe<'_, '_>, time: Maybe<'_, '_>) -> Result<Option<i64>> {
    match (timestamp_ms, time) {
        (Some(_), Some(_)) => {
            Err(Error::InvalidArgument { what: "timestamp_ms and time are both given: give one of them" }.into())
        }
        (Some(timestamp_ms), None) => int("timestamp_ms", timestamp_ms).map(Some),
        (None, Some(time)) => match of_datetime("time", time, Between::Earlier)? {
            None => Err(wrong_type("time", "a datetime with a time zone", time)),
            found => Ok(found),
        },
        (None, None) => Ok(None),
    }
}

/// The same, where one of the two must be given.
pub fn timestamp_ms(timestamp_ms: Maybe<'_, '_>, time: Maybe<'_, '_>) -> Result<i64> {
    let missing = Error::InvalidArgument { what: "the time is missing: give timestamp_ms or time" };
    maybe_timestamp_ms(timestamp_ms, time)?.ok_or(missing.into())
}

/// An end of an interval: Unix milliseconds or a datetime.
fn end(name: &str, value: &Bound<'_, PyAny>, between: Between) -> Result<i64> {
    match of_datetime(name, value, between)? {
        Some(timestamp_ms) => Ok(timestamp_ms),
        None => int(name, value).map_err(|failure| match failure {
            Failure::WrongType(_) => wrong_type(name, "an integer or a datetime with a time zone", value),
            other => other,
        }),
    }
}

/// A half-open interval; datetimes between two milliseconds are rounded outwards.
pub fn interval_ms(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> Result<(i64, i64)> {
    Ok((self::end("start", start, Between::Earlier)?, self::end("end", end, Between::Later)?))
}
