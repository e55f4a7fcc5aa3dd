//! Prefixes of IDs in text: `order_01h455vb4pex5vsknk084sn02q`.
//!
//! The text is a prefix, an underscore, and the number in Crockford's base32: lower case, in full
//! width. Each ID has exactly one text. Strict reading, the default, rejects another prefix, upper
//! case, and letters that Crockford's base32 accepts in place of digits.
//!
//! Source: github.com/jetify-com/typeid, specification, version 0.3. A UUID version 7 with a prefix
//! is a TypeID.

use crate::encoding::{Encoding, Leniency, Text};
use crate::error::{Error, Excerpt};
use crate::id::IdValue;
use core::fmt;

/// The maximum length of a prefix, in bytes.
const MAX: usize = 63;
/// The character between a prefix and the number.
const SEPARATOR: u8 = b'_';

/// The prefix of IDs in text: at most 63 letters `a` to `z`, with underscores between them, or
/// nothing.
///
/// ```
/// use saiban::Prefix;
/// assert_eq!(Prefix::new("sales_order")?.as_str(), "sales_order");
/// assert!(Prefix::new("Order").is_err() && Prefix::new("order_").is_err() && Prefix::new("order2").is_err());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    bytes: [u8; MAX],
    len: u8,
}

impl Prefix {
    /// Creates a prefix from text, without the underscore that follows it. Empty text gives the
    /// empty prefix.
    ///
    /// # Errors
    /// `InvalidArgument` if the text has more than 63 characters, has other characters than `a` to
    /// `z` and underscores, or begins or ends with an underscore.
    #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
    pub fn new(text: &str) -> Result<Self, Error> {
        let bytes = text.as_bytes();
        let is_letter = |byte: &u8| byte.is_ascii_lowercase();
        let (is_inner, is_end) =
            (|byte: &u8| is_letter(byte) || *byte == SEPARATOR, |end: Option<&u8>| end.is_none_or(is_letter));
        if bytes.len() > MAX || !bytes.iter().all(is_inner) || !is_end(bytes.first()) || !is_end(bytes.last()) {
            return Err(Error::InvalidPrefix { prefix: Excerpt::new(text) });
        }
        let mut prefix = Prefix { bytes: [0; MAX], len: bytes.len() as u8 };
        prefix.bytes[..bytes.len()].copy_from_slice(bytes);
        Ok(prefix)
    }

    /// Returns the prefix as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }

    /// Splits a text at its last underscore into a prefix and the rest. Returns `None` if the text
    /// has no valid prefix, or an empty one.
    pub(crate) fn split(text: &str) -> Option<(Prefix, &str)> {
        let (prefix, number) = text.rsplit_once(char::from(SEPARATOR))?;
        Prefix::new(prefix).ok().filter(|prefix| prefix.len > 0).map(|prefix| (prefix, number))
    }

    /// Writes an ID as text with this prefix.
    pub(crate) fn write<I: IdValue>(&self, id: I, bits: u32) -> Result<Text, Error> {
        let number = id.any(bits).encode(Encoding::CROCKFORD)?;
        let separator = (self.len > 0).then_some(SEPARATOR);
        Ok(Text::of(self.as_str().bytes().chain(separator).chain(number.bytes().map(|byte| byte.to_ascii_lowercase()))))
    }

    /// Reads an ID from text with this prefix.
    pub(crate) fn read<I: IdValue>(&self, text: &str, bits: u32, leniency: Leniency) -> Result<I, Error> {
        let number = match self.len {
            0 => Some(text),
            _ => text.strip_prefix(self.as_str()).and_then(|rest| rest.strip_prefix(char::from(SEPARATOR))),
        };
        let number = number.ok_or_else(|| Error::TextPrefix { prefix: Excerpt::of_name(self.as_str()) })?;
        read_number(number, bits, leniency)
            .map_err(|error| error.moved_by(text.chars().count() - number.chars().count()))
    }
}

/// Reads a number as it follows a prefix.
pub(crate) fn read_number<I: IdValue>(text: &str, bits: u32, leniency: Leniency) -> Result<I, Error> {
    if leniency == Leniency::Strict {
        if let Some((position, character)) =
            text.chars().enumerate().find(|(_, character)| character.is_ascii_uppercase())
        {
            return Err(Error::TextCharacter { encoding: "lower-case crockford", position, character });
        }
    }
    if leniency == Leniency::Lenient {
        // A lost or doubled character would give another ID, so the width must match here, too.
        Encoding::CROCKFORD.check_digits(text, Encoding::CROCKFORD.full_width_of(bits)?)?;
    }
    I::decode(Encoding::CROCKFORD, text, bits, None, leniency.max(Leniency::AnyCase))
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Prefix").field(&self.as_str()).finish()
    }
}
