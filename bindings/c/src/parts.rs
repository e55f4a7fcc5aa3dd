//! An ID taken apart, and the numbers of the schemes.

use crate::ffi::{Chars, Out, ffi};
use crate::layout;
use crate::names::names;
use saiban::{Error, Excerpt, Scheme};
use std::ffi::c_char;

/// Any scheme, where one may be asked for.
pub const SAIBAN_SCHEME_ANY: i32 = 0;
/// Time, node, sequence.
pub const SAIBAN_SCHEME_SNOWFLAKE: i32 = 1;
/// The same, encrypted.
pub const SAIBAN_SCHEME_RANDFLAKE: i32 = 2;
/// Time and a random part that grows.
pub const SAIBAN_SCHEME_ULID_FLAKE: i32 = 3;

const fn number(scheme: Scheme) -> Option<i32> {
    match scheme {
        Scheme::Snowflake => Some(SAIBAN_SCHEME_SNOWFLAKE),
        Scheme::Randflake => Some(SAIBAN_SCHEME_RANDFLAKE),
        Scheme::UlidFlake => Some(SAIBAN_SCHEME_ULID_FLAKE),
        _ => None,
    }
}

/// The SAIBAN_SCHEME_… of a scheme.
pub(crate) fn scheme_number(scheme: Scheme) -> i32 {
    number(scheme).unwrap_or(SAIBAN_SCHEME_ANY)
}

const fn scheme_name(scheme: &Scheme) -> &'static str {
    scheme.name()
}

/// The schemes that have a number.
const NUMBERED: [Scheme; 3] = [Scheme::Snowflake, Scheme::Randflake, Scheme::UlidFlake];

names!(NAMES: 16 = scheme_name, NUMBERED);

/// The scheme of a SAIBAN_SCHEME_…; `None` for SAIBAN_SCHEME_ANY.
pub(crate) fn scheme(wanted: i32) -> Result<Option<Scheme>, Error> {
    if wanted == SAIBAN_SCHEME_ANY {
        return Ok(None);
    }
    match NUMBERED.into_iter().find(|scheme| number(*scheme) == Some(wanted)) {
        // No scheme has a number for a name: core says so.
        None => Scheme::from_name(&wanted.to_string()).map(Some),
        known => Ok(known),
    }
}

/// An ID taken apart. What a scheme does not have is 0, and its has_… is false.
// It has no padding, whose bytes would be whatever was on the stack before, for the program to read.
#[repr(C)]
pub struct Parts {
    /// The ID itself.
    pub id: i64,
    /// When its tick began, Unix milliseconds.
    pub timestamp_ms: i64,
    /// The node; of a scalable Ulid-Flake the scalability id.
    pub node: u64,
    /// The sequence number within the tick.
    pub sequence: u64,
    /// The random part.
    pub random: u64,
    /// How often the clock had stepped back.
    pub rollback: u64,
    /// Which of saiban_inspect's secrets this is what the ID holds under: 0 for `secret`, 1 and up for the old ones.
    pub secret_index: u64,
    /// The layout's name, where it is a preset, else NULL. Constant: not to be freed.
    pub layout: *const c_char,
    /// SAIBAN_SCHEME_SNOWFLAKE, …_RANDFLAKE or …_ULID_FLAKE.
    pub scheme: i32,
    /// Whether the ID has a node.
    pub has_node: bool,
    /// Whether the ID has a sequence number.
    pub has_sequence: bool,
    /// Whether the ID has a random part.
    pub has_random: bool,
    /// Whether the layout has bits for the clock's steps back.
    pub has_rollback: bool,
    /// Whether there was a choice of secrets.
    pub has_secret_index: bool,
    /// 0.
    pub reserved: [u8; 7],
}

impl From<saiban::Parts> for Parts {
    fn from(parts: saiban::Parts) -> Self {
        Parts {
            // Schemes of 64 bits, all with a time and a random part that fits, are the only ones that C has.
            id: parts.id.as_i64().unwrap_or(0),
            timestamp_ms: parts.timestamp_ms.unwrap_or(0),
            node: parts.node.unwrap_or(0),
            sequence: parts.sequence.unwrap_or(0),
            random: parts.random.unwrap_or(0) as u64,
            rollback: parts.rollback.unwrap_or(0),
            secret_index: parts.secret_index.unwrap_or(0),
            layout: layout::name(parts.layout),
            scheme: scheme_number(parts.scheme),
            has_node: parts.node.is_some(),
            has_sequence: parts.sequence.is_some(),
            has_random: parts.random.is_some(),
            has_rollback: parts.rollback.is_some(),
            has_secret_index: parts.secret_index.is_some(),
            reserved: [0; 7],
        }
    }
}

ffi! {
    /// The name of a SAIBAN_SCHEME_…: snowflake, randflake or ulid-flake; "" for another number. Constant: not to be freed.
    fn saiban_scheme_name(scheme: i32) -> *const c_char {
        let index = NUMBERED.iter().position(|known| number(*known) == Some(scheme));
        index.map_or(c"".as_ptr(), |index| NAMES[index].as_ptr())
    }

    /// Finds the SAIBAN_SCHEME_… of this name: snowflake, randflake or ulid-flake.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_scheme_from_name(name: Chars, name_len: usize, scheme: Out<i32>) {
        let name = name.get(name_len)?;
        scheme.set(number(Scheme::from_name(&name)?).ok_or(Error::UnknownScheme { name: Excerpt::new(&name) })?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_of_c_has_a_number() {
        for known in NUMBERED {
            let number = number(known).unwrap_or_else(|| panic!("{known} has none"));
            assert_eq!(scheme(number), Ok(Some(known)));
        }
    }
}
