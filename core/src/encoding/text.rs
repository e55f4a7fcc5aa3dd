//! Text of an ID without an allocator.

use core::fmt;
use core::ops::Deref;

/// The longest text: 64 binary digits.
const CAPACITY: usize = 64;

/// The text of an ID, at most 64 ASCII characters, on the stack. It reads as `&str`.
#[derive(Clone, Copy)]
pub struct Text {
    /// The text stands at the end.
    bytes: [u8; CAPACITY],
    start: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Text { bytes: [0; CAPACITY], start: CAPACITY }
    }

    /// Puts a character of ASCII in front.
    pub(super) fn push_front(&mut self, character: u8) {
        self.start -= 1;
        self.bytes[self.start] = character;
    }

    /// Puts zeros in front up to this length.
    pub(super) fn pad_front(&mut self, zero: u8, length: usize) {
        while CAPACITY - self.start < length {
            self.push_front(zero);
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[self.start..]).unwrap_or_default()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(feature = "alloc")]
impl From<Text> for alloc::string::String {
    fn from(text: Text) -> Self {
        text.as_str().into()
    }
}
