//! IDs of up to 128 bits as text and back.

use super::alphabet::MOST_BITS;
use super::encode::room_for;
use super::{Encoding, Leniency, Size, Text};
use crate::error::Error;

/// The narrowest ID.
const LEAST_BITS: u32 = 16;

impl Encoding {
    /// The width that holds any ID of so many bits, 16 to 128.
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::CROCKFORD.full_width_of(128)?, 26);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for other numbers of bits.
    pub fn full_width_of(&self, bits: u32) -> Result<usize, Error> {
        Ok(self.wide_size(bits)?.width)
    }

    /// Writes an ID of so many bits, 16 to 128, in the customary form for that many (see the [table](crate::encoding)). It has no
    /// sign, in decimal text neither.
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
    /// `IdOutOfRange` when the number has more bits; `InvalidArgument` when `bits` is out of range.
    pub fn encode_wide(&self, value: u128, bits: u32) -> Result<Text, Error> {
        let size = self.wide_size(bits)?;
        check_bits(value, bits)?;
        Ok(Text::written(|out| self.write_wide(value, size, self.customary(size), out)))
    }

    /// Writes an ID of so many bits with exactly `width` characters, zeros in front: fixed-width text sorts as the numbers do.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide`], and `WidthOutOfRange` when the encoding has no such width for so many bits, or the number needs more.
    pub fn encode_wide_width(&self, value: u128, bits: u32, width: i64) -> Result<Text, Error> {
        let size = self.wide_size(bits)?;
        let width = self.check_width(width, size)?;
        check_bits(value, bits)?;
        self.no_longer_than(width, Text::written(|out| self.write_wide(value, size, width, out)))
    }

    /// Writes an ID of so many bits in the form asked for: of this width, or the customary one.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_width`].
    pub fn encode_wide_as(&self, value: u128, bits: u32, width: Option<i64>) -> Result<Text, Error> {
        match width {
            Some(width) => self.encode_wide_width(value, bits, width),
            None => self.encode_wide(value, bits),
        }
    }

    /// Writes an ID of so many bits in the form asked for into the front of a buffer; answers how many bytes it wrote.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_width`], and `BufferTooSmall`, which leaves the buffer as it was.
    pub fn encode_wide_into(
        &self,
        value: u128,
        bits: u32,
        width: Option<i64>,
        buffer: &mut [u8],
    ) -> Result<usize, Error> {
        self.encode_wide_as(value, bits, width)?.copy_into(buffer)
    }

    /// Writes many IDs of so many bits with exactly `width` characters each, one after the other with nothing between them, into the
    /// front of a buffer; answers how many bytes it wrote.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_width`] for any of them, and `BufferTooSmall`. Each leaves the buffer as it was.
    pub fn encode_all_wide_into(
        &self,
        values: &[u128],
        bits: u32,
        width: i64,
        buffer: &mut [u8],
    ) -> Result<usize, Error> {
        let size = self.wide_size(bits)?;
        let width = self.check_width(width, size)?;
        // Where the largest fits all do.
        let largest = values.iter().copied().max().unwrap_or(0);
        check_bits(largest, bits)?;
        self.no_longer_than(width, Text::written(|out| self.write_wide(largest, size, 1, out)))?;
        let texts = room_for(values.len(), width, buffer)?;
        for (text, value) in texts.chunks_exact_mut(width).zip(values) {
            self.write_wide(*value, size, width, text);
        }
        Ok(texts.len())
    }

    /// Reads an ID of so many bits, 16 to 128, from its customary text, and no other.
    ///
    /// ```
    /// use saiban::Encoding;
    /// let id = 0x01890a5d_ac96_774b_bcce_b302099a8057;
    /// assert_eq!(Encoding::CROCKFORD.decode_wide("01H455VB4PEX5VSKNK084SN02Q", 128)?, id);
    /// assert!(Encoding::CROCKFORD.decode_wide("8ZZZZZZZZZZZZZZZZZZZZZZZZZ", 128).is_err()); // 130 bits
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Encoding::decode`], and `InvalidArgument` when `bits` is out of range.
    pub fn decode_wide(&self, text: &str, bits: u32) -> Result<u128, Error> {
        self.decode_wide_as(text, bits, None, Leniency::Strict)
    }

    /// Reads an ID of so many bits from text of this width (the customary form where it is `None`), as leniently as asked. What has
    /// more bits is refused even where its digits have room for it: 26 digits of Crockford's hold 130 bits.
    ///
    /// # Errors
    /// As [`Encoding::decode_wide`], and `WidthOutOfRange` when the encoding has no such width for so many bits.
    pub fn decode_wide_as(&self, text: &str, bits: u32, width: Option<i64>, leniency: Leniency) -> Result<u128, Error> {
        // Nothing has a sign here.
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
    if (LEAST_BITS..=MOST_BITS).contains(&bits) {
        Ok(())
    } else {
        Err(Error::BitsOutOfRange { bits, min: LEAST_BITS, max: MOST_BITS })
    }
}

fn check_bits(value: u128, bits: u32) -> Result<(), Error> {
    let needed = MOST_BITS - value.leading_zeros();
    if needed > bits { Err(Error::IdTooWide { needed, bits }) } else { Ok(()) }
}
