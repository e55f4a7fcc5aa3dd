//! Numbers as text, and back.

use crate::ffi::{Buffer, Chars, Out, ffi};
use crate::names::names;
use crate::options::given;
use saiban::{Encoding, Error, Leniency};
use std::ffi::c_char;

/// The scheme's own encoding, where a generator writes text.
pub const SAIBAN_ENCODING_CANONICAL: i32 = 0;
/// Digits, signed; full width 20.
pub const SAIBAN_ENCODING_DECIMAL: i32 = 1;
/// Hexadecimal, lower case; full width 16.
pub const SAIBAN_ENCODING_HEX: i32 = 2;
/// Binary; full width 64.
pub const SAIBAN_ENCODING_BINARY: i32 = 3;
/// Crockford's base32, upper case; 13 wide. Ulid-Flake's text.
pub const SAIBAN_ENCODING_CROCKFORD: i32 = 4;
/// RFC 4648's base32hex digits, lower case; full width 13. Randflake's text.
pub const SAIBAN_ENCODING_BASE32HEX: i32 = 5;
/// Digits and letters, lower case; full width 13.
pub const SAIBAN_ENCODING_BASE36: i32 = 6;
/// Bitcoin's base58; full width 11.
pub const SAIBAN_ENCODING_BASE58: i32 = 7;
/// Digits, upper case, lower case; full width 11.
pub const SAIBAN_ENCODING_BASE62: i32 = 8;
/// RFC 4648's base64url of the eight bytes, highest first, no padding; 11 wide.
pub const SAIBAN_ENCODING_BASE64URL: i32 = 9;

/// A buffer of this many bytes holds any text of an ID, with its NUL.
pub const SAIBAN_TEXT_CAPACITY: usize = 65;

/// One text per ID: the canonical one.
pub const SAIBAN_STRICT: i32 = 0;
/// Also letters of the other case, leading zeros, Crockford's aliases (i, l: 1; o: 0) and hyphens, and "=" at the end.
pub const SAIBAN_LENIENT: i32 = 1;

const fn name(encoding: &Encoding) -> &'static str {
    encoding.name()
}

names!(NAMES: 16 = name, Encoding::ALL);

const NUMBERS: [(i32, Encoding); Encoding::ALL.len()] = [
    (SAIBAN_ENCODING_DECIMAL, Encoding::DECIMAL),
    (SAIBAN_ENCODING_HEX, Encoding::HEX),
    (SAIBAN_ENCODING_BINARY, Encoding::BINARY),
    (SAIBAN_ENCODING_CROCKFORD, Encoding::CROCKFORD),
    (SAIBAN_ENCODING_BASE32HEX, Encoding::BASE32HEX),
    (SAIBAN_ENCODING_BASE36, Encoding::BASE36),
    (SAIBAN_ENCODING_BASE58, Encoding::BASE58),
    (SAIBAN_ENCODING_BASE62, Encoding::BASE62),
    (SAIBAN_ENCODING_BASE64URL, Encoding::BASE64URL),
];

/// The encoding of a SAIBAN_ENCODING_….
fn encoding_of(number: i32) -> Result<Encoding, Error> {
    match NUMBERS.iter().find(|(known, _)| *known == number) {
        Some((_, encoding)) => Ok(*encoding),
        // No encoding has a number for a name: core says so.
        None => Encoding::from_name(&number.to_string()),
    }
}

fn number_of(encoding: Encoding) -> i32 {
    NUMBERS.iter().find(|(_, known)| *known == encoding).map_or(SAIBAN_ENCODING_CANONICAL, |(number, _)| *number)
}

/// As `encoding_of`, where SAIBAN_ENCODING_CANONICAL (`None`) is an answer too.
pub(crate) fn encoding_or_canonical(number: i32) -> Result<Option<Encoding>, Error> {
    if number == SAIBAN_ENCODING_CANONICAL { Ok(None) } else { encoding_of(number).map(Some) }
}

pub(crate) fn leniency_of(number: i32) -> Result<Leniency, Error> {
    match number {
        SAIBAN_STRICT => Ok(Leniency::Strict),
        SAIBAN_LENIENT => Ok(Leniency::Lenient),
        _ => Err(Error::InvalidArgument { what: "leniency: give SAIBAN_STRICT (0) or SAIBAN_LENIENT (1)" }),
    }
}

ffi! {
    /// Writes a number as text. Decimal is signed; every other encoding takes the 64 bits as unsigned.
    ///
    /// - encoding: one of SAIBAN_ENCODING_…, not …_CANONICAL.
    /// - width: exactly so many characters, zeros in front (then text sorts as the unsigned numbers do, but for base64url);
    ///   or SAIBAN_NOT_GIVEN for the customary form: crockford 13 wide, base64url 11 wide, the others shortest.
    /// - buffer, capacity: where the text goes, and how many bytes there are, with the NUL; SAIBAN_TEXT_CAPACITY is always
    ///   enough.
    /// - len: how many bytes were written, without the NUL. May be NULL.
    ///
    /// Errors: WIDTH_OUT_OF_RANGE, UNKNOWN_NAME, BUFFER_TOO_SMALL.
    fn saiban_encode(
        value: i64, encoding: i32, width: i64, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let text = encoding_of(encoding)?.encode_as(value, given(width))?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Reads a number from text.
    ///
    /// - text, text_len: the text and its bytes, or SAIBAN_NUL_TERMINATED.
    /// - encoding, width: as for saiban_encode: text has exactly that form. Leniently any width is read (but for base64url).
    /// - leniency: SAIBAN_STRICT (one text per number) or SAIBAN_LENIENT.
    ///
    /// Errors: TEXT_LENGTH, TEXT_CHARACTER (see saiban_last_error_position), TEXT_OVERFLOW, TEXT_NOT_CANONICAL,
    /// WIDTH_OUT_OF_RANGE, UNKNOWN_NAME.
    fn saiban_decode(
        text: Chars, text_len: usize, encoding: i32, width: i64, leniency: i32, value: Out<i64>,
    ) {
        let text = text.get(text_len)?;
        value.set(encoding_of(encoding)?.decode_as(&text, given(width), leniency_of(leniency)?)?);
    }

    /// The name of a SAIBAN_ENCODING_…: decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url; "" for
    /// another number. Constant: not to be freed.
    fn saiban_encoding_name(encoding: i32) -> *const c_char {
        let wanted = encoding_of(encoding).ok();
        let index = Encoding::ALL.iter().position(|known| Some(*known) == wanted);
        index.map_or(c"".as_ptr(), |index| NAMES[index].as_ptr())
    }

    /// Finds the SAIBAN_ENCODING_… of this name.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_encoding_from_name(name: Chars, name_len: usize, encoding: Out<i32>) {
        let wanted = Encoding::from_name(&name.get(name_len)?)?;
        encoding.set(number_of(wanted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_a_number() {
        for encoding in Encoding::ALL {
            assert_ne!(number_of(encoding), SAIBAN_ENCODING_CANONICAL, "{}", encoding.name());
            assert_eq!(encoding_of(number_of(encoding)), Ok(encoding));
        }
    }

    #[test]
    fn any_text_fits_the_capacity_that_the_header_promises() {
        let longest = Encoding::ALL.iter().map(Encoding::full_width).max();
        assert_eq!(longest.map(|longest| longest + 1), Some(SAIBAN_TEXT_CAPACITY));
        assert!(Encoding::DECIMAL.encode(i64::MIN).len() < SAIBAN_TEXT_CAPACITY);
    }
}
