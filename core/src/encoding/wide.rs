//! Encodes unsigned IDs of 16 to 128 bits as text, and decodes them.

use super::alphabet::MAX_BITS;
use super::encode::room_for;
use super::{Encoding, Leniency, Size, Text};
use crate::error::Error;

/// The number of bits of the narrowest ID.
const LEAST_BITS: u32 = 16;

impl Encoding {
    /// Returns the number of characters that holds any ID of `bits` bits, 16 to 128.
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::CROCKFORD.full_width_of(128)?, 26);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if `bits` is out of range.
    pub fn full_width_of(&self, bits: u32) -> Result<usize, Error> {
        Ok(self.wide_size(bits)?.width)
    }

    /// Returns the canonical text of an ID of `bits` bits, 16 to 128, of the default width (see the
    /// [table](crate::encoding)).
    ///
    /// The text has no sign, not even in decimal.
    ///
    /// ```
    /// use saiban::Encoding;
    /// let id = 0x01890a5d_ac96_774b_bcce_b302099a8057;
    /// assert_eq!(Encoding::CROCKFORD.encode_wide(id, 128)?.as_str(), "01H455VB4PEX5VSKNK084SN02Q");
    /// assert_eq!(Encoding::BASE64URL.encode_wide(id, 128)?.as_str(), "AYkKXayWd0u8zrMCCZqAVw");
    /// assert_eq!(Encoding::BASE58.encode_wide(255, 96)?.as_str(), "5Q");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `IdOutOfRange` if the number has more bits; `InvalidArgument` if `bits` is out of range.
    pub fn encode_wide(&self, value: u128, bits: u32) -> Result<Text, Error> {
        let size = self.wide_size(bits)?;
        check_bits(value, bits)?;
        Ok(Text::written(|out| self.write_wide(value, size, self.default_width(size), out)))
    }

    /// Returns the text of an ID of `bits` bits with exactly `width` characters, with leading
    /// zeros.
    ///
    /// Texts of one width sort as the numbers do, except in `base64url`.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide`], and `WidthOutOfRange` if the encoding has no such width for
    /// this number of bits, or if the number needs more characters.
    pub fn encode_wide_width(&self, value: u128, bits: u32, width: i64) -> Result<Text, Error> {
        let size = self.wide_size(bits)?;
        let width = self.check_width(width, size)?;
        check_bits(value, bits)?;
        self.no_longer_than(width, Text::written(|out| self.write_wide(value, size, width, out)))
    }

    /// Returns the text of an ID of `bits` bits with `width` characters, or its canonical text if
    /// `width` is `None`.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_width`].
    pub fn encode_wide_as(&self, value: u128, bits: u32, width: Option<i64>) -> Result<Text, Error> {
        match width {
            Some(width) => self.encode_wide_width(value, bits, width),
            None => self.encode_wide(value, bits),
        }
    }

    /// Writes the text of an ID of `bits` bits to the start of a buffer, and returns the number of
    /// bytes written.
    ///
    /// `width` is as in [`Encoding::encode_wide_as`].
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_width`], and `BufferTooSmall`. An error leaves the buffer
    /// unchanged.
    #[inline]
    pub fn encode_wide_into(
        &self,
        value: u128,
        bits: u32,
        width: Option<i64>,
        buffer: &mut [u8],
    ) -> Result<usize, Error> {
        let size = self.wide_size(bits)?;
        let least = match width {
            Some(width) => self.check_width(width, size)?,
            None => self.default_width(size),
        };
        check_bits(value, bits)?;
        if least < size.width {
            return self.encode_wide_as(value, bits, width)?.copy_into(buffer);
        }
        // Every number fits the full width.
        self.write_wide(value, size, least, room_for(1, least, buffer)?);
        Ok(least)
    }

    /// Writes many IDs of `bits` bits to the start of a buffer, with exactly `width` characters
    /// each.
    ///
    /// There are no separators. Returns the number of bytes written.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_width`] for any of the IDs, and `BufferTooSmall`. An error leaves
    /// the buffer unchanged.
    pub fn encode_all_wide_into(
        &self,
        values: &[u128],
        bits: u32,
        width: i64,
        buffer: &mut [u8],
    ) -> Result<usize, Error> {
        let size = self.wide_size(bits)?;
        let width = self.check_width(width, size)?;
        // If the largest ID fits the width, all IDs do.
        let largest = values.iter().copied().max().unwrap_or(0);
        check_bits(largest, bits)?;
        self.no_longer_than(width, Text::written(|out| self.write_wide(largest, size, 1, out)))?;
        let texts = room_for(values.len(), width, buffer)?;
        for (text, value) in texts.chunks_exact_mut(width).zip(values) {
            self.write_wide(*value, size, width, text);
        }
        Ok(texts.len())
    }

    /// Decodes an ID of `bits` bits, 16 to 128, from its canonical text.
    ///
    /// ```
    /// use saiban::Encoding;
    /// let id = 0x01890a5d_ac96_774b_bcce_b302099a8057;
    /// assert_eq!(Encoding::CROCKFORD.decode_wide("01H455VB4PEX5VSKNK084SN02Q", 128)?, id);
    /// // The number of these 26 digits has more than 128 bits.
    /// assert!(Encoding::CROCKFORD.decode_wide("8ZZZZZZZZZZZZZZZZZZZZZZZZZ", 128).is_err());
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Encoding::decode`], and `InvalidArgument` if `bits` is out of range.
    pub fn decode_wide(&self, text: &str, bits: u32) -> Result<u128, Error> {
        self.decode_wide_as(text, bits, None, Leniency::Strict)
    }

    /// Decodes an ID of `bits` bits from text of `width` characters, or of the default width if
    /// `width` is `None`.
    ///
    /// `leniency` determines which texts other than the canonical text are accepted. A number of
    /// more bits is an error, even if the digits can hold it: 26 digits of Crockford's base32 hold
    /// 130 bits.
    ///
    /// # Errors
    /// As [`Encoding::decode_wide`], and `WidthOutOfRange` if the encoding has no such width for
    /// this number of bits.
    pub fn decode_wide_as(&self, text: &str, bits: u32, width: Option<i64>, leniency: Leniency) -> Result<u128, Error> {
        // Wide IDs have no sign.
        let unsigned = Encoding { signed: false, ..*self };
        unsigned.read(text, self.wide_size(bits)?, width, leniency).map(|(number, _)| number)
    }

    fn wide_size(&self, bits: u32) -> Result<Size, Error> {
        check_size(bits)?;
        Ok(self.size(bits))
    }
}

/// Checks that a number is an ID of `bits` bits, 16 to 128.
pub(crate) fn check_wide(value: u128, bits: u32) -> Result<(), Error> {
    check_size(bits)?;
    check_bits(value, bits)
}

fn check_size(bits: u32) -> Result<(), Error> {
    if (LEAST_BITS..=MAX_BITS).contains(&bits) {
        Ok(())
    } else {
        Err(Error::BitsOutOfRange { bits, min: LEAST_BITS, max: MAX_BITS })
    }
}

fn check_bits(value: u128, bits: u32) -> Result<(), Error> {
    let needed = MAX_BITS - value.leading_zeros();
    if needed > bits { Err(Error::IdTooWide { needed, bits }) } else { Ok(()) }
}
