//! What every target holds errors to, and the arguments that several of them make of bytes.

pub mod layouts;
pub mod options;

use arbitrary::Arbitrary;
use saiban::encoding::Encoding;
use saiban::error::{Error, Excerpt, TextFault};

/// A message fits C's buffer of 512 bytes with its NUL: `SAIBAN_MESSAGE_CAPACITY`.
const LONGEST_MESSAGE: usize = 511;
/// How much of the input a message repeats, bytes.
const LONGEST_EXCERPT: usize = 24;

/// Checks what any error promises.
pub fn check_error(error: &Error) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE, "{message:?} has {} bytes", message.len());
    assert!(!error.kind().name().is_empty());
}

/// Checks an error that reading this text gave: it points into the text, and repeats no more of it
/// than one character.
pub fn check_text_error(error: &Error, text: &str) {
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
            // The length is that of the number, without the prefix. Where a scheme asks a lenient
            // reader for its width, the hyphens that are skipped do not count.
            let number = text.rsplit_once('_').map_or(text, |(_, number)| number);
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
        // It repeats the prefix that was expected, and nothing of the text.
        Error::TextPrefix { .. } => {}
        // These hold nothing of the text but a place in it.
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
    // Of a lease a URL is easily given in the scheme's place, and may have a password: only its
    // kind is repeated.
    let is_url = matches!(error, Error::UnknownScheme { .. }) && (name.contains('@') || name.contains("://"));
    let shown = if is_url { name.split_once(':').map_or("", |(kind, _)| kind) } else { name };
    let kept = shown.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= LONGEST_EXCERPT).last();
    let kept = &shown[..kept.unwrap_or(0)];
    let excerpt = format!("{kept:?}{}", if kept.len() < name.len() { "…" } else { "" });
    assert_eq!(error.to_string(), of_another.to_string().replacen("\"?\"", &excerpt, 1));
}

/// A number of 64 bits, often one at an end of its range.
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

/// Whether letters of both cases stand for the same digit where it is asked for.
#[must_use]
pub fn has_one_case(encoding: &Encoding) -> bool {
    [Encoding::HEX, Encoding::CROCKFORD, Encoding::BASE32HEX, Encoding::BASE36].contains(encoding)
}
