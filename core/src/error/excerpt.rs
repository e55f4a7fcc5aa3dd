//! A piece of what the caller gave, for messages.

use core::fmt;

/// The beginning of a text that the caller gave, for a message: small enough to travel in an error without an allocator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; Excerpt::LONGEST],
    len: u8,
    cut: Cut,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Nowhere,
    AtEnd,
    AtStart,
}

impl Excerpt {
    const LONGEST: usize = 24;

    /// The first characters of a text, at most 24 bytes of them.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut len = text.len().min(Self::LONGEST);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; Self::LONGEST];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Excerpt { bytes, len: len as u8, cut: if len == text.len() { Cut::Nowhere } else { Cut::AtEnd } }
    }

    /// The last characters of a text, at most 24 bytes of them: what tells one path from another.
    #[must_use]
    pub fn end_of(text: &str) -> Self {
        let mut start = text.len().saturating_sub(Self::LONGEST);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let cut = if start == 0 { Cut::Nowhere } else { Cut::AtStart };
        Excerpt { cut, ..Self::new(&text[start..]) }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default();
        match self.cut {
            Cut::Nowhere => write!(f, "{text:?}"),
            Cut::AtEnd => write!(f, "{text:?}…"),
            Cut::AtStart => write!(f, "…{text:?}"),
        }
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
