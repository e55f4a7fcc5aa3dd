//! The text format of daily numbers.

use crate::Error;
use jiff::civil::Date;
use jiff::fmt::strtime;
use saiban::ErrorKind;
use std::fmt;

/// The maximum number of digits up to which zeros are added.
const MAX_DIGITS: usize = 19;

/// 2026-09-30, a Wednesday in September: no day and no month has a longer name.
const LONGEST_DAY: i32 = 20_726;

/// The directives that a date may have. Their texts have a fixed length, except for the names of
/// months and days, which contain no digits.
const SHOWN: &str = "YymdjFbBaAuGVg";

/// The text format of daily numbers: text with a date and a number in braces.
///
/// - `{date:…}` is the date in strftime's notation, with any of
///   `%Y %y %m %d %j %F %b %B %a %A %u %G %g %V`. It must distinguish all days (with `%y` or `%g`,
///   all days of a century).
/// - `{n}` is the number. `{n:06}` adds zeros up to six digits; a larger number has more digits.
/// - `{{` and `}}` are a single brace. All other text stands for itself.
///
/// ```
/// use saiban_coordination::counter::DailyFormat;
/// let format = DailyFormat::new("INV-{date:%Y%m%d}-{n:06}")?;
/// assert_eq!(format.text(20_778, 42), "INV-20261121-000042");
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyFormat {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Plain(String),
    Date(String),
    Number { digits: usize },
}

impl DailyFormat {
    /// Date and number, with a hyphen between them: `20261121-000001`.
    pub const DEFAULT: &str = "{date:%Y%m%d}-{n:06}";

    /// Parses a format.
    ///
    /// # Errors
    /// `InvalidArgument` for a format that cannot be parsed, lacks the number, or does not
    /// distinguish days.
    pub fn new(text: &str) -> Result<Self, Error> {
        let pieces = pieces(text).map_err(|what| invalid(text, &what))?;
        let shown: String = pieces
            .iter()
            .filter_map(|piece| if let Piece::Date(date) = piece { directives(date).ok() } else { None })
            .collect();
        let shows = |wanted: &str| wanted.chars().all(|directive| shown.contains(directive));
        let is_whole =
            ["F", "Ymd", "ymd", "Ybd", "ybd", "YBd", "yBd", "Yj", "yj", "GVu", "gVu", "GVa", "GVA", "gVa", "gVA"];
        if !is_whole.iter().any(|enough| shows(enough)) {
            return Err(invalid(
                text,
                "does not distinguish every day, so numbers could repeat: give {date:%Y%m%d}, for example",
            ));
        }
        if !pieces.iter().any(|piece| matches!(piece, Piece::Number { .. })) {
            return Err(invalid(text, "has no number: give {n}, or {n:06} with zeros up to six digits"));
        }
        Ok(DailyFormat { pieces })
    }

    /// Returns the text of a number. `day` counts from 1970-01-01.
    #[must_use]
    pub fn text(&self, day: i32, number: i64) -> String {
        let date = date(day);
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Plain(plain) => text.push_str(plain),
                // Every date has all directives that a format may have, so this does not fail.
                Piece::Date(format) => text.push_str(&strtime::format(format, date).unwrap_or_default()),
                Piece::Number { digits } => text.push_str(&format!("{number:0digits$}")),
            }
        }
        text
    }

    /// Returns the length of the longest text, in bytes.
    #[must_use]
    pub fn max_len(&self) -> usize {
        self.text(LONGEST_DAY, i64::MAX).len()
    }
}

impl Default for DailyFormat {
    fn default() -> Self {
        let digits = 6;
        DailyFormat { pieces: vec![Piece::Date("%Y%m%d".into()), Piece::Plain("-".into()), Piece::Number { digits }] }
    }
}

impl fmt::Display for DailyFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            match piece {
                Piece::Plain(plain) => f.write_str(&plain.replace('{', "{{").replace('}', "}}"))?,
                Piece::Date(format) => write!(f, "{{date:{format}}}")?,
                Piece::Number { digits: 0 } => f.write_str("{n}")?,
                Piece::Number { digits } => write!(f, "{{n:0{digits}}}")?,
            }
        }
        Ok(())
    }
}

/// Returns the date of a day; the first or the last date, if the day is out of range.
pub(super) fn date(day: i32) -> Date {
    let epoch = Date::constant(1970, 1, 1);
    epoch.checked_add(jiff::Span::new().days(day)).unwrap_or(if day < 0 { Date::MIN } else { Date::MAX })
}

fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let doubled = from.get(..2).filter(|two| matches!(*two, "{{" | "}}"));
        if let Some(two) = doubled {
            plain.push_str(&two[..1]);
            rest = &from[2..];
            continue;
        }
        let end =
            from.find('}').filter(|end| *end > 0).ok_or("has a single brace: double it to write a literal brace")?;
        if !plain.is_empty() {
            pieces.push(Piece::Plain(std::mem::take(&mut plain)));
        }
        pieces.push(piece(&from[1..end])?);
        rest = &from[end + 1..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Plain(plain));
    }
    Ok(pieces)
}

fn piece(inside: &str) -> Result<Piece, String> {
    match inside.split_once(':') {
        None if inside == "n" => Ok(Piece::Number { digits: 0 }),
        Some(("n", width)) => {
            let digits = width
                .strip_prefix('0')
                .filter(|digits| !digits.starts_with('+'))
                .and_then(|digits| digits.parse().ok());
            let digits = digits.filter(|digits| (1..=MAX_DIGITS).contains(digits));
            let digits =
                digits.ok_or_else(|| format!("has {{n:{width}}}: give {{n}}, or {{n:01}} to {{n:0{MAX_DIGITS}}}"))?;
            Ok(Piece::Number { digits })
        }
        Some(("date", format)) => directives(format).map(|_| Piece::Date(format.into())),
        _ => Err(format!("has {{{inside}}}, and only {{date:…}} and {{n}} are known")),
    }
}

/// Returns the directives in a date's format.
fn directives(format: &str) -> Result<String, String> {
    let mut shown = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            continue;
        }
        match characters.next() {
            Some('%') => {}
            Some(directive) if SHOWN.contains(directive) => shown.push(directive),
            other => {
                let other = other.map(String::from).unwrap_or_default();
                let known: Vec<_> = SHOWN.chars().map(|directive| format!("%{directive}")).collect();
                return Err(format!("has %{other} in its date, and only {} are known", known.join(" ")));
            }
        }
    }
    Ok(shown)
}

fn invalid(text: &str, what: &str) -> Error {
    let shown: String = text.chars().take(80).collect();
    Error::new(ErrorKind::InvalidArgument, format!("the format {shown:?} {what}"))
}

#[cfg(test)]
mod tests {
    use super::DailyFormat;
    use std::collections::BTreeSet;

    fn text(format: &str, day: i32, number: i64) -> String {
        DailyFormat::new(format).expect("a format").text(day, number)
    }

    #[test]
    fn the_longest_text_has_the_maximum_length() {
        for format in ["{date:%A %d %B %Y} {n}", "{n:03}/{date:%F %G %V %u %j %y %a %b}", DailyFormat::DEFAULT] {
            let format = DailyFormat::new(format).expect("a format");
            let longest = (20_000..20_000 + 366 * 28).map(|day| format.text(day, i64::MAX).len()).max();
            assert_eq!(longest, Some(format.max_len()), "{format}");
        }
    }

    #[test]
    fn a_format_shows_date_and_number_and_all_else_as_it_is() {
        for (format, expected) in [
            ("{date:%Y%m%d}-{n:06}", "20261121-000042"),
            ("{n}/{date:%d.%m.%y}", "42/21.11.26"),
            ("INV {{{date:%F}}} №{n:03}", "INV {2026-11-21} №042"),
            ("{date:%G-W%V-%u}-{n}", "2026-W47-6-42"),
            ("{date:%a %d %b %Y}{date: = %j}, {n:019}", "Sat 21 Nov 2026 = 325, 0000000000000000042"),
            ("{date:%A %B %d%%%Y}:{n:01}", "Saturday November 21%2026:42"),
            ("{date:%g%V%a}{n}", "2647Sat42"),
        ] {
            assert_eq!(text(format, 20_778, 42), expected, "{format}");
            assert_eq!(DailyFormat::new(format).expect("a format").to_string(), format);
        }
        assert_eq!(DailyFormat::default(), DailyFormat::new(DailyFormat::DEFAULT).expect("a format"));
        assert_eq!(text("{date:%F}-{n:02}", -1, 1_000), "1969-12-31-1000");
    }

    #[test]
    fn every_accepted_format_distinguishes_days() {
        // The days of 28 years: after that, weekdays and dates repeat together.
        for format in [
            "{date:%F}{n}",
            "{date:%y%j}{n}",
            "{date:%G%V%u}{n}",
            "{date:%d%b%y}{n}",
            "{date:%g%V%A}{n}",
            "{n}{date:%Y%m%d}",
        ] {
            let texts: BTreeSet<String> = (20_000..20_000 + 28 * 366).map(|day| text(format, day, 1)).collect();
            assert_eq!(texts.len(), 28 * 366, "{format}");
        }
    }

    #[test]
    fn an_invalid_format_is_refused_with_the_reason() {
        for (format, what) in [
            ("", "does not distinguish every day"),
            ("{n}", "does not distinguish every day"),
            ("{date:%Y-%m}{n}", "does not distinguish every day"),
            ("{date:%m%d}{n}", "does not distinguish every day"),
            ("{date:%V%u}{n}", "does not distinguish every day"),
            ("{date:%Y%%m%%d}{n}", "does not distinguish every day"),
            ("{date:%F}", "has no number"),
            ("{date:%F}{n", "a single brace"),
            ("{date:%F}{n}}", "a single brace"),
            ("}{date:%F}{n}", "a single brace"),
            ("{date:%F}{n:6}", "{n:6}"),
            ("{date:%F}{n:00}", "{n:00}"),
            ("{date:%F}{n:020}", "{n:020}"),
            ("{date:%F}{n:0+5}", "{n:0+5}"),
            ("{date:%F}{n:0999999999999999999999}", "give {n}"),
            ("{date:%H}{n}", "has %H in its date"),
            ("{date:%F%}{n}", "has % in its date"),
            ("{date:%é}{n}", "has %é in its date"),
            ("{date}{n}", "only {date:…} and {n} are known"),
            ("{time:%F}{n}", "{time:%F}"),
        ] {
            let error = DailyFormat::new(format).expect_err(format).to_string();
            assert!(error.contains(what), "{format}: {error}");
        }
    }
}
