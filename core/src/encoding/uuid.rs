//! The four textual forms of a UUID, and the two orders of its bytes.

use super::alphabet::{Char, HEX, write_hex};
use super::{Leniency, Text};
use crate::error::Error;
use core::fmt;

named_enum! {
    /// A textual form of a UUID.
    ///
    /// Letters are lower case, as in RFC 9562 section 4. Microsoft's names for the forms
    /// `Hyphenated`, `Simple` and `Braced` of a GUID are `D`, `N` and `B`.
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
    #[derive(Default)]
    pub enum UuidForm else UnknownUuidForm {
        /// `017f22e2-79b0-7cc3-98c4-dc0c0c07398f`, the canonical form. Source: RFC 9562 section 4.
        #[default]
        Hyphenated "hyphenated",
        /// `017f22e279b07cc398c4dc0c0c07398f`
        Simple "simple",
        /// `{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}`
        Braced "braced",
        /// `urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f`. Source: RFC 9562 section 4.
        Urn "urn",
    }
}

/// The number of hyphens before each byte in the hyphenated form.
const HYPHENS: [usize; 16] = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4];

impl UuidForm {
    /// Returns the text of a UUID with a space for each digit.
    const fn shape(self) -> &'static str {
        match self {
            UuidForm::Hyphenated => "        -    -    -    -            ",
            UuidForm::Simple => "                                ",
            UuidForm::Braced => "{        -    -    -    -            }",
            UuidForm::Urn => "urn:uuid:        -    -    -    -            ",
        }
    }

    /// Returns the name of the form in messages.
    const fn description(self) -> &'static str {
        match self {
            UuidForm::Hyphenated => "hyphenated UUID",
            UuidForm::Simple => "simple UUID",
            UuidForm::Braced => "braced UUID",
            UuidForm::Urn => "urn UUID",
        }
    }

    /// Returns the number of characters of the text: 36, 32, 38 or 45.
    #[must_use]
    pub const fn width(self) -> usize {
        self.shape().len()
    }

    /// Returns the text of a UUID in this form.
    #[must_use]
    pub fn encode(self, uuid: u128) -> Text {
        Text::written(|out| self.write(uuid, out))
    }

    /// Writes the text at the end of a buffer, and returns the index of its first character.
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
            write_hex(&[byte], &mut text[place..place + 2]);
        }
        start
    }

    /// Decodes a UUID from text of this form.
    ///
    /// `AnyCase` accepts letters of any case. `Lenient` accepts all forms, as
    /// [`UuidForm::read_any`] does.
    ///
    /// # Errors
    /// - `TextLength`: the form has another number of characters.
    /// - `TextCharacter`: a character is not allowed at its position.
    /// - `TextNotCanonical`: a letter has the other case, and `leniency` is `Strict`.
    ///
    /// `TextCharacter` and `TextNotCanonical` have the position of the first bad character.
    pub fn decode(self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        match leniency {
            Leniency::Strict => self.read(text, false),
            Leniency::AnyCase => self.read(text, true),
            Leniency::Lenient => Self::read_any(text),
        }
    }

    /// Decodes a UUID from any of the four forms, with letters of any case. The length of the text
    /// determines the form.
    ///
    /// ```
    /// use saiban::UuidForm;
    /// let id = UuidForm::read_any("urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f")?;
    /// assert_eq!(UuidForm::read_any("017F22E279B07CC398C4DC0C0C07398F")?, id);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `TextLength` if no form has this length; `TextCharacter`, with the position of the first bad
    /// character.
    pub fn read_any(text: &str) -> Result<u128, Error> {
        let length = text.chars().count();
        let form = Self::ALL.into_iter().find(|form| form.width() == length).ok_or(Error::UuidLength { length })?;
        form.read(text, true)
    }

    fn read(self, text: &str, any_case: bool) -> Result<u128, Error> {
        let (encoding, length) = (self.description(), text.chars().count());
        if length != self.width() {
            return Err(Error::TextLength { encoding, length, min: self.width(), max: self.width() });
        }
        // All characters before the first bad one are ASCII, so the byte index is the position in
        // characters.
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

/// Returns the 16 bytes of a UUID in the order of RFC 9562, highest first.
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

/// Returns the UUID of 16 bytes in the order of RFC 9562, highest first.
#[must_use]
pub const fn uuid_from_bytes(bytes: [u8; 16]) -> u128 {
    u128::from_be_bytes(bytes)
}

/// Returns the 16 bytes of a UUID in the memory order of Microsoft's `GUID`.
///
/// The first three groups have their lowest byte first; the other bytes are in the order of the
/// text. Source: [MS-DTYP] section 2.3.4.2.
///
/// ```
/// use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
/// let bytes = uuid_to_guid_bytes(0x00112233_4455_6677_8899_aabbccddeeff);
/// assert_eq!(bytes[..8], [0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66]);
/// assert_eq!(uuid_from_guid_bytes(bytes), 0x00112233_4455_6677_8899_aabbccddeeff);
/// ```
///
/// [MS-DTYP]:
/// https://learn.microsoft.com/openspecs/windows_protocols/ms-dtyp/001eec5a-7f8b-4293-9e21-ca349392db40
#[must_use]
pub const fn uuid_to_guid_bytes(uuid: u128) -> [u8; 16] {
    mixed(uuid.to_be_bytes())
}

/// Returns the UUID of 16 bytes in the memory order of Microsoft's `GUID`.
#[must_use]
pub const fn uuid_from_guid_bytes(bytes: [u8; 16]) -> u128 {
    u128::from_be_bytes(mixed(bytes))
}

/// Reverses the bytes of each of the first three groups. The function is its own inverse.
const fn mixed([a, b, c, d, e, f, g, h, rest @ ..]: [u8; 16]) -> [u8; 16] {
    let [i, j, k, l, m, n, o, p] = rest;
    [d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p]
}
