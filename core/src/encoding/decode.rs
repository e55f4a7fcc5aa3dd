//! Decodes text into IDs. A strict reader accepts one text for each ID; a lenient reader accepts
//! more.

use super::alphabet::{Char, NO_DIGIT};
use super::leniency::Leniency;
use super::{Encoding, ID_BITS, Size};
use crate::bits::low_64;
use crate::error::Error;

/// The length of the longest text that a lenient reader accepts, in characters.
const LONGEST_LENIENT: usize = 128;

impl Encoding {
    /// Decodes an ID from its canonical text.
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::BASE62.decode("24ealwjA6j2")?, 1741610183685074944);
    /// let error = Encoding::BASE62.decode("24ealwj_6j2").unwrap_err();
    /// assert_eq!(error.position(), Some(7));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// - `TextLength`: the text is too short or too long.
    /// - `TextCharacter`: a character is not in the alphabet.
    /// - `TextNotCanonical`: a letter has the other case, or the text has leading zeros.
    /// - `TextOverflow`: the number does not fit 64 bits.
    ///
    /// `TextCharacter` and `TextNotCanonical` have the position of the first bad character.
    #[inline]
    pub fn decode(&self, text: &str) -> Result<i64, Error> {
        match self.decode_whole(text.as_bytes()) {
            Some(number) => Ok(number as i64),
            None => self.decode_any(text, None, Leniency::Strict),
        }
    }

    /// Decodes canonical text of the full 64-bit width.
    ///
    /// Returns `None` to fall back to the slow path.
    #[inline]
    fn decode_whole(&self, text: &[u8]) -> Option<u64> {
        let whole = self.whole?;
        whole.read(text).filter(|number| self.fixed || *number >= whole.least())
    }

    /// Decodes canonical text of a 64-bit number, if the text consists of digits only.
    ///
    /// Returns `None` to fall back to the slow path, which also determines the error.
    fn decode_quickly(&self, text: &[u8]) -> Option<u64> {
        let width = self.alphabet.width_of(ID_BITS);
        let is_length = if self.fixed { text.len() == width } else { (1..=width).contains(&text.len()) };
        if !is_length || self.signed || self.bytes || self.uuid.is_some() {
            return None;
        }
        // Only encodings with a fixed default width have leading zeros.
        if !self.fixed && text.len() > 1 && text[0] == self.alphabet.zero() {
            return None;
        }
        let (last, front) = text.split_last()?;
        let (mut number, mut seen) = (0_u64, 0);
        // All digits but the last fit 64 bits. The loop does not check for bytes that are not
        // digits: `seen` collects their mark.
        for byte in front {
            let value = self.alphabet.value(*byte);
            seen |= value;
            number = number.wrapping_mul(self.alphabet.base).wrapping_add(value.into());
        }
        let value = self.alphabet.value(*last);
        let number = number.checked_mul(self.alphabet.base)?.checked_add(value.into())?;
        ((seen | value) & NO_DIGIT == 0).then_some(number)
    }

    /// Decodes an ID from text of `width` characters, or of the default width if `width` is `None`.
    ///
    /// `leniency` determines which texts other than the canonical text are accepted.
    ///
    /// # Errors
    /// As [`Encoding::decode`], and `WidthOutOfRange` if the encoding has no such width.
    #[inline]
    pub fn decode_as(&self, text: &str, width: Option<i64>, leniency: Leniency) -> Result<i64, Error> {
        let whole = if width.is_none() { self.decode_whole(text.as_bytes()) } else { None };
        match whole {
            Some(number) => Ok(number as i64),
            None => self.decode_any(text, width, leniency),
        }
    }

    #[inline(never)]
    fn decode_any(&self, text: &str, width: Option<i64>, leniency: Leniency) -> Result<i64, Error> {
        // All levels of leniency accept what the strict reader accepts.
        if width.is_none() {
            if let Some(number) = self.decode_quickly(text.as_bytes()) {
                return Ok(number as i64);
            }
        }
        let (number, negative) = self.read(text, self.size(ID_BITS), width, leniency)?;
        if !self.signed {
            return Ok(low_64(number) as i64);
        }
        let number = number as i128;
        i64::try_from(if negative { -number } else { number }).map_err(|_| self.overflow(ID_BITS))
    }

    /// Checks that a text has exactly `width` digits.
    ///
    /// Does not count hyphens, if a lenient reader of this encoding skips them.
    ///
    /// # Errors
    /// `TextLength` if the text has more or fewer digits.
    pub(crate) fn check_digits(&self, text: &str, width: usize) -> Result<(), Error> {
        let length = text.chars().filter(|character| !(self.hyphens && *character == '-')).count();
        if length == width {
            return Ok(());
        }
        Err(Error::TextLength { encoding: self.name, length, min: width, max: width })
    }

    /// Decodes a number of at most `size.bits` bits. Returns its absolute value, and whether the
    /// text has a minus sign.
    #[inline]
    pub(super) fn read(
        &self,
        text: &str,
        size: Size,
        width: Option<i64>,
        leniency: Leniency,
    ) -> Result<(u128, bool), Error> {
        let width = match width {
            Some(width) => Some(self.check_width(width, size)?),
            None if self.fixed => Some(size.width),
            None => None,
        };
        if let Some(form) = self.uuid {
            let number = form.decode(text, leniency)?;
            let fits = u128::BITS - number.leading_zeros() <= size.bits;
            return if fits { Ok((number, false)) } else { Err(self.overflow(size.bits)) };
        }
        let lenient = leniency == Leniency::Lenient;
        let digits = if lenient && self.padding { text.trim_end_matches('=') } else { text };
        // base64url encodes bytes, not a number: leading zeros or a missing end would mean other
        // bytes.
        let exact = if lenient && !self.bytes { None } else { width };
        let (min, max) = match exact {
            Some(width) => (width, width),
            None if lenient => (1, LONGEST_LENIENT),
            None => (1, size.width),
        };
        let length = if digits.is_ascii() { digits.len() } else { digits.chars().count() };
        if length < min || length > max {
            return Err(self.length_error(text, min, max));
        }
        let (digits, negative) = match digits.strip_prefix('-') {
            Some(rest) if self.signed && width.is_none() => (rest, true),
            _ => (digits, false),
        };
        let sign = usize::from(negative);
        let number = self.read_digits(digits, size, sign, leniency)?;
        if digits.is_empty() || (self.hyphens && digits.bytes().all(|byte| byte == b'-')) {
            return Err(Error::TextWithoutDigits { encoding: self.name });
        }
        if !lenient && width.is_none() && digits.as_bytes()[0] == self.alphabet.zero() && (digits.len() > 1 || negative)
        {
            return Err(Error::TextNotCanonical { encoding: self.name, position: sign });
        }
        match number {
            Some(number) if u128::BITS - number.leading_zeros() <= size.bits => Ok((number, negative)),
            _ => Err(self.overflow(size.bits)),
        }
    }

    const fn overflow(&self, bits: u32) -> Error {
        match bits {
            ID_BITS => Error::TextOverflow { encoding: self.name },
            _ => Error::WideTextOverflow { encoding: self.name, bits },
        }
    }

    #[cold]
    fn length_error(&self, text: &str, min: usize, max: usize) -> Error {
        Error::TextLength { encoding: self.name, length: text.chars().count(), min, max }
    }

    /// Returns the number that the digits stand for, or `None` if it has more than 128 bits.
    ///
    /// `offset` is the number of characters before the digits, for the positions of errors.
    #[inline]
    fn read_digits(&self, digits: &str, size: Size, offset: usize, leniency: Leniency) -> Result<Option<u128>, Error> {
        let reader = Reader { encoding: self, digits, offset, leniency };
        if !self.bytes {
            return reader.number(digits.len());
        }
        // The last digit contains the pad, and has more bits than the pad. The digits before it
        // therefore have at most 126 bits.
        let (body, last) = (reader.number(size.width - 1)?, reader.digit(size.width - 1)?.unwrap_or(0));
        if last & ((1 << size.pad_bits) - 1) != 0 {
            return Err(Error::TextNotCanonical { encoding: self.name, position: size.width - 1 });
        }
        let bits = self.alphabet.base.trailing_zeros() - size.pad_bits;
        Ok(body.map(|number| number << bits | u128::from(last >> size.pad_bits)))
    }
}

/// Reads digits by their byte index. All bytes before the first bad character are ASCII, so the
/// byte index is also the index in characters.
struct Reader<'t> {
    encoding: &'t Encoding,
    digits: &'t str,
    /// The number of characters before the digits.
    offset: usize,
    leniency: Leniency,
}

impl Reader<'_> {
    /// Returns the number that the first `length` digits stand for, or `None` if it has more than
    /// 128 bits.
    #[inline]
    fn number(&self, length: usize) -> Result<Option<u128>, Error> {
        let alphabet = self.encoding.alphabet;
        let mut number = Some(0_u128);
        let mut start = 0;
        while start < length {
            // As many digits as one word holds.
            let end = length.min(start + alphabet.piece_width);
            let (mut piece, mut power) = (0, 1);
            for (index, byte) in self.digits.as_bytes()[start..end].iter().enumerate() {
                let digit = match alphabet.meaning(*byte) {
                    Char::Digit(digit) => u64::from(digit),
                    _ => match self.digit(start + index)? {
                        Some(digit) => digit,
                        None => continue,
                    },
                };
                piece = piece * alphabet.base + digit;
                power *= alphabet.base;
            }
            number = match number {
                Some(0) => Some(u128::from(piece)),
                _ => number
                    .and_then(|number| number.checked_mul(u128::from(power)))
                    .and_then(|number| number.checked_add(u128::from(piece))),
            };
            start = end;
        }
        Ok(number)
    }

    /// Returns the digit at a byte index, or `None` for a hyphen that a lenient reader skips.
    #[cold]
    fn digit(&self, place: usize) -> Result<Option<u64>, Error> {
        let (encoding, position) = (self.encoding.name, self.offset + place);
        let character = self.digits[place..].chars().next().unwrap_or_default();
        let meaning = u8::try_from(character).map_or(Char::None, |byte| self.encoding.alphabet.meaning(byte));
        match meaning {
            Char::Digit(digit) => Ok(Some(u64::from(digit))),
            Char::OtherCase(digit) if self.leniency >= Leniency::AnyCase => Ok(Some(u64::from(digit))),
            Char::LooksLike(digit) if self.leniency >= Leniency::Lenient => Ok(Some(u64::from(digit))),
            Char::None if character == '-' && self.encoding.hyphens && self.leniency >= Leniency::Lenient => Ok(None),
            Char::OtherCase(_) => Err(Error::TextNotCanonical { encoding, position }),
            Char::None | Char::LooksLike(_) => Err(Error::TextCharacter { encoding, position, character }),
        }
    }
}
