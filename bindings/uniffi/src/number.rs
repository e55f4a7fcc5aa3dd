//! Numbers of up to 128 bits, and the bytes of IDs wider than 64 bits.

use crate::error::{Failure, SaibanError, guard};
use saiban::Error;

/// A whole number, 0 to 2^128 − 1, in the language's own type: `java.math.BigInteger`, `UInt128`.
/// It crosses UniFFI's boundary as the bytes of a signed number, highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Natural {
    /// The number, or the largest one for a larger number.
    Of(u128),
    /// A negative number, which is refused.
    Negative,
}

uniffi::custom_type!(Natural, Vec<u8>, {
    lower: |number| number.to_bytes(),
    try_lift: |bytes| Ok(Natural::from_bytes(&bytes)),
});

impl Natural {
    fn from_bytes(bytes: &[u8]) -> Self {
        if bytes.first().is_some_and(|first| *first >= 0x80) {
            return Natural::Negative;
        }
        let first = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
        match &bytes[first..] {
            own if own.len() <= 16 => Natural::Of(number_of(own)),
            _ => Natural::Of(u128::MAX),
        }
    }

    fn to_bytes(self) -> Vec<u8> {
        match self {
            Natural::Of(number) => {
                let mut bytes = vec![0];
                bytes.extend(number.to_be_bytes());
                bytes
            }
            Natural::Negative => vec![0xff],
        }
    }

    /// Returns the number; `what` is the message for a negative one.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative one.
    pub(crate) fn get(self, what: &'static str) -> Result<u128, Error> {
        match self {
            Natural::Of(number) => Ok(number),
            Natural::Negative => Err(Error::InvalidArgument { what }),
        }
    }
}

impl From<u128> for Natural {
    fn from(number: u128) -> Self {
        Natural::Of(number)
    }
}

impl From<i64> for Natural {
    fn from(number: i64) -> Self {
        u128::try_from(number).map_or(Natural::Negative, Natural::Of)
    }
}

/// A UUID, in the language's own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UuidValue(pub u128);

uniffi::custom_type!(UuidValue, Vec<u8>, {
    lower: |uuid| uuid.0.to_be_bytes().into(),
    try_lift: |bytes| match <[u8; 16]>::try_from(bytes) {
        Ok(bytes) => Ok(UuidValue(u128::from_be_bytes(bytes))),
        Err(_) => Err(uniffi::deps::anyhow::anyhow!("a UUID has 16 bytes")),
    },
});

/// The 16 bytes of a UUID in the order of Microsoft's `GUID` in memory: the first three groups have
/// their lowest byte first.
#[uniffi::export]
#[must_use]
pub fn uuid_to_guid_bytes(uuid: UuidValue) -> Vec<u8> {
    saiban::encoding::uuid_to_guid_bytes(uuid.0).into()
}

/// The UUID of these 16 bytes of a Microsoft `GUID`.
///
/// Errors: `InvalidArgument` for another number of bytes.
#[uniffi::export]
pub fn uuid_from_guid_bytes(bytes: Vec<u8>) -> Result<UuidValue, SaibanError> {
    guard(|| {
        let bytes = id_from_bytes(&bytes, u128::BITS)?.to_be_bytes();
        Ok(UuidValue(saiban::encoding::uuid_from_guid_bytes(bytes)))
    })
}

/// Returns the number of bytes for this many bits.
const fn size(bits: u32) -> usize {
    bits.div_ceil(8) as usize
}

/// Returns the bytes of an ID of this many bits, highest first.
pub(crate) fn id_to_bytes(id: u128, bits: u32) -> Vec<u8> {
    id.to_be_bytes()[16 - size(bits)..].into()
}

/// Returns the bytes of many IDs, one after the other.
pub(crate) fn ids_to_bytes(ids: &[u128], bits: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ids.len() * size(bits));
    ids.iter().for_each(|id| bytes.extend_from_slice(&id.to_be_bytes()[16 - size(bits)..]));
    bytes
}

/// Reads an ID of this many bits from its bytes, highest first.
pub(crate) fn id_from_bytes(bytes: &[u8], bits: u32) -> Result<u128, Failure> {
    if bytes.len() != size(bits) {
        let what = "the ID has another number of bytes: give one for each 8 bits, the highest first";
        return Err(Error::InvalidArgument { what }.into());
    }
    Ok(number_of(bytes))
}

/// Returns the number of these bytes, highest first.
///
/// # Errors
/// `InvalidArgument` for more than 16 bytes.
pub(crate) fn number_from_bytes(bytes: &[u8]) -> Result<u128, Failure> {
    if bytes.len() > 16 {
        return Err(Error::InvalidArgument { what: "an ID has at most 16 bytes" }.into());
    }
    Ok(number_of(bytes))
}

fn number_of(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_cross_the_boundary_unchanged() {
        for number in [0, 1, 127, 128, 255, 256, u128::from(u64::MAX), 1 << 64, 1 << 127, u128::MAX] {
            assert_eq!(Natural::from_bytes(&Natural::Of(number).to_bytes()), Natural::Of(number));
        }
        // In the format of BigInteger.
        assert_eq!(Natural::from_bytes(&[0x7f]), Natural::Of(127));
        assert_eq!(Natural::from_bytes(&[0, 0x80]), Natural::Of(128));
        assert_eq!(Natural::from_bytes(&[]), Natural::Of(0));
    }

    #[test]
    fn negative_and_too_large_numbers_stay_out_of_range() {
        for bytes in [&[0xff][..], &[0x80, 0], &[0xff; 16], &[0x80; 40]] {
            assert_eq!(Natural::from_bytes(bytes), Natural::Negative);
        }
        assert_eq!(Natural::from_bytes(&[1; 17]), Natural::Of(u128::MAX));
        assert_eq!(Natural::from_bytes(&[1; 40]), Natural::Of(u128::MAX));
        assert_eq!(Natural::from(-5_i64), Natural::Negative);
    }

    #[test]
    fn ids_have_the_bytes_of_their_width() {
        assert_eq!(id_to_bytes(0x0102, 80), [0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
        assert_eq!(ids_to_bytes(&[1, 2], 65), [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(id_from_bytes(&[0xff; 12], 96), Ok((1 << 96) - 1));
        assert!(id_from_bytes(&[0; 11], 96).is_err());
    }
}
