//! Text as IDs: one text per ID, unless the reader is asked to be lenient.

use super::Encoding;
use super::alphabet::Char;
use crate::error::Error;

/// The longest text that a lenient reader looks at.
const LONGEST_LENIENT: usize = 128;

/// How much a reader forgives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leniency {
    /// One text per ID: the canonical one.
    Strict,
    /// Letters of the other case too, where the alphabet has one case only; all else as `Strict`.
    AnyCase,
    /// Also leading zeros and any width up to 128 characters (not in `base64url`), Crockford's aliases and hyphens, and `=` at the end of
    /// `base32hex` and `base64url`.
    Lenient,
}

impl Leniency {
    /// `Lenient` or `Strict`, for callers who ask with a flag.
    #[must_use]
    pub const fn lenient_if(lenient: bool) -> Self {
        if lenient { Leniency::Lenient } else { Leniency::Strict }
    }
}

impl Encoding {
    /// Reads an ID from its customary text, and no other.
    ///
    /// # Errors
    /// `TextLength`, `TextCharacter` (with the first bad position, counted in characters from 0), `TextNotCanonical`
    /// (a character of the other case, leading zeros: with the position) and `TextOverflow`.
    pub fn decode(&self, text: &str) -> Result<i64, Error> {
        self.decode_as(text, None, Leniency::Strict)
    }

    /// Reads an ID from text of this width (the customary form where it is `None`), as leniently as asked.
    ///
    /// # Errors
    /// As [`Encoding::decode`], and `WidthOutOfRange` when the encoding has no such width.
    pub fn decode_as(&self, text: &str, width: Option<i64>, leniency: Leniency) -> Result<i64, Error> {
        let width = match width {
            Some(width) => Some(self.check_width(width)?),
            None if self.fixed => Some(self.full_width),
            None => None,
        };
        let lenient = leniency == Leniency::Lenient;
        let digits = self.strip(text, lenient);
        // base64url is eight bytes, not a number: zeros in front or a missing end would be other bytes.
        let exact = if lenient && self.pad_bits == 0 { None } else { width };
        self.check_length(text, digits, exact, lenient)?;
        let (digits, negative) = match digits.strip_prefix('-') {
            Some(rest) if self.signed && width.is_none() => (rest, true),
            _ => (digits, false),
        };
        let sign = usize::from(negative);
        let number = self.read_digits(digits, sign, leniency)?;
        if digits.is_empty() || (self.hyphens && digits.bytes().all(|byte| byte == b'-')) {
            return Err(self.length_error(text, 1, self.full_width));
        }
        if !lenient && width.is_none() && digits.as_bytes()[0] == self.alphabet[0] && (digits.len() > 1 || negative) {
            return Err(Error::TextNotCanonical { encoding: self.name, position: sign });
        }
        self.to_id(number.ok_or(Error::TextOverflow { encoding: self.name })?, negative, text)
    }

    /// The text without what a lenient reader drops from its end.
    fn strip<'t>(&self, text: &'t str, lenient: bool) -> &'t str {
        if lenient && self.padding { text.trim_end_matches('=') } else { text }
    }

    fn check_length(&self, text: &str, digits: &str, width: Option<usize>, lenient: bool) -> Result<(), Error> {
        let (min, max) = match width {
            Some(width) => (width, width),
            None if lenient => (1, LONGEST_LENIENT),
            None => (1, self.full_width),
        };
        let length = if digits.is_ascii() { digits.len() } else { digits.chars().count() };
        if length < min || length > max {
            return Err(self.length_error(text, min, max));
        }
        Ok(())
    }

    fn length_error(&self, text: &str, min: usize, max: usize) -> Error {
        Error::TextLength { encoding: self.name, length: text.chars().count(), min, max }
    }

    /// The number that the digits stand for; `None` when it has more than 128 bits.
    fn read_digits(&self, digits: &str, offset: usize, leniency: Leniency) -> Result<Option<u128>, Error> {
        let base = self.alphabet.len() as u128;
        let mut number = Some(0_u128);
        for (index, character) in digits.chars().enumerate() {
            let position = offset + index;
            let meaning = usize::try_from(u32::from(character)).ok().and_then(|code| self.table.get(code).copied());
            let digit = match meaning.unwrap_or(Char::None) {
                Char::Digit(digit) => digit,
                Char::OtherCase(digit) if leniency >= Leniency::AnyCase => digit,
                Char::LooksLike(digit) if leniency >= Leniency::Lenient => digit,
                Char::None if character == '-' && self.hyphens && leniency >= Leniency::Lenient => continue,
                Char::OtherCase(_) => return Err(Error::TextNotCanonical { encoding: self.name, position }),
                Char::None | Char::LooksLike(_) => {
                    return Err(Error::TextCharacter { encoding: self.name, position, character });
                }
            };
            number = number.and_then(|number| number.checked_mul(base)?.checked_add(u128::from(digit)));
        }
        Ok(number)
    }

    fn to_id(self, number: u128, negative: bool, text: &str) -> Result<i64, Error> {
        let overflow = Error::TextOverflow { encoding: self.name };
        if self.signed {
            let signed = i128::try_from(number).map_err(|_| overflow)?;
            return i64::try_from(if negative { -signed } else { signed }).map_err(|_| overflow);
        }
        if number & ((1 << self.pad_bits) - 1) != 0 {
            return Err(Error::TextNotCanonical {
                encoding: self.name,
                position: self.strip(text, true).chars().count() - 1,
            });
        }
        u64::try_from(number >> self.pad_bits).map(|unsigned| unsigned as i64).map_err(|_| overflow)
    }
}
