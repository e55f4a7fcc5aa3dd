//! IDs as text.
//!
//! An [`Encoding`] is data: an alphabet, its widths, and what a lenient reader forgives. One encoder and one decoder
//! serve them all. IDs of up to 64 bits are signed integers; decimal text is signed, every other encoding takes the 64 bits as
//! unsigned, so its order differs from the numbers' order where IDs are negative. Wider IDs are unsigned (`encode_wide` and its
//! kin, for any width of 16 to 128 bits).
//!
//! | name | digits | customary form | full width of 64, 96, 128 bits | sorts as the unsigned number |
//! |---|---|---|---|---|
//! | `decimal` | `0-9`, sign | shortest | 20, 29, 39 | at a fixed width |
//! | `hex` | `0-9a-f` | shortest | 16, 24, 32 | at a fixed width |
//! | `binary` | `01` | shortest | 64, 96, 128 | at a fixed width |
//! | `crockford` | `0-9A-Z` without `ILOU` | full width | 13, 20, 26 | always |
//! | `base32hex` | `0-9a-v` | shortest | 13, 20, 26 | at a fixed width |
//! | `base36` | `0-9a-z` | shortest | 13, 19, 25 | at a fixed width |
//! | `base58` | Bitcoin's `1-9A-Za-z` without `0OIl` | shortest | 11, 17, 22 | at a fixed width |
//! | `base62` | `0-9A-Za-z` | shortest | 11, 17, 22 | at a fixed width |
//! | `base64url` | `A-Za-z0-9-_` | full width | 11, 16, 22 | no |
//!
//! All but `base64url` write the number's digits, highest first. `base64url` is RFC 4648 section 5 over the number's
//! bytes, highest first, without padding: what every base64 library reads as these bytes. The forms of a UUID are [`UuidForm`]'s.

mod alphabet;
mod decode;
mod encode;
mod text;
mod uuid;
mod whole;
mod wide;

pub use decode::Leniency;
pub use text::Text;
pub use uuid::{UuidForm, uuid_from_bytes, uuid_from_guid_bytes, uuid_to_bytes, uuid_to_guid_bytes};
pub(crate) use wide::check_wide;

use crate::error::{Error, Excerpt};
use alphabet::Alphabet;
use core::fmt;
use whole::Whole;

/// The bits of an ID that is an `i64`.
const ID_BITS: u32 = 64;

/// One way to write an ID: an alphabet, its widths, and what a lenient reader forgives.
///
/// ```
/// use saiban::Encoding;
/// assert_eq!(Encoding::CROCKFORD.encode(14_246_757_444_195_114).as_str(), "00CMXB6TAK4SA");
/// assert_eq!(Encoding::BASE62.encode_width(7, 11)?.as_str(), "00000000007");
/// assert_eq!(Encoding::HEX.decode("ff")?, 255);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Encoding {
    name: &'static str,
    alphabet: &'static Alphabet,
    /// The alphabet's way for texts of all digits that 64 bits can take. It stands here too, so that the compiler knows it where it knows
    /// the encoding.
    whole: Option<Whole>,
    /// Whether text without a width asked for has the full width.
    fixed: bool,
    /// Whether negative numbers have a sign and their own digits.
    signed: bool,
    /// Whether it writes the number's bytes, the last digit filled up with zero bits, as RFC 4648 does.
    bytes: bool,
    /// Whether a lenient reader skips hyphens.
    hyphens: bool,
    /// Whether a lenient reader drops `=` from the end.
    padding: bool,
    /// The form of a UUID that it writes, of which the number is the lowest bits.
    uuid: Option<UuidForm>,
}

/// What an encoding needs for numbers of so many bits.
#[derive(Clone, Copy)]
struct Size {
    bits: u32,
    /// The width that holds any of them.
    width: usize,
    /// Zero bits below the number.
    pad_bits: u32,
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoding").field(&self.name).finish()
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl Encoding {
    const fn plain(name: &'static str, alphabet: &'static Alphabet) -> Self {
        Encoding {
            name,
            alphabet,
            whole: alphabet.whole,
            fixed: false,
            signed: false,
            bytes: false,
            hyphens: false,
            padding: false,
            uuid: None,
        }
    }

    const fn of_uuid(form: UuidForm) -> Self {
        Encoding { fixed: true, uuid: Some(form), ..Encoding::plain(form.name(), &alphabet::HEX) }
    }

    /// Decimal digits, signed: what databases and most programs show.
    pub const DECIMAL: Encoding = Encoding { signed: true, ..Encoding::plain("decimal", &alphabet::DECIMAL) };
    /// Hexadecimal digits, lower case.
    pub const HEX: Encoding = Encoding::plain("hex", &alphabet::HEX);
    /// Binary digits.
    pub const BINARY: Encoding = Encoding::plain("binary", &alphabet::BINARY);
    /// Douglas Crockford's base32, upper case: Ulid-Flake's and ULID's text. Source: crockford.com/base32.html.
    pub const CROCKFORD: Encoding =
        Encoding { fixed: true, hyphens: true, ..Encoding::plain("crockford", &alphabet::CROCKFORD) };
    /// The digits of RFC 4648 section 7, lower case: Randflake's text.
    pub const BASE32HEX: Encoding = Encoding { padding: true, ..Encoding::plain("base32hex", &alphabet::BASE32HEX) };
    /// Ten digits and 26 letters, lower case.
    pub const BASE36: Encoding = Encoding::plain("base36", &alphabet::BASE36);
    /// Bitcoin's base58, without characters that look alike. Source: Bitcoin, `base58.h`.
    pub const BASE58: Encoding = Encoding::plain("base58", &alphabet::BASE58);
    /// Digits, upper case, lower case: the order of ASCII.
    pub const BASE62: Encoding = Encoding::plain("base62", &alphabet::BASE62);
    /// RFC 4648 section 5 over the bytes (of 64 bits: eight), highest first, without padding.
    pub const BASE64URL: Encoding =
        Encoding { fixed: true, bytes: true, padding: true, ..Encoding::plain("base64url", &alphabet::BASE64URL) };

    /// A UUID as RFC 9562 section 4 writes it: `017f22e2-79b0-7cc3-98c4-dc0c0c07398f`. An ID of fewer bits has zeros in front.
    pub const HYPHENATED: Encoding = Self::of_uuid(UuidForm::Hyphenated);
    /// A UUID without hyphens.
    pub const SIMPLE: Encoding = Self::of_uuid(UuidForm::Simple);
    /// A hyphenated UUID in braces.
    pub const BRACED: Encoding = Self::of_uuid(UuidForm::Braced);
    /// A hyphenated UUID after `urn:uuid:`.
    pub const URN: Encoding = Self::of_uuid(UuidForm::Urn);

    /// The forms of a UUID: ways to write 128 bits that are no number's.
    pub const UUID_FORMS: [Encoding; 4] = [Self::HYPHENATED, Self::SIMPLE, Self::BRACED, Self::URN];

    /// Every encoding of numbers.
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
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::from_name("base62")?, Encoding::BASE62);
    /// assert_eq!(Encoding::from_name("hyphenated")?.name(), "hyphenated");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Encoding, Error> {
        Self::ALL
            .into_iter()
            .chain(Self::UUID_FORMS)
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
        self.size(ID_BITS).width
    }

    /// The encoding for numbers of so many bits, at most 128.
    #[expect(clippy::cast_possible_truncation, reason = "text has at most 128 digits")]
    const fn size(&self, bits: u32) -> Size {
        if let Some(form) = self.uuid {
            return Size { bits, width: form.width(), pad_bits: 0 };
        }
        if !self.bytes {
            return Size { bits, width: self.alphabet.width_of(bits), pad_bits: 0 };
        }
        let whole = bits.next_multiple_of(8);
        let width = self.alphabet.width_of(whole);
        Size { bits, width, pad_bits: width as u32 * self.alphabet.base.trailing_zeros() - whole }
    }

    /// The least width of the customary form.
    const fn customary(&self, size: Size) -> usize {
        if self.fixed { size.width } else { 1 }
    }

    /// The width as the encoders and the decoders take it.
    fn check_width(&self, width: i64, size: Size) -> Result<usize, Error> {
        let min = if self.bytes || self.uuid.is_some() { size.width } else { 1 };
        match usize::try_from(width) {
            Ok(checked) if (min..=size.width).contains(&checked) => Ok(checked),
            _ => Err(Error::WidthOutOfRange { encoding: self.name, width, min, max: size.width }),
        }
    }
}
