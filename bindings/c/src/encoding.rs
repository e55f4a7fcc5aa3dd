//! Numbers as text, and back.

use crate::ffi::{Buffer, Chars, Fill, Out, Slice, ffi};
use crate::given::given;
use crate::names::{self, name_of, names, value_of};
use saiban::{Encoding, Error, Leniency};
use std::ffi::c_char;

/// The scheme's own encoding, where a generator writes text.
pub const SAIBAN_ENCODING_CANONICAL: i32 = 0;
/// Digits, of an int64_t signed.
pub const SAIBAN_ENCODING_DECIMAL: i32 = 1;
/// Hexadecimal, lower case.
pub const SAIBAN_ENCODING_HEX: i32 = 2;
/// Binary.
pub const SAIBAN_ENCODING_BINARY: i32 = 3;
/// Crockford's base32, upper case; of 64 bits 13 wide, of 96 20, of 128 26. Ulid-Flake's and ULID's
/// text.
pub const SAIBAN_ENCODING_CROCKFORD: i32 = 4;
/// RFC 4648's base32hex digits, lower case. Randflake's text.
pub const SAIBAN_ENCODING_BASE32HEX: i32 = 5;
/// Digits and letters, lower case.
pub const SAIBAN_ENCODING_BASE36: i32 = 6;
/// Bitcoin's base58.
pub const SAIBAN_ENCODING_BASE58: i32 = 7;
/// Digits, upper case, lower case.
pub const SAIBAN_ENCODING_BASE62: i32 = 8;
/// RFC 4648's base64url of the bytes, highest first, no padding; of 64 bits 11 wide, of 96 16, of
/// 128 22.
pub const SAIBAN_ENCODING_BASE64URL: i32 = 9;
/// A UUID as RFC 9562 writes it, 36 wide: 017f22e2-79b0-7cc3-98c4-dc0c0c07398f. Fewer than 128 bits
/// have zeros in front.
pub const SAIBAN_ENCODING_HYPHENATED: i32 = 10;
/// A UUID without hyphens, 32 characters.
pub const SAIBAN_ENCODING_SIMPLE: i32 = 11;
/// The hyphenated form in braces, 38 wide.
pub const SAIBAN_ENCODING_BRACED: i32 = 12;
/// The hyphenated form after "urn:uuid:", 45 wide.
pub const SAIBAN_ENCODING_URN: i32 = 13;

/// A buffer of this many bytes holds any text of an ID, with its NUL.
pub const SAIBAN_TEXT_CAPACITY: usize = 129;

/// One text per ID: the canonical one. Of a ULID and a Ulid-Flake ID saiban_from_text reads any
/// case, as their specifications say.
pub const SAIBAN_STRICT: i32 = 0;
/// Also letters of the other case, leading zeros, Crockford's aliases (i, l: 1; o: 0) and hyphens,
/// and "=" at the end. Of a ULID, a Ulid-Flake ID and an ObjectId, saiban_from_text reads as many
/// digits as it has and no others.
pub const SAIBAN_LENIENT: i32 = 1;

names!(NAMES: 16 = |row| row.1.name(), NUMBERS);

const NUMBERS: [(i32, Encoding); Encoding::ALL.len() + Encoding::UUID_FORMS.len()] = [
    (SAIBAN_ENCODING_DECIMAL, Encoding::DECIMAL),
    (SAIBAN_ENCODING_HEX, Encoding::HEX),
    (SAIBAN_ENCODING_BINARY, Encoding::BINARY),
    (SAIBAN_ENCODING_CROCKFORD, Encoding::CROCKFORD),
    (SAIBAN_ENCODING_BASE32HEX, Encoding::BASE32HEX),
    (SAIBAN_ENCODING_BASE36, Encoding::BASE36),
    (SAIBAN_ENCODING_BASE58, Encoding::BASE58),
    (SAIBAN_ENCODING_BASE62, Encoding::BASE62),
    (SAIBAN_ENCODING_BASE64URL, Encoding::BASE64URL),
    (SAIBAN_ENCODING_HYPHENATED, Encoding::HYPHENATED),
    (SAIBAN_ENCODING_SIMPLE, Encoding::SIMPLE),
    (SAIBAN_ENCODING_BRACED, Encoding::BRACED),
    (SAIBAN_ENCODING_URN, Encoding::URN),
];

/// Returns the encoding of a SAIBAN_ENCODING_….
fn encoding_of(number: i32) -> Result<Encoding, Error> {
    // Core returns the error for an unknown number.
    value_of(&NUMBERS, number.into()).map_or_else(|| Encoding::from_name(&number.to_string()), Ok)
}

fn number_of(encoding: Encoding) -> i32 {
    names::number_of(&NUMBERS, &encoding).unwrap_or(SAIBAN_ENCODING_CANONICAL)
}

/// Like `encoding_of`, but returns `None` for SAIBAN_ENCODING_CANONICAL.
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
    /// Writes a number as text. Decimal is signed; every other encoding takes the 64 bits as
    /// unsigned.
    ///
    /// - encoding: one of SAIBAN_ENCODING_…, not …_CANONICAL.
    /// - width: the exact number of characters, with leading zeros (the text then sorts like the
    ///   unsigned numbers, except base64url); or SAIBAN_NOT_GIVEN for the default: 13 for
    ///   crockford, 11 for base64url, the shortest text for the others.
    /// - buffer, capacity: where the text goes, and how many bytes there are, with the NUL;
    ///   SAIBAN_TEXT_CAPACITY is always enough.
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
    /// - encoding, width: as for saiban_encode: text has exactly that form. Leniently any width is
    ///   read (but for base64url).
    /// - leniency: SAIBAN_STRICT (one text per number) or SAIBAN_LENIENT.
    ///
    /// Errors: TEXT_LENGTH, TEXT_CHARACTER (see saiban_last_error_position), TEXT_OVERFLOW,
    /// TEXT_NOT_CANONICAL, WIDTH_OUT_OF_RANGE, UNKNOWN_NAME.
    fn saiban_decode(
        text: Chars, text_len: usize, encoding: i32, width: i64, leniency: i32, value: Out<i64>,
    ) {
        let text = text.get(text_len)?;
        value.set(encoding_of(encoding)?.decode_as(&text, given(width), leniency_of(leniency)?)?);
    }

    /// Writes a number of more than 64 bits, or of any width from 16 on, as text. It has no sign,
    /// in decimal text neither.
    ///
    /// - value: SAIBAN_WIDE_ID_SIZE bytes, highest first.
    /// - bits: how many the number has, 16 to 128: zeros in front, where there are any, are those
    ///   of this width.
    /// - encoding, width, buffer, capacity, len: as for saiban_encode; the default width is that of
    ///   the bits.
    ///
    /// Errors: ID_OUT_OF_RANGE for a number of more bits; INVALID_ARGUMENT for other widths;
    /// WIDTH_OUT_OF_RANGE, UNKNOWN_NAME, BUFFER_TOO_SMALL.
    fn saiban_encode_wide(
        value: Slice<u8>, bits: u32, encoding: i32, width: i64,
        buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let text = encoding_of(encoding)?.encode_wide_as(value.wide()?, bits, given(width))?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Reads a number of 16 to 128 bits, without a sign, from text.
    ///
    /// - text, text_len: the text and its bytes, or SAIBAN_NUL_TERMINATED.
    /// - bits, encoding, width: as for saiban_encode_wide: text has exactly that form. What has
    ///   more bits is refused.
    /// - leniency: SAIBAN_STRICT or SAIBAN_LENIENT. Leniently any form of a UUID is read as any
    ///   other.
    /// - value: SAIBAN_WIDE_ID_SIZE bytes, highest first.
    ///
    /// Errors: as saiban_decode; INVALID_ARGUMENT for other widths.
    fn saiban_decode_wide(
        text: Chars, text_len: usize, bits: u32, encoding: i32, width: i64, leniency: i32, value: Fill<u8>,
    ) {
        let text = text.get(text_len)?;
        value.set_wide(encoding_of(encoding)?.decode_wide_as(&text, bits, given(width), leniency_of(leniency)?)?)?;
    }

    /// The name of a SAIBAN_ENCODING_…: decimal, hex, binary, crockford, base32hex, base36, base58,
    /// base62, base64url, hyphenated, simple, braced or urn; "" for another number. Constant: not
    /// to be freed.
    fn saiban_encoding_name(encoding: i32) -> *const c_char {
        name_of(&NUMBERS, &NAMES, encoding)
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
        for encoding in Encoding::ALL.into_iter().chain(Encoding::UUID_FORMS) {
            assert_ne!(number_of(encoding), SAIBAN_ENCODING_CANONICAL, "{}", encoding.name());
            assert_eq!(encoding_of(number_of(encoding)), Ok(encoding));
        }
    }

    #[test]
    fn any_text_fits_the_capacity_that_the_header_promises() {
        let all = NUMBERS.iter().map(|(_, encoding)| encoding.full_width_of(128).expect("128 bits are a width"));
        assert_eq!(all.max().map(|longest| longest + 1), Some(SAIBAN_TEXT_CAPACITY));
    }
}
