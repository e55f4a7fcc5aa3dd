//! What is wrong with a text that is nearly an ID's.

use core::fmt;

/// How an ID is written, for messages about text that is nearly so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum TextForm {
    Decimal,
    /// `0x` and hexadecimal digits.
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
    /// What messages call such a text.
    const fn told(self) -> &'static str {
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

    /// What it consists of.
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

    /// How large the numbers are.
    const fn limits(self) -> &'static str {
        match self {
            TextForm::Decimal => "from -9223372036854775808 to 340282366920938463463374607431768211455",
            TextForm::Ulid => "up to 7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            TextForm::UlidFlake => "up to 7ZZZZZZZZZZZZ",
            TextForm::TickId => "up to 9223372036854775807 before the _",
            // Their digits hold nothing larger.
            _ => "of up to 128 bits",
        }
    }
}

/// What keeps a text from being an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextFault {
    /// A character that has no place there; the position counts characters from 0.
    Character {
        /// Where.
        position: usize,
        /// Which.
        character: char,
    },
    /// Another number of characters.
    Length {
        /// How many there are.
        length: usize,
    },
    /// A group of a UUID has another number of digits.
    Group {
        /// Which, counted from 1.
        group: u8,
        /// Where it begins, counted in characters from 0.
        position: usize,
        /// How many digits there are.
        length: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// Zeros stand in front of a decimal number.
    Zeros {
        /// Where they begin, counted in characters from 0.
        position: usize,
    },
    /// The number is larger than such an ID can be, or smaller.
    OutOfRange,
}

/// A text that is nearly of a form, in words.
pub(super) fn nearly(form: TextForm, fault: TextFault, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "this looks like {}, but ", form.told())?;
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

/// A text that is like no ID, in words.
pub(super) fn no_form(length: usize, odd: Option<(usize, char)>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match odd {
        Some((position, character)) => {
            write!(f, "no ID has the character {character:?} (position {position}, counted from 0)")?;
        }
        None if length == 0 => f.write_str("there is no text")?,
        None => write!(f, "the text of {length} characters is no ID")?,
    }
    f.write_str(
        ": give a decimal number (1 to 39 digits), a UUID (36 characters; 32, 38 or 45 in other forms), a ULID (26), an ObjectId (24), \
         a Ulid-Flake (13), a Randflake ID (1 to 13), a tick ID (23 or 24), or a number as 0x and hexadecimal digits or in another encoding",
    )
}
