//! IDs as text.
//!
//! An [`Encoding`] is data: an alphabet, its widths, and what a lenient reader forgives. One encoder and one decoder
//! serve them all. IDs are signed 64-bit integers; decimal text is signed, every other encoding takes the 64 bits as
//! unsigned, so its order differs from the numbers' order where IDs are negative.
//!
//! | name | digits | customary form | full width | sorts as the unsigned number |
//! |---|---|---|---|---|
//! | `decimal` | `0-9`, sign | shortest | 20 | at a fixed width |
//! | `hex` | `0-9a-f` | shortest | 16 | at a fixed width |
//! | `binary` | `01` | shortest | 64 | at a fixed width |
//! | `crockford` | `0-9A-Z` without `ILOU` | 13 wide | 13 | always |
//! | `base32hex` | `0-9a-v` | shortest | 13 | at a fixed width |
//! | `base36` | `0-9a-z` | shortest | 13 | at a fixed width |
//! | `base58` | Bitcoin's `1-9A-Za-z` without `0OIl` | shortest | 11 | at a fixed width |
//! | `base62` | `0-9A-Za-z` | shortest | 11 | at a fixed width |
//! | `base64url` | `A-Za-z0-9-_` | 11 wide | 11 | no |
//!
//! All but `base64url` write the number's digits, highest first. `base64url` is RFC 4648 section 5 over the eight
//! bytes, highest first, without padding: what every base64 library reads as these bytes.

mod alphabet;
mod decode;
mod text;

pub use decode::Leniency;
pub use text::Text;

use crate::error::{Error, Excerpt};
use alphabet::Table;

/// One way to write a 64-bit ID: an alphabet, its widths, and what a lenient reader forgives.
///
/// ```
/// use saiban::Encoding;
/// assert_eq!(Encoding::CROCKFORD.encode(14_246_757_444_195_114).as_str(), "00CMXB6TAK4SA");
/// assert_eq!(Encoding::BASE62.encode_width(7, 11)?.as_str(), "00000000007");
/// assert_eq!(Encoding::HEX.decode("ff")?, 255);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    name: &'static str,
    alphabet: &'static [u8],
    table: &'static Table,
    /// The width that holds any 64 bits.
    full_width: usize,
    /// Whether text without a width asked for has the full width.
    fixed: bool,
    /// Whether negative numbers have a sign and their own digits.
    signed: bool,
    /// Zero bits below the number: what RFC 4648 pads eight bytes with.
    pad_bits: u32,
    /// Whether a lenient reader skips hyphens.
    hyphens: bool,
    /// Whether a lenient reader drops `=` from the end.
    padding: bool,
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl Encoding {
    const fn plain(name: &'static str, alphabet: &'static [u8], table: &'static Table, full_width: usize) -> Self {
        Encoding {
            name,
            alphabet,
            table,
            full_width,
            fixed: false,
            signed: false,
            pad_bits: 0,
            hyphens: false,
            padding: false,
        }
    }

    /// Decimal digits, signed: what databases and most programs show.
    pub const DECIMAL: Encoding =
        Encoding { signed: true, ..Encoding::plain("decimal", alphabet::DECIMAL, &alphabet::DECIMAL_TABLE, 20) };
    /// Hexadecimal digits, lower case.
    pub const HEX: Encoding = Encoding::plain("hex", alphabet::HEX, &alphabet::HEX_TABLE, 16);
    /// Binary digits.
    pub const BINARY: Encoding = Encoding::plain("binary", alphabet::BINARY, &alphabet::BINARY_TABLE, 64);
    /// Douglas Crockford's base32, upper case: Ulid-Flake's text. Source: crockford.com/base32.html.
    pub const CROCKFORD: Encoding = Encoding {
        fixed: true,
        hyphens: true,
        ..Encoding::plain("crockford", alphabet::CROCKFORD, &alphabet::CROCKFORD_TABLE, 13)
    };
    /// The digits of RFC 4648 section 7, lower case: Randflake's text.
    pub const BASE32HEX: Encoding =
        Encoding { padding: true, ..Encoding::plain("base32hex", alphabet::BASE32HEX, &alphabet::BASE32HEX_TABLE, 13) };
    /// Ten digits and 26 letters, lower case.
    pub const BASE36: Encoding = Encoding::plain("base36", alphabet::BASE36, &alphabet::BASE36_TABLE, 13);
    /// Bitcoin's base58, without characters that look alike. Source: Bitcoin, `base58.h`.
    pub const BASE58: Encoding = Encoding::plain("base58", alphabet::BASE58, &alphabet::BASE58_TABLE, 11);
    /// Digits, upper case, lower case: the order of ASCII.
    pub const BASE62: Encoding = Encoding::plain("base62", alphabet::BASE62, &alphabet::BASE62_TABLE, 11);
    /// RFC 4648 section 5 over the eight bytes, highest first, without padding.
    pub const BASE64URL: Encoding = Encoding {
        fixed: true,
        pad_bits: 2,
        padding: true,
        ..Encoding::plain("base64url", alphabet::BASE64URL, &alphabet::BASE64URL_TABLE, 11)
    };

    /// Every encoding.
    pub const ALL: [Encoding; 9] = [
        Self::DECIMAL,
        Self::HEX,
        Self::BINARY,
        Self::CROCKFORD,
        Self::BASE32HEX,
        Self::BASE36,
        Self::BASE58,
        Self::BASE62,
        Self::BASE64URL,
    ];

    /// The encoding of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Encoding, Error> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name == name)
            .ok_or(Error::UnknownEncoding { name: Excerpt::new(name) })
    }

    /// The name, the same in every language.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The width that holds any 64 bits.
    #[must_use]
    pub const fn full_width(&self) -> usize {
        self.full_width
    }

    /// Writes an ID in the encoding's customary form (see the table above).
    #[must_use]
    pub fn encode(&self, id: i64) -> Text {
        let mut text = Text::new();
        self.write_digits(id, &mut text);
        if self.fixed {
            text.pad_front(self.alphabet[0], self.full_width);
        }
        text
    }

    /// Writes an ID with exactly `width` characters, zeros in front: fixed-width text sorts as the numbers do.
    ///
    /// # Errors
    /// `WidthOutOfRange` when the encoding has no such width, the number needs more, or it is negative and decimal.
    pub fn encode_width(&self, id: i64, width: i64) -> Result<Text, Error> {
        let width = self.check_width(width)?;
        if self.signed && id < 0 {
            return Err(Error::WidthNegative { encoding: self.name });
        }
        let mut text = Text::new();
        self.write_digits(id, &mut text);
        if text.len() > width {
            return Err(Error::WidthTooSmall { encoding: self.name, width, needed: text.len() });
        }
        text.pad_front(self.alphabet[0], width);
        Ok(text)
    }

    /// Writes an ID in the form asked for: of this width, or the customary one.
    ///
    /// # Errors
    /// As [`Encoding::encode_width`].
    pub fn encode_as(&self, id: i64, width: Option<i64>) -> Result<Text, Error> {
        match width {
            Some(width) => self.encode_width(id, width),
            None => Ok(self.encode(id)),
        }
    }

    /// Writes an ID in the form asked for into the front of a buffer; answers how many bytes it wrote.
    ///
    /// # Errors
    /// As [`Encoding::encode_width`], and `BufferTooSmall`, which leaves the buffer as it was.
    pub fn encode_into(&self, id: i64, width: Option<i64>, buffer: &mut [u8]) -> Result<usize, Error> {
        let text = self.encode_as(id, width)?;
        let length = buffer.len();
        buffer
            .get_mut(..text.len())
            .ok_or(Error::BufferTooSmall { length, needed: text.len() })?
            .copy_from_slice(text.as_bytes());
        Ok(text.len())
    }

    /// The width as the encoders take it.
    fn check_width(&self, width: i64) -> Result<usize, Error> {
        let least = if self.pad_bits > 0 { self.full_width } else { 1 };
        match usize::try_from(width) {
            Ok(checked) if (least..=self.full_width).contains(&checked) => Ok(checked),
            _ => Err(Error::WidthOutOfRange { encoding: self.name, width, max: self.full_width }),
        }
    }

    /// The shortest digits of the number, with its sign.
    fn write_digits(&self, id: i64, text: &mut Text) {
        let base = self.alphabet.len() as u64;
        let mut rest = if self.signed { id.unsigned_abs() } else { id as u64 };
        if self.pad_bits > 0 {
            // The lowest digit holds what is left of the last byte, and the pad.
            let kept = base.trailing_zeros() - self.pad_bits;
            text.push_front(self.alphabet[((rest & ((1 << kept) - 1)) << self.pad_bits) as usize]);
            rest >>= kept;
        }
        if base.is_power_of_two() {
            let bits = base.trailing_zeros();
            while rest > 0 || text.is_empty() {
                text.push_front(self.alphabet[(rest & (base - 1)) as usize]);
                rest >>= bits;
            }
        } else {
            while rest > 0 || text.is_empty() {
                text.push_front(self.alphabet[(rest % base) as usize]);
                rest /= base;
            }
        }
        if self.signed && id < 0 {
            text.push_front(b'-');
        }
    }
}
