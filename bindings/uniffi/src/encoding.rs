//! Any 64-bit integer as text.

use crate::error::{SaibanError, guard};
use saiban::{Encoding, Leniency};

/// Writes an ID as text: `decimal` (signed), or the 64 bits as unsigned in `hex`, `binary`, `crockford`, `base32hex`, `base36`,
/// `base58`, `base62` or `base64url`. Without a width in the encoding's customary form, with one padded with zeros to exactly
/// that many characters, which sort as the numbers do.
///
/// Errors: `UnknownName`; `WidthOutOfRange` when the encoding has no such width, the number needs more, or it is
/// negative and decimal.
#[uniffi::export(default(width = None))]
pub fn encode(value: i64, encoding: String, width: Option<i32>) -> Result<String, SaibanError> {
    guard(|| Ok(Encoding::from_name(&encoding)?.encode_as(value, width.map(i64::from))?.into()))
}

/// Reads an ID from text, of this width or in the encoding's customary form. One text stands for one ID, unless `lenient` asks
/// to forgive letters of the other case, leading zeros, Crockford's aliases and hyphens, and `=` at the end.
///
/// Errors: `UnknownName`, `WidthOutOfRange`; `TextLength`, `TextCharacter`, `TextOverflow`, `TextNotCanonical`, whose
/// messages name the first bad position, counted from 0.
#[uniffi::export(default(width = None, lenient = false))]
pub fn decode(text: String, encoding: String, width: Option<i32>, lenient: bool) -> Result<i64, SaibanError> {
    guard(|| {
        let encoding = Encoding::from_name(&encoding)?;
        Ok(encoding.decode_as(&text, width.map(i64::from), Leniency::lenient_if(lenient))?)
    })
}

/// The names of all encodings.
#[uniffi::export]
#[must_use]
pub fn encodings() -> Vec<String> {
    Encoding::ALL.iter().map(|encoding| encoding.name().into()).collect()
}
