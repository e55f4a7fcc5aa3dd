//! The registry of schemes: one table with the properties of each scheme.
//!
//! The core and all other crates read it. How IDs are made is in `generator/`, and how unknown IDs
//! are recognised is in `inspect/`.

mod info;
mod table;

pub use info::{GeneratorOption, IdField, IdFieldKind, IdForm, KeptApartBy, Part, TimeOrder};
pub use table::{Scheme, SchemeInfo};

use crate::encoding::Encoding;
use crate::error::{Error, Excerpt, OptionProblem};
use core::fmt;

/// Returns the error for a number that is not an ID of the scheme with this name, or of
/// `any scheme`.
#[must_use]
pub fn not_an_id(scheme: &'static str) -> Error {
    let wanted = "a signed 64-bit integer, or tell how many bits, up to 128, an unsigned one has";
    Scheme::from_name(scheme).map_or(Error::IdOutOfRange { scheme, wanted }, Scheme::not_an_id)
}

impl Scheme {
    /// Returns the name in every language: `snowflake`, `randflake`, `ulid-flake`, …
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the encoding of the canonical text. For tick IDs, whose text is not the encoding of
    /// a number, it is the encoding of the number.
    #[must_use]
    pub const fn encoding(self) -> Encoding {
        self.info().encoding
    }

    /// Returns the width of the canonical text if it is not the encoding's default width: 24 for
    /// ObjectId.
    #[must_use]
    pub const fn text_width(self) -> Option<i64> {
        self.info().text_width
    }

    /// Returns whether generators of this scheme accept an option.
    ///
    /// ```
    /// use saiban::scheme::{GeneratorOption, Scheme};
    /// assert!(Scheme::Snowflake.takes(GeneratorOption::Node) && !Scheme::Ulid.takes(GeneratorOption::Node));
    /// ```
    #[must_use]
    pub fn takes(self, option: GeneratorOption) -> bool {
        self.info().options.contains(&option)
    }

    /// Returns whether IDs of this scheme can have a part. The parts of a Flake depend on its
    /// layout.
    #[must_use]
    pub fn has(self, part: Part) -> bool {
        self.info().parts.contains(&part)
    }

    /// Returns the scheme of the IDs that a generator of this scheme makes: version 7 for `uuid`.
    #[must_use]
    pub const fn generated(self) -> Self {
        match self.info().generated_as {
            Some(scheme) => scheme,
            None => self,
        }
    }

    /// Returns the scheme with this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|scheme| scheme.name() == name)
            .ok_or_else(|| Error::UnknownScheme { name: Excerpt::of_name(name), known: &Self::NAMES })
    }

    /// Returns the error for a number that is not an ID of this scheme.
    #[must_use]
    pub const fn not_an_id(self) -> Error {
        Error::IdOutOfRange { scheme: self.name(), wanted: self.info().wanted }
    }

    /// Returns an error if the option is given and generators of this scheme do not accept it.
    pub(crate) fn check_option(self, option: GeneratorOption, is_given: bool) -> Result<(), Error> {
        if !is_given || self.takes(option) {
            return Ok(());
        }
        let why = match option {
            _ if self.generated().info().options == [GeneratorOption::Prefix] => OptionProblem::NoOptions,
            GeneratorOption::Node | GeneratorOption::Nodes if self.takes(GeneratorOption::Scalability) => {
                OptionProblem::Scalability
            }
            GeneratorOption::Node
            | GeneratorOption::Nodes
            | GeneratorOption::Lease
            | GeneratorOption::Store
            | GeneratorOption::Namespace
            | GeneratorOption::Shards
            | GeneratorOption::Scope
            | GeneratorOption::State => self.info().kept_apart_by.reason(),
            GeneratorOption::Layout
            | GeneratorOption::Secret
            | GeneratorOption::Scalability
            | GeneratorOption::EntropySize
            | GeneratorOption::EpochMs
            | GeneratorOption::AllowCollisions
            | GeneratorOption::Order
            | GeneratorOption::Window
            | GeneratorOption::NotBefore
            | GeneratorOption::Rollback
            | GeneratorOption::Prefix
            | GeneratorOption::Clock
            | GeneratorOption::MaxJump
            | GeneratorOption::MaxWait => OptionProblem::NotItsOwn,
        };
        Err(Error::OptionNotTaken { scheme: self.name(), option: option.name(), why })
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_has_a_unique_name() {
        for scheme in Scheme::ALL {
            assert_eq!(Scheme::from_name(scheme.name()), Ok(scheme));
            assert_eq!(scheme.info().scheme, scheme);
            assert_eq!(scheme.generated().generated(), scheme.generated());
            let field_bits = scheme.info().fields.iter().map(|field| field.bits).sum::<u32>();
            assert!(field_bits == 0 || Some(field_bits) == scheme.info().bits, "{scheme}");
        }
        assert_eq!(Scheme::NAMES, Scheme::ALL.map(Scheme::name).join(", "));
    }
}
