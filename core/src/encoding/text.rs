//! Defines [`Text`]: the text of an ID, on the stack.

use crate::error::Error;
use core::fmt;
use core::ops::Deref;

/// The text of an ID: at most 128 ASCII characters, on the stack. It dereferences to `str`.
///
/// ```
/// use saiban::Encoding;
/// let text = Encoding::HEX.encode(255);
/// assert_eq!((text.as_str(), text.len(), text.to_uppercase()), ("ff", 2, "FF".to_owned()));
/// ```
#[derive(Clone, Copy)]
pub struct Text {
    /// The text is at the end. If it is shorter than the buffer, the first byte is [`STARTS`] plus
    /// the index of its first character.
    ///
    /// A field of its own for the index would make the type 129 bytes long. The compiler would then
    /// copy each returned text with a call.
    bytes: [u8; Text::MAX_LEN],
}

/// The mark of a first byte that is an index. No ASCII character has this bit.
const STARTS: u8 = 0x80;

impl Text {
    /// The length of the longest text: 128 binary digits.
    pub const MAX_LEN: usize = 128;

    /// Creates the text that `write` writes at the end of the buffer. `write` returns the index of
    /// the first character.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the index is less than 128")]
    pub(super) fn written(write: impl FnOnce(&mut [u8; Text::MAX_LEN]) -> usize) -> Self {
        let mut bytes = [0; Text::MAX_LEN];
        let start = write(&mut bytes);
        if start > 0 {
            bytes[0] = STARTS | start as u8;
        }
        Text { bytes }
    }

    /// Creates a text of ASCII characters. If there are too many, the first characters are cut off.
    pub(crate) fn of(bytes: impl DoubleEndedIterator<Item = u8>) -> Self {
        Self::written(|out| {
            let mut start = out.len();
            for (place, byte) in out.iter_mut().rev().zip(bytes.rev()) {
                *place = byte;
                start -= 1;
            }
            start
        })
    }

    /// Copies the text to the start of a buffer, and returns its length.
    ///
    /// # Errors
    /// `BufferTooSmall` if the buffer is shorter than the text.
    pub(crate) fn copy_into(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        let (length, text) = (buffer.len(), self.as_bytes());
        let front = buffer.get_mut(..text.len()).ok_or(Error::BufferTooSmall { length, needed: text.len() })?;
        front.copy_from_slice(text);
        Ok(text.len())
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Returns the bytes of the text, which are ASCII.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let first = self.bytes[0];
        let start = if first & STARTS == 0 { 0 } else { first & !STARTS };
        &self.bytes[usize::from(start)..]
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
