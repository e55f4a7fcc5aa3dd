//! IDs as numbers: what all widths have in common.

use crate::bits::{low_8, low_64};
use crate::encoding::{self, Encoding, Leniency, Text};
use crate::error::Error;
use core::fmt;

/// An ID of any width.
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
    /// The ID of this unsigned number, in a format of `bits` bits: 16 to 128.
    ///
    /// # Errors
    /// `InvalidArgument` for other widths; `IdOutOfRange` for a number that needs more bits.
    pub fn wide(value: u128, bits: u32) -> Result<Self, Error> {
        encoding::check_wide(value, bits)?;
        Ok(AnyId { value, bits })
    }

    /// The ID of a number of which the caller knows that it fits the bits.
    pub(crate) const fn known(value: u128, bits: u32) -> Self {
        AnyId { value, bits }
    }

    /// The ID of these bytes, the highest first: 8 of one of 64 bits, 12 of 96, 16 of 128.
    ///
    /// ```
    /// use saiban::AnyId;
    /// assert_eq!(AnyId::from_bytes(&[0xff; 8])?, AnyId::from(-1_i64));
    /// assert_eq!(AnyId::from_bytes(&[0; 12])?.bits(), 96);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for other numbers of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        if !matches!(bytes.len(), 8 | 12 | 16) {
            return Err(Error::IdBytes { length: bytes.len() });
        }
        let value = bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte));
        Ok(AnyId { value, bits: u32::from(low_8(bytes.len())) * 8 })
    }

    /// The bits as an unsigned number.
    #[must_use]
    pub const fn value(&self) -> u128 {
        self.value
    }

    /// The width of the ID's format: 64, 96, 128, or what a layout has.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The signed number that an ID of up to 64 bits is; `None` for a wider one.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        if self.bits <= u64::BITS { Some(low_64(self.value) as i64) } else { None }
    }

    /// Writes it in this encoding's customary form.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide`].
    pub fn encode(&self, encoding: Encoding) -> Result<Text, Error> {
        self.encode_as(encoding, None)
    }

    /// Writes it in the form asked for: of this width, or the customary one.
    ///
    /// # Errors
    /// As [`Encoding::encode_wide_as`].
    pub fn encode_as(&self, encoding: Encoding, width: Option<i64>) -> Result<Text, Error> {
        if self.bits == u64::BITS {
            return encoding.encode_as(low_64(self.value) as i64, width);
        }
        // Of other widths none is negative.
        encoding.encode_wide_as(self.value, self.bits, width)
    }
}

impl From<i64> for AnyId {
    fn from(id: i64) -> Self {
        AnyId { value: u128::from(id as u64), bits: u64::BITS }
    }
}

impl fmt::Display for AnyId {
    /// The decimal number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_i64() {
            Some(id) => fmt::Display::fmt(&id, f),
            None => fmt::Display::fmt(&self.value, f),
        }
    }
}

/// What an ID is in Rust: `i64` up to 64 bits, else `u128`. There are no others.
pub trait IdValue:
    Copy + Eq + Ord + fmt::Debug + fmt::Display + Default + Send + Sync + sealed::Sealed + 'static
{
    /// This number as an ID of `bits` bits, the width of the format that made it. A number that needs
    /// more bits than that gets them, so that none is lost.
    fn any(self, bits: u32) -> AnyId;

    /// Reads one from text of this encoding and width, or of its customary form.
    ///
    /// # Errors
    /// As [`Encoding::decode_as`].
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
