//! The families of IDs.

use crate::encoding::Encoding;
use crate::error::{Error, Excerpt};
use core::fmt;

/// A family of IDs.
///
/// ```
/// use saiban::{Encoding, Scheme};
/// assert_eq!(Scheme::from_name("uuid-v7"), Ok(Scheme::UuidV7));
/// assert_eq!((Scheme::UlidFlake.name(), Scheme::UlidFlake.encoding()), ("ulid-flake", Encoding::CROCKFORD));
/// assert!(Scheme::ALL.contains(&Scheme::Randflake));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// Time, node, sequence.
    Snowflake,
    /// The same, encrypted.
    Randflake,
    /// Time and a random part that grows.
    UlidFlake,
    /// A layout of the user's own.
    Flake,
    /// Time and 80 random bits.
    Ulid,
    /// A UUID of another version than those below.
    Uuid,
    /// A UUID of time, clock sequence and node.
    UuidV1,
    /// A UUID of random bits.
    UuidV4,
    /// A UUID of time and random bits.
    UuidV7,
    /// MongoDB's: seconds, random bits, a counter.
    ObjectId,
    /// Time as text that sorts, and random digits.
    TickId,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: [Scheme; 11] = [
        Scheme::Snowflake,
        Scheme::Randflake,
        Scheme::UlidFlake,
        Scheme::Flake,
        Scheme::Ulid,
        Scheme::Uuid,
        Scheme::UuidV1,
        Scheme::UuidV4,
        Scheme::UuidV7,
        Scheme::ObjectId,
        Scheme::TickId,
    ];

    /// The name in every language: `snowflake`, `randflake`, `ulid-flake`, `flake`, `ulid`, `uuid`, `uuid-v1`, `uuid-v4`, `uuid-v7`,
    /// `objectid`, `tick-id`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scheme::Snowflake => "snowflake",
            Scheme::Randflake => "randflake",
            Scheme::UlidFlake => "ulid-flake",
            Scheme::Flake => "flake",
            Scheme::Ulid => "ulid",
            Scheme::Uuid => "uuid",
            Scheme::UuidV1 => "uuid-v1",
            Scheme::UuidV4 => "uuid-v4",
            Scheme::UuidV7 => "uuid-v7",
            Scheme::ObjectId => "objectid",
            Scheme::TickId => "tick-id",
        }
    }

    /// The encoding of its canonical text. Tick IDs have one that is no number's: this is that of the number.
    #[must_use]
    pub const fn encoding(self) -> Encoding {
        match self {
            Scheme::Snowflake | Scheme::Flake | Scheme::TickId => Encoding::DECIMAL,
            Scheme::Randflake => Encoding::BASE32HEX,
            Scheme::UlidFlake | Scheme::Ulid => Encoding::CROCKFORD,
            Scheme::Uuid | Scheme::UuidV1 | Scheme::UuidV4 | Scheme::UuidV7 => Encoding::HYPHENATED,
            Scheme::ObjectId => Encoding::HEX,
        }
    }

    /// How wide its canonical text is where that is not the encoding's customary form: 24 of an ObjectId.
    #[must_use]
    pub const fn text_width(self) -> Option<i64> {
        match self {
            Scheme::ObjectId => Some(24),
            _ => None,
        }
    }

    /// The scheme of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|scheme| scheme.name() == name)
            .ok_or(Error::UnknownScheme { name: Excerpt::of_name(name) })
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
