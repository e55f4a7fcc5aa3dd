//! IDs of any width as text.

use crate::error::{SaibanError, guard};
use crate::number::{id_to_bytes, number_from_bytes};
use saiban::{Encoding, Leniency};

/// Writes an ID as text: `decimal` (signed), or the 64 bits as unsigned in `hex`, `binary`,
/// `crockford`, `base32hex`, `base36`, `base58`, `base62` or `base64url`. The text has the
/// encoding's default width, or is padded with zeros to exactly the given width. Texts of one width
/// sort as the unsigned numbers do, except in `base64url`.
///
/// Errors: `UnknownName`; `WidthOutOfRange` when the encoding has no such width, the number needs
/// more, or it is negative and decimal.
#[uniffi::export(default(width = None))]
pub fn encode(value: i64, encoding: String, width: Option<i32>) -> Result<String, SaibanError> {
    guard(|| Ok(Encoding::from_name(&encoding)?.encode_as(value, width.map(i64::from))?.into()))
}

/// Reads an ID from text, of this width, or of the encoding's default width. Every ID has exactly
/// one text, unless `lenient` accepts the other case, leading zeros, Crockford's aliases and
/// hyphens, and `=` at the end.
///
/// Errors: `UnknownName`, `WidthOutOfRange`; `TextLength`, `TextCharacter`, `TextOverflow`,
/// `TextNotCanonical`, whose messages name the first bad position, counted from 0.
#[uniffi::export(default(width = None, lenient = false))]
pub fn decode(text: String, encoding: String, width: Option<i32>, lenient: bool) -> Result<i64, SaibanError> {
    guard(|| {
        let encoding = Encoding::from_name(&encoding)?;
        Ok(encoding.decode_as(&text, width.map(i64::from), Leniency::lenient_if(lenient))?)
    })
}

/// Encodes an ID of 16 to 128 bits, given as bytes, the highest first. The encodings are
/// those of `encode`, all of them without a sign, and the forms of a UUID: `hyphenated`, `simple`,
/// `braced` and `urn`.
///
/// Errors: `UnknownName`; `WidthOutOfRange`; `IdOutOfRange` when the number has more bits;
/// `InvalidArgument` for other numbers of bits, or more than 16 bytes.
#[uniffi::export(default(width = None, bits = 128))]
pub fn encode_wide(value: Vec<u8>, encoding: String, width: Option<i32>, bits: i32) -> Result<String, SaibanError> {
    guard(|| {
        let (encoding, value) = (Encoding::from_name(&encoding)?, number_from_bytes(&value)?);
        Ok(encoding.encode_wide_as(value, bits_of(bits), width.map(i64::from))?.into())
    })
}

/// Decodes an ID of 16 to 128 bits to bytes, the highest first, as many as its bits need. For the
/// rest see `decode`.
///
/// Errors: as of `decode`; `InvalidArgument` for other numbers of bits.
#[uniffi::export(default(width = None, lenient = false, bits = 128))]
pub fn decode_wide(
    text: String,
    encoding: String,
    width: Option<i32>,
    lenient: bool,
    bits: i32,
) -> Result<Vec<u8>, SaibanError> {
    guard(|| {
        let (encoding, bits) = (Encoding::from_name(&encoding)?, bits_of(bits));
        let id = encoding.decode_wide_as(&text, bits, width.map(i64::from), Leniency::lenient_if(lenient))?;
        Ok(id_to_bytes(id, bits))
    })
}

/// Converts a number of bits. A negative one becomes 0, which core refuses.
fn bits_of(bits: i32) -> u32 {
    u32::try_from(bits).unwrap_or(0)
}

/// The names of all encodings of numbers.
#[uniffi::export]
#[must_use]
pub fn encodings() -> Vec<String> {
    Encoding::ALL.iter().map(|encoding| encoding.name().into()).collect()
}
