//! Formats times and numbers for the pages.

use jiff::Timestamp;
use maud::{Markup, html};

/// Formats a time in UTC as RFC 3339. Returns `None` if it is outside the range of dates.
pub(super) fn utc(unix_ms: i64) -> Option<String> {
    Timestamp::from_millisecond(unix_ms).ok().map(|time| format!("{time:.3}"))
}

/// Formats a time relative to now. Pointing at it shows the time itself.
pub(super) fn when(unix_ms: i64, now_ms: i64) -> Markup {
    let distance = unix_ms.saturating_sub(now_ms);
    let words = if distance >= 0 {
        format!("in {}", span(distance))
    } else {
        format!("{} ago", span(distance.saturating_neg()))
    };
    time(unix_ms, &words)
}

/// Formats a time with the given words. Pointing at them shows the time itself.
pub(super) fn time(unix_ms: i64, words: &str) -> Markup {
    html! {
        @match utc(unix_ms) {
            Some(utc) => time datetime=(utc) title=(utc) { (words) },
            None => span title={ (unix_ms) " ms" } { (words) },
        }
    }
}

/// Formats a duration in at most two units, rounded down.
pub(super) fn span(ms: i64) -> String {
    let s = ms.max(0) / 1_000;
    let (days, hours, minutes) = (s / 86_400, s / 3_600 % 24, s / 60 % 60);
    let two = |(large, unit): (i64, &str), (small, of): (i64, &str)| match small {
        0 => format!("{large} {unit}"),
        _ => format!("{large} {unit} {small} {of}"),
    };
    match s {
        0 => "less than 1 s".to_owned(),
        1..60 => format!("{s} s"),
        60..3_600 => two((minutes, "min"), (s % 60, "s")),
        3_600..86_400 => two((hours, "h"), (minutes, "min")),
        _ => two((days, "d"), (hours, "h")),
    }
}

/// Formats a number with commas between thousands.
pub(super) fn count(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a rate, with tenths for small ones.
pub(super) fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate.is_nan() || rate <= 0.0 => "0".to_owned(),
        rate if rate < 0.05 => "< 0.1".to_owned(),
        rate if rate < 9.95 => format!("{rate:.1}"),
        rate => count(rate.round() as u128),
    }
}

/// Formats a number with a noun: "1 node", "2 nodes".
pub(super) fn many(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Formats a range of nodes without its end, as options take it.
pub(super) fn nodes(nodes: &std::ops::Range<i64>) -> String {
    format!("{}..{}", nodes.start, nodes.end)
}

/// Converts a number that should not be negative. Negative numbers become 0.
pub(super) fn natural(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_shown_in_two_units_at_most() {
        let shown = |s: i64| span(s * 1_000);
        assert_eq!([shown(-1), shown(0), shown(59)], ["less than 1 s", "less than 1 s", "59 s"]);
        assert_eq!([shown(60), shown(3_599)], ["1 min", "59 min 59 s"]);
        assert_eq!([shown(3_600), shown(86_399), shown(90_000)], ["1 h", "23 h 59 min", "1 d 1 h"]);
    }

    #[test]
    fn a_time_is_shown_as_age_and_as_date() {
        let shown = when(1_763_700_000_000, 1_763_700_041_000).into_string();
        assert_eq!(
            shown,
            r#"<time datetime="2025-11-21T04:40:00.000Z" title="2025-11-21T04:40:00.000Z">41 s ago</time>"#
        );
        assert!(when(1_763_700_041_000, 1_763_700_000_000).into_string().contains(">in 41 s<"));
        assert!(when(i64::MAX, 0).into_string().contains("9223372036854775807 ms"));
    }

    #[test]
    fn numbers_have_commas_between_thousands() {
        assert_eq!([0_u64, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 0.01, 0.25, 9.94, 9.96, 81_234.4].map(rate), ["0", "< 0.1", "0.2", "9.9", "10", "81,234"]);
        assert_eq!(rate(f64::NAN), "0");
        assert_eq!([many(1, "node"), many(1_024, "node")], ["1 node", "1,024 nodes"]);
    }
}
