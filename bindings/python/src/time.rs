//! Converts times: Unix milliseconds with the nanoseconds after that, or datetimes with a time
//! zone.

use crate::arguments::{Maybe, int, maybe_int, wrong_type};
use crate::error::{Failure, Result};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use saiban::Error;

const NS_PER_US: i64 = 1_000;

/// The Python objects with which datetimes are read and made.
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
            millisecond: delta(&timedelta, 1, 0)?.unbind(),
            datetime: datetime.unbind(),
            timedelta: timedelta.unbind(),
        })
    })
}

fn delta<'py>(timedelta: &Bound<'py, PyAny>, ms: i64, us: i64) -> PyResult<Bound<'py, PyAny>> {
    // Positional arguments of timedelta: days, seconds, microseconds, milliseconds.
    timedelta.call1((0, 0, us, ms))
}

/// Converts a time to a datetime in UTC, rounded down to the microsecond; `None` outside the years
/// 1 to 9999.
pub fn datetime(py: Python<'_>, timestamp_ms: i64, submillisecond_ns: i64) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Datetimes { timedelta, epoch, .. } = datetimes(py)?;
    let us = submillisecond_ns.div_euclid(NS_PER_US);
    match delta(timedelta.bind(py), timestamp_ms, us).and_then(|delta| epoch.bind(py).add(delta)) {
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => Ok(None),
        time => time.map(Some),
    }
}

/// How a datetime between two milliseconds is rounded.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Earlier,
    Later,
}

/// Returns whether this is a datetime. One without a time zone is an error.
fn is_datetime(name: &str, value: &Bound<'_, PyAny>) -> Result<bool> {
    let py = value.py();
    if !value.is_instance(datetimes(py)?.datetime.bind(py))? {
        return Ok(false);
    }
    if value.call_method0("utcoffset")?.is_none() {
        return Err(Failure::WrongType(format!(
            "{name} must be a datetime with a time zone, such as datetime.now(timezone.utc), and not a naive one"
        )));
    }
    Ok(true)
}

/// Converts a datetime to Unix milliseconds; `None` for any other object.
fn of_datetime(name: &str, value: &Bound<'_, PyAny>, between: Between) -> Result<Option<i64>> {
    if !is_datetime(name, value)? {
        return Ok(None);
    }
    let py = value.py();
    let Datetimes { epoch, millisecond, .. } = datetimes(py)?;
    let (epoch, millisecond) = (epoch.bind(py), millisecond.bind(py));
    Ok(Some(match between {
        Between::Earlier => value.sub(epoch)?.floor_div(millisecond)?.extract()?,
        Between::Later => -epoch.sub(value)?.floor_div(millisecond)?.extract::<i64>()?,
    }))
}

/// Returns the part of a datetime below the millisecond, in nanoseconds.
fn submillisecond_ns(time: &Bound<'_, PyAny>) -> Result<i64> {
    let py = time.py();
    let Datetimes { epoch, millisecond, .. } = datetimes(py)?;
    let rest = time.sub(epoch.bind(py))?.rem(millisecond.bind(py))?;
    Ok(rest.getattr("microseconds")?.extract::<i64>()? * NS_PER_US)
}

/// Returns the time of an ID in milliseconds: `timestamp_ms`, or the datetime `time`, rounded down.
fn maybe_timestamp_ms(timestamp_ms: Maybe<'_, '_>, time: Maybe<'_, '_>) -> Result<Option<i64>> {
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

/// Returns the time of an ID, milliseconds and the nanoseconds after that: `timestamp_ms` and
/// `submillisecond_ns`, or `time`. Core checks which of them must be given.
pub fn maybe_moment(
    timestamp_ms: Maybe<'_, '_>,
    submillisecond_ns: Maybe<'_, '_>,
    time: Maybe<'_, '_>,
) -> Result<(Option<i64>, Option<i64>)> {
    let given_ns = maybe_int("submillisecond_ns", submillisecond_ns)?;
    let ms = maybe_timestamp_ms(timestamp_ms, time)?;
    match (given_ns, time) {
        (Some(_), Some(_)) => {
            let what =
                "a datetime has microseconds of its own: give submillisecond_ns with timestamp_ms, not with time";
            Err(Error::InvalidArgument { what }.into())
        }
        (None, Some(time)) => Ok((ms, Some(self::submillisecond_ns(time)?))),
        (given_ns, None) => Ok((ms, given_ns)),
    }
}

/// Converts an end of an interval: Unix milliseconds or a datetime.
fn end(name: &str, value: &Bound<'_, PyAny>, between: Between) -> Result<i64> {
    match of_datetime(name, value, between)? {
        Some(timestamp_ms) => Ok(timestamp_ms),
        None => int(name, value).map_err(|failure| match failure {
            Failure::WrongType(_) => wrong_type(name, "an integer or a datetime with a time zone", value),
            other => other,
        }),
    }
}

/// Converts a half-open interval. Datetimes between two milliseconds are rounded outwards. The end
/// of an empty interval is rounded down like its start, so that core refuses the interval.
pub fn interval_ms(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> Result<(i64, i64)> {
    let start_ms = self::end("start", start, Between::Earlier)?;
    let is_backward = is_datetime("start", start)? && is_datetime("end", end)? && start.ge(end)?;
    let outwards = if is_backward { Between::Earlier } else { Between::Later };
    Ok((start_ms, self::end("end", end, outwards)?))
}
