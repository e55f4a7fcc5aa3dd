//! IDs as text, in any encoding.

use crate::arguments::{flag, id, maybe_int, text};
use crate::error::{Result, guard};
use pyo3::prelude::*;
use pyo3::types::PyString;
use saiban::{Encoding, Leniency};

/// Writes a signed 64-bit integer as text.
///
/// encoding: decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url. Decimal
/// is signed, the others take the 64 bits as unsigned.
/// width: exactly so many characters, zeros in front; by default the customary form: crockford 13,
/// base64url 11, others shortest.
///
/// Raises IdOutOfRangeError beyond 64 bits, UnknownNameError, and WidthOutOfRangeError when the value
/// or the encoding does not fit the width.
///
/// >>> import saiban
/// >>> saiban.encode(14246757444195114, "crockford")
/// '00CMXB6TAK4SA'
/// >>> saiban.encode(7, "base62", width=11)
/// '00000000007'
#[pyfunction]
#[pyo3(signature = (value, encoding, *, width=None))]
pub fn encode<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyString>> {
    guard(|| {
        let encoding = Encoding::from_name(&text("encoding", encoding)?)?;
        let text = encoding.encode_as(id("any scheme", value)?, maybe_int("width", width)?)?;
        Ok(PyString::new(py, &text))
    })
}

/// Reads a signed 64-bit integer from text: one text per number for the form asked for.
///
/// encoding, width: as in encode.
/// lenient: also takes the other case where the alphabet has one case, leading zeros, trailing "=" in
/// base32hex and base64url, and Crockford's aliases: i and l for 1, o for 0, hyphens anywhere.
///
/// Raises TextLengthError, TextCharacterError (its position counts from 0), TextOverflowError,
/// TextNotCanonicalError, WidthOutOfRangeError, UnknownNameError.
///
/// >>> import saiban
/// >>> saiban.decode("ff", "hex")
/// 255
/// >>> saiban.decode("FF", "hex", lenient=True)
/// 255
#[pyfunction]
#[pyo3(
    signature = (text, encoding, *, width=None, lenient=None),
    text_signature = "(text, encoding, *, width=None, lenient=False)"
)]
pub fn decode(
    text: &Bound<'_, PyAny>,
    encoding: &Bound<'_, PyAny>,
    width: Option<&Bound<'_, PyAny>>,
    lenient: Option<&Bound<'_, PyAny>>,
) -> Result<i64> {
    guard(|| {
        let encoding = Encoding::from_name(&self::text("encoding", encoding)?)?;
        let leniency = Leniency::lenient_if(flag("lenient", lenient)?);
        Ok(encoding.decode_as(&self::text("text", text)?, maybe_int("width", width)?, leniency)?)
    })
}
