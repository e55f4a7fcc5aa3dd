//! The families of IDs.

use crate::encoding::Encoding;
use crate::error::{Error, Excerpt};
use core::fmt;

/// A family of IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// Time, node, sequence.
    Snowflake,
    /// The same, encrypted.
    Randflake,
    /// Time and a random part that grows.
    UlidFlake,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: [Scheme; 3] = [Scheme::Snowflake, Scheme::Randflake, Scheme::UlidFlake];

    /// The name in every language: `snowflake`, `randflake`, `ulid-flake`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scheme::Snowflake => "snowflake",
            Scheme::Randflake => "randflake",
            Scheme::UlidFlake => "ulid-flake",
        }
    }

    /// The encoding of its canonical text: decimal, `base32hex`, Crockford's base32.
    #[must_use]
    pub const fn encoding(self) -> Encoding {
        match self {
            Scheme::Snowflake => Encoding::DECIMAL,
            Scheme::Randflake => Encoding::BASE32HEX,
            Scheme::UlidFlake => Encoding::CROCKFORD,
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
            .ok_or(Error::UnknownScheme { name: Excerpt::new(name) })
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
