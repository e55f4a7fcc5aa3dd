//! Encodes IDs as text, and decodes text into IDs.
//!
//! An [`Encoding`] is data: an alphabet, its widths, and what a lenient reader accepts. One encoder
//! and one decoder implement all encodings.
//!
//! IDs of up to 64 bits are signed integers. Decimal text of these IDs is signed. All other
//! encodings write the 64 bits as an unsigned number, so text of negative IDs sorts after text of
//! positive IDs. Functions whose name contains `wide` take unsigned IDs of 16 to 128 bits.
//!
//! The canonical text of an ID has the encoding's default width: the shortest text, or the full
//! width, which holds any ID of this number of bits. The last column shows whether texts sort as
//! the unsigned numbers do.
//!
//! | name | digits | default width | full width of 64, 96, 128 bits | sorts as the number |
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
//! All encodings but `base64url` write the digits of the number, highest first. `base64url` encodes
//! the bytes of the number, highest first, as RFC 4648 section 5 describes, without padding. Any
//! base64 library decodes these bytes. [`UuidForm`] has the forms of a UUID.

mod alphabet;
mod decode;
mod digits;
mod encode;
mod leniency;
mod text;
mod tick_id;
mod uuid;
mod whole;
mod wide;

pub use leniency::Leniency;
pub use text::Text;
pub use tick_id::TickOrder;
#[cfg(target_has_atomic = "64")]
pub(crate) use tick_id::{TICK_ID_BITS, read_tick_id_as};
pub(crate) use tick_id::{read_tick_id, tick_id_text};
pub use uuid::{UuidForm, uuid_from_bytes, uuid_from_guid_bytes, uuid_to_bytes, uuid_to_guid_bytes};
pub(crate) use wide::check_wide;

use crate::error::{Error, Excerpt};
use alphabet::Alphabet;
use core::fmt;
use whole::Whole;

/// The number of bits of an ID that is an `i64`.
const ID_BITS: u32 = 64;

/// A text encoding of IDs: an alphabet, its widths, and what a lenient reader accepts.
///
/// The [module's documentation](crate::encoding) has a table of all encodings of numbers.
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
    /// The alphabet's fast path for texts of the full 64-bit width. It is a copy of
    /// [`Alphabet::whole`], so that the compiler can resolve it if the encoding is a constant.
    whole: Option<Whole>,
    /// Whether the default width is the full width.
    fixed: bool,
    /// Whether negative numbers are written as a minus sign and the digits of the absolute value.
    signed: bool,
    /// Whether the encoding writes bytes, with zero bits after the last byte, as in RFC 4648.
    bytes: bool,
    /// Whether a lenient reader skips hyphens.
    hyphens: bool,
    /// Whether a lenient reader ignores `=` at the end.
    padding: bool,
    /// The form of a UUID that this encoding writes. The number is the lowest bits of the UUID.
    uuid: Option<UuidForm>,
}

/// The dimensions of an encoding's text for numbers of `bits` bits.
#[derive(Clone, Copy)]
struct Size {
    bits: u32,
    /// The width that holds any of these numbers.
    width: usize,
    /// The number of zero bits after the number.
    pad_bits: u32,
}

/// All encodings that have a name: those of numbers, the forms of a UUID, and `xid`.
static EVERY: [Encoding; Encoding::ALL.len() + Encoding::UUID_FORMS.len() + 1] = {
    let (numbers, uuids) = (Encoding::ALL, Encoding::UUID_FORMS);
    let mut every = [Encoding::XID; Encoding::ALL.len() + Encoding::UUID_FORMS.len() + 1];
    let mut index = 0;
    while index < every.len() - 1 {
        every[index] = if index < numbers.len() { numbers[index] } else { uuids[index - numbers.len()] };
        index += 1;
    }
    every
};

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

    /// Decimal digits, signed, as databases and most programs show IDs.
    pub const DECIMAL: Encoding = Encoding { signed: true, ..Encoding::plain("decimal", &alphabet::DECIMAL) };
    /// Hexadecimal digits, lower case.
    pub const HEX: Encoding = Encoding::plain("hex", &alphabet::HEX);
    /// Binary digits.
    pub const BINARY: Encoding = Encoding::plain("binary", &alphabet::BINARY);
    /// Douglas Crockford's base32, upper case: the text of Ulid-Flake and ULID.
    ///
    /// Source: crockford.com/base32.html.
    pub const CROCKFORD: Encoding =
        Encoding { fixed: true, hyphens: true, ..Encoding::plain("crockford", &alphabet::CROCKFORD) };
    /// The digits of RFC 4648 section 7, lower case: the text of Randflake.
    pub const BASE32HEX: Encoding = Encoding { padding: true, ..Encoding::plain("base32hex", &alphabet::BASE32HEX) };
    /// Ten digits and 26 letters, lower case.
    pub const BASE36: Encoding = Encoding::plain("base36", &alphabet::BASE36);
    /// Bitcoin's base58, which omits characters that look alike. Source: Bitcoin, `base58.h`.
    pub const BASE58: Encoding = Encoding::plain("base58", &alphabet::BASE58);
    /// Digits, upper-case letters and lower-case letters, in ASCII order.
    pub const BASE62: Encoding = Encoding::plain("base62", &alphabet::BASE62);
    /// RFC 4648 section 5 over the bytes of the number, highest first, without padding.
    pub const BASE64URL: Encoding =
        Encoding { fixed: true, bytes: true, padding: true, ..Encoding::plain("base64url", &alphabet::BASE64URL) };

    /// A UUID as in RFC 9562 section 4: `017f22e2-79b0-7cc3-98c4-dc0c0c07398f`.
    ///
    /// An ID of fewer than 128 bits has leading zeros.
    pub const HYPHENATED: Encoding = Self::of_uuid(UuidForm::Hyphenated);
    /// A UUID without hyphens.
    pub const SIMPLE: Encoding = Self::of_uuid(UuidForm::Simple);
    /// The text of XIDs: RFC 4648 section 7 over the bytes, highest first, lower case, without
    /// padding.
    ///
    /// [`BASE32HEX`](Self::BASE32HEX) writes the digits of the number instead.
    pub const XID: Encoding =
        Encoding { fixed: true, bytes: true, whole: None, ..Encoding::plain("xid", &alphabet::BASE32HEX) };
    /// A hyphenated UUID in braces.
    pub const BRACED: Encoding = Self::of_uuid(UuidForm::Braced);
    /// A hyphenated UUID after `urn:uuid:`.
    pub const URN: Encoding = Self::of_uuid(UuidForm::Urn);

    /// The forms of a UUID. [`ALL`](Self::ALL) does not contain them.
    pub const UUID_FORMS: [Encoding; 4] = [Self::HYPHENATED, Self::SIMPLE, Self::BRACED, Self::URN];

    /// All encodings of numbers.
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

    /// Returns all encodings that have a name: those of numbers, the forms of a UUID, and `xid`.
    pub fn every() -> impl Iterator<Item = Encoding> {
        EVERY.iter().copied()
    }

    /// Returns the encoding of this name.
    ///
    /// ```
    /// use saiban::Encoding;
    /// assert_eq!(Encoding::from_name("base62")?, Encoding::BASE62);
    /// assert_eq!(Encoding::from_name("hyphenated")?.name(), "hyphenated");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `UnknownName` if no encoding has this name.
    pub fn from_name(name: &str) -> Result<Encoding, Error> {
        let found = EVERY.iter().find(|encoding| encoding.name == name);
        found.copied().ok_or_else(|| Error::UnknownEncoding { name: Excerpt::new(name) })
    }

    /// Returns the name, which is equal in every language.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of characters that holds any 64-bit ID.
    #[must_use]
    pub const fn full_width(&self) -> usize {
        self.size(ID_BITS).width
    }

    /// Returns the dimensions of text for numbers of `bits` bits, at most 128.
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

    /// Returns the least width of canonical text.
    const fn default_width(&self, size: Size) -> usize {
        if self.fixed { size.width } else { 1 }
    }

    /// Checks a width that the caller requested.
    ///
    /// # Errors
    /// `WidthOutOfRange` if the encoding has no text of this width.
    fn check_width(&self, width: i64, size: Size) -> Result<usize, Error> {
        let min = if self.bytes || self.uuid.is_some() { size.width } else { 1 };
        match usize::try_from(width) {
            Ok(checked) if (min..=size.width).contains(&checked) => Ok(checked),
            _ => Err(Error::WidthOutOfRange { encoding: self.name, width, min, max: size.width }),
        }
    }
}
