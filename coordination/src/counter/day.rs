//! Days of a time zone.

use super::format::date;
use crate::Error;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use saiban::{Clock, ErrorKind, SystemClock};
use std::ops::Range;

/// A time zone, by its name in the IANA database. The machine's database is used, or else the
/// built-in one.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    zone: TimeZone,
    name: String,
}

/// A day, and its interval, Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) number: i32,
    pub(super) lasts_ms: Range<i64>,
}

/// Returns the name of a time zone as the IANA database spells it.
///
/// # Errors
/// `InvalidArgument` for an unknown name.
pub fn zone_name(name: &str) -> Result<String, Error> {
    Zone::new(name).map(|zone| zone.name)
}

/// Returns the current day in this time zone, in days since 1970-01-01.
///
/// # Errors
/// `InvalidArgument` for an unknown name; `ClockUnavailable` if the clock cannot be read, or its
/// time has no date.
pub fn today(zone: &str) -> Result<i32, Error> {
    let now_ms = i64::try_from(SystemClock.now_ns()? / 1_000_000).unwrap_or(i64::MAX);
    Ok(Zone::new(zone)?.day(now_ms)?.number)
}

impl Zone {
    pub(super) fn new(name: &str) -> Result<Self, Error> {
        let zone = TimeZone::get(name).ok().filter(|zone| !zone.is_unknown()).ok_or_else(|| {
            let shown: String = name.chars().take(80).collect();
            Error::new(
                ErrorKind::InvalidArgument,
                format!(
                    "{shown:?} is not a time zone: give a name of the IANA database, such as Europe/Berlin, or UTC"
                ),
            )
        })?;
        // In the database's spelling, so that `europe/berlin` and `Europe/Berlin` are one zone to a
        // counter.
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Ok(Zone { zone, name })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the day of this time.
    ///
    /// A day begins when its date does, which is not always midnight. It has 23 or 25 hours where
    /// clocks are put forward or back.
    pub(super) fn day(&self, now_ms: i64) -> Result<Day, Error> {
        let unknown = |error: jiff::Error| {
            Error::new(
                ErrorKind::ClockUnavailable,
                format!("the time {now_ms} ms has no date in {}: {error}", self.name),
            )
        };
        let now = Timestamp::from_millisecond(now_ms).map_err(unknown)?.to_zoned(self.zone.clone());
        let start = |date: Date| date.to_zoned(self.zone.clone()).map(|zoned| zoned.timestamp().as_millisecond());
        let today = now.date();
        let tomorrow = today.tomorrow().map_err(unknown)?;
        // A date that occurs twice, as in St John's until 2011, counts as one day.
        let lasts_ms = start(today).map_err(unknown)?.min(now_ms)..start(tomorrow).map_err(unknown)?.max(now_ms + 1);
        let number = (today - date(0)).get_days();
        Ok(Day { number, lasts_ms })
    }
}
