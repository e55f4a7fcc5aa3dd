//! Dates of the Gregorian calendar, years 1 to 9999, for the epochs in a layout's text.
//!
//! Only the parser and the formatter of layouts use this module.

use core::fmt;

const MS_PER_DAY: i64 = 86_400_000;

/// The number of days from 0000-03-01 to 1970-01-01.
const UNIX_EPOCH: i64 = 719_468;

/// Returns the first day of a year that begins in March, in days since 0000-03-01. The leap day is
/// the last day of such a year.
const fn first_day(year: i64) -> i64 {
    365 * year + year / 4 - year / 100 + year / 400
}

/// Returns the first day of a month within a year that begins in March. March is 0; the lengths
/// repeat as 31, 30, 31, 30, 31 days.
const fn month_start(month: i64) -> i64 {
    (153 * month + 2) / 5
}

/// Returns the days from 1970-01-01 to a valid date.
const fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    first_day(year) + month_start(month) + day - 1 - UNIX_EPOCH
}

/// Returns the year, month and day of a day in the years 1 to 9999.
const fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + UNIX_EPOCH;
    // 400 years have 146,097 days. The estimate is at most two years too late.
    let mut year = days * 400 / 146_097 + 1;
    while first_day(year) > days {
        year -= 1;
    }
    let rest = days - first_day(year);
    let mut month = rest / 31;
    if month < 11 && month_start(month + 1) <= rest {
        month += 1;
    }
    let day = rest - month_start(month) + 1;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

/// Parses a date (`2020-02-02`) or a time in UTC (`2010-11-04T01:42:54.657Z`) as Unix milliseconds.
/// The fraction has one to three digits, or is absent.
pub(super) fn read(text: &str) -> Option<i64> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, time_ms(time)?),
        None => (text, 0),
    };
    let bytes = date.as_bytes();
    let &[_, _, _, _, b'-', _, _, b'-', _, _] = bytes else {
        return None;
    };
    let (year, month, day) = (digits(&bytes[..4])?, digits(&bytes[5..7])?, digits(&bytes[8..])?);
    if year == 0 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = days_of(year, month, day);
    // A day after the end of its month converts back to a date of the next month, and is rejected.
    (date_of(days) == (year, month, day)).then_some(days * MS_PER_DAY + time)
}

/// Parses a time such as `01:42:54.657Z` as milliseconds since midnight.
fn time_ms(text: &str) -> Option<i64> {
    let bytes = text.strip_suffix('Z')?.as_bytes();
    let (clock, fraction) = bytes.split_at_checked(8)?;
    let &[_, _, b':', _, _, b':', _, _] = clock else {
        return None;
    };
    let (hour, minute, second) = (digits(&clock[..2])?, digits(&clock[3..5])?, digits(&clock[6..])?);
    let ms = match fraction {
        [] => 0,
        [b'.', given @ ..] if (1..=3).contains(&given.len()) => digits(given)? * [100, 10, 1][given.len() - 1],
        _ => return None,
    };
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then_some(((hour * 60 + minute) * 60 + second) * 1_000 + ms)
}

/// Parses digits as a number. The caller passes few enough to fit.
fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
}

/// Writes Unix milliseconds as a date at midnight, and as a time in UTC otherwise. Times outside
/// the years 1 to 9999 are written as a number.
pub(super) fn write(f: &mut fmt::Formatter<'_>, unix_ms: i64) -> fmt::Result {
    const FIRST: i64 = days_of(1, 1, 1) * MS_PER_DAY;
    const END: i64 = days_of(10_000, 1, 1) * MS_PER_DAY;
    if !(FIRST..END).contains(&unix_ms) {
        return write!(f, "{unix_ms}");
    }
    let (year, month, day) = date_of(unix_ms.div_euclid(MS_PER_DAY));
    write!(f, "{year:04}-{month:02}-{day:02}")?;
    let ms = unix_ms.rem_euclid(MS_PER_DAY);
    if ms == 0 {
        return Ok(());
    }
    let (second, minute, hour) = (ms / 1_000 % 60, ms / 60_000 % 60, ms / 3_600_000);
    write!(f, "T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years_follows_the_one_before() {
        let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let mut days = -719_162;
        for year in 1..=9_999 {
            let february = if is_leap(year) { 29 } else { 28 };
            for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1..=length {
                    assert_eq!(days_of(year, month, day), days, "{year}-{month}-{day}");
                    assert_eq!(date_of(days), (year, month, day));
                    days += 1;
                }
            }
        }
        assert_eq!(days, days_of(10_000, 1, 1));
    }
}
