//! The names of a node's parts: [`Name`], a short string without an allocator. It is public.

use crate::error::{Error, Excerpt, LayoutProblem};
use core::fmt;

/// The most characters that a name may have.
pub const LONGEST_NAME: usize = 16;

/// The name of a part of the node.
///
/// It has a lower-case letter, then up to 15 lower-case letters, digits and underscores.
///
/// ```
/// use saiban::layout::Name;
/// assert_eq!(Name::new("worker")?.as_str(), "worker");
/// assert!(Name::new("Worker").is_err() && Name::NONE.is_empty());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    bytes: [u8; LONGEST_NAME],
    len: u8,
}

impl Name {
    /// The empty name, for fields without a name.
    pub const NONE: Name = Name { bytes: [0; LONGEST_NAME], len: 0 };

    /// Creates a name from text.
    ///
    /// # Errors
    /// `InvalidLayout` for text that is not a valid name.
    pub const fn new(text: &str) -> Result<Self, Error> {
        match Self::read(text) {
            Some(name) => Ok(name),
            None => Err(Error::InvalidLayout { reason: LayoutProblem::NameInvalid { name: Excerpt::new(text) } }),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a name has at most LONGEST_NAME bytes")]
    pub(super) const fn read(text: &str) -> Option<Self> {
        let text = text.as_bytes();
        if text.is_empty() || text.len() > LONGEST_NAME || !text[0].is_ascii_lowercase() {
            return None;
        }
        let mut bytes = [0; LONGEST_NAME];
        let mut index = 0;
        while index < text.len() {
            if !matches!(text[index], b'a'..=b'z' | b'0'..=b'9' | b'_') {
                return None;
            }
            bytes[index] = text[index];
            index += 1;
        }
        Some(Name { bytes, len: text.len() as u8 })
    }

    /// Returns the name as text. [`Name::NONE`] is empty.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len as usize);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// Returns whether this is [`Name::NONE`].
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn is(&self, other: &Name) -> bool {
        let mut index = 0;
        while index < LONGEST_NAME {
            if self.bytes[index] != other.bytes[index] {
                return false;
            }
            index += 1;
        }
        true
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
