//! Excerpts of the caller's text, for error messages.

use core::fmt;

/// The beginning or the end of a text that the caller passed, at most 24 bytes, for a message.
///
/// It is `Copy`, so an error can hold it without an allocator. `Display` writes it in quotation
/// marks, with `…` where the text was cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Excerpt {
    bytes: [u8; Excerpt::LONGEST],
    len: u8,
    cut: Cut,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cut {
    Nowhere,
    AtEnd,
    AtStart,
}

impl Excerpt {
    const LONGEST: usize = 24;

    /// Returns the first characters of a text: at most 24 bytes, and whole characters only.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        let mut len = if text.len() < Self::LONGEST { text.len() } else { Self::LONGEST };
        // UTF-8 continuation bytes begin with the bits 10.
        while len < text.len() && text.as_bytes()[len] & 0xc0 == 0x80 {
            len -= 1;
        }
        let excerpt = Self::EMPTY.and(text, len);
        Excerpt { cut: if len == text.len() { Cut::Nowhere } else { Cut::AtEnd }, ..excerpt }
    }

    /// Returns an excerpt of a name. If the name resembles a URL, returns only the part before the
    /// first colon, because a URL may contain a password.
    pub(crate) fn of_name(name: &str) -> Self {
        if !name.contains('@') && !name.contains("://") {
            return Self::new(name);
        }
        let kind = name.split_once(':').map_or("", |(kind, _)| kind);
        Excerpt { cut: Cut::AtEnd, ..Self::new(kind) }
    }

    const EMPTY: Excerpt = Excerpt { bytes: [0; Self::LONGEST], len: 0, cut: Cut::Nowhere };

    /// Appends the first `bytes` bytes of a text, as far as they fit.
    const fn and(mut self, text: &str, bytes: usize) -> Self {
        let mut index = 0;
        while index < bytes && (self.len as usize) < Self::LONGEST {
            self.bytes[self.len as usize] = text.as_bytes()[index];
            self.len += 1;
            index += 1;
        }
        self
    }

    /// Returns an excerpt for a field of a layout: `kind`, or `kind.name` if the field has a name.
    pub(crate) const fn of_part(kind: &str, name: &str) -> Self {
        let excerpt = Self::EMPTY.and(kind, kind.len());
        if name.is_empty() { excerpt } else { excerpt.and(".", 1).and(name, name.len()) }
    }

    /// Returns a value that displays this excerpt without quotation marks, for numbers.
    pub(crate) fn unquoted(&self) -> impl fmt::Display + '_ {
        struct Unquoted<'a>(&'a Excerpt);
        impl fmt::Display for Unquoted<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0.as_str())?;
                f.write_str(if self.0.cut == Cut::AtEnd { "…" } else { "" })
            }
        }
        Unquoted(self)
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }

    /// Returns the last characters of a text: at most 24 bytes, and whole characters only. Long
    /// paths differ mostly at the end.
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
        let text = self.as_str();
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
