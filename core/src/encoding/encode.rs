//! Encodes IDs of up to 64 bits as text: of the default width, or of a given width.

use super::{Encoding, ID_BITS, Size, Text};
use crate::bits::low_64;
use crate::error::Error;

/// The size of a buffer for a signed 64-bit number in base 10 or higher. The buffer is small, so
/// copying the text is cheap.
const SHORT: usize = 24;

impl Encoding {
    /// Returns the canonical text of an ID, of the encoding's default width (see the
    /// [table](crate::encoding)).
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::CROCKFORD.encode(14246757444195114).as_str(), "00CMXB6TAK4SA");
    /// assert_eq!(Encoding::HEX.encode(-1).as_str(), "ffffffffffffffff");
    /// ```
    #[must_use]
    pub fn encode(&self, id: i64) -> Text {
        let size = self.size(ID_BITS);
        Text::written(|out| self.write(id, size, self.default_width(size), out))
    }

    /// Returns the text of an ID with exactly `width` characters, with leading zeros.
    ///
    /// Texts of one width sort as the unsigned numbers do, except in `base64url`.
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::BASE62.encode_width(14246757444195114, 11)?.as_str(), "013FW9YTB5m");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `WidthOutOfRange` if the encoding has no such width, if the number needs more characters, or
    /// if the number is negative and the encoding is decimal.
    pub fn encode_width(&self, id: i64, width: i64) -> Result<Text, Error> {
        let size = self.size(ID_BITS);
        let width = self.check_width(width, size)?;
        if self.signed && id < 0 {
            return Err(Error::WidthNegative { encoding: self.name });
        }
        self.no_longer_than(width, Text::written(|out| self.write(id, size, width, out)))
    }

    /// Returns the text of an ID with `width` characters, or its canonical text if `width` is
    /// `None`.
    ///
    /// # Errors
    /// As [`Encoding::encode_width`].
    pub fn encode_as(&self, id: i64, width: Option<i64>) -> Result<Text, Error> {
        match width {
            Some(width) => self.encode_width(id, width),
            None => Ok(self.encode(id)),
        }
    }

    /// Writes the text of an ID to the start of a buffer, and returns the number of bytes written.
    ///
    /// `width` is as in [`Encoding::encode_as`].
    ///
    /// # Errors
    /// As [`Encoding::encode_width`], and `BufferTooSmall`. An error leaves the buffer unchanged.
    #[inline]
    pub fn encode_into(&self, id: i64, width: Option<i64>, buffer: &mut [u8]) -> Result<usize, Error> {
        let written = if width.is_none() { self.write_quickly(id, buffer) } else { 0 };
        if written > 0 { Ok(written) } else { self.encode_any_into(id, width, buffer) }
    }

    /// Writes canonical text of the full 64-bit width to the start of a buffer, and returns its
    /// length.
    ///
    /// Returns 0 to fall back to the slow path.
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
            let start = self.write(id, size, self.default_width(size), &mut out);
            let text = &out[start..];
            room_for(1, text.len(), buffer)?.copy_from_slice(text);
            return Ok(text.len());
        }
        self.encode_as(id, width)?.copy_into(buffer)
    }

    /// Returns whether every text of a 64-bit ID has at most `SHORT` characters.
    const fn is_short(&self) -> bool {
        self.uuid.is_none() && self.alphabet.base >= 10
    }

    /// Writes many IDs with exactly `width` characters each to the start of a buffer, without
    /// separators, and returns the number of bytes written.
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
    /// As [`Encoding::encode_width`] for any of the IDs, and `BufferTooSmall`. An error leaves the
    /// buffer unchanged.
    pub fn encode_all_into(&self, ids: &[i64], width: i64, buffer: &mut [u8]) -> Result<usize, Error> {
        let size = self.size(ID_BITS);
        let width = self.check_width(width, size)?;
        if self.signed && ids.iter().any(|id| *id < 0) {
            return Err(Error::WidthNegative { encoding: self.name });
        }
        // If the largest number fits the width, all numbers do.
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

    /// Writes text of at least `least` characters at the end of a buffer, and returns the index of
    /// its first character.
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

    /// Writes an unsigned ID of up to 128 bits as [`write`](Self::write) does.
    pub(super) fn write_wide(&self, number: u128, size: Size, least: usize, out: &mut [u8]) -> usize {
        if let Some(form) = self.uuid {
            return form.write(number, out);
        }
        let (written, rest) = self.write_last(low_64(number), size, out);
        self.alphabet.write_wide(number >> rest, out, out.len() - written, least.saturating_sub(written))
    }

    /// Writes the last digit of an encoding of bytes: the lowest bits of the number, then the pad.
    ///
    /// Returns the number of digits written, and the number of bits of the number that they hold.
    /// Both are 0 for other encodings.
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

/// Returns the first `count * width` bytes of a buffer.
///
/// # Errors
/// `BufferTooSmall` if the buffer has fewer bytes.
pub(super) fn room_for(count: usize, width: usize, buffer: &mut [u8]) -> Result<&mut [u8], Error> {
    let (length, needed) = (buffer.len(), count.saturating_mul(width));
    buffer.get_mut(..needed).ok_or(Error::BufferTooSmall { length, needed })
}
