//! IDs of any width as text, in any encoding.

use crate::arguments::{self, Maybe, flag, maybe_int, signed, text, unsigned};
use crate::error::{Result, guard};
use crate::form::{is_uuid, text_of, uuid_bits};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use saiban::{Encoding, Leniency};

/// Writes an integer or a uuid.UUID as text.
///
/// encoding: decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url; a
/// form of a UUID: hyphenated, simple, braced or urn; or xid, an XID's base32hex of the bytes.
/// width: the exact number of characters, with leading zeros. By default the full width for
/// crockford (13), base64url (11) and the forms of a UUID, and the shortest text for the others.
/// bits: the width of the number, 16 to 128. 64, the default, is for signed 64-bit IDs: decimal
/// text is signed, other encodings write the 64 bits as unsigned. Numbers of any other width are
/// unsigned. A UUID has 128 bits, which need not be given.
///
/// Raises IdOutOfRangeError for a number of more bits, UnknownNameError, InvalidArgumentError for
/// bits outside 16 to 128, and WidthOutOfRangeError when the value or the encoding does not fit the
/// width.
///
/// >>> import saiban
/// >>> saiban.encode(14246757444195114, "crockford")
/// '00CMXB6TAK4SA'
/// >>> saiban.encode(7, "base62", width=11)
/// '00000000007'
/// >>> saiban.encode(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f, "base58", bits=128)
/// 'BihbxwwQ4NZZpKRH9JDCz'
/// >>> import uuid
/// >>> saiban.encode(uuid.UUID("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "base58")
/// 'BihbxwwQ4NZZpKRH9JDCz'
#[pyfunction]
#[pyo3(
    signature = (value, encoding, *, width=None, bits=None),
    text_signature = "(value, encoding, *, width=None, bits=64)"
)]
pub fn encode<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    width: Maybe<'_, 'py>,
    bits: Maybe<'_, 'py>,
) -> Result<Bound<'py, PyString>> {
    guard(|| {
        let encoding = Encoding::from_name(&text("encoding", encoding)?)?;
        let width = maybe_int("width", width)?;
        if is_uuid(value)? {
            let (number, bits) = (uuid_bits("value", value)?, self::bits(bits, u128::BITS)?);
            return text_of(py, |buffer| encoding.encode_wide_into(number, bits, width, buffer));
        }
        match self::bits(bits, u64::BITS)? {
            u64::BITS => {
                let number = signed("value", "any scheme", value)?;
                text_of(py, |buffer| encoding.encode_into(number, width, buffer))
            }
            bits => {
                // Core checks the width first.
                encoding.full_width_of(bits)?;
                let number = unsigned("value", value, bits)?;
                text_of(py, |buffer| encoding.encode_wide_into(number, bits, width, buffer))
            }
        }
    })
}

/// Decodes text to an integer. Every number has exactly one text in each form.
///
/// encoding, width, bits: as in encode.
/// lenient: also takes the other case where the alphabet has one case, leading zeros, trailing "="
/// in base32hex and base64url, Crockford's aliases (i and l for 1, o for 0, hyphens anywhere), and
/// any form of a UUID for another.
///
/// Raises TextLengthError, TextCharacterError (its position counts from 0), TextOverflowError,
/// TextNotCanonicalError, WidthOutOfRangeError, UnknownNameError, InvalidArgumentError.
///
/// >>> import saiban
/// >>> saiban.decode("ff", "hex")
/// 255
/// >>> saiban.decode("FF", "hex", lenient=True)
/// 255
/// >>> hex(saiban.decode("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "hyphenated", bits=128))
/// '0x17f22e279b07cc398c4dc0c0c07398f'
#[pyfunction]
#[pyo3(
    signature = (text, encoding, *, width=None, lenient=None, bits=None),
    text_signature = "(text, encoding, *, width=None, lenient=False, bits=64)"
)]
pub fn decode<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    width: Maybe<'_, 'py>,
    lenient: Maybe<'_, 'py>,
    bits: Maybe<'_, 'py>,
) -> Result<Bound<'py, PyInt>> {
    guard(|| {
        let encoding = Encoding::from_name(&self::text("encoding", encoding)?)?;
        let leniency = Leniency::lenient_if(flag("lenient", lenient)?);
        let (text, width) = (self::text("text", text)?, maybe_int("width", width)?);
        let Ok(number) = match self::bits(bits, u64::BITS)? {
            u64::BITS => encoding.decode_as(&text, width, leniency)?.into_pyobject(py),
            bits => encoding.decode_wide_as(&text, bits, width, leniency)?.into_pyobject(py),
        };
        Ok(number)
    })
}

/// Converts the width of a number in bits.
fn bits(value: Maybe<'_, '_>, default: u32) -> Result<u32> {
    value.map_or(Ok(default), |bits| arguments::bits("bits", bits))
}
