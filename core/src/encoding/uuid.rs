//! The forms of a UUID: four texts, and two orders of its bytes.

use super::alphabet::{Char, HEX};
use super::{Leniency, Text};
use crate::error::{Error, Excerpt};
use core::fmt;

/// A way to write the 128 bits of a UUID. Letters are lower case, as RFC 9562 section 4 writes them. Microsoft calls the same texts of a
/// GUID `D`, `N` and `B`.
///
/// ```
/// use saiban::Leniency;
/// use saiban::encoding::UuidForm;
/// let id = 0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f;
/// assert_eq!(UuidForm::Hyphenated.encode(id).as_str(), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
/// assert_eq!(UuidForm::Simple.decode("017f22e279b07cc398c4dc0c0c07398f", Leniency::Strict)?, id);
/// assert_eq!(UuidForm::read_any("{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}")?, id);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum UuidForm {
    /// `017f22e2-79b0-7cc3-98c4-dc0c0c07398f`, the canonical one. Source: RFC 9562 section 4.
    #[default]
    Hyphenated,
    /// `017f22e279b07cc398c4dc0c0c07398f`
    Simple,
    /// `{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}`
    Braced,
    /// `urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f`. Source: RFC 9562 section 4.
    Urn,
}

/// How many hyphens stand before each byte.
const HYPHENS: [usize; 16] = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4];

impl UuidForm {
    /// Every form.
    pub const ALL: [UuidForm; 4] = [UuidForm::Hyphenated, UuidForm::Simple, UuidForm::Braced, UuidForm::Urn];

    /// The name, the same in every language: `hyphenated`, `simple`, `braced`, `urn`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            UuidForm::Hyphenated => "hyphenated",
            UuidForm::Simple => "simple",
            UuidForm::Braced => "braced",
            UuidForm::Urn => "urn",
        }
    }

    /// The form of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|form| form.name() == name)
            .ok_or(Error::UnknownUuidForm { name: Excerpt::new(name) })
    }

    /// The text of nil, with a space for each digit.
    const fn shape(self) -> &'static str {
        match self {
            UuidForm::Hyphenated => "        -    -    -    -            ",
            UuidForm::Simple => "                                ",
            UuidForm::Braced => "{        -    -    -    -            }",
            UuidForm::Urn => "urn:uuid:        -    -    -    -            ",
        }
    }

    /// What messages call the text.
    const fn told(self) -> &'static str {
        match self {
            UuidForm::Hyphenated => "hyphenated UUID",
            UuidForm::Simple => "simple UUID",
            UuidForm::Braced => "braced UUID",
            UuidForm::Urn => "urn UUID",
        }
    }

    /// How many characters the text has: 36, 32, 38, 45.
    #[must_use]
    pub const fn width(self) -> usize {
        self.shape().len()
    }

    /// Writes a UUID.
    #[must_use]
    pub fn encode(self, uuid: u128) -> Text {
        Text::written(|out| self.write(uuid, out))
    }

    /// Writes at the buffer's end; answers where it begins.
    pub(super) fn write(self, uuid: u128, out: &mut [u8]) -> usize {
        let (first, hyphens) = match self {
            UuidForm::Hyphenated => (0, true),
            UuidForm::Simple => (0, false),
            UuidForm::Braced => (1, true),
            UuidForm::Urn => (9, true),
        };
        let start = out.len() - self.width();
        let text = &mut out[start..];
        text.copy_from_slice(self.shape().as_bytes());
        for (index, byte) in uuid.to_be_bytes().into_iter().enumerate() {
            let place = first + 2 * index + if hyphens { HYPHENS[index] } else { 0 };
            text[place] = HEX.digit(u64::from(byte >> 4));
            text[place + 1] = HEX.digit(u64::from(byte & 15));
        }
        start
    }

    /// Reads a UUID from exactly this form; with `AnyCase` in any case of letters, with `Lenient` from any form, as
    /// [`UuidForm::read_any`] does.
    ///
    /// # Errors
    /// `TextLength`; `TextCharacter` and `TextNotCanonical` (a letter of the other case), with the first bad position, counted in
    /// characters from 0.
    pub fn decode(self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        match leniency {
            Leniency::Strict => self.read(text, false),
            Leniency::AnyCase => self.read(text, true),
            Leniency::Lenient => Self::read_any(text),
        }
    }

    /// Reads a UUID from any of the four forms, in any case of letters. Their lengths tell them apart.
    ///
    /// ```
    /// use saiban::UuidForm;
    /// let id = UuidForm::read_any("urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f")?;
    /// assert_eq!(UuidForm::read_any("017F22E279B07CC398C4DC0C0C07398F")?, id);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `TextLength` and `TextCharacter`, with the first bad position.
    pub fn read_any(text: &str) -> Result<u128, Error> {
        let length = text.chars().count();
        let form = Self::ALL.into_iter().find(|form| form.width() == length).ok_or(Error::UuidLength { length })?;
        form.read(text, true)
    }

    fn read(self, text: &str, any_case: bool) -> Result<u128, Error> {
        let (encoding, length) = (self.told(), text.chars().count());
        if length != self.width() {
            return Err(Error::TextLength { encoding, length, min: self.width(), max: self.width() });
        }
        // Up to the first bad one all characters are ASCII, so that bytes count them.
        let mut uuid = 0;
        for (position, (wanted, byte)) in self.shape().bytes().zip(text.bytes()).enumerate() {
            let canonical = match (wanted, HEX.meaning(byte)) {
                (b' ', Char::Digit(digit)) => {
                    uuid = uuid << 4 | u128::from(digit);
                    true
                }
                (b' ', Char::OtherCase(digit)) => {
                    uuid = uuid << 4 | u128::from(digit);
                    false
                }
                _ if wanted == byte && wanted != b' ' => true,
                _ if wanted.eq_ignore_ascii_case(&byte) && wanted != b' ' => false,
                _ => {
                    let character = text[position..].chars().next().unwrap_or_default();
                    return Err(Error::TextCharacter { encoding, position, character });
                }
            };
            if !canonical && !any_case {
                return Err(Error::TextNotCanonical { encoding, position });
            }
        }
        Ok(uuid)
    }
}

impl fmt::Display for UuidForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The 16 bytes of a UUID, highest first: RFC 9562's order.
///
/// ```
/// use saiban::encoding::{uuid_from_bytes, uuid_to_bytes};
/// let bytes = uuid_to_bytes(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f);
/// assert_eq!(bytes[..4], [0x01, 0x7f, 0x22, 0xe2]);
/// assert_eq!(uuid_from_bytes(bytes), 0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f);
/// ```
#[must_use]
pub const fn uuid_to_bytes(uuid: u128) -> [u8; 16] {
    uuid.to_be_bytes()
}

/// The UUID of these 16 bytes, highest first.
#[must_use]
pub const fn uuid_from_bytes(bytes: [u8; 16]) -> u128 {
    u128::from_be_bytes(bytes)
}

/// The 16 bytes of a UUID as Microsoft's `GUID` lies in memory: of the first three groups the lowest byte first, the rest as in the
/// text. Source: [MS-DTYP] section 2.3.4.2.
///
/// ```
/// use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
/// let bytes = uuid_to_guid_bytes(0x00112233_4455_6677_8899_aabbccddeeff);
/// assert_eq!(bytes[..8], [0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66]);
/// assert_eq!(uuid_from_guid_bytes(bytes), 0x00112233_4455_6677_8899_aabbccddeeff);
/// ```
///
/// [MS-DTYP]: https://learn.microsoft.com/openspecs/windows_protocols/ms-dtyp/001eec5a-7f8b-4293-9e21-ca349392db40
#[must_use]
pub const fn uuid_to_guid_bytes(uuid: u128) -> [u8; 16] {
    mixed(uuid.to_be_bytes())
}

/// The UUID of these 16 bytes of a `GUID`.
#[must_use]
pub const fn uuid_from_guid_bytes(bytes: [u8; 16]) -> u128 {
    u128::from_be_bytes(mixed(bytes))
}

/// Turns the first three groups around; twice it changes nothing.
const fn mixed([a, b, c, d, e, f, g, h, rest @ ..]: [u8; 16]) -> [u8; 16] {
    let [i, j, k, l, m, n, o, p] = rest;
    [d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p]
}
