//! IDs as numbers: [`AnyId`] for every width, and the trait [`IdValue`] of the two integer types.
//!
//! `AnyId` is for any caller. `IdValue` is sealed: only `i64` and `u128` implement it.

use crate::bits::{low_8, low_64};
use crate::encoding::{self, Encoding, Leniency, Text};
use crate::error::Error;
use core::fmt;

/// An ID of any width: its bits and the width of its format.
///
/// ```
/// use saiban::AnyId;
/// let id = AnyId::from(-1_i64);
/// assert_eq!((id.bits(), id.value(), id.as_i64()), (64, u128::from(u64::MAX), Some(-1)));
/// assert_eq!(AnyId::wide(5, 128)?.as_i64(), None);
/// assert!(AnyId::wide(1 << 96, 96).is_err());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyId {
    value: u128,
    bits: u32,
}

impl AnyId {
    /// Creates an ID from an unsigned number, in a format of `bits` bits: 16 to 128.
    ///
    /// # Errors
    /// `InvalidArgument` for other widths; `IdOutOfRange` for a number that needs more than `bits`
    /// bits.
    pub fn wide(value: u128, bits: u32) -> Result<Self, Error> {
        encoding::check_wide(value, bits)?;
        Ok(AnyId { value, bits })
    }

    /// Creates an ID without a check. The caller ensures that `value` fits `bits` bits.
    pub(crate) const fn known(value: u128, bits: u32) -> Self {
        AnyId { value, bits }
    }

    /// Creates an ID from its bytes, the most significant first: 8 bytes for 64 bits, 12 for 96, 16
    /// for 128.
    ///
    /// ```
    /// use saiban::AnyId;
    /// assert_eq!(AnyId::from_bytes(&[0xff; 8])?, AnyId::from(-1_i64));
    /// assert_eq!(AnyId::from_bytes(&[0; 12])?.bits(), 96);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for any other number of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        if !matches!(bytes.len(), 8 | 12 | 16) {
            return Err(Error::IdBytes { length: bytes.len() });
        }
        let value = bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte));
        Ok(AnyId { value, bits: u32::from(low_8(bytes.len())) * 8 })
    }

    /// Returns the bits of the ID as an unsigned number.
    #[must_use]
    pub const fn value(&self) -> u128 {
        self.value
    }

    /// Returns the width of the ID's format in bits: 64, 96, 128, or the width of a layout.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns an ID of up to 64 bits as a signed number, and `None` for a wider ID.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        if self.bits <= u64::BITS { Some(low_64(self.value) as i64) } else { None }
    }

    /// Encodes the ID in `encoding` with its default width.
    ///
    /// # Errors
    /// The errors of [`Encoding::encode_wide`].
    pub fn encode(&self, encoding: Encoding) -> Result<Text, Error> {
        self.encode_as(encoding, None)
    }

    /// Encodes the ID in `encoding` with `width` characters, or with the default width for `None`.
    ///
    /// # Errors
    /// The errors of [`Encoding::encode_wide_as`].
    pub fn encode_as(&self, encoding: Encoding, width: Option<i64>) -> Result<Text, Error> {
        if self.bits == u64::BITS {
            return encoding.encode_as(low_64(self.value) as i64, width);
        }
        // Only IDs of exactly 64 bits can be negative.
        encoding.encode_wide_as(self.value, self.bits, width)
    }

    /// Writes the text of [`AnyId::encode_as`] to the start of a buffer, and returns the number of
    /// bytes written.
    ///
    /// # Errors
    /// As [`AnyId::encode_as`], and `BufferTooSmall`. An error leaves the buffer unchanged.
    #[inline]
    pub fn encode_into(&self, encoding: Encoding, width: Option<i64>, buffer: &mut [u8]) -> Result<usize, Error> {
        if self.bits == u64::BITS {
            return encoding.encode_into(low_64(self.value) as i64, width, buffer);
        }
        encoding.encode_wide_into(self.value, self.bits, width, buffer)
    }
}

impl From<i64> for AnyId {
    fn from(id: i64) -> Self {
        AnyId { value: u128::from(id as u64), bits: u64::BITS }
    }
}

impl fmt::Display for AnyId {
    /// Writes the decimal number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_i64() {
            Some(id) => fmt::Display::fmt(&id, f),
            None => fmt::Display::fmt(&self.value, f),
        }
    }
}

/// The integer type of an ID: `i64` up to 64 bits, `u128` above. No other type implements this
/// trait.
pub trait IdValue:
    Copy + Eq + Ord + fmt::Debug + fmt::Display + Default + Send + Sync + sealed::Sealed + 'static
{
    /// Returns this number as an ID of `bits` bits, the width of its format. If the number needs
    /// more bits, the ID gets as many as it needs, so that no bit is lost.
    fn any(self, bits: u32) -> AnyId;

    /// Decodes an ID from text in `encoding` with `width` characters, or with the default width for
    /// `None`.
    ///
    /// # Errors
    /// The errors of [`Encoding::decode_as`].
    fn decode(encoding: Encoding, text: &str, bits: u32, width: Option<i64>, leniency: Leniency)
    -> Result<Self, Error>;
}

impl IdValue for i64 {
    fn any(self, bits: u32) -> AnyId {
        let value = u128::from(self as u64);
        AnyId { value, bits: bits.max(u128::BITS - value.leading_zeros()) }
    }

    fn decode(
        encoding: Encoding,
        text: &str,
        bits: u32,
        width: Option<i64>,
        leniency: Leniency,
    ) -> Result<Self, Error> {
        if bits < u64::BITS {
            return encoding.decode_wide_as(text, bits, width, leniency).map(|id| low_64(id) as i64);
        }
        encoding.decode_as(text, width, leniency)
    }
}

impl IdValue for u128 {
    fn any(self, bits: u32) -> AnyId {
        AnyId { value: self, bits: bits.max(u128::BITS - self.leading_zeros()) }
    }

    fn decode(
        encoding: Encoding,
        text: &str,
        bits: u32,
        width: Option<i64>,
        leniency: Leniency,
    ) -> Result<Self, Error> {
        encoding.decode_wide_as(text, bits, width, leniency)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i64 {}
    impl Sealed for u128 {}
}
