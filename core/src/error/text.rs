//! Errors of texts that resemble an ID, or no ID at all.

use super::ErrorKind;
use core::fmt;

/// The textual form of an ID that a malformed text resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum TextForm {
    Decimal,
    /// A number as `0x` and hexadecimal digits.
    Hexadecimal,
    HyphenatedUuid,
    SimpleUuid,
    BracedUuid,
    UrnUuid,
    Ulid,
    ObjectId,
    UlidFlake,
    TickId,
}

impl TextForm {
    /// Returns the name of the form in messages.
    const fn description(self) -> &'static str {
        match self {
            TextForm::Decimal => "a decimal number",
            TextForm::Hexadecimal => "a number in hexadecimal",
            TextForm::HyphenatedUuid => "a UUID",
            TextForm::SimpleUuid => "a UUID without hyphens",
            TextForm::BracedUuid => "a UUID in braces",
            TextForm::UrnUuid => "a UUID as a URN",
            TextForm::Ulid => "a ULID",
            TextForm::ObjectId => "an ObjectId",
            TextForm::UlidFlake => "a Ulid-Flake",
            TextForm::TickId => "a tick ID",
        }
    }

    /// Returns the characters that a text of this form consists of.
    const fn consists_of(self) -> &'static str {
        match self {
            TextForm::Decimal => "digits only",
            TextForm::Hexadecimal => "0x and 1 to 32 hexadecimal digits",
            TextForm::HyphenatedUuid => "8, 4, 4, 4 and 12 hexadecimal digits with - between them, 36 characters",
            TextForm::SimpleUuid => "32 hexadecimal digits",
            TextForm::BracedUuid => "a UUID with its hyphens between { and }, 38 characters",
            TextForm::UrnUuid => "urn:uuid: and a UUID with its hyphens, 45 characters",
            TextForm::Ulid => "26 digits and letters, without I, L, O and U",
            TextForm::ObjectId => "24 hexadecimal digits",
            TextForm::UlidFlake => "13 digits and letters, without I, L, O and U",
            TextForm::TickId => "19 digits, _ and 4 digits (in descending order 3)",
        }
    }

    /// Returns the range of the numbers that this form can hold.
    const fn limits(self) -> &'static str {
        match self {
            TextForm::Decimal => "from -9223372036854775808 to 340282366920938463463374607431768211455",
            TextForm::Ulid => "up to 7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            TextForm::UlidFlake => "up to 7ZZZZZZZZZZZZ",
            TextForm::TickId => "up to 9223372036854775807 before the _",
            // The digits of these forms cannot exceed 128 bits.
            _ => "of up to 128 bits",
        }
    }
}

/// The fault of a text that is not an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextFault {
    /// A character is not allowed at its position.
    Character {
        /// The index of the character, counted in characters from 0.
        position: usize,
        /// The character.
        character: char,
    },
    /// The number of characters is wrong.
    Length {
        /// The number of characters of the text.
        length: usize,
    },
    /// A group of a UUID has the wrong number of digits.
    Group {
        /// The number of the group, counted from 1.
        group: u8,
        /// The index of the group's first character, counted in characters from 0.
        position: usize,
        /// The number of digits of the group.
        length: usize,
        /// The number of digits that the group must have.
        wanted: usize,
    },
    /// A decimal number has leading zeros.
    Zeros {
        /// The index of the first zero, counted in characters from 0.
        position: usize,
    },
    /// The number is outside the range of IDs of this form.
    OutOfRange,
}

impl TextFault {
    pub(super) const fn kind(self) -> ErrorKind {
        match self {
            TextFault::Character { .. } => ErrorKind::TextCharacter,
            TextFault::Length { .. } | TextFault::Group { .. } => ErrorKind::TextLength,
            TextFault::Zeros { .. } => ErrorKind::TextNotCanonical,
            TextFault::OutOfRange => ErrorKind::TextOverflow,
        }
    }
}

/// Writes the message for a text that resembles a form, but has a fault.
pub(super) fn nearly(form: TextForm, fault: TextFault, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "this looks like {}, but ", form.description())?;
    match fault {
        TextFault::Character { position, character } => {
            write!(f, "has {character:?} at position {position} (counted from 0): give {}", form.consists_of())
        }
        TextFault::Length { length } => write!(f, "has {length} characters: give {}", form.consists_of()),
        TextFault::Group { group, position, length, wanted } => write!(
            f,
            "its group {group}, from position {position} (counted from 0) on, has {length} digits: give {wanted}"
        ),
        TextFault::Zeros { position } => {
            write!(f, "has zeros in front, from position {position} (counted from 0) on: give it without")
        }
        TextFault::OutOfRange => write!(f, "is out of range: give one {}", form.limits()),
    }
}

/// Writes the message for a text that resembles no ID. `odd` is the first character that no ID has.
pub(super) fn no_form(length: usize, odd: Option<(usize, char)>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match odd {
        Some((position, character)) => {
            write!(f, "no ID has the character {character:?} (position {position}, counted from 0)")?;
        }
        None if length == 0 => f.write_str("there is no text")?,
        None => write!(f, "the text of {length} characters is not an ID")?,
    }
    f.write_str(
        ": give a decimal number (1 to 39 digits), a UUID (36 characters; 32, 38 or 45 in other forms), a ULID (26), \
         an ObjectId (24), a Ulid-Flake (13), a Randflake ID (1 to 13), a tick ID (23 or 24), or a number as 0x and \
         hexadecimal digits or in another encoding",
    )
}
