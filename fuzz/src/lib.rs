//! Checks of errors for every target, and the arguments that several targets build from bytes.

pub mod layouts;
pub mod options;

use arbitrary::Arbitrary;
use saiban::encoding::Encoding;
use saiban::error::{Error, Excerpt, TextFault};

/// The longest message fits C's buffer of 512 bytes with its NUL: `SAIBAN_MESSAGE_CAPACITY`.
const LONGEST_MESSAGE: usize = 511;
/// How many bytes of the input a message repeats.
const LONGEST_EXCERPT: usize = 24;

/// Checks properties of every error.
pub fn check_error(error: &Error) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE, "{message:?} has {} bytes", message.len());
    assert!(!error.kind().name().is_empty());
}

/// Checks an error from reading this text: its position is in the text, and it repeats at most one
/// character of it. `number` is the text without its prefix, whose length some errors give.
pub fn check_text_error(error: &Error, text: &str, number: &str) {
    check_error(error);
    let count = text.chars().count();
    if let Some(position) = error.position() {
        assert!(position < count, "{error} in {text:?}");
    }
    match *error {
        Error::TextCharacter { position, character, .. } => {
            assert_eq!(text.chars().nth(position), Some(character), "{error} in {text:?}");
        }
        Error::TextLength { length, .. } | Error::UuidLength { length } => {
            // The length may exclude the prefix, and hyphens, which a lenient reader skips.
            let is_length_of = |text: &str| {
                let count = text.chars().count();
                length == count || length == count - text.matches('-').count()
            };
            assert!(is_length_of(text) || is_length_of(number), "{error} in {text:?}");
        }
        Error::TextNearly { fault: TextFault::Character { position, character }, .. }
        | Error::TextOfNoForm { odd: Some((position, character)), .. } => {
            assert_eq!(text.chars().nth(position), Some(character), "{error} in {text:?}");
        }
        Error::TextNearly { fault: TextFault::Length { length }, .. } | Error::TextOfNoForm { length, odd: None } => {
            assert_eq!(length, count, "{error} in {text:?}");
        }
        Error::TextNearly { fault: TextFault::Group { position, length, wanted, .. }, .. } => {
            assert!(position + length <= count && length != wanted, "{error} in {text:?}");
        }
        // The error repeats the expected prefix, and nothing of the text.
        Error::TextPrefix { .. } => {}
        // These errors contain at most a position in the text.
        Error::TextNotCanonical { .. } | Error::TextOverflow { .. } | Error::WidthOutOfRange { .. } => {}
        Error::TextWithoutDigits { .. } => assert!(!text.chars().any(char::is_alphanumeric), "{error} in {text:?}"),
        Error::WideTextOverflow { .. } | Error::TextNearly { .. } | Error::IdOutOfRange { .. } => {}
        _ => panic!("{error:?} is no error of reading text"),
    }
}

/// Checks that the error for an unknown name has an excerpt of at most 24 bytes, and the usual
/// text.
pub fn check_unknown_name(error: &Error, name: &str) {
    check_error(error);
    let short = Excerpt::new("?");
    let of_another = match *error {
        Error::UnknownEncoding { .. } => Error::UnknownEncoding { name: short },
        Error::UnknownScheme { known, .. } => Error::UnknownScheme { name: short, known },
        Error::UnknownLayout { known, .. } => Error::UnknownLayout { name: short, known },
        Error::UnknownField { .. } => Error::UnknownField { name: short },
        Error::UnknownRollback { .. } => Error::UnknownRollback { name: short },
        Error::UnknownScope { .. } => Error::UnknownScope { name: short },
        _ => panic!("{error:?} is no error of looking up a name"),
    };
    // Users may give a lease's URL instead of a scheme by mistake, and it may contain a password:
    // the error repeats only the URL's part before the colon.
    let is_url = matches!(error, Error::UnknownScheme { .. }) && (name.contains('@') || name.contains("://"));
    let shown = if is_url { name.split_once(':').map_or("", |(kind, _)| kind) } else { name };
    let kept = shown.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= LONGEST_EXCERPT).last();
    let kept = &shown[..kept.unwrap_or(0)];
    let excerpt = format!("{kept:?}{}", if kept.len() < name.len() { "…" } else { "" });
    assert_eq!(error.to_string(), of_another.to_string().replacen("\"?\"", &excerpt, 1));
}

/// A number of 64 bits, often at an end of its range.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Number {
    Any(i64),
    Small(i8),
    Least(u8),
    Most(u8),
}

impl Number {
    #[must_use]
    pub fn get(self) -> i64 {
        match self {
            Number::Any(number) => number,
            Number::Small(number) => i64::from(number),
            Number::Least(above) => i64::MIN + i64::from(above),
            Number::Most(below) => i64::MAX - i64::from(below),
        }
    }
}

/// Returns whether this encoding can read letters of both cases as equal digits.
#[must_use]
pub fn has_one_case(encoding: &Encoding) -> bool {
    [Encoding::HEX, Encoding::CROCKFORD, Encoding::BASE32HEX, Encoding::BASE36].contains(encoding)
}
