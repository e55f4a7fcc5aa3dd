//! IDs as text: in the customary form, or of a fixed width that sorts.

use super::{Encoding, ID_BITS, Size, Text};
use crate::bits::low_64;
use crate::error::Error;

/// As long as a number of 64 bits with a sign is in base 10, and no more than a processor copies at once.
const SHORT: usize = 24;

impl Encoding {
    /// Writes an ID in the encoding's customary form (see the [table](crate::encoding)).
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::CROCKFORD.encode(14246757444195114).as_str(), "00CMXB6TAK4SA");
    /// assert_eq!(Encoding::HEX.encode(-1).as_str(), "ffffffffffffffff");
    /// ```
    #[must_use]
    pub fn encode(&self, id: i64) -> Text {
        let size = self.size(ID_BITS);
        Text::written(|out| self.write(id, size, self.customary(size), out))
    }

    /// Writes an ID with exactly `width` characters, zeros in front: fixed-width text sorts as the numbers do.
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::BASE62.encode_width(14246757444195114, 11)?.as_str(), "013FW9YTB5m");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `WidthOutOfRange` when the encoding has no such width, the number needs more, or it is negative and decimal.
    pub fn encode_width(&self, id: i64, width: i64) -> Result<Text, Error> {
        let size = self.size(ID_BITS);
        let width = self.check_width(width, size)?;
        if self.signed && id < 0 {
            return Err(Error::WidthNegative { encoding: self.name });
        }
        self.no_longer_than(width, Text::written(|out| self.write(id, size, width, out)))
    }

    /// Writes an ID in the form asked for: of this width, or the customary one.
    ///
    /// # Errors
    /// As [`Encoding::encode_width`].
    pub fn encode_as(&self, id: i64, width: Option<i64>) -> Result<Text, Error> {
        match width {
            Some(width) => self.encode_width(id, width),
            None => Ok(self.encode(id)),
        }
    }

    /// Writes an ID in the form asked for into the front of a buffer; answers how many bytes it wrote.
    ///
    /// # Errors
    /// As [`Encoding::encode_width`], and `BufferTooSmall`, which leaves the buffer as it was.
    #[inline]
    pub fn encode_into(&self, id: i64, width: Option<i64>, buffer: &mut [u8]) -> Result<usize, Error> {
        let written = if width.is_none() { self.write_quickly(id, buffer) } else { 0 };
        if written > 0 { Ok(written) } else { self.encode_any_into(id, width, buffer) }
    }

    /// Writes the customary text of as many digits as any has into the front of a buffer; answers how many. 0 says nothing: whoever takes the long way
    /// finds out.
    #[inline]
    fn write_quickly(&self, id: i64, buffer: &mut [u8]) -> usize {
        match self.whole.filter(|whole| self.fixed || id as u64 >= whole.least()) {
            Some(whole) if whole.write(id as u64, buffer).is_some() => whole.width(),
            _ => 0,
        }
    }

    #[inline(never)]
    fn encode_any_into(&self, id: i64, width: Option<i64>, buffer: &mut [u8]) -> Result<usize, Error> {
        if width.is_none() && self.is_short() {
            let size = self.size(ID_BITS);
            if self.fixed {
                let text = room_for(1, size.width, buffer)?;
                self.write(id, size, size.width, text);
                return Ok(size.width);
            }
            let mut out = [0; SHORT];
            let start = self.write(id, size, self.customary(size), &mut out);
            let text = &out[start..];
            room_for(1, text.len(), buffer)?.copy_from_slice(text);
            return Ok(text.len());
        }
        self.encode_as(id, width)?.copy_into(buffer)
    }

    /// Whether every text of 64 bits has at most SHORT characters.
    const fn is_short(&self) -> bool {
        self.uuid.is_none() && self.alphabet.base >= 10
    }

    /// Writes many IDs with exactly `width` characters each, one after the other with nothing between them, into the front of a
    /// buffer; answers how many bytes it wrote.
    ///
    /// ```
    /// use saiban::Encoding;
    /// let mut buffer = [0; 12];
    /// assert_eq!(Encoding::HEX.encode_all_into(&[1, 255, 4096], 4, &mut buffer)?, 12);
    /// assert_eq!(&buffer, b"000100ff1000");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Encoding::encode_width`] for any of them, and `BufferTooSmall`. Each leaves the buffer as it was.
    pub fn encode_all_into(&self, ids: &[i64], width: i64, buffer: &mut [u8]) -> Result<usize, Error> {
        let size = self.size(ID_BITS);
        let width = self.check_width(width, size)?;
        if self.signed && ids.iter().any(|id| *id < 0) {
            return Err(Error::WidthNegative { encoding: self.name });
        }
        // Where the largest fits all do.
        if let Some(largest) = ids.iter().max_by_key(|id| **id as u64) {
            self.no_longer_than(width, Text::written(|out| self.write(*largest, size, 1, out)))?;
        }
        let texts = room_for(ids.len(), width, buffer)?;
        if let Some(whole) = self.whole.filter(|whole| whole.width() == width) {
            whole.write_all(ids, texts);
            return Ok(texts.len());
        }
        for (text, id) in texts.chunks_exact_mut(width).zip(ids) {
            self.write(*id, size, width, text);
        }
        Ok(texts.len())
    }

    pub(super) fn no_longer_than(&self, width: usize, text: Text) -> Result<Text, Error> {
        match text.as_bytes().len() {
            needed if needed > width => Err(Error::WidthTooSmall { encoding: self.name, width, needed }),
            _ => Ok(text),
        }
    }

    /// Writes at the buffer's end, at least so many characters; answers where they begin.
    fn write(&self, id: i64, size: Size, least: usize, out: &mut [u8]) -> usize {
        if let Some(form) = self.uuid {
            return form.write(u128::from(id as u64), out);
        }
        let number = if self.signed { id.unsigned_abs() } else { id as u64 };
        let (written, rest) = self.write_last(number, size, out);
        let start = self.alphabet.write(number >> rest, out, out.len() - written, least.saturating_sub(written));
        if self.signed && id < 0 {
            out[start - 1] = b'-';
            return start - 1;
        }
        start
    }

    /// The same for an ID of up to 128 bits, without a sign.
    pub(super) fn write_wide(&self, number: u128, size: Size, least: usize, out: &mut [u8]) -> usize {
        if let Some(form) = self.uuid {
            return form.write(number, out);
        }
        let (written, rest) = self.write_last(low_64(number), size, out);
        self.alphabet.write_wide(number >> rest, out, out.len() - written, least.saturating_sub(written))
    }

    /// Where bytes are written: the last digit, which holds what is left of the last byte, and the pad. Answers how many digits and how
    /// many of the number's lowest bits that were.
    fn write_last(&self, low: u64, size: Size, out: &mut [u8]) -> (usize, u32) {
        if !self.bytes {
            return (0, 0);
        }
        let bits = self.alphabet.base.trailing_zeros() - size.pad_bits;
        if let Some(last) = out.last_mut() {
            *last = self.alphabet.digit((low & ((1 << bits) - 1)) << size.pad_bits);
        }
        (1, bits)
    }
}

/// The front of a buffer, as much as texts of this width need.
pub(super) fn room_for(count: usize, width: usize, buffer: &mut [u8]) -> Result<&mut [u8], Error> {
    let (length, needed) = (buffer.len(), count.saturating_mul(width));
    buffer.get_mut(..needed).ok_or(Error::BufferTooSmall { length, needed })
}
