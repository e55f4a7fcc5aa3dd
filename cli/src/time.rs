//! Parses and formats times for people.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

const NS_PER_MS: i128 = 1_000_000;
/// The mean year of the Gregorian calendar, in milliseconds.
const MS_PER_YEAR: f64 = 365.2425 * 86_400e3;

/// A time from the command line, to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    unix_ns: i128,
}

impl Moment {
    /// Parses a date, a time with an offset or without (then UTC), or Unix milliseconds.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if let Ok(ms) = text.parse::<i64>() {
            return Ok(Moment { unix_ns: i128::from(ms) * NS_PER_MS });
        }
        // A time zone in brackets needs the rules of the zone. Ignoring it would give a wrong time.
        let is_plain = !text.contains('[');
        let found = text.parse::<Timestamp>().ok().filter(|_| is_plain).or_else(|| {
            // Never ignore an offset that the user gave, even if the offset is invalid.
            let has_offset = text.get(10..).is_some_and(|clock| clock.contains(['+', '-', 'Z', 'z']));
            let civil = text.parse::<DateTime>().ok().filter(|_| is_plain && !has_offset)?;
            Offset::UTC.to_timestamp(civil).ok()
        });
        let time = found.ok_or("give a date (2020-02-02), a time (2020-02-02T20:20:02Z), or Unix milliseconds")?;
        Ok(Moment { unix_ns: time.as_nanosecond() })
    }

    /// Returns the time in Unix milliseconds, rounded down.
    pub(crate) fn floor_ms(self) -> i64 {
        to_ms(self.unix_ns.div_euclid(NS_PER_MS))
    }

    /// Returns the time in Unix milliseconds, rounded up.
    pub(crate) fn ceil_ms(self) -> i64 {
        to_ms(-(-self.unix_ns).div_euclid(NS_PER_MS))
    }
}

/// Converts milliseconds to `i64`. Every `Moment` fits: it was made from `i64` milliseconds or from
/// a `Timestamp`.
fn to_ms(ms: i128) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

/// Formats a time in UTC as RFC 3339. Returns `None` outside the range of [`Timestamp`].
pub(crate) fn utc(unix_ms: i64) -> Option<String> {
    Timestamp::from_millisecond(unix_ms).ok().map(|time| format!("{time:.3}"))
}

/// Formats a time in UTC as RFC 3339, or as an approximate year outside the range of [`Timestamp`].
pub(crate) fn utc_or_year(unix_ms: i64) -> String {
    utc(unix_ms).unwrap_or_else(|| {
        let year = (1970.0 + unix_ms as f64 / MS_PER_YEAR).floor();
        format!("about the year {year} ({unix_ms} ms)")
    })
}

/// A remaining time in µs, displayed with two units at most.
pub(crate) struct Left(pub(crate) i64);

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = self.0.max(0) / 1_000_000;
        let (days, hours, minutes) = (s / 86_400, s / 3_600 % 24, s / 60 % 60);
        match s {
            0 => f.write_str("less than 1 s"),
            1..60 => write!(f, "{s} s"),
            60..3_600 => write!(f, "{minutes} min {} s", s % 60),
            3_600..86_400 => write!(f, "{hours} h {minutes} min"),
            _ => write!(f, "{days} d {hours} h"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> Option<(i64, i64)> {
        Moment::read(text).ok().map(|time| (time.floor_ms(), time.ceil_ms()))
    }

    #[test]
    fn a_time_without_an_offset_is_read_as_utc() {
        let noon = Some((1_580_644_800_000, 1_580_644_800_000));
        assert_eq!(ms("1580644800000"), noon);
        assert_eq!(ms("2020-02-02T12:00:00Z"), noon);
        assert_eq!(ms("2020-02-02T12:00:00"), noon);
        assert_eq!(ms("2020-02-02T12:00"), noon);
        assert_eq!(ms("2020-02-02 13:00:00+01:00"), noon);
        assert_eq!(ms("2020-02-02"), Some((1_580_601_600_000, 1_580_601_600_000)));
        assert_eq!(ms("-1"), Some((-1, -1)));
    }

    #[test]
    fn a_time_past_the_calendar_is_shown_by_its_year() {
        assert_eq!(utc_or_year(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            (utc((1 << 48) - 1), utc_or_year((1 << 48) - 1).as_str()),
            (None, "about the year 10889 (281474976710655 ms)")
        );
    }

    #[test]
    fn fractions_of_a_millisecond_are_rounded_outwards() {
        assert_eq!(ms("1970-01-01T00:00:00.0005Z"), Some((0, 1)));
        assert_eq!(ms("1969-12-31T23:59:59.9995Z"), Some((-1, 0)));
    }

    #[test]
    fn times_that_cannot_be_read_exactly_are_refused() {
        for text in ["", "yesterday", "2020-13-01", "2020-02-02T12:00[Europe/Berlin]", "2020-02-02T12:00+99:00", "1.5"]
        {
            assert!(Moment::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_shown_in_two_units_at_most() {
        let shown = |s: i64| Left(s * 1_000_000).to_string();
        assert_eq!([shown(-1), shown(0), shown(59)], ["less than 1 s", "less than 1 s", "59 s"]);
        assert_eq!([shown(60), shown(3_599)], ["1 min 0 s", "59 min 59 s"]);
        assert_eq!([shown(3_600), shown(86_399), shown(90_000)], ["1 h 0 min", "23 h 59 min", "1 d 1 h"]);
    }
}
